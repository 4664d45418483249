// The histories of books are shortened between requests, once a day.
import Book
import Ledger
import TestKit
import Testing

@testable import Devices

@Suite struct HistoryUpkeep {
    let server = DeviceServer()

    private var retention: HistoryRetention {
        var retention = HistoryRetention()
        retention.fewest = 1
        return retention
    }

    @Test func aHistoryIsShortenedADayAfterItsDeviceWasLoaded() async throws {
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.write(into: device, devices)
        try await server.write(into: device, devices)
        let before = try await device.book().history(limit: 100).count
        server.clock.advance(by: 800 * day)
        await devices.shortenHistories(retention)
        #expect(
            try await device.book().history(limit: 100).count == before,
            "the first round only begins the day"
        )
        server.clock.advance(by: day)
        await devices.shortenHistories(retention)
        #expect(try await device.book().history(limit: 100).count == 1)
        try await server.write(into: device, devices)
        server.clock.advance(by: day - 1)
        await devices.shortenHistories(retention)
        #expect(try await device.book().history(limit: 100).count == 2, "it is not due before a day is over")
        await devices.close()
    }
}

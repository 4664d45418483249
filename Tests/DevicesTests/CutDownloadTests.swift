// A first download over a line that breaks at each of its places: it never looks complete before it is, and is complete in
// the end.
import Ledger
import TestKit
import Testing
import Texts

@testable import Book
@testable import Devices

@Suite struct ADownloadOverALineThatBreaks {
    private static let entries = 330
    /// The requests before the line breaks. At each of these places it breaks before the next request, and within the
    /// answer to it.
    private static let requests = Array(0..<25)

    /// The places are shared by servers of their own, which work at the same time.
    @Test(arguments: 0..<5) func saysHowMuchIsHereAndIsCompletedAfterwards(share: Int) async throws {
        let server = DeviceServer()
        try await server.fill(transactions: Self.entries)
        for requests in Self.requests where requests % 5 == share {
            for losesAnswer in [false, true] {
                let place = Place(
                    requests: requests,
                    losesAnswer: losesAnswer,
                    restarts: requests.isMultiple(of: 2) != losesAnswer
                )
                try await breakAndRepair(server, at: place)
            }
        }
    }

    /// Its pages say how much is here, and not that all is.
    @Test func isIncompleteOnceTheSubscriptionIsOverOrNotVerified() async throws {
        let server = DeviceServer()
        try await server.fill(transactions: Self.entries)
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        server.cloud.cutLine(after: 3, losesAnswer: false)
        try await server.signIn("anna", on: device)
        try await eventually("the line breaks") { server.cloud.isLineCut && isCutOff(device) }
        #expect(try await device.cloudCopy(in: device.book()) == nil, "sync follows the book")
        let notice = await device.notice(of: .subscriptionEnded, at: server.clock.now)
        #expect(notice.text == Text("notices.subscription-ended-too-early"))
        server.clock.advance(by: 4 * day)
        let copy = try #require(try await device.cloudCopy(in: device.book()))
        let incomplete = try #require(copy.incomplete)
        #expect(device.state.name == "synced" && incomplete.done < Self.entries)
        await devices.close()
    }

    private struct Place: CustomStringConvertible {
        let requests: Int
        let losesAnswer: Bool
        let restarts: Bool

        var description: String {
            "after \(requests) pages\(losesAnswer ? " and within the next" : "")\(restarts ? ", restarted" : "")"
        }
    }

    private func breakAndRepair(_ server: DeviceServer, at place: Place) async throws {
        var devices = try server.open()
        let (token, guest) = try await server.guest(devices)
        var device = guest
        try await server.write(into: device, devices)
        server.cloud.cutLine(after: place.requests, losesAnswer: place.losesAnswer)
        try await server.signIn("anna", on: device)
        try await eventually("the line breaks \(place)") { server.cloud.isLineCut && isCutOff(device) }
        if place.restarts {
            await devices.close()
            devices = try server.open()
            device = try await devices.load(token)
            try await eventually("it is offline again \(place)") { isCutOff(device) }
        }
        let typed = "Typed \(place.requests)\(place.losesAnswer ? "b" : "a")"
        try await check(device, at: place)
        if place.requests > 0 {
            try await server.write(into: device, devices, typed)
            let status = try #require(device.syncStatus(in: try await device.book()))
            #expect(status.pending == 1 && status.incomplete != nil, "\(place)")
        }
        server.cloud.repairLine()
        try await device.hurryCloudTask()
        device.retrySync()
        let last = device
        try await eventually("all is here \(place)") {
            let isInStep = try await last.isInStep()
            return last.state.name == "synced" && isInStep
        }
        let book = try await device.book()
        let status = try #require(device.syncStatus(in: book))
        #expect(status.incomplete == nil && status.syncedAt != nil, "\(place)")
        #expect(try book.counts().transactions == Self.entries, "\(place)")
        let names = try await device.accountNames()
        #expect(names.count == Set(names).count && !names.contains("Mine"), "\(place)")
        #expect(names.contains(typed) == (place.requests > 0), "\(place)")
        await devices.close()
    }

    /// Whether the device has noticed that the line is cut.
    private func isCutOff(_ device: Device) -> Bool {
        switch device.state.name {
        case "verifying_account": true
        case "synced": device.syncStatus(in: nil)?.phase == .offline
        default: false
        }
    }

    /// Asserts the facts of pages while the line is cut.
    private func check(_ device: Device, at place: Place) async throws {
        let book = try await device.book()
        let names = try await device.accountNames()
        guard place.requests > 0 else {
            #expect(device.state.name == "verifying_account" && names.contains("Mine"), "\(place)")
            #expect(device.session?.isAttached == false, "\(place)")
            return
        }
        let status = try #require(device.syncStatus(in: book))
        let missing = try #require(status.incomplete, "\(place)")
        #expect(try missing.done == rows(book) && missing.done < missing.total, "\(place)")
        #expect(status.phase == .offline && status.syncedAt == nil, "\(place)")
        #expect(device.showsDownload(in: book), "\(place)")
        #expect(try book.preferences().baseCurrency == .usd && !names.isEmpty, "\(place)")
        #expect(!names.contains("Mine"), "\(place)")
    }

    /// The number of rows of the book that the cloud has a kind for.
    private func rows(_ book: Book) throws -> Int {
        try book.reading { db in
            try db.schema.tables.reduce(0) { try $0 + db.number("SELECT count(*) FROM \($1.name)") }
        }
    }
}

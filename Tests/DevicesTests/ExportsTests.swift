// The downloads of a device's book: their slots and their order.
import Synchronization
import Testing

@testable import Devices

@Suite struct ExportSlots {
    private final class Events: Sendable {
        private let owned = Mutex<[String]>([])
        var all: [String] { owned.withLock { $0 } }
        func append(_ event: String) { owned.withLock { $0.append(event) } }
    }

    let exports = Exports()

    @Test func aDeviceHasFewDownloadsAndEachEndsWithItsOwner() {
        var slots = (0..<ExportSlot.mostPerDevice).map { _ in exports.slot() }
        #expect(slots.allSatisfy { $0 != nil } && exports.slot() == nil)
        slots.removeLast()
        #expect(exports.slot() != nil, "it was sent")
    }

    @Test func oneDownloadIsWrittenAtATimeInTheOrderOfTheRequests() async throws {
        let first = try #require(exports.slot())
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let events = Events()
        let slow = Task {
            await first.write {
                start.finish()
                for await _ in held {}
                events.append("first")
            }
        }
        for await _ in started {}
        // The second waits for the end of the first, whether it arrives before or after it.
        let second = try #require(exports.slot())
        let waiting = Task { await second.write { events.append("second") } }
        hold.finish()
        await waiting.value
        #expect(events.all == ["first", "second"])
        await slow.value
    }

    @Test func aDownloadThatFailsPassesTheTurnOn() async throws {
        struct Failure: Error {}
        let place = try #require(exports.slot())
        await #expect(throws: Failure.self) { try await place.write { throw Failure() } }
        #expect(await place.write { true })
    }
}

// Work that is tried again: after pauses, and at once when there is more of it.
import Synchronization
import TestKit
import Testing

@testable import Devices

@Suite struct RetryLoops {
    /// Pauses that the test ends, and attempts that succeed or not.
    private final class World: Sendable {
        struct State {
            var pauses: [Int64] = []
            var attempts = 0
            var isDone = false
            var ended = 0
        }

        let state = Mutex(State())
        var pauses: [Int64] { state.withLock { $0.pauses } }
        var attempts: Int { state.withLock { $0.attempts } }

        /// Waits for the test, or for the cancellation of its task.
        func pause(_ milliseconds: Int64) async {
            let number = state.withLock { state in
                state.pauses.append(milliseconds)
                return state.pauses.count
            }
            while !Task.isCancelled, state.withLock({ $0.ended }) < number { await Task.yield() }
        }

        func attempt() -> Bool {
            state.withLock { state in
                state.attempts += 1
                return state.isDone
            }
        }
    }

    private func until(_ what: String, _ condition: () -> Bool) async throws {
        try #require(try await eventuallyBecomesTrue { condition() }, "\(what)")
    }

    @Test func moreWorkEndsAPause() async throws {
        let world = World()
        let loop = RetryLoop(longestPause: 5_000) { await world.pause($0) }
        let task = Background.run { await loop.run { world.attempt() } }
        try await until("the first attempt, without a wake") { world.pauses == [1_000] }
        world.state.withLock { $0.ended = 1 }
        try await until("the second one") { world.pauses == [1_000, 2_000] }
        // This pause does not end.
        loop.wake()
        try await until("the third one") { world.pauses == [1_000, 2_000, 1_000] }
        world.state.withLock { $0.ended = 3 }
        try await until("the fourth one") { world.pauses.last == 2_000 }
        for (number, pause) in [(4, 4_000), (5, 5_000), (6, 5_000)] as [(Int, Int64)] {
            world.state.withLock { $0.ended = number }
            try await until("a longer pause") { world.pauses.count == number + 1 }
            #expect(world.pauses.last == pause)
        }
        world.state.withLock { ($0.isDone, $0.ended) = (true, 7) }
        try await until("the work is done") { world.attempts == 8 }
        loop.wake()
        try await until("another attempt") { world.attempts == 9 }
        #expect(world.pauses.count == 7)
        task.cancel()
        await task.value
    }
}

// The time of a world: it runs like real time from a fixed beginning, and can be moved forward.

import Devices
import Ledger
import SyncCore
import Synchronization

/// The clock of one world. Safe to use from any thread.
final class WorldClock: Sendable {
    struct State {
        /// The milliseconds by which the clock was moved forward.
        var offset: Int64
        var last = 0
        /// The pauses under way, which end early when the clock is moved.
        var sleepers: [Int: Task<Void, Never>] = [:]
    }

    /// 21 November 2026, 12:00 UTC, a Saturday, in milliseconds: a fixed day, so that each world is the same
    /// whenever it is made.
    static let beginning: Int64 = 1_795_262_400_000
    /// The furthest that a clock is moved: ten years.
    static let furthest: Int64 = 10 * 366 * 86_400_000

    private let begun = ContinuousClock.now
    private let isStill: Bool
    let state: Mutex<State>

    /// - Parameters:
    ///   - offset: the milliseconds since the beginning at which the clock begins.
    ///   - isStill: whether it only moves by `advance`; pauses last a hundredth then.
    init(offset: Int64 = 0, isStill: Bool = false) {
        self.isStill = isStill
        state = Mutex(State(offset: offset))
    }

    /// Milliseconds since 1970 (UTC).
    var milliseconds: Int64 { Self.beginning + elapsed + state.withLock { $0.offset } }

    /// Real time since the clock was made; of a monotonic clock, so that a system clock that is set back moves
    /// no world.
    private var elapsed: Int64 {
        guard !isStill else { return 0 }
        let (seconds, attoseconds) = (ContinuousClock.now - begun).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }

    /// Moves the clock forward, and ends the pauses that are over by then.
    /// - Returns: false, without an effect, beyond `furthest`.
    func advance(milliseconds: Int64) -> Bool {
        let woken = state.withLock { state -> [Task<Void, Never>]? in
            let offset = state.offset.addingClamped(milliseconds)
            guard milliseconds >= 0, offset <= Self.furthest else { return nil }
            state.offset = offset
            defer { state.sleepers = [:] }
            return Array(state.sleepers.values)
        }
        guard let woken else { return false }
        for sleeper in woken { sleeper.cancel() }
        return true
    }

    /// Suspends for a time of this clock, or until the task is cancelled.
    @Sendable func pause(milliseconds: Int64) async {
        guard !isStill else { return await SyncCore.pause(milliseconds: max(1, milliseconds / 100)) }
        let end = self.milliseconds.addingClamped(milliseconds)
        while !Task.isCancelled {
            let offset = state.withLock { $0.offset }
            let left = end - (Self.beginning + elapsed + offset)
            guard left > 0 else { return }
            let sleeper = Background.run { await SyncCore.pause(milliseconds: left) }
            // If the clock was moved in the meantime, nothing would end this pause.
            let number = state.withLock { state -> Int? in
                guard state.offset == offset else { return nil }
                state.last += 1
                state.sleepers[state.last] = sleeper
                return state.last
            }
            guard let number else {
                sleeper.cancel()
                continue
            }
            await withTaskCancellationHandler {
                await sleeper.value
            } onCancel: {
                sleeper.cancel()
            }
            state.withLock { _ = $0.sleepers.removeValue(forKey: number) }
        }
    }
}

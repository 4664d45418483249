// A reviewer of the lab: a cookie, a world of their own, and the journeys that they have walked.

import Devices
import SyncCore
import Synchronization
import Templates

/// One reviewer. Safe to use from any thread.
final class Reviewer: Sendable {
    /// The values behind the page of the lab, apart from the devices.
    struct Present: Sendable {
        var kind = WorldKind.empty
        /// Counts the worlds that have taken the place of another one, so that an open page learns of it.
        var number = 0
        var world: World?
        var walk: Walk?
        /// The journeys that were reached, with the real time in UTC seconds.
        var reached: [String: Int64] = [:]
        /// Whether the world is being made or taken away.
        var isBusy = false
        var isGone = false
        /// Whether the browser runs the script, which reports each part of a page that is opened. Without it, the parts
        /// that are closed count as seen.
        var reportsOpening = false
        /// Real seconds of a monotonic clock.
        var seenAt: Int64
        /// The time at which the world was made, in seconds of the same clock.
        var madeAt: Int64 = 0

        /// Whether the reviewer has not been seen since the frames of a new world were loaded.
        var hasNeverReturned: Bool { seenAt - madeAt <= 5 }
    }

    let token: DeviceToken
    /// The network of the first request; see `Request.clientNetwork`.
    let network: String
    let present: Mutex<Present>

    /// The real time, in UTC seconds.
    private let seconds: @Sendable () -> Int64

    init(_ token: DeviceToken, from network: String, at now: Int64, seconds: @escaping @Sendable () -> Int64)
    {
        self.token = token
        self.network = network
        self.seconds = seconds
        present = Mutex(Present(seenAt: now))
    }

    /// The present values.
    var now: Present { present.withLock { $0 } }

    /// Notes what a page of a device has shown.
    func note(_ page: ByteBuffer, of device: Int) {
        // The buffer belongs to the worker that prints the page.
        note(of: device) { PageText(page) }
    }

    /// Notes what a person has opened on a page of a device, or has read in an open part of it.
    /// - Parameter words: as the browser shows them.
    func note(opened words: String, of device: Int) {
        let text = PageText(ByteBuffer(capacity: 64))
        text.shown.appendEscaped(words.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        note(of: device) { text }
    }

    private func note(of device: Int, _ read: () -> PageText) {
        let (walk, world, mustOpen) = present.withLock { ($0.walk, $0.world, $0.reportsOpening) }
        guard let walk, !walk.isReached else { return }
        let text = read()
        let shown = walk.found(in: text.shown, of: device)
        let folded = walk.found(in: text.folded, of: device).filter { !shown.contains($0) }
        present.withLock { present in
            guard present.world === world, present.walk?.journey.id == walk.journey.id else { return }
            present.walk?.note(shown)
            if mustOpen { present.walk?.note(folded: folded) } else { present.walk?.note(folded) }
        }
        // The state that a page was printed in counts, even if it passes before the next question of the lab.
        check()
    }

    /// Moves the journey on.
    func check() {
        let seconds = seconds()
        let (walk, world) = present.withLock { ($0.walk, $0.world) }
        guard var walk, let world, !walk.isReached else { return }
        walk.check(world)
        let moved = walk
        present.withLock { present in
            guard present.world === world, present.walk?.journey.id == moved.journey.id else { return }
            present.walk?.join(moved)
            if moved.isReached, present.reached[moved.journey.id] == nil {
                present.reached[moved.journey.id] = seconds
            }
        }
    }

    /// Whether a journey was reached, or is on stage.
    func state(of journey: Journey) -> WalkState {
        present.withLock { present in
            if present.reached[journey.id] != nil { return .reached }
            return present.walk?.journey.id == journey.id ? .staged : .open
        }
    }
}

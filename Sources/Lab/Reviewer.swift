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
        /// Counts the worlds that were made, so that an open page learns of another one; 0 before the first.
        var number = 0
        var world: World?
        var walk: Walk?
        /// By the ids of the journeys.
        var marks: [String: JourneyMark] = [:]
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

    /// - Parameter marks: the marks of the same visitor before their world was put away.
    init(
        _ token: DeviceToken,
        from network: String,
        at now: Int64,
        marks: [String: JourneyMark] = [:],
        seconds: @escaping @Sendable () -> Int64
    ) {
        self.token = token
        self.network = network
        self.seconds = seconds
        present = Mutex(Present(marks: marks, seenAt: now))
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
        // The words of this page may follow a sign that came true before it was printed.
        check()
        let text = read()
        let shown = walk.found(on: text, of: device)
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
        let hasEnded = present.withLock { present -> Bool in
            guard present.world === world, let former = present.walk, former.journey.id == moved.journey.id,
                moved.reached > former.reached
            else { return false }
            present.walk?.join(moved)
            present.marks[moved.journey.id, default: JourneyMark()].count(
                moved.reached,
                isEnd: moved.isReached,
                at: seconds
            )
            return moved.isReached
        }
        // A kill on the way to the end would surprise a reviewer who looks around afterwards.
        if hasEnded { world.disarm(moved.journey.stage) }
    }
}

extension Reviewer.Present {
    /// The event after which the journey on stage cannot be continued; nil while it can.
    var interruption: Interruption? {
        guard let walk, let world, !walk.isReached else { return nil }
        return walk.interruption(in: world)
    }

    /// Whether a journey is on stage, or was walked.
    func state(of journey: Journey) -> WalkState {
        if let walk, walk.journey.id == journey.id { return walk.isReached ? .reached : .staged }
        return marks[journey.id]?.isWalked == true ? .reached : .open
    }

    /// The journey to walk after another one: the rest of the tour first, then the next one of the list that was not
    /// walked; nil if all were.
    func journey(after journey: Journey, of journeys: Journeys) -> Journey? {
        func next(in list: [Journey]) -> Journey? {
            guard let place = list.firstIndex(where: { $0.id == journey.id }) else { return nil }
            return (list[(place + 1)...] + list[..<place]).first { marks[$0.id]?.isWalked != true }
        }
        return next(in: journeys.tour) ?? next(in: journeys.all)
    }
}

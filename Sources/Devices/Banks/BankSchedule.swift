// The order in which the connections of all devices are refreshed without a request of the user, as a value.
//
//     add(device) ─▶ waiting ─▶ next() ─▶ turn: one connection is refreshed ─▶ end(turn) ─▶ waiting, or gone
//
// It does no I/O and reads no clock.

import Ledger

/// The event after which connections are refreshed without a request of the user.
enum BankOccasion: Hashable, Sendable {
    /// The user opened the device, returned to it, or looks at data of the bank.
    case use
    /// Time has passed.
    case timer
}

/// The devices whose connections may be due, each in its turn. Times are UTC milliseconds.
///
/// A turn refreshes at most one connection; a device with more connections waits behind the other devices again. So a
/// device with twenty connections, or with a slow bank, delays another device by one turn at most.
struct BankSchedule: Sendable {
    /// The time between the opening of a device and its refreshes.
    static let openingMilliseconds: Int64 = 2_000
    /// The time after which a device is tried again whose lifecycle is passing through a state.
    static let retryMilliseconds: Int64 = 2_000
    /// The most turns at the same time, each of another device.
    static let mostTurns = 4
    /// The number of retries of a device whose lifecycle is passing through a state.
    private static let mostRetries = 30
    /// The most turns of used devices in a row while a device of the timer waits.
    private static let mostUses = 3

    /// The turn of a device.
    struct Turn: Hashable, Sendable {
        let device: EntityID
        let occasion: BankOccasion
        fileprivate let retries: Int
    }

    /// The result of a turn.
    enum Outcome: Hashable, Sendable {
        /// A connection was refreshed. Others may be due.
        case refreshed
        /// No connection is due, or the device must not refresh any.
        case nothingDue
        /// The lifecycle is passing through a state.
        case notYet
    }

    private struct Waiting: Sendable {
        var dueAt: Int64
        var occasion: BankOccasion
        /// The order of arrival.
        let number: Int
        let retries: Int
    }

    private var waiting: [EntityID: Waiting] = [:]
    private var running: Set<EntityID> = []
    private var lastNumber = 0
    private var usesInARow = 0

    /// Whether a device waits for a turn, or has one.
    func contains(_ device: EntityID) -> Bool { waiting[device] != nil || running.contains(device) }

    /// Adds a device. A device that waits already keeps its place.
    mutating func add(_ device: EntityID, on occasion: BankOccasion, at dueAt: Int64) {
        add(device, on: occasion, at: dueAt, retries: 0)
    }

    private mutating func add(_ device: EntityID, on occasion: BankOccasion, at dueAt: Int64, retries: Int) {
        guard let present = waiting[device] else {
            lastNumber += 1
            waiting[device] = Waiting(dueAt: dueAt, occasion: occasion, number: lastNumber, retries: retries)
            return
        }
        waiting[device]?.dueAt = min(present.dueAt, dueAt)
        if occasion == .use { waiting[device]?.occasion = .use }
    }

    /// Begins the next turn, after which `end` must follow.
    /// - Returns: nil if no device is due, or `mostTurns` are under way.
    mutating func next(at now: Int64) -> Turn? {
        guard running.count < Self.mostTurns else { return nil }
        let use = first(.use, at: now)
        let timer = first(.timer, at: now)
        // Users who look at their pages come first, as long as the timer gets every fourth turn.
        let isTimer = use == nil || (timer != nil && usesInARow >= Self.mostUses)
        guard let device = isTimer ? timer : use, let place = waiting.removeValue(forKey: device) else {
            return nil
        }
        usesInARow = isTimer ? 0 : usesInARow + 1
        running.insert(device)
        return Turn(device: device, occasion: place.occasion, retries: place.retries)
    }

    /// The device that has waited longest.
    private func first(_ occasion: BankOccasion, at now: Int64) -> EntityID? {
        waiting.filter { device, place in
            // A time that is far in the future was planned before the clock was set back.
            let isDue = place.dueAt <= now || place.dueAt - now > Self.openingMilliseconds
            return place.occasion == occasion && isDue && !running.contains(device)
        }.min { $0.value.number < $1.value.number }?.key
    }

    /// Ends a turn. The device waits again if something may be left to do.
    mutating func end(_ turn: Turn, _ outcome: Outcome, at now: Int64) {
        running.remove(turn.device)
        switch outcome {
        case .refreshed: add(turn.device, on: turn.occasion, at: now)
        case .nothingDue: break
        case .notYet:
            guard turn.retries < Self.mostRetries else { return }
            let dueAt = now.addingClamped(Self.retryMilliseconds)
            add(turn.device, on: turn.occasion, at: dueAt, retries: turn.retries + 1)
        }
    }
}

/// A connection that can be refreshed. Times are UTC seconds.
struct BankCandidate: Hashable, Sendable {
    let id: EntityID
    let plan: BankRefreshPlan
    /// The time of the last successful refresh; nil before the first.
    let readAt: Int64?

    /// The connection to refresh next: the due connection that was tried least recently. So a connection that always
    /// fails delays no other.
    static func next(
        of candidates: [BankCandidate],
        on occasion: BankOccasion,
        at now: Int64,
        perDay: Int
    ) -> EntityID? {
        candidates.filter { $0.plan.isDue(on: occasion, at: now, readAt: $0.readAt, perDay: perDay) }
            .min { ($0.triedAt, $0.id) < ($1.triedAt, $1.id) }?.id
    }

    private var triedAt: Int64 { max(readAt ?? .min, plan.automaticAt.last ?? .min) }
}

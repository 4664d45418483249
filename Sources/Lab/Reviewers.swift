// All reviewers: found by their cookies, bounded in number, and forgotten when they stay away.

import Devices
import SyncCore
import Synchronization

/// The reviewers of a lab and their worlds. Safe to use from any thread.
final class Reviewers: Sendable {
    struct State {
        var reviewers: [DeviceToken: Reviewer] = [:]
        /// The number of worlds that were made, for the names of their folders.
        var made = 0
        /// The marks of reviewers whose worlds were put away, by their cookies.
        var marks: [DeviceToken: [String: JourneyMark]] = [:]
    }

    let state = Mutex(State())
    private let parts: LabParts
    private let blueprints: Blueprints
    /// The source of cookies, which cannot be guessed.
    private let random = Randomness()

    init(_ parts: LabParts) {
        self.parts = parts
        blueprints = Blueprints(parts)
    }

    private var now: Int64 { parts.limits.clock() }

    /// The reviewer of a cookie; nil if it is unknown, or its world was wiped.
    func find(_ token: DeviceToken) -> Reviewer? {
        let reviewer = state.withLock { $0.reviewers[token] }
        let now = now
        reviewer?.present.withLock { $0.seenAt = now }
        return reviewer
    }

    /// A new reviewer, without files. Beyond the limit, the reviewer who was away for the longest time and has no world
    /// is forgotten.
    /// - Parameters:
    ///   - network: as `Request.clientNetwork`.
    ///   - former: the cookie of a forgotten reviewer, whose marks the new reviewer gets.
    func welcome(from network: String = "", after former: DeviceToken? = nil) -> Reviewer {
        let marks = former.flatMap { former in state.withLock { $0.marks.removeValue(forKey: former) } }
        let reviewer = Reviewer(
            random.token(),
            from: network,
            at: now,
            marks: marks ?? [:],
            seconds: parts.seconds
        )
        state.withLock { state in
            if state.reviewers.count >= parts.limits.reviewers {
                let away = state.reviewers.values.filter { $0.now.world == nil && !$0.now.isBusy }
                    .min { $0.now.seenAt < $1.now.seenAt }
                if let away { state.reviewers[away.token] = nil }
            }
            state.reviewers[reviewer.token] = reviewer
        }
        return reviewer
    }

    /// The world of a reviewer; the first call makes it.
    /// - Throws: `gone`, `full`, `failed`.
    func world(of reviewer: Reviewer) async throws(LabError) -> World {
        if let world = reviewer.now.world { return world }
        return try await renew(reviewer, reviewer.now.kind, onlyIfMissing: true)
    }

    /// Replaces the reviewer's world by a new one of a kind.
    /// - Throws: as `world`.
    @discardableResult
    func renew(_ reviewer: Reviewer, _ kind: WorldKind, onlyIfMissing: Bool = false) async throws(LabError)
        -> World
    {
        let blueprint = try await blueprints.blueprint(of: kind)
        // One after the other: two tabs of one reviewer, or the frames of one page.
        while !reviewer.present.withLock({ present in
            defer { present.isBusy = true }
            return !present.isBusy
        }) { await pause(milliseconds: 5) }
        defer { reviewer.present.withLock { $0.isBusy = false } }
        let (former, isGone) = (reviewer.now.world, reviewer.now.isGone)
        guard !isGone else { throw .gone }
        if let former, onlyIfMissing { return former }
        try await makeRoom(for: blueprint.bytes, of: reviewer)
        let number = state.withLock { state in
            state.made += 1
            return state.made
        }
        let now = now
        let world = try World(blueprint, in: "\(parts.folder)/world-\(number)", parts) { [weak reviewer] in
            reviewer?.note($1, of: $0)
        }
        reviewer.present.withLock { present in
            (present.world, present.kind, present.walk) = (world, kind, nil)
            present.madeAt = now
            present.number += 1
        }
        if let former { await wipe(former) }
        return world
    }

    /// Wipes a world that was replaced. A device that does not stop in time is left to the background, and the log says
    /// so: the new world does not wait for it.
    private func wipe(_ world: World) async {
        guard await !Background.ends(withinMilliseconds: Self.wipeMilliseconds, { await world.wipe() }) else {
            return
        }
        parts.log.error(
            "the lab: a world (\(world.kind.rawValue)) does not stop, and stays in memory until it does"
        )
    }

    /// The longest time that a new world waits for the end of the one before, in milliseconds.
    private static let wipeMilliseconds: Int64 = 5_000

    /// Wipes the worlds that were left alone for the longest time, until another one has room.
    /// - Parameter reviewer: their present world goes away by itself.
    private func makeRoom(for bytes: Int64, of reviewer: Reviewer) async throws(LabError) {
        while true {
            switch room(for: bytes, of: reviewer) {
            case .free: return
            case .insteadOf(let away): await forget(away)
            case .none: throw .full
            }
        }
    }

    private enum Room {
        case free, none
        /// Once the world of a reviewer who is away is wiped.
        case insteadOf(Reviewer)
    }

    private func room(for bytes: Int64, of reviewer: Reviewer) -> Room {
        let limits = parts.limits
        let others = state.withLock { Array($0.reviewers.values) }
            .filter { $0 !== reviewer && $0.now.world != nil }
        let held = others.reduce(bytes) { $0 + ($1.now.world?.bytes ?? 0) }
        let neighbours = others.filter { $0.network == reviewer.network }
        let heldByNetwork = neighbours.reduce(bytes) { $0 + ($1.now.world?.bytes ?? 0) }
        let isCrowded =
            neighbours.count >= limits.worldsOfNetwork || heldByNetwork > limits.bytesOfNetwork
        guard isCrowded || others.count >= limits.worlds || held > limits.bytes else { return .free }
        let away = (isCrowded ? neighbours : others).filter { other in
            let present = other.now
            let patience = present.hasNeverReturned ? limits.untouchedSeconds : limits.spareSeconds
            return now - present.seenAt >= patience
        }.min { $0.now.seenAt < $1.now.seenAt }
        if let away { return .insteadOf(away) }
        // Worlds in use end only where one network has more than its share, and then the longest unused one.
        guard !isCrowded else { return .none }
        let networks = Dictionary(grouping: others, by: \.network)
        let share = limits.worlds / (networks.count + (networks[reviewer.network] == nil ? 1 : 0))
        guard let largest = networks.values.max(by: { $0.count < $1.count }), largest.count > share,
            largest.count > neighbours.count + 1
        else { return .none }
        return largest.min { $0.now.seenAt < $1.now.seenAt }.map { .insteadOf($0) } ?? .none
    }

    /// Whether a reviewer has a world, or can have one now.
    func hasRoom(for reviewer: Reviewer) -> Bool {
        if reviewer.now.world != nil { return true }
        if case .none = room(for: 0, of: reviewer) { return false }
        return true
    }

    /// Measures the worlds, and wipes the worlds of reviewers who stayed away.
    func tidy() async {
        for reviewer in state.withLock({ Array($0.reviewers.values) }) { reviewer.now.world?.measure() }
        let limit = now - parts.limits.idleSeconds
        for reviewer in state.withLock({ Array($0.reviewers.values) }) where reviewer.now.seenAt <= limit {
            await forget(reviewer)
        }
    }

    private func forget(_ reviewer: Reviewer) async {
        let marks = reviewer.now.marks
        state.withLock { state in
            state.reviewers[reviewer.token] = nil
            guard !marks.isEmpty else { return }
            // No visitor fills the memory with marks: the marks of the visitor who walked longest ago go first.
            func walkedAt(_ marks: [String: JourneyMark]) -> Int64 { marks.values.map(\.at).max() ?? 0 }
            if state.marks.count >= parts.limits.reviewers,
                let oldest = state.marks.min(by: { walkedAt($0.value) < walkedAt($1.value) })
            {
                state.marks[oldest.key] = nil
            }
            state.marks[reviewer.token] = marks
        }
        let world = reviewer.present.withLock { present in
            present.isGone = true
            defer { present.world = nil }
            return present.world
        }
        await world?.wipe()
    }

    /// Wipes all worlds.
    func close() async {
        await withTaskGroup { group in
            for reviewer in state.withLock({ Array($0.reviewers.values) }) {
                group.addTask { await self.forget(reviewer) }
            }
        }
    }
}

// All visitors: found by their cookies, bounded in number, and forgotten when they stay away.

import Devices
import SyncCore
import Synchronization

/// The visitors of a lab and their worlds. Safe to use from any thread.
final class Visitors: Sendable {
    private struct State {
        var visitors: [DeviceToken: Visitor] = [:]
        /// The number of worlds that were made, for the names of their folders.
        var made = 0
    }

    private let state = Mutex(State())
    private let parts: LabParts
    private let blueprints: Blueprints
    /// The source of cookies, which nobody can guess.
    private let random = Randomness()

    init(_ parts: LabParts) {
        self.parts = parts
        blueprints = Blueprints(parts)
    }

    private var now: Int64 { parts.limits.clock() }

    /// The visitor of a cookie; nil if it is unknown, or its world was wiped.
    func find(_ token: DeviceToken) -> Visitor? {
        let visitor = state.withLock { $0.visitors[token] }
        let now = now
        visitor?.change { $0.seenAt = now }
        return visitor
    }

    /// A new visitor, without files. Beyond the limit, the one who was away for the longest time and has no world is
    /// forgotten.
    func welcome() -> Visitor {
        let visitor = Visitor(random.token(), at: now)
        state.withLock { state in
            if state.visitors.count >= parts.limits.visitors {
                let away = state.visitors.values.filter { $0.now.world == nil && !$0.now.isBusy }
                    .min { $0.now.seenAt < $1.now.seenAt }
                if let away { state.visitors[away.token] = nil }
            }
            state.visitors[visitor.token] = visitor
        }
        return visitor
    }

    /// The world of a visitor; the first call makes it.
    /// - Throws: `gone`, `full`, `failed`.
    func world(of visitor: Visitor) async throws(LabError) -> World {
        if let world = visitor.now.world { return world }
        return try await renew(visitor, visitor.now.kind, onlyIfMissing: true)
    }

    /// Replaces the visitor's world by a new one of a kind.
    /// - Throws: as `world`.
    @discardableResult
    func renew(_ visitor: Visitor, _ kind: WorldKind, onlyIfMissing: Bool = false) async throws(LabError) -> World {
        let blueprint = try await blueprints.blueprint(of: kind)
        // One after the other: two tabs of one visitor, or the frames of one page.
        while !visitor.change({ present in
            defer { present.isBusy = true }
            return !present.isBusy
        }) { await pause(milliseconds: 5) }
        defer { visitor.change { $0.isBusy = false } }
        let (former, isGone) = (visitor.now.world, visitor.now.isGone)
        guard !isGone else { throw .gone }
        if let former, onlyIfMissing { return former }
        if former == nil { try await makeRoom() }
        let number = state.withLock { state in
            state.made += 1
            return state.made
        }
        let world = try World(blueprint, in: "\(parts.folder)/world-\(number)", parts) { [weak visitor] in
            visitor?.note($1, of: $0)
        }
        visitor.change { present in
            (present.world, present.kind, present.walk) = (world, kind, nil)
        }
        await former?.wipe()
        return world
    }

    /// Wipes the world that was left alone for the longest time, if there are as many as there may be.
    private func makeRoom() async throws(LabError) {
        let all = state.withLock { Array($0.visitors.values) }
        guard all.count(where: { $0.now.world != nil }) >= parts.limits.worlds else { return }
        let away = all.filter { $0.now.world != nil && now - $0.now.seenAt >= parts.limits.spareSeconds }
            .min { $0.now.seenAt < $1.now.seenAt }
        guard let away else { throw .full }
        await forget(away)
    }

    /// Wipes the worlds whose visitors stayed away.
    func tidy() async {
        let limit = now - parts.limits.idleSeconds
        for visitor in state.withLock({ Array($0.visitors.values) }) where visitor.now.seenAt <= limit {
            await forget(visitor)
        }
    }

    private func forget(_ visitor: Visitor) async {
        state.withLock { _ = $0.visitors.removeValue(forKey: visitor.token) }
        let world = visitor.change { present in
            present.isGone = true
            defer { present.world = nil }
            return present.world
        }
        await world?.wipe()
    }

    /// Wipes all worlds.
    func close() async {
        for visitor in state.withLock({ Array($0.visitors.values) }) { await forget(visitor) }
    }

    /// The number of worlds.
    var worldCount: Int { state.withLock { Array($0.visitors.values) }.count { $0.now.world != nil } }
}

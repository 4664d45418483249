// The prepared worlds: each is made once, by its devices themselves, and copied for every reviewer.

import Foundation
import Synchronization

/// The blueprints of all kinds. Safe to use from any thread.
final class Blueprints: Sendable {
    private enum Entry {
        case made(Blueprint)
        case underWay([CheckedContinuation<Void, Never>])
    }

    private let parts: LabParts
    private let entries = Mutex<[WorldKind: Entry]>([:])

    init(_ parts: LabParts) { self.parts = parts }

    /// The blueprint of a kind. The first call makes it, and others wait for that.
    /// - Throws: `failed`; the next call tries again.
    func blueprint(of kind: WorldKind) async throws(LabError) -> Blueprint {
        while true {
            switch begin(kind) {
            case .made(let blueprint): return blueprint
            case .wait: await turn(kind)
            case .make:
                let result = await make(kind)
                end(kind, try? result.get())
                return try result.get()
            }
        }
    }

    private enum Turn {
        case made(Blueprint), make, wait
    }

    private func begin(_ kind: WorldKind) -> Turn {
        entries.withLock { entries in
            switch entries[kind] {
            case .made(let blueprint): return .made(blueprint)
            case .underWay: return .wait
            case nil:
                entries[kind] = .underWay([])
                return .make
            }
        }
    }

    private func turn(_ kind: WorldKind) async {
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let mustWait = entries.withLock { entries in
                guard case .underWay(let waiters) = entries[kind] else { return false }
                entries[kind] = .underWay(waiters + [waiter])
                return true
            }
            if !mustWait { waiter.resume() }
        }
    }

    private func end(_ kind: WorldKind, _ blueprint: Blueprint?) {
        let waiters = entries.withLock { entries -> [CheckedContinuation<Void, Never>] in
            defer { entries[kind] = blueprint.map { .made($0) } }
            guard case .underWay(let waiters) = entries[kind] else { return [] }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    static func size(of folder: String) -> Int64 {
        let files = FileManager.default
        return (files.subpaths(atPath: folder) ?? []).reduce(0) { sum, path in
            let size = try? files.attributesOfItem(atPath: "\(folder)/\(path)")[.size] as? Int
            return sum + Int64(size ?? 0)
        }
    }

    private func make(_ kind: WorldKind) async -> Result<Blueprint, LabError> {
        let blank = Blueprint(kind: kind)
        guard kind != .empty else { return .success(blank) }
        let folder = "\(parts.folder)/blueprint-\(kind.rawValue)"
        do throws(LabError) {
            // An attempt that failed may have left files.
            try? FileManager.default.removeItem(atPath: folder)
            let world = try World(blank, in: folder, parts, isStill: true)
            let stage = Stage(world)
            do {
                try await stage.prepare(kind)
                await world.close()
            } catch {
                await world.wipe()
                throw LabError.failed("\(error)")
            }
            return .success(
                Blueprint(
                    kind: kind,
                    folder: folder,
                    bytes: Self.size(of: folder),
                    tokens: stage.tokens,
                    subscriptions: world.store.all
                )
            )
        } catch { return .failure(error) }
    }
}

// Work on a book beside the requests, which each device has once at a time.

import Ledger
import Synchronization

/// The devices with one kind of work under way.
final class WorkBeside: Sendable {
    private let devices = Mutex<Set<EntityID>>([])

    /// - Returns: false if that is under way.
    func begin(_ device: EntityID) -> Bool { devices.withLock { $0.insert(device).inserted } }

    func end(_ device: EntityID) { devices.withLock { _ = $0.remove(device) } }
}

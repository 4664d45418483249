// The books that could not be opened because their files are damaged or lost.

import Ledger
import Synchronization

/// Those that were found since the start, until they could be opened again.
final class DamagedBooks: Sendable {
    private let devices = Mutex<Set<EntityID>>([])

    var count: Int { devices.withLock { $0.count } }

    /// - Returns: whether that is news.
    @discardableResult
    func note(_ device: EntityID, isDamaged: Bool) -> Bool {
        devices.withLock { devices in
            isDamaged ? devices.insert(device).inserted : devices.remove(device) != nil
        }
    }
}

extension DeviceManager {
    /// How many books could not be opened because their files are damaged or lost, as far as anybody has asked for them.
    public var damagedBookCount: Int { services.damagedBooks.count }
}

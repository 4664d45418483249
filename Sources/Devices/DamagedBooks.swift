// The books that could not be opened because their files are damaged or missing.

import Ledger
import Synchronization

/// The damaged books found since the start. A book is removed from the set when it could be opened again.
final class DamagedBooks: Sendable {
    private let devices = Mutex<Set<EntityID>>([])

    var count: Int { devices.withLock { $0.count } }

    /// - Returns: whether the set has changed.
    @discardableResult
    func note(_ device: EntityID, isDamaged: Bool) -> Bool {
        devices.withLock { devices in
            isDamaged ? devices.insert(device).inserted : devices.remove(device) != nil
        }
    }
}

extension DeviceManager {
    /// The number of known books that could not be opened because their files are damaged or missing.
    public var damagedBookCount: Int { services.damagedBooks.count }
}

// The news, within this process, that sessions of a user were ended by another one of their devices.

import Ledger
import Synchronization

/// The listener for ended sessions. A device whose session does not sync polls for nothing, and would notice only when its
/// subscription is verified, a minute later.
final class SessionNews: Sendable {
    private let listener = Mutex<(@Sendable (EntityID) -> Void)?>(nil)

    /// Calls back after sessions of a user have ended, at any time and on any thread.
    func listen(_ body: @escaping @Sendable (_ user: EntityID) -> Void) { listener.withLock { $0 = body } }

    /// Passes the news on.
    func ended(of user: EntityID) {
        let listener = listener.withLock { $0 }
        listener?(user)
    }
}

// How syncing goes, for people.

import Ledger
import SyncCore

/// What the header and the pages say of sync.
public struct SyncStatus: Hashable, Sendable {
    /// What is going on.
    public enum Phase: Hashable, Sendable {
        /// The cloud was not heard of yet.
        case connecting
        /// All rows are on their way here.
        case downloading(done: Int, total: Int)
        /// Changes are on their way to the cloud.
        case uploading
        /// In step.
        case idle
        /// The cloud cannot be reached; it is tried again by itself.
        case offline
        /// It does not go on by itself, or only later.
        case failed(Trouble)
    }

    /// Why it does not go on.
    public enum Trouble: String, CaseIterable, Hashable, Sendable {
        /// The token is not accepted any more.
        case signInAgain = "sign_in_again"
        /// Sync is for premium.
        case subscriptionRequired = "subscription_required"
        /// The account's data was deleted elsewhere.
        case dataDeleted = "data_deleted"
        /// Some changes were refused.
        case refusedChanges = "refused_changes"
        /// As many devices sync the account as may.
        case tooManyDevices = "too_many_devices"
        /// The cloud wants a newer version of this program.
        case upgradeRequired = "upgrade_required"
        /// The cloud has too much to do, or its disk failed.
        case cloudBusy = "cloud_busy"
        /// The book's disk failed.
        case storage
        /// Requests led nowhere.
        case noProgress = "no_progress"
    }

    /// What is going on.
    public var phase: Phase
    /// How many changes have no result yet.
    public var pending: Int
    /// How many were refused.
    public var failed: Int
    /// When it was last in step or on its way, in UTC seconds.
    public var syncedAt: Int64?

    /// How many changes are here and nowhere else.
    public var unsent: Int { pending.addingClamped(failed) }

    /// A status.
    public init(phase: Phase, pending: Int = 0, failed: Int = 0, syncedAt: Int64? = nil) {
        self.phase = phase
        self.pending = pending
        self.failed = failed
        self.syncedAt = syncedAt
    }
}

// The status of sync, as pages show it.

public import Ledger
public import SyncCore

/// The status of sync that the header and the pages show.
public struct SyncStatus: Hashable, Sendable {
    /// The part of the work that is under way, or the reason why there is none.
    public enum Phase: Hashable, Sendable {
        /// The cloud has not answered yet.
        case connecting
        /// All rows are being downloaded.
        case downloading
        /// Changes are being uploaded.
        case uploading
        /// Book and cloud are in step.
        case idle
        /// The cloud cannot be reached; the engine tries again by itself.
        case offline
        /// Sync has stopped, or waits for long before it tries again.
        case failed(Trouble)
    }

    /// The reason why sync has stopped or pauses.
    public enum Trouble: String, CaseIterable, Hashable, Sendable {
        /// The cloud rejects the token.
        case signInAgain = "sign_in_again"
        /// The cloud syncs premium accounts only.
        case subscriptionRequired = "subscription_required"
        /// The account's data was deleted elsewhere.
        case dataDeleted = "data_deleted"
        /// Some changes were refused.
        case refusedChanges = "refused_changes"
        /// The account has reached the limit of synced devices.
        case tooManyDevices = "too_many_devices"
        /// The cloud requires a newer version of this program.
        case upgradeRequired = "upgrade_required"
        /// The cloud is older than this program.
        case cloudOutdated = "cloud_outdated"
        /// The cloud is overloaded, or its disk failed.
        case cloudBusy = "cloud_busy"
        /// The book's disk failed.
        case storage
        /// A single change does not reach the cloud before the cloud ends the request.
        case lineTooSlow = "line_too_slow"
        /// Several requests in a row changed nothing.
        case noProgress = "no_progress"
    }

    /// The reason why no file is sent while changes are.
    public enum FileTrouble: Hashable, Sendable {
        /// The last request with a file got no answer.
        case cloudAway
        /// The cloud takes no files.
        case cloudOutdated
    }

    /// The part of the work that is under way, or the reason why there is none.
    public var phase: Phase
    /// The number of changes without a result.
    public var pending: Int
    /// The number of changes that the cloud refused.
    public var failed: Int
    /// The time of the last page or result, in UTC seconds; nil before the first download is complete.
    public var syncedAt: Int64?
    /// The download that is not complete; nil if there is none.
    public var download: ReplicaState.Download?
    /// As that of `ReplicaState`.
    public var isCatchingUp = false
    /// The time until which the cloud accepts changes after the end of the subscription, in UTC seconds; nil
    /// unless the cloud has named it.
    public var drainUntil: Int64?

    /// Whether the answer to a request is awaited for some seconds. The engine leaves it at false: the machine has the
    /// times.
    public var isSilent = false

    /// The number of files that follow the changes. The engine leaves it at 0: the book counts them.
    public var files = 0
    /// The number of files that are not sent: the cloud does not take them, or they are damaged. As `files`.
    public var refusedFiles = 0
    /// The numbers of files that are neither on this device nor in the cloud, by its last answer. As `files`.
    public var absentFiles = AbsentFiles()
    /// The reason why no file is sent; nil if there is none, or if sync itself does not continue.
    public var fileTrouble: FileTrouble?

    /// Rows of the cloud that are missing here; nil if none is.
    public var incomplete: ReplicaState.Download? { download.flatMap { $0.isFirst ? $0 : nil } }

    /// The number of changes that only this book has.
    public var unsent: Int { pending.addingClamped(failed) }

    /// Takes over what the book says of itself.
    public mutating func note(_ state: ReplicaState) {
        (pending, failed) = (state.pending, state.failed)
        (download, isCatchingUp) = (state.download, state.isCatchingUp)
        // A page of a first download is no sync.
        syncedAt = incomplete == nil ? state.syncedAt : nil
    }

    /// The numbers are 0 and the time is nil unless given.
    public init(phase: Phase, pending: Int = 0, failed: Int = 0, syncedAt: Int64? = nil) {
        self.phase = phase
        self.pending = pending
        self.failed = failed
        self.syncedAt = syncedAt
    }
}

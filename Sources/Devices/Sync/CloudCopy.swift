// The copy of a user's data that the cloud keeps while sync does not follow the book.

public import Book
import CloudProtocol
public import Ledger
import Lifecycle
public import SyncCore
import SyncEngine

/// A copy in the cloud that this device does not follow: the subscription has ended or is not verified, or sync is off.
public struct CloudCopy: Hashable, Sendable {
    /// When the copy last changed, in UTC seconds; nil if it is unknown.
    public var changedAt: Int64?
    /// Whether other devices may have changed it since. After the end of a subscription none can, and otherwise the cloud
    /// has to say that none syncs.
    public var mayHaveChanged = true
    /// The number of changes that only this device has.
    public var changes: Int
    /// The number of files of receipts that only this device has.
    public var files: Int
    /// The numbers of files that neither this device nor the copy has.
    public var absentFiles = AbsentFiles()
    /// The rows that only the copy has, because sync ended before the first download was complete; nil if there are none.
    public var incomplete: ReplicaState.Download?
    /// Whether sync ended between the end of the first download and the changes since it began.
    public var isCatchingUp = false
}

extension State {
    /// Whether data in the cloud is being deleted.
    fileprivate var isDeletion: Bool {
        switch self {
        case .deletingServerData, .deletingAccount: true
        default: false
        }
    }

    /// Whether the user's data is not on the device.
    fileprivate var isWithoutBook: Bool {
        switch self {
        case .blocked, .deletingServerData, .deletingAccount(_, from: .blocked): true
        case .error(let failure): failure.from.isWithoutBook
        default: false
        }
    }
}

extension Device {
    /// Whether it is not known if the cloud still has the user's data: a deletion has not been answered, and the cloud has not
    /// been asked since.
    public var hasUnknownServerData: Bool {
        guard let session else { return false }
        switch state {
        case .blocked where !session.holdings.isServerData: return true
        case .error(let failure) where failure.from.isDeletion:
            return failure.what != CloudError.sessionRevoked.key
        default: return session.isDeletionUnanswered
        }
    }

    /// Whether the user's data is not on this device.
    public var isWithoutBook: Bool { state.isWithoutBook }

    /// The copy in the cloud; nil if there is none, or if sync follows the book.
    public func cloudCopy(in book: Book) throws(BookError) -> CloudCopy? {
        // A locked device says nothing about its user's data.
        guard let session, !session.isLocked, session.isAttached || session.holdings.isServerData else {
            return nil
        }
        switch state {
        case .localOnly: break
        // Sync waits until the subscription is verified again, or until its end is known.
        case .synced where !session.isPremium(at: services.dependencies.now): break
        default: return nil
        }
        let facts = try book.syncFacts()
        var status = SyncStatus(phase: .offline)
        status.note(facts.replica)
        return CloudCopy(
            // The report about the data in the cloud may be older than the last upload.
            changedAt: (session.isAttached ? status.syncedAt : nil) ?? session.holdings.changedAt,
            mayHaveChanged: mayCopyChange(session),
            changes: facts.changesOnlyHere,
            files: facts.files.sound,
            absentFiles: try countAbsentFiles(in: book),
            incomplete: facts.replica.incomplete,
            isCatchingUp: facts.replica.isCatchingUp
        )
    }

    private func mayCopyChange(_ session: Session) -> Bool {
        let now = services.dependencies.now
        guard !session.isRevoked, let known = session.entitlement, known.trust(at: now) == .trusted else {
            return true
        }
        // It may be deleted then, which a cloud that does not answer cannot say.
        guard known.entitlement.isPremium else { return machine { $0.plan.isUnanswered(at: now) } }
        return machine { !($0.otherReplicas == 0 && $0.plan.isCurrent(at: now)) }
    }
}

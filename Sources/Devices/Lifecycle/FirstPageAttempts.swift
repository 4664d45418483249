// The attempts to load the first page of an account, for as long as one state of a device awaits it.

import CloudProtocol
import Ledger
import SyncCore
import SyncEngine

/// The common values of all attempts of a state.
struct FirstPageAttempts: Sendable {
    /// Whether there was an attempt: the account has premium.
    private(set) var hasBegun = false
    /// The replica that the account's book becomes. The cloud admits it before it sends a page: with an id for each attempt,
    /// the replicas of other devices would have to make room.
    private var replica: EntityID?
    /// The size of the page, which a slow line makes smaller for the next attempt.
    var limit = RowLimit(Device.firstRows)
    /// The reason why the last attempt failed; nil if none has.
    private(set) var trouble: FirstPageTrouble?

    /// Begins an attempt.
    /// - Parameter new: the replica of the first one.
    mutating func begin(as new: EntityID) -> (replica: EntityID, rows: Int) {
        let replica = self.replica ?? new
        (self.replica, hasBegun) = (replica, true)
        return (replica, limit.rows)
    }

    /// Notes the result of an attempt, or of a request that precedes a further one.
    mutating func note(_ trouble: FirstPageTrouble?) { if hasBegun { self.trouble = trouble } }
}

/// The reason why the first page of an account is not here, although the account has premium.
public enum FirstPageTrouble: Hashable, Sendable {
    /// The cloud cannot be reached.
    case offline
    /// The cloud has found no premium for this request.
    case subscriptionRequired
    /// As many devices sync the account as may.
    case tooManyDevices(limit: Int)
    /// The cloud requires a newer version of this program.
    case upgradeRequired
    /// The cloud is older than this program.
    case cloudOutdated
    /// The cloud is overloaded, or its disk failed.
    case cloudBusy
    /// The cloud's answer does not fit the request.
    case unusableAnswer
    /// The server's disk failed.
    case storage

    init(_ error: CloudError) {
        self =
            switch error {
            case .unreachable, .timedOut, .cutOff: .offline
            case .subscriptionRequired: .subscriptionRequired
            case .sync(.tooManyReplicas(let limit)): .tooManyDevices(limit: limit)
            case .sync(.upgradeRequired(let oldest, _)):
                oldest > SyncLimits.schema ? .upgradeRequired : .cloudOutdated
            case .notSupported: .cloudOutdated
            case .failed, .busy: .cloudBusy
            default: .unusableAnswer
            }
    }

    /// Whether it may last for long: the next attempt need not come soon.
    var isLasting: Bool { self != .offline }
}

// What the engine asks of the cloud, and what comes back.

public import Ledger
public import SyncCore

/// A question to the cloud.
public enum SyncRequest: Hashable, Sendable {
    /// Where does the account's data stand?
    case head(EntityID)
    /// Take these.
    case push(PushBatch)
    /// What has changed?
    case changes(ChangesQuery)
    /// All is sent: let this replica go.
    case detach(EntityID, lastN: Int64)

    /// The replica that asks.
    public var replica: EntityID {
        switch self {
        case .head(let replica), .detach(let replica, _): replica
        case .push(let batch): batch.replica
        case .changes(let query): query.replica
        }
    }

    /// The epoch that the replica knew when it asked; nil where the request has none.
    var epoch: Int64? {
        switch self {
        case .head, .detach: nil
        case .push(let batch): batch.epoch
        case .changes(let query): query.epoch
        }
    }

    /// Asks it.
    public func ask(_ cloud: some SyncAPI, _ token: SessionToken) async -> SyncAnswer {
        do throws(CloudError) {
            switch self {
            case .head: return .head(try await cloud.signal(seen: nil, waitSeconds: 0, token))
            case .push(let batch): return .pushed(try await cloud.push(batch, token))
            case .changes(let query): return .changes(try await cloud.changes(query, token))
            case .detach(let replica, let lastN):
                try await cloud.detach(replica, lastN: lastN, token)
                return .detached
            }
        } catch {
            return .refused(error)
        }
    }
}

/// What comes back.
public enum SyncAnswer: Hashable, Sendable {
    case head(Head)
    case pushed(PushAnswer)
    case changes(ChangesPage)
    case detached
    case refused(CloudError)
}

/// What the engine wants next.
public enum SyncStep: Hashable, Sendable {
    /// Ask the cloud, and give the answer to `take`.
    case ask(SyncRequest)
    /// Nothing, until it is woken, or until that moment in milliseconds.
    case rest(until: Int64?)
    /// It has come to an end.
    case over(SyncEnd)
}

/// How syncing came to an end.
public enum SyncEnd: Hashable, Sendable {
    /// The book is not attached.
    case notAttached
    /// All was sent, and the cloud has let the replica go.
    case drained
    /// The token is not accepted any more.
    case sessionRevoked
    /// The account does not exist any more.
    case accountGone
    /// The account's data was deleted elsewhere.
    case dataDeleted
}

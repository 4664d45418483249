// The requests of the engine to the cloud, and their answers.

public import CloudProtocol
public import Ledger
public import SyncCore

/// A request of the engine to the cloud.
public enum SyncRequest: Hashable, Sendable {
    /// Asks for the head of the account's data.
    case head(EntityID)
    /// Sends operations.
    case push(PushBatch)
    /// Asks for rows.
    case changes(ChangesQuery)
    /// Detaches the replica after its last operation.
    case detach(EntityID, lastN: Int64)

    /// The replica that asks.
    public var replica: EntityID {
        switch self {
        case .head(let replica), .detach(let replica, _): replica
        case .push(let batch): batch.replica
        case .changes(let query): query.replica
        }
    }

    /// The epoch that the book had when the request was made; nil for requests without one.
    var epoch: Int64? {
        switch self {
        case .head, .detach: nil
        case .push(let batch): batch.epoch
        case .changes(let query): query.epoch
        }
    }

    /// Sends the request.
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

/// A response of the cloud, or the reason why there is none.
public enum SyncAnswer: Hashable, Sendable {
    case head(Head)
    case pushed(PushAnswer)
    case changes(ChangesPage)
    case detached
    case refused(CloudError)
}

/// The next step of the engine.
public enum SyncStep: Hashable, Sendable {
    /// Send the request, and pass the answer to `handle`.
    case ask(SyncRequest)
    /// Wait until the engine is woken, or until the given time in milliseconds.
    case wait(until: Int64?)
    /// Sync has ended.
    case over(SyncEnd)
}

/// The reason why sync ended.
public enum SyncEnd: Hashable, Sendable {
    /// The book is not attached.
    case notAttached
    /// All operations were sent, and the cloud has detached the replica.
    case drained
    /// The cloud rejects the token.
    case sessionEnded(SessionEnding)
    /// The account's data was deleted elsewhere.
    case dataDeleted
    /// The subscription has ended, and the cloud accepts none of the waiting operations.
    case uploadsRefused
}

extension SyncEnd: CustomStringConvertible {
    /// A short phrase for the log.
    public var description: String {
        switch self {
        case .notAttached: "the book is not attached"
        case .drained: "all changes were sent"
        case .sessionEnded: "the session has ended"
        case .dataDeleted: "the data of the account was deleted"
        case .uploadsRefused: "the subscription has ended, and the cloud accepts no more changes"
        }
    }
}

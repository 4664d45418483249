// The calls of sync: what they mean, how they travel, and the clouds that pass them on.

public import Ledger
public import SyncCore

/// The calls of sync. The cloud in this process and the one behind HTTP answer alike.
public protocol SyncAPI: Sendable {
    /// How long a question for news may wait, in seconds.
    var waitSeconds: Int64 { get }

    /// Sends operations. The results are durable when they are returned.
    /// - Throws: `sessionRevoked`, `accountGone`, `subscriptionRequired`, `epochChanged`, `opGap`, `opReused`,
    ///   `tooLarge`, `tooManyReplicas`, `upgradeRequired`, `malformed`, `busy`, `failed`, `unreachable`,
    ///   `timedOut`.
    func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer

    /// Rows that changed, or all rows.
    /// - Throws: `sessionRevoked`, `accountGone`, `subscriptionRequired`, `epochChanged`, `cursorExpired`,
    ///   `cursorAhead`, `tooManyReplicas`, `busy`, `failed`, `unreachable`,
    ///   `timedOut`.
    func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage

    /// Where the account's data stands, at once where that is not `seen`, else as soon as it moves or the wait is over.
    /// - Throws: `sessionRevoked`, `accountGone`, `subscriptionRequired`, `failed`, `unreachable`.
    func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async throws(CloudError) -> Head

    /// Lets a replica go that has sent all it had.
    /// - Parameter lastN: the last operation that the replica has sent.
    /// - Throws: `opGap` where the cloud has not got them all; `sessionRevoked`, `accountGone`, `failed`,
    ///   `unreachable`.
    func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) async throws(CloudError)
}

extension SyncAPI {
    /// As long as a cloud lets anybody wait.
    public var waitSeconds: Int64 { SyncLimits.waitSeconds }
}

/// The call of a server for all of its devices.
public protocol SignalsAPI: Sendable {
    /// Tells a watch what has changed, and waits until one of its sessions has news or the wait is over. Of two
    /// requests that wait for one watch, the earlier one is answered at once.
    /// - Throws: `malformed`, `tooLarge`, `busy`, `failed`. An ended session is news of that session.
    func signals(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer
}

extension SyncLimits {
    /// The most bytes of one request for the news of many sessions, inflated.
    public static let bytesOfSignals = 128 << 10
    /// The most bytes of any other request, inflated: before it is known who asks nothing is dear.
    public static let bytesOfOthers = 64 << 10
    /// The longest wait for a signal, in seconds.
    public static let waitSeconds: Int64 = 45
    /// The longest wait over a network, in seconds: so soon it is noticed that a line is silent.
    public static let pollSeconds: Int64 = 2
    /// A request of sync whose line brings nothing for so long is given up, in seconds.
    public static let silentSeconds: Int64 = 8
}

/// The request for the news of one session.
public struct SignalRequest: Hashable, Sendable {
    /// The head that the device has seen; nil before the first.
    public var seen: Head?
    /// How long the answer may wait for news, in seconds.
    public var waitSeconds: Int64

    /// A request.
    public init(seen: Head?, waitSeconds: Int64) {
        self.seen = seen
        self.waitSeconds = waitSeconds
    }
}

extension Endpoints {
    static let sync: [any AnyEndpoint] = [push, changes, signal, signals, detach]

    /// As `SyncAPI.push`.
    public static let push = Endpoint<PushBatch, PushAnswer>(
        "push",
        "POST",
        "/push",
        .batch,
        bodyLimit: SyncLimits.bytes,
        request: .message,
        response: .message,
        .session { cloud, batch, token, _ async throws(CloudError) in try await cloud.push(batch, token) }
    )

    /// As `SyncAPI.changes`.
    public static let changes = Endpoint<ChangesQuery, ChangesPage>(
        "changes",
        "GET",
        "/changes",
        .batch,
        request: RequestCoding(
            encode: { EncodedRequest(query: $0.encoded) },
            decode: { ChangesQuery($0.field) }
        ),
        response: .message,
        .session { cloud, query, token, _ async throws(CloudError) in try await cloud.changes(query, token) }
    )

    /// As `SyncAPI.signal`.
    public static let signal = Endpoint<SignalRequest, Head>(
        "signal",
        "GET",
        "/signal",
        .news,
        request: RequestCoding(
            encode: { EncodedRequest(query: $0.encoded) },
            decode: { SignalRequest($0.field) }
        ),
        response: .message,
        .session { cloud, request, token, _ async throws(CloudError) in
            try await cloud.signal(seen: request.seen, waitSeconds: request.waitSeconds, token)
        }
    )

    /// As `SignalsAPI.signals`. The tokens are in the request: it is for many sessions.
    public static let signals = Endpoint<SignalsRequest, SignalsAnswer>(
        "signals",
        "POST",
        "/signals",
        .news,
        bodyLimit: SyncLimits.bytesOfSignals,
        request: .message,
        response: .message,
        .open { cloud, request, _ async throws(CloudError) in try await cloud.signals(request) }
    )

    /// As `SyncAPI.detach`.
    public static let detach = Endpoint<DetachMessage, Void>(
        "detach",
        "POST",
        "/detach",
        request: .message,
        response: .none,
        .session { cloud, message, token, _ async throws(CloudError) in
            try await cloud.detach(message.replica, lastN: message.lastN, token)
        }
    )
}

extension RelayingCloud {
    /// As `SyncAPI`.
    public func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer {
        try await send(Endpoints.push, batch, Caller(token))
    }

    /// As `SyncAPI`.
    public func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage
    {
        try await send(Endpoints.changes, query, Caller(token))
    }

    /// As `SyncAPI`.
    public func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async throws(CloudError)
        -> Head
    {
        try await send(Endpoints.signal, SignalRequest(seen: seen, waitSeconds: waitSeconds), Caller(token))
    }

    /// As `SyncAPI`.
    public func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) async throws(CloudError) {
        try await send(Endpoints.detach, DetachMessage(replica: replica, lastN: lastN), Caller(token))
    }

    /// As `SignalsAPI`.
    public func signals(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer {
        try await send(Endpoints.signals, request, Caller())
    }
}

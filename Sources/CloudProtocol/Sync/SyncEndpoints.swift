// The calls of sync: their meaning, their endpoints, and their relay.

public import Ledger
public import SyncCore

/// The calls of sync. The cloud in this process and a cloud behind HTTP give the same answers.
public protocol SyncAPI: Sendable {
    /// The maximum time that a signal may wait, in seconds.
    var waitSeconds: Int64 { get }

    /// Sends operations. The results are durable when they are returned.
    /// - Throws: `sessionRevoked`, `accountGone`, `subscriptionRequired`, `epochChanged`, `opGap`,
    ///   `opReused`, `tooLarge`, `tooManyReplicas`, `upgradeRequired`, `malformed`, `busy`, `failed`,
    ///   `unreachable`, `timedOut`, `cutOff`.
    func push(_ batch: PushBatch, _ token: SessionToken) async throws(CloudError) -> PushAnswer

    /// Returns rows that changed, or all rows.
    /// - Throws: `sessionRevoked`, `accountGone`, `subscriptionRequired`, `epochChanged`, `cursorExpired`,
    ///   `cursorAhead`, `tooManyReplicas`, `busy`, `failed`, `unreachable`, `timedOut`, `cutOff`.
    func changes(_ query: ChangesQuery, _ token: SessionToken) async throws(CloudError) -> ChangesPage

    /// Returns the head of the account's data: immediately if it differs from `seen`, otherwise when it
    /// changes or the wait is over.
    /// - Throws: `sessionRevoked`, `accountGone`, `subscriptionRequired`, `failed`, `unreachable`.
    func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async throws(CloudError) -> Head

    /// Detaches a replica that has sent all of its operations.
    /// - Parameter lastN: the number of the last operation that the replica has sent.
    /// - Throws: `opGap` if the cloud has not received all of them; `sessionRevoked`, `accountGone`,
    ///   `failed`, `unreachable`.
    func detach(_ replica: EntityID, lastN: Int64, _ token: SessionToken) async throws(CloudError)
}

extension SyncAPI {
    /// The maximum that a cloud allows.
    public var waitSeconds: Int64 { SyncLimits.waitSeconds }
}

/// The long poll of a server for all of its devices.
public protocol SignalsAPI: Sendable {
    /// Updates a watch, and waits until one of its sessions has news or the wait is over. If two requests
    /// wait for the same watch, the earlier one is answered immediately.
    /// - Throws: `malformed`, `tooLarge`, `busy`, `failed`. The end of a session is news of that session.
    func signals(_ request: SignalsRequest) async throws(CloudError) -> SignalsAnswer
}

extension SyncLimits {
    /// The maximum size of a request for the news of many sessions in bytes, inflated.
    static let bytesOfSignals = 128 << 10
    /// The maximum size of any other request in bytes, inflated. Until the session is verified, no request
    /// may be expensive.
    public static let bytesOfOthers = 64 << 10
    /// The maximum time that a signal may wait, in seconds.
    public static let waitSeconds: Int64 = 45
    /// The maximum time that a signal may wait over a network, in seconds. A silent connection is detected
    /// after this time.
    public static let pollSeconds: Int64 = 2
    /// The time without a received byte after which a request of sync fails, in seconds.
    public static let silentSeconds: Int64 = 8
}

/// The request for the news of one session.
public struct SignalRequest: Hashable, Sendable {
    /// The head that the device has seen; nil before the first.
    public var seen: Head?
    /// The maximum time that the answer may wait for news, in seconds.
    public var waitSeconds: Int64

    /// A request that may wait for news.
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

    /// As `SignalsAPI.signals`. The request contains the tokens, because it is for many sessions.
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

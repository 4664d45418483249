// One endpoint of the cloud's API as a value: the client, the routes and the metrics read all they need from it.

import SyncCore

/// A call of the cloud's API.
///
/// The client encodes the request and decodes the response, the routes do the opposite, and the metrics use the name.
public struct Endpoint<Request: Sendable, Response: Sendable>: Sendable {
    /// The implementation of a call, and the proof that it needs.
    public enum Handler: Sendable {
        /// Needs no session.
        case open(
            @Sendable (_ cloud: any CloudAPI, _ request: Request, _ address: String) async throws(CloudError)
                -> Response
        )
        /// Needs the token of a session that has not ended.
        case session(
            @Sendable (_ cloud: any CloudAPI, _ request: Request, _ token: SessionToken, _ address: String)
                async throws(CloudError) -> Response
        )
    }

    /// The value of the label `call` in the metrics. Two endpoints may share one.
    public let name: String
    /// The HTTP method.
    public let method: String
    /// The path, with `*` in the place of an id.
    public let path: String
    /// How the client sends the request.
    public let delivery: Delivery
    /// The most bytes of a request's body, inflated. Before a session is proved, an endpoint that needs one accepts
    /// `SyncLimits.bytesOfOthers`.
    public let bodyLimit: Int
    /// The coding of the request.
    public let request: RequestCoding<Request>
    /// The coding of the response.
    public let response: ResponseCoding<Response>
    private let handler: Handler

    /// An endpoint.
    /// - Parameter path: below `Endpoints.root`.
    init(
        _ name: String,
        _ method: String,
        _ path: String,
        _ delivery: Delivery = .repeatable,
        bodyLimit: Int = SyncLimits.bytesOfOthers,
        request: RequestCoding<Request>,
        response: ResponseCoding<Response>,
        _ handler: Handler
    ) {
        self.name = name
        self.method = method
        self.path = Endpoints.root + path
        self.delivery = delivery
        self.bodyLimit = bodyLimit
        self.request = request
        self.response = response
        self.handler = handler
    }

    /// Calls the cloud.
    /// - Throws: what the call throws; `sessionRevoked` where it needs a session and the caller has no token.
    public func call(_ cloud: any CloudAPI, _ request: Request, _ caller: Caller) async throws(CloudError)
        -> Response
    {
        switch handler {
        case .open(let handle): return try await handle(cloud, request, caller.address)
        case .session(let handle):
            guard let token = caller.token else { throw .sessionRevoked }
            return try await handle(cloud, request, token, caller.address)
        }
    }

    /// Whether a call needs the token of a session.
    public var needsSession: Bool {
        switch handler {
        case .open: false
        case .session: true
        }
    }

    /// The path of an encoded request, with its id and its query.
    public func address(_ encoded: EncodedRequest) -> String {
        var address = path
        if let id = encoded.id, address.hasSuffix("*") { address = address.dropLast() + id.description }
        return encoded.query.isEmpty ? address : "\(address)?\(encoded.query)"
    }
}

/// How the client sends a request.
public enum Delivery: Hashable, Sendable {
    /// Has the same effect once or twice: sent again where its connection died.
    case repeatable
    /// Carries credentials, and the cloud counts wrong ones: never sent twice, and not queued behind other requests.
    case credentials
    /// Has as many operations or rows as the caller likes. A timeout has an error of its own, so that the caller can
    /// send fewer.
    case batch
    /// Answered as soon as there is news. Its duration says nothing about the cloud.
    case news
}

/// The sender of a request.
public struct Caller: Hashable, Sendable {
    /// The proof of the session; nil where the endpoint needs none.
    public var token: SessionToken?
    /// The network address of the user, for counting wrong credentials; empty where it does not matter.
    public var address: String

    /// A caller.
    public init(_ token: SessionToken? = nil, from address: String = "") {
        self.token = token
        self.address = address
    }
}

/// An endpoint of any request and response: an element of the route table.
public protocol AnyEndpoint: Sendable {
    /// As `Endpoint`.
    var name: String { get }
    /// As `Endpoint`.
    var method: String { get }
    /// As `Endpoint`.
    var path: String { get }
    /// As `Endpoint`.
    var delivery: Delivery { get }
    /// As `Endpoint`.
    var bodyLimit: Int { get }
    /// As `Endpoint`.
    var needsSession: Bool { get }

    /// As `Endpoint`.
    func address(_ encoded: EncodedRequest) -> String

    /// Decodes a request.
    /// - Returns: the call that answers it with an encoded response, empty where there is nothing to say; nil where the
    ///   request is malformed.
    func call(_ received: ReceivedRequest) -> EncodedCall?
}

/// A call of a decoded request, whose response comes encoded.
public typealias EncodedCall =
    @Sendable (_ cloud: any CloudAPI, _ caller: Caller) async throws(CloudError) -> [UInt8]

extension Endpoint: AnyEndpoint {
    /// As `AnyEndpoint`.
    public func call(_ received: ReceivedRequest) -> EncodedCall? {
        guard let decoded = request.decode(received) else { return nil }
        return { cloud, caller async throws(CloudError) in
            response.encode(try await call(cloud, decoded, caller))
        }
    }
}

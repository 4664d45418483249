// One endpoint of the cloud's API as a value. The client, the routes and the metrics derive their behaviour
// from it.

import SyncCore

/// An endpoint of the cloud's API.
///
/// The client encodes the request and decodes the response, the routes do the opposite, and the metrics use
/// the name.
public struct Endpoint<Request: Sendable, Response: Sendable>: Sendable {
    /// The implementation of a call, and whether it needs a session.
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

    /// The value of the label `call` in the metrics. Two endpoints may have the same name.
    public let name: String
    /// The HTTP method.
    public let method: String
    /// The path, with `*` in place of an id.
    public let path: String
    /// The way in which the client sends the request.
    public let delivery: Delivery
    /// The maximum size of a request's body in bytes, inflated. Until the session is verified, an endpoint
    /// that needs one accepts at most `SyncLimits.bytesOfOthers`.
    public let bodyLimit: Int
    /// Whether the response carries an entity tag, so that a client that has it already receives a 304 without
    /// content. Only for `GET`; the same value must have the same encoding.
    public let isTagged: Bool
    /// Whether the response has bytes of a file, and not JSON.
    public let isBinary: Bool
    /// Used by the client to send, and by the cloud to receive.
    public let request: RequestCoding<Request>
    /// Used by the cloud to send, and by the client to receive.
    public let response: ResponseCoding<Response>
    private let handler: Handler

    /// Only `Endpoints` declares endpoints.
    /// - Parameter path: the path below `Endpoints.root`.
    init(
        _ name: String,
        _ method: String,
        _ path: String,
        _ delivery: Delivery = .repeatable,
        bodyLimit: Int = SyncLimits.bytesOfOthers,
        isTagged: Bool = false,
        isBinary: Bool = false,
        request: RequestCoding<Request>,
        response: ResponseCoding<Response>,
        _ handler: Handler
    ) {
        self.name = name
        self.method = method
        self.path = Endpoints.root + path
        self.delivery = delivery
        self.bodyLimit = bodyLimit
        self.isTagged = isTagged
        self.isBinary = isBinary
        self.request = request
        self.response = response
        self.handler = handler
    }

    /// Calls the cloud.
    /// - Throws: the errors of the call; `sessionRevoked` if it needs a session and the caller has no token.
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

    /// The path of an encoded request, with its id or file and its query.
    public func address(_ encoded: EncodedRequest) -> String {
        var address = path
        let name = encoded.id?.description ?? encoded.key?.description
        if let name, address.hasSuffix("*") { address = address.dropLast() + name }
        return encoded.query.isEmpty ? address : "\(address)?\(encoded.query)"
    }
}

/// The way in which the client sends a request.
public enum Delivery: Hashable, Sendable {
    /// Has the same effect if it is sent twice. It is sent again if its connection fails.
    case repeatable
    /// Carries credentials, and the cloud counts wrong credentials. It is never sent twice, and does not wait for other
    /// requests.
    case credentials
    /// Carries a number of operations or rows that the caller chooses. A timeout has an error of its own, so
    /// that the caller can send fewer.
    case batch
    /// As `repeatable`, with many bytes. Few of such requests are sent at the same time, so that no other request waits
    /// for them.
    case bulk
    /// Is answered as soon as there is news. Its duration is no sign of a slow cloud.
    case news
}

/// The sender of a request.
public struct Caller: Hashable, Sendable {
    /// The token of the session; nil if the endpoint needs none.
    public var token: SessionToken?
    /// The network address of the user, for counting wrong credentials; empty if it is not needed.
    public var address: String

    /// A caller without a session and an address unless they are given.
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
    var isTagged: Bool { get }
    /// As `Endpoint`.
    var isBinary: Bool { get }
    /// As `Endpoint`.
    var needsSession: Bool { get }

    /// As `Endpoint`.
    func address(_ encoded: EncodedRequest) -> String

    /// Decodes a request.
    /// - Returns: the call that returns the encoded response, which is empty if there is no content; nil if
    ///   the request is malformed.
    func call(_ received: ReceivedRequest) -> EncodedCall?
}

/// The call of a decoded request. It returns the encoded response.
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

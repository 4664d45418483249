// The requests that this program sends, to identity providers and to a cloud elsewhere, and their responses.

/// A request to another server.
public struct HTTPRequest: Sendable {
    /// `GET`, `POST`, `DELETE`.
    public var method: String
    /// An absolute URL with the scheme http or https.
    public var url: String
    /// Header fields, in the order in which they are sent.
    public var headers: [(name: String, value: String)]
    /// Nil sends no body; an empty array sends `Content-Length: 0`.
    public var body: [UInt8]?
    /// Whether the server may receive this request twice. A kept connection can be closed by the server while a request
    /// is on its way, and nobody knows then whether the request was read. A repeatable one is sent again; any other goes
    /// over a connection of its own and fails.
    public var isRepeatable: Bool
    /// Whether it goes over a connection of its own: those that are kept may have died.
    public var needsNewConnection = false
    /// Whether it may fail with `suspected`: its sender sends it again then. Only what may be received twice.
    public var mayBeSuspected = false

    /// - Parameter isRepeatable: nil for what RFC 9110 says of the method (section 9.2.2): `POST` is not.
    public init(
        _ method: String,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        isRepeatable: Bool? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.isRepeatable = isRepeatable ?? ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method)
    }

    /// Scheme, host and port as they are written in the URL: `https://cloud.example.org`.
    var origin: Substring {
        guard let scheme = url.firstRange(of: "://") else { return url[...] }
        let end = url[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
        return url[..<(end ?? url.endIndex)]
    }
}

/// The response to a request.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The body, inflated where it came as gzip.
    public var body: [UInt8]
    /// How long it asks to wait, by `Retry-After`, in seconds.
    public var retryAfterSeconds: Int64?

    /// A response, as a test makes one.
    public init(status: Int, body: [UInt8], retryAfterSeconds: Int64? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Sends requests: `HTTPClient`, or a test's double.
public protocol HTTPSending: Sendable {
    /// Sends a request and waits for the whole response. Every status is a response, also 404 and 500.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse

    /// A new connection to this server has just brought a response, and an older one is silent: all that were opened
    /// before now may have died with it, without a sign. None of them takes another request, and a request over one of
    /// them that `mayBeSuspected` and then makes no progress, for longer than what it has sent takes on a slow line, fails
    /// with `suspected`.
    /// - Parameter milliseconds: how long the new connection took to bring it.
    func suspect(_ url: String, answeredWithin milliseconds: Int64)
}

extension HTTPSending {
    /// Nothing, for a double without connections.
    public func suspect(_ url: String, answeredWithin milliseconds: Int64) {}
}

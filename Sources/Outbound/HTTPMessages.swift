// Requests to other servers (identity providers, a cloud elsewhere), and their responses.

/// A request to another server.
public struct HTTPRequest: Sendable {
    /// The method in upper case, such as `GET`, `POST` or `DELETE`.
    public var method: String
    /// An absolute URL with the scheme http or https.
    public var url: String
    /// Header fields, in the order in which they are sent. Without `Accept`, the request accepts JSON.
    public var headers: [(name: String, value: String)]
    /// Nil sends no body; an empty array sends `Content-Length: 0`.
    public var body: [UInt8]?
    /// Whether the server may receive this request twice. A server can close a pooled connection while a
    /// request is on its way, and it is unknown then whether the server has read the request. A repeatable
    /// request is sent again; any other one uses a new connection, and fails.
    public var isRepeatable: Bool
    /// Whether the request needs a new connection, because the pooled connections may be dead.
    public var needsNewConnection = false
    /// Whether the request may fail with `suspected`, after which its sender repeats it. Only for repeatable
    /// requests.
    public var mayBeSuspected = false

    /// - Parameter isRepeatable: nil for the default of the method in RFC 9110 (section 9.2.2): `POST` is not
    ///   repeatable.
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

    /// Scheme, host and port as spelled in the URL: `https://cloud.example.org`.
    var origin: Substring {
        guard let scheme = url.firstRange(of: "://") else { return url[...] }
        let end = url[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
        return url[..<(end ?? url.endIndex)]
    }
}

/// The complete response to a request.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The body, decompressed if it was sent as gzip.
    public var body: [UInt8]
    /// The pause in seconds that the server asks for with `Retry-After`.
    public var retryAfterSeconds: Int64?
    /// The field `ETag`; nil if it is missing or cannot be sent back.
    public var entityTag: String?
    /// The field `Last-Modified`, as the server spells it; nil as `entityTag`.
    public var lastModified: String?
    /// The media type of the body in lower case, without parameters: `application/json`; nil as `entityTag`.
    public var contentType: String?

    /// A response without headers unless they are given, for test doubles as well.
    public init(
        status: Int,
        body: [UInt8],
        retryAfterSeconds: Int64? = nil,
        entityTag: String? = nil,
        lastModified: String? = nil,
        contentType: String? = nil
    ) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.contentType = contentType
    }
}

/// Sends requests: `HTTPClient`, or a test double.
public protocol HTTPSending: Sendable {
    /// Sends a request and waits for the complete response. Every status is a response, also 404 and 500.
    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse

    /// Reports that a new connection to this server has brought a response while an older one is silent:
    /// every connection that was opened before may be dead without a sign. None of them is used for another
    /// request. A request over one of them that `mayBeSuspected` fails with `suspected` if it makes no
    /// progress for longer than its bytes would need on a slow line.
    /// - Parameter milliseconds: the time that the new connection needed for its response.
    func suspect(_ url: String, answeredWithin milliseconds: Int64)
}

extension HTTPSending {
    /// Does nothing, for test doubles without connections.
    public func suspect(_ url: String, answeredWithin milliseconds: Int64) {}
}

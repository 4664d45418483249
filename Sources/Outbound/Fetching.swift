// The requests that this program sends: to identity providers, to a cloud elsewhere.

/// A request.
public struct Outgoing: Sendable {
    /// `GET`, `POST`, `DELETE`.
    public var method: String
    /// Where it goes.
    public var address: String
    /// Header lines.
    public var headers: [(name: String, value: String)]
    /// What is sent along; nil for nothing.
    public var body: [UInt8]?

    /// A request.
    public init(
        _ method: String,
        _ address: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}

/// What came back.
public struct Fetched: Sendable {
    /// The status code.
    public var status: Int
    /// The body.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Somebody who sends requests: the network, or a test.
public protocol Fetching: Sendable {
    /// Sends a request.
    /// - Throws: anything, where nobody answers as HTTP wants.
    func fetch(_ request: Outgoing) async throws -> Fetched
}

// The requests that this program sends: to identity providers, to a cloud elsewhere.

import Foundation
import FoundationNetworking

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

/// The network: no cookies, no caches, no redirects, and nothing that takes longer than it may.
public final class Network: Fetching {
    private let session: URLSession
    private let mostBytes: Int

    /// The network.
    /// - Parameters:
    ///   - seconds: how long an answer may take, from the first byte sent to the last received.
    ///   - mostBytes: a longer answer counts as none.
    public init(seconds: Double = 10, mostBytes: Int = 1 << 20) {
        self.mostBytes = mostBytes
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: Straight(), delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// As `Fetching`.
    public func fetch(_ outgoing: Outgoing) async throws -> Fetched {
        guard let url = URL(string: outgoing.address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = outgoing.method
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        for (name, value) in outgoing.headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = outgoing.body.map { Data($0) }
        let (data, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse, data.count <= mostBytes else {
            throw URLError(.badServerResponse)
        }
        return Fetched(status: http.statusCode, body: Array(data))
    }
}

/// Follows nobody elsewhere: what somebody publishes stands where they say.
private final class Straight: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

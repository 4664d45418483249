// The few requests that a provider is sent.

import Foundation
import FoundationNetworking

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
    /// Sends a GET, or a POST where there is a form.
    /// - Throws: anything, where nobody answers.
    func fetch(_ address: String, headers: [(String, String)], form: String?) async throws -> Fetched
}

/// The network: no cookies, no caches, no redirects, and nothing that takes longer than ten seconds.
public final class Network: Fetching {
    private let session: URLSession
    /// What is longer is no answer of a provider's.
    private static let mostBytes = 1 << 20

    /// The network.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        configuration.timeoutIntervalForResource = 10
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: Straight(), delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// As `Fetching`.
    public func fetch(_ address: String, headers: [(String, String)], form: String?) async throws -> Fetched {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let form {
            request.httpMethod = "POST"
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(form.utf8)
        }
        let (data, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse, data.count <= Self.mostBytes else {
            throw URLError(.badServerResponse)
        }
        return Fetched(status: http.statusCode, body: Array(data))
    }
}

/// Follows nobody elsewhere: what a provider publishes stands where it says.
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

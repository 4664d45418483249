// A request and its response: the bytes on the wire, and the values that they encode.
public import CloudProtocol
public import Synchronization

/// The bytes of a request and of its response, recorded once. They never change, because servers and clouds
/// of other versions exchange them.
public struct GoldenBytes: Hashable, Sendable {
    /// The HTTP method.
    public let method: String
    /// The path with its query.
    public let address: String
    /// The body; nil if there is none.
    public let body: String?
    /// The body of the response.
    public let response: String
    /// The header lines that belong to the request, by name.
    public let header: [String: String]

    init(method: String, address: String, body: String?, response: String, header: [String: String] = [:]) {
        self.method = method
        self.address = address
        self.body = body
        self.response = response
        self.header = header
    }
}

/// A sample without recorded bytes, or with an invalid value.
public struct MissingSample: Error {
    let name: String
}

/// A sample of an endpoint.
public struct WireSample: Sendable, CustomStringConvertible {
    /// The key in `GoldenBytes.recorded`.
    public let name: String
    /// The endpoint.
    public let endpoint: any AnyEndpoint
    /// The request, a value of the endpoint's request type.
    public let request: any Sendable
    /// The response, a value of the endpoint's response type.
    public let response: any Sendable
    /// The sender of the request.
    public let caller: Caller
    /// The recorded bytes.
    public let golden: GoldenBytes
    /// Encodes the request and the response.
    public let encoded: @Sendable () -> (request: EncodedRequest, response: [UInt8])
    /// Decodes a request and a response.
    public let decoded:
        @Sendable (ReceivedRequest, [UInt8]) -> (request: (any Sendable)?, response: (any Sendable)?)
    /// Sends the request with a cloud.
    public let send: @Sendable (any RelayingCloud) async throws -> any Sendable

    /// A sample with the recorded bytes of its name.
    /// - Throws: `MissingSample` if there are none.
    public init<Request, Response>(
        _ name: String,
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ response: Response,
        _ caller: Caller
    ) throws {
        self.name = name
        self.endpoint = endpoint
        self.request = request
        self.response = response
        self.caller = caller
        guard let golden = GoldenBytes.recorded[name] else { throw MissingSample(name: name) }
        self.golden = golden
        encoded = { (endpoint.request.encode(request), endpoint.response.encode(response)) }
        decoded = { (endpoint.request.decode($0), endpoint.response.decode($1)) }
        send = { try await $0.send(endpoint, request, caller) }
    }

    /// The name, for the messages of failed tests.
    public var description: String { name }

    /// The request in the form in which a server receives it.
    public var received: ReceivedRequest {
        let parts = golden.address.split(separator: "?", maxSplits: 1)
        var fields: [String: String] = [:]
        for field in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[String(sides[0])] = String(sides[1])
        }
        let id = endpoint.path.hasSuffix("*") ? parts[0].split(separator: "/").last : nil
        var received = ReceivedRequest(id: id.flatMap { .init($0) }, body: Array((golden.body ?? "").utf8)) {
            [fields] in
            fields[$0]
        }
        received.key = id.flatMap { FileKey($0) }
        received.header = { [golden] in golden.header[$0] }
        return received
    }

    /// Whether two requests or responses are equal.
    public static func isSame(_ one: (any Sendable)?, _ other: (any Sendable)?) -> Bool {
        switch (one, other) {
        case (is Void, is Void): true
        case (let one as any Hashable, let other as any Hashable): AnyHashable(one) == AnyHashable(other)
        default: false
        }
    }
}

/// A cloud that records calls and returns a fixed answer.
public final class AnsweringCloud: RelayingCloud {
    /// A recorded call.
    public struct Asked: Sendable {
        /// The path of the endpoint.
        public let path: String
        /// The request.
        public let request: any Sendable
        /// The sender of the request.
        public let caller: Caller
    }

    /// The recorded calls.
    public let asked = Mutex<[Asked]>([])
    private let answer: Result<any Sendable, CloudError>

    /// A cloud that returns the same answer to each call.
    public init(_ answer: Result<any Sendable, CloudError>) { self.answer = answer }

    /// As `RelayingCloud`.
    public func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response {
        asked.withLock { $0.append(Asked(path: endpoint.path, request: request, caller: caller)) }
        guard let response = try answer.get() as? Response else {
            throw .failed("not told what to answer at \(endpoint.path)")
        }
        return response
    }
}

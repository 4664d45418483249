// Requests to providers, and the checks that all responses share.

import Encoding
public import Outbound

/// Sends the requests of a provider.
struct BankRequests: Sendable {
    /// The pause after too many requests if the provider names none, in seconds.
    private static let pauseSeconds: Int64 = 900
    /// The longest pause that a provider may ask for, in seconds.
    private static let mostPauseSeconds: Int64 = 86_400

    let http: any HTTPSending
    /// UTC seconds.
    let now: @Sendable () -> Int64

    /// The body of a JSON response with the status 200.
    /// - Throws: also `unauthorised` for 401 and `consentEnded` for 403.
    func json(_ request: HTTPRequest) async throws(BankFeedError) -> [UInt8] {
        let response = try await send(request)
        switch response.status {
        case 200: return try Self.json(response)
        case 401: throw .unauthorised
        case 403: throw .consentEnded
        default: throw .refused(status: response.status)
        }
    }

    /// The body of a response that has to be JSON.
    static func json(_ response: HTTPResponse) throws(BankFeedError) -> [UInt8] {
        guard response.contentType == "application/json" else {
            throw .malformed("it is not JSON, by its content type")
        }
        return response.body
    }

    /// A complete response with any status but 429.
    func send(_ request: HTTPRequest) async throws(BankFeedError) -> HTTPResponse {
        let response: HTTPResponse
        do { response = try await http.send(request) } catch {
            if error == .tooLong { throw .malformed("it is too long") }
            throw .unreachable("\(error)")
        }
        guard response.status == 429 else { return response }
        let pause = min(max(response.retryAfterSeconds ?? Self.pauseSeconds, 1), Self.mostPauseSeconds)
        throw .rateLimited(until: now() + pause)
    }

    /// Requests an address of a provider, whose answer may be a refusal, but no error of the server.
    func check(_ address: String) async throws(BankFeedError) {
        let status: Int
        do throws(BankFeedError) { status = try await send(HTTPRequest("GET", address)).status } catch {
            // A server that refuses further requests answers, and so does one with a long page.
            switch error {
            case .rateLimited, .malformed: return
            default: throw error
            }
        }
        guard status < 500 else { throw .refused(status: status) }
    }

    /// Parses a body.
    static func read<Value>(
        _ bytes: [UInt8],
        _ body: (inout JSONReader) throws(MalformedJSON) -> Value
    ) throws(BankFeedError) -> Value {
        // The error names a position and no content.
        do { return try JSONReader.read(bytes, repairsTexts: true, body) } catch {
            throw .malformed("\(error)")
        }
    }

    /// A form (`application/x-www-form-urlencoded`).
    static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }

    /// Whether a text can be part of a header field.
    static func isHeaderSafe(_ text: String) -> Bool {
        (1...16 << 10).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
    }
}

/// The client with the limits for providers.
public enum BankClient {
    /// The longest response: some 5,000 transactions.
    private static let responseBytes = 4 << 20

    /// A client whose requests end within a minute.
    public static func make() -> HTTPClient {
        HTTPClient(connectSeconds: 10, stallSeconds: 20, totalSeconds: 60, responseBytes: responseBytes)
    }
}

extension JSONReader {
    /// Reads a string; nil for null and for a value of another kind.
    mutating func textIfAny() throws(MalformedJSON) -> String? {
        guard case .text(let text) = try element() else { return nil }
        return text
    }

    /// Reads the digits of a number; nil for null and for a value of another kind.
    mutating func numberIfAny() throws(MalformedJSON) -> String? {
        try kind() == .number ? try raw() : try skip()
    }

    /// Reads an integer; nil for null and for a value of another kind.
    mutating func integerIfAny() throws(MalformedJSON) -> Int64? {
        guard case .integer(let integer) = try element() else { return nil }
        return integer
    }

    /// Reads a value that is not used.
    /// - Returns: nil.
    @discardableResult
    mutating func skip() throws(MalformedJSON) -> String? {
        _ = try element()
        return nil
    }
}

// The encoding and decoding of requests and responses, to and from the parts of an HTTP message.

import Encoding
import Foundation
public import Ledger

/// The parts of an HTTP request that encode the request of an endpoint.
public struct EncodedRequest: Hashable, Sendable {
    /// The id in place of `*` in the path.
    public var id: EntityID?
    /// The query, without the `?`.
    public var query = ""
    /// The body; nil for requests without one.
    public var body: [UInt8]?
    /// The file in place of `*` in the path.
    public var key: FileKey?
    /// The header lines that belong to the request, by name.
    public var headers: [String: String] = [:]
    /// Whether the body has the bytes of a file, and not JSON.
    public var isBinary = false
}

/// The parts of an HTTP request from which the request of an endpoint is decoded.
public struct ReceivedRequest: Sendable {
    /// The id in place of `*` in the path.
    public var id: EntityID?
    /// Returns the decoded value of a field of the query.
    public var field: @Sendable (_ name: String) -> String?
    /// The body, inflated.
    public var body: [UInt8]
    /// The file in place of `*` in the path.
    public var key: FileKey?
    /// Returns the value of a header line; nil if there is none.
    public var header: @Sendable (_ name: String) -> String? = { _ in nil }

    /// A request after the route has matched and the body was inflated.
    public init(id: EntityID?, body: [UInt8], field: @escaping @Sendable (_ name: String) -> String?) {
        self.id = id
        self.body = body
        self.field = field
    }
}

/// The coding of an endpoint's request.
public struct RequestCoding<Value: Sendable>: Sendable {
    /// Puts a request into the path, the query and the body.
    public let encode: @Sendable (Value) -> EncodedRequest
    /// Decodes a request; nil if it is malformed.
    public let decode: @Sendable (ReceivedRequest) -> Value?
}

/// The coding of an endpoint's response.
public struct ResponseCoding<Value: Sendable>: Sendable {
    /// Encodes a response; empty if it has no content.
    public let encode: @Sendable (Value) -> [UInt8]
    /// Decodes a response; nil if it is malformed.
    public let decode: @Sendable ([UInt8]) -> Value?
}

/// A message with hand-written JSON coding, for speed.
protocol WireMessage: Sendable {
    /// The JSON of the message.
    var encoded: [UInt8] { get }
    /// Decodes the JSON.
    init(_ bytes: [UInt8]) throws(MalformedJSON)
}

extension RequestCoding where Value == Void {
    /// No body.
    static var none: Self { Self(encode: { EncodedRequest() }, decode: { _ in () }) }

    /// An empty body, which `POST` requires.
    static var empty: Self { Self(encode: { EncodedRequest(body: []) }, decode: { _ in () }) }
}

extension RequestCoding where Value: WireMessage {
    /// A body of JSON.
    static var message: Self {
        Self(
            encode: { EncodedRequest(body: $0.encoded) },
            decode: { received in
                do throws(MalformedJSON) { return try Value(received.body) } catch { return nil }
            }
        )
    }
}

extension RequestCoding {
    /// A body of JSON, coded by a `Codable` type.
    static func json<Message: Codable & SendableMetatype>(
        _ message: @escaping @Sendable (Value) -> Message,
        _ value: @escaping @Sendable (Message) -> Value?
    ) -> Self {
        Self(
            encode: { EncodedRequest(body: CodableJSON.encode(message($0))) },
            decode: { CodableJSON.decode(Message.self, $0.body).flatMap(value) }
        )
    }
}

extension ResponseCoding where Value == Void {
    /// No body. A body in the response is ignored.
    static var none: Self { Self(encode: { _ in [] }, decode: { _ in () }) }
}

extension ResponseCoding where Value: WireMessage {
    /// A body of JSON.
    static var message: Self {
        Self(
            encode: { $0.encoded },
            decode: { bytes in
                do throws(MalformedJSON) { return try Value(bytes) } catch { return nil }
            }
        )
    }
}

extension ResponseCoding {
    /// A body of JSON, coded by a `Codable` type.
    static func json<Message: Codable & SendableMetatype>(
        _ message: @escaping @Sendable (Value) -> Message,
        _ value: @escaping @Sendable (Message) -> Value?
    ) -> Self {
        Self(
            encode: { CodableJSON.encode(message($0)) },
            decode: { CodableJSON.decode(Message.self, $0).flatMap(value) }
        )
    }
}

/// The JSON coding of `Codable` types.
enum CodableJSON {
    /// The bytes of a message; empty if encoding fails.
    static func encode(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(message)).map { Array($0) } ?? []
    }

    /// The message; nil if decoding fails.
    static func decode<Message: Decodable>(_ type: Message.Type, _ bytes: [UInt8]) -> Message? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}

// A cloud elsewhere may send any number. Callers compute days, spans and sums from it, which must not
// overflow.
extension Int64 {
    /// The nearest time of the years 1 to 9999, in UTC seconds.
    var withinTheCalendar: Int64 { Swift.min(Swift.max(self, -62_135_596_800), 253_402_300_799) }

    /// The nearest waiting time from one second to a day, in seconds.
    var withinADay: Int64 { Swift.min(Swift.max(self, 1), 86_400) }
}

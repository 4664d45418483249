// The fields of a query or a form, in the order of sending.

import Encoding

/// Names and values; a name may occur several times.
public struct FormFields: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// No fields.
    public init() {}

    /// The number of fields.
    public var count: Int { fields.count }

    /// Nil if no field has the name; a repeated field counts once.
    public func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a name.
    public func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Whether the name was sent.
    public func contains(_ name: String) -> Bool { fields.contains { $0.name == name } }

    /// Whether a name that must be unique was sent more than once.
    /// - Parameter lists: the names that may be repeated.
    public func repeatsAny(besides lists: Set<String>) -> Bool {
        var seen: Set<String> = []
        return fields.contains { !lists.contains($0.name) && !seen.insert($0.name).inserted }
    }

    /// All fields, in the order of sending.
    public var all: [(name: String, value: String)] { fields }

    /// The names of all fields, in the order of sending.
    public var names: [String] { fields.map(\.name) }

    /// The fields of the query of an address, at most 100; nil if it is malformed.
    public init?(queryOf address: String) {
        let query = address.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        self.init(query: String(Substring(query.prefix { $0 != UInt8(ascii: "#") })))
    }

    mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    /// Parses the query of an address, which a request did not bring.
    /// - Returns: nil for a malformed escape, text that is not UTF-8 or contains NUL, and more than 100 fields.
    public init?(query: String) { self.init(urlencoded: query.utf8, limit: 100) }

    /// Parses `application/x-www-form-urlencoded` (WHATWG URL, section 5.1).
    /// - Returns: nil for a malformed escape, text that is not UTF-8 or contains NUL, and too many fields.
    init?(urlencoded bytes: some Collection<UInt8>, limit: Int) {
        // The limit of splits matters: a large body of separators only would become millions of pieces.
        for part in bytes.split(separator: UInt8(ascii: "&"), maxSplits: limit) {
            guard fields.count < limit else { return nil }
            let sides = part.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = decodedText(sides[0], plusIsSpace: true),
                let value = sides.count > 1 ? decodedText(sides[1], plusIsSpace: true) : ""
            else { return nil }
            fields.append((name, value))
        }
    }
}

/// Decodes percent-encoding, in the form in which texts are stored; nil for a malformed escape, NUL and invalid UTF-8.
func decodedText(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    guard let decoded = PercentEncoding.decode(bytes, plusIsSpace: plusIsSpace), !decoded.contains(0) else {
        return nil
    }
    return String(validating: decoded, as: UTF8.self)?.inNormalForm
}

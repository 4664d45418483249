// The fields of a query or of a form, in the order in which they were sent.

import Encoding

/// Names and values; a name may stand several times.
public struct FormFields: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// No fields.
    public init() {}

    /// How many fields there are.
    public var count: Int { fields.count }

    /// The first value of a name.
    public func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a name.
    public func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Whether the name was sent.
    public func contains(_ name: String) -> Bool { fields.contains { $0.name == name } }

    /// Whether a name was sent more than once that may stand only once.
    /// - Parameter lists: the names that may be repeated.
    public func repeatsAny(besides lists: Set<String>) -> Bool {
        var seen: Set<String> = []
        return fields.contains { !lists.contains($0.name) && !seen.insert($0.name).inserted }
    }

    /// What was sent, in order.
    public var all: [(name: String, value: String)] { fields }

    /// The names that were sent, in order.
    public var names: [String] { fields.map(\.name) }

    mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    /// Reads `application/x-www-form-urlencoded` (WHATWG URL, section 5.1).
    /// - Returns: nil where an escape is broken, the text is not UTF-8 or holds NUL, or there are too many fields.
    init?(urlencoded bytes: some Collection<UInt8>, limit: Int) {
        // Split no further than the limit: a large body of nothing but separators would be millions of pieces.
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

/// Undoes percent-encoding; nil for a broken escape, NUL or what is not UTF-8.
func decodedText(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    guard let decoded = PercentEncoding.decode(bytes, plusIsSpace: plusIsSpace), !decoded.contains(0) else {
        return nil
    }
    return String(validating: decoded, as: UTF8.self)
}

// Entity tags of responses (RFC 9110, section 8.8.3).

/// The weak entity tag of a response: the same for each encoding of the same bytes.
public struct EntityTag: Hashable, Sendable {
    /// The value of the field `ETag`.
    public let text: String

    /// The tag of a body before its compression.
    public init(of body: [UInt8]) { text = "W/\"\(Self.hash(body))\"" }

    /// Whether the value of a field `If-None-Match` contains the tag.
    public func isMatched(by field: String) -> Bool {
        if field == "*" { return true }
        let opaque = text.dropFirst(2)
        return field.split(separator: ",").contains { item in
            let tag = item.drop { $0 == " " }
            return (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " } == opaque
        }
    }

    /// FNV-1a in 64 bits. The hash tells versions of a file apart; no security depends on it.
    static func hash(_ bytes: [UInt8]) -> String {
        let value = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let text = String(value, radix: 36)
        return String(repeating: "0", count: 13 - text.count) + text
    }
}

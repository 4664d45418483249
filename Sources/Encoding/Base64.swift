// Base64 (RFC 4648), strictly: each sequence of bytes has exactly one accepted text.

/// One of the two alphabets of base64, with or without padding.
public struct Base64: Sendable {
    /// `+` and `/`, padded with `=`: HTTP's basic authentication.
    public static let padded = Base64(UInt8(ascii: "+"), UInt8(ascii: "/"), isPadded: true)
    /// `+` and `/`, without padding: the lines of password hashes.
    public static let unpadded = Base64(UInt8(ascii: "+"), UInt8(ascii: "/"), isPadded: false)
    /// base64url, `-` and `_`, without padding: JSON Web Tokens and the parameters of OpenID Connect.
    public static let url = Base64(UInt8(ascii: "-"), UInt8(ascii: "_"), isPadded: false)

    private let character62: UInt8
    private let character63: UInt8
    private let isPadded: Bool

    private init(_ character62: UInt8, _ character63: UInt8, isPadded: Bool) {
        self.character62 = character62
        self.character63 = character63
        self.isPadded = isPadded
    }

    /// Encodes bytes.
    public func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.underestimatedCount + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(character(UInt8(truncatingIfNeeded: bits >> UInt32(count)) & 63))
            }
        }
        if count > 0 { text.append(character(UInt8(truncatingIfNeeded: bits << UInt32(6 - count)) & 63)) }
        while isPadded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text.
    /// - Returns: nil for a character of another alphabet, wrong padding, an impossible length, or set bits
    ///   after the last byte, none of which `encode` writes.
    public func decode(_ text: some StringProtocol) -> [UInt8]? {
        var characters = Array(text.utf8)
        if isPadded {
            guard characters.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        }
        guard characters.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for character in characters {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
    }

    private func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: character62
        default: character63
        }
    }

    private func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case character62: 62
        case character63: 63
        default: nil
        }
    }
}

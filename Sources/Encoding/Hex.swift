// Hexadecimal digits: ids of operations, tokens in cookies, hashes.

/// Bytes as hexadecimal digits.
public enum Hex {
    /// Two lower-case digits for each byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// 16 lower-case digits, the most significant one first.
    public static func encode(_ word: UInt64) -> String {
        encode(
            stride(from: 56, through: 0, by: -8).lazy.map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        )
    }

    /// Decodes the output of `encode`. Nil for any other text, also with upper-case digits, so that a token
    /// has one form only.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard !isUpperCase(character), let value = value(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// Decodes 16 lower-case digits, the most significant one first; nil for any other text.
    public static func decodeWord(_ text: some StringProtocol) -> UInt64? {
        guard text.utf8.count == 16, let bytes = decode(text) else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The value of a digit in either case; nil for any other character.
    static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The lower-case digit of a number below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func isUpperCase(_ character: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(character)
    }
}

/// The id of an account, category, transaction or budget: 128 bits, created on the device.
///
/// Its text form is 26 characters of Crockford's base 32 in lower case (the ULID form), so that ids sort by
/// the time of their creation. The first 48 bits are milliseconds since 1970 (UTC), the others are random.
public struct EntityID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The upper 64 bits.
    public let high: UInt64
    /// The lower 64 bits.
    public let low: UInt64

    /// An id from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new id.
    /// - Parameters:
    ///   - milliseconds: the current time, in milliseconds since 1970 (UTC).
    ///   - generator: the source of the 80 random bits.
    public init(milliseconds: UInt64, using generator: inout some RandomNumberGenerator) {
        high = (milliseconds << 16) | UInt64(UInt16.random(in: .min ... .max, using: &generator))
        low = UInt64.random(in: .min ... .max, using: &generator)
    }

    /// Parses the 26-character form; upper case is accepted. Nil for other text.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: text.utf8)
    }

    /// Parses the 26-character form from its bytes. Nil for other bytes.
    public init?(utf8: some Sequence<UInt8>) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var count = 0
        for byte in utf8 {
            let digit = Self.digit(of: byte)
            guard digit < 32, count < 26, count > 0 || digit < 8 else { return nil }
            high = high << 5 | low >> 59
            low = low << 5 | UInt64(digit)
            count += 1
        }
        guard count == 26 else { return nil }
        self.init(high: high, low: low)
    }

    /// The 26 ASCII characters of the id.
    public var description: String {
        String(unsafeUninitializedCapacity: 26) { buffer in
            var high = high
            var low = low
            for index in stride(from: 25, through: 0, by: -1) {
                buffer[index] = Self.digit(UInt8(truncatingIfNeeded: low & 31))
                low = low >> 5 | high << 59
                high >>= 5
            }
            return 26
        }
    }

    /// Hashes the lower half, which is random.
    public func hash(into hasher: inout Hasher) { hasher.combine(low) }

    /// By the time of creation.
    public static func < (left: EntityID, right: EntityID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// `0123456789abcdefghjkmnpqrstvwxyz`: digits, then letters without `i`, `l`, `o` and `u`. The character
    /// is computed and not looked up, because a list prints hundreds of ids.
    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        var digit = UInt8(ascii: "0") + value
        if value > 9 { digit += 39 }
        if value > 17 { digit += 1 }
        if value > 19 { digit += 1 }
        if value > 21 { digit += 1 }
        if value > 26 { digit += 1 }
        return digit
    }

    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 256)
        for value in UInt8(0)..<32 {
            let character = digit(value)
            table[Int(character)] = value
            if character >= 97 { table[Int(character) - 32] = value }
        }
        return table
    }()

    private static func digit(of byte: UInt8) -> UInt8 { values[Int(byte)] }
}

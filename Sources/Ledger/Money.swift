/// An ISO 4217 code: three upper-case ASCII letters. `CurrencyTable` tells whether the code is in use.
public struct CurrencyCode: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// A byte for each letter, the first one highest, so that codes are compared and hashed as numbers.
    private let letters: UInt32

    /// Accepts three ASCII letters of either case; nil for anything else.
    public init?(_ text: some StringProtocol) { self.init(utf8: text.utf8) }

    /// Accepts three ASCII letters of either case; nil for anything else.
    @inlinable
    public init?(utf8: some Sequence<UInt8>) {
        var letters: UInt32 = 0
        for byte in utf8 {
            let letter = byte & 0xDF
            guard letters < 1 << 16, (65...90).contains(letter) else { return nil }
            letters = letters << 8 | UInt32(letter)
        }
        guard letters > 1 << 16 else { return nil }
        self.init(letters: letters)
    }

    @usableFromInline
    init(letters: UInt32) { self.letters = letters }

    /// The number of decimals of each currency that does not have two, as in ISO 4217: for places without the table of
    /// currencies. An index depends on it, so a change needs a migration.
    package static let unusualDecimals: [String: Int] = {
        let codes = [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
            (3, "BHD IQD JOD KWD LYD OMR TND"), (4, "CLF"),
        ]
        return codes.reduce(into: [:]) { table, line in
            for code in line.1.split(separator: " ") { table[String(code)] = line.0 }
        }
    }()

    /// The number of decimals.
    package var decimals: Int { Self.unusualDecimals[rawValue] ?? 2 }

    /// The three letters.
    public var rawValue: String {
        String(unsafeUninitializedCapacity: 3) { bytes in
            for index in 0..<3 { bytes[index] = UInt8(truncatingIfNeeded: letters >> (16 - 8 * index)) }
            return 3
        }
    }

    /// The three letters.
    public var description: String { rawValue }

    /// US dollars, the default if no better currency is known.
    public static let usd = CurrencyCode(letters: 0x55_5344)
    /// Euro.
    public static let eur = CurrencyCode(letters: 0x45_5552)

    /// In alphabetical order.
    public static func < (left: CurrencyCode, right: CurrencyCode) -> Bool { left.letters < right.letters }
}

/// An amount: a whole number of minor units of a currency (cents, yen, fils).
public struct Money: Hashable, Sendable {
    /// The number of minor units.
    public var minor: Int64
    /// The currency of the minor units.
    public var currency: CurrencyCode

    /// An amount in minor units.
    public init(minor: Int64, currency: CurrencyCode) {
        self.minor = minor
        self.currency = currency
    }
}

/// A sum of amounts. It has 128 bits, so that no sum of stored amounts is beyond it; an amount has 64.
public struct MoneySum: Hashable, Sendable {
    /// The number of minor units.
    public var minor: Int128
    /// The currency of the minor units.
    public var currency: CurrencyCode

    /// A sum in minor units.
    public init(minor: Int128, currency: CurrencyCode) {
        self.minor = minor
        self.currency = currency
    }

    /// The sum as an amount; nil if it is too large for one.
    public var amount: Money? { Int64(exactly: minor).map { Money(minor: $0, currency: currency) } }

    /// The sum of one amount.
    public init(_ amount: Money) { self.init(minor: Int128(amount.minor), currency: amount.currency) }
}

/// An ISO 4217 code: three upper-case ASCII letters. Whether the code is in use is the `CurrencyTable`'s to say.
public struct CurrencyCode: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The three letters.
    public let rawValue: String

    /// Accepts three ASCII letters of either case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (65...90).contains($0 & 0xDF) && $0 < 128 }) else {
            return nil
        }
        rawValue = text.uppercased()
    }

    init(trusted rawValue: String) { self.rawValue = rawValue }

    /// The three letters.
    public var description: String { rawValue }

    /// US dollars: what is assumed where nothing better is known.
    public static let usd = CurrencyCode(trusted: "USD")
    /// Euro.
    public static let eur = CurrencyCode(trusted: "EUR")

    /// In alphabetical order.
    public static func < (left: CurrencyCode, right: CurrencyCode) -> Bool { left.rawValue < right.rawValue }
}

/// An amount: a whole number of minor units of a currency (cents, yen, fils).
public struct Money: Hashable, Sendable {
    /// The number of minor units.
    public var minor: Int64
    /// What they are units of.
    public var currency: CurrencyCode

    /// An amount in minor units.
    public init(minor: Int64, currency: CurrencyCode) {
        self.minor = minor
        self.currency = currency
    }
}

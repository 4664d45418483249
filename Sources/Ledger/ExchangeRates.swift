// The reference rates of one day, and the rate between two of its currencies.

/// The institution that publishes rates. Pages show its name beside converted amounts.
public enum RateSource: String, Hashable, Sendable {
    /// The euro foreign exchange reference rates. Their use is free if the source is named.
    case europeanCentralBank = "ecb"
    /// The same rates under a made-up day, in the demo.
    case demo

    /// The institution's own name, the same in every language of the app.
    public var name: String {
        switch self {
        case .europeanCentralBank: "European Central Bank"
        case .demo: "demo, from those of the European Central Bank"
        }
    }
}

/// The reference rates of one day: 1 unit of the base currency = `rate` units of the other currency.
public struct ExchangeRates: Hashable, Sendable {
    /// The day of the rates at their source.
    public let day: CivilDate
    /// The institution that published the rates.
    public let source: RateSource
    /// The currency to which all rates refer: the euro in the rates of the European Central Bank.
    public let base: CurrencyCode
    /// The rates by currency, without the base currency.
    public let rates: [CurrencyCode: ExchangeRate]

    /// A day's rates. A rate of the base currency is dropped, because it is always 1.
    public init(
        day: CivilDate,
        source: RateSource,
        base: CurrencyCode = .eur,
        rates: [CurrencyCode: ExchangeRate]
    ) {
        self.day = day
        self.source = source
        self.base = base
        self.rates = rates.filter { $0.key != base }
    }

    /// The rate of a currency, 1 for the base currency; nil if the day has no rate for it.
    public subscript(code: CurrencyCode) -> ExchangeRate? { code == base ? .one : rates[code] }

    /// The number of units of `target` in one unit of `source`, as a decimal text with a point: `0.91241`.
    ///
    /// The text has five significant digits, as most of the published rates, or all digits before the point
    /// if they are more. It is rounded half-even and has no trailing zeros. It is for display only: amounts
    /// are converted with the published rates (`CurrencyConverter`).
    /// - Returns: nil if the day lacks a rate for one of the two; `1` for a currency and itself in any case.
    public func crossRate(from source: CurrencyCode, to target: CurrencyCode) -> String? {
        guard source != target else { return Decimals.text(1, scale: 0) }
        guard let from = self[source], let to = self[target] else { return nil }
        do {
            // Mantissas are below 10^15 and scales at most 12, and the loop ends at five digits: all numbers
            // here stay below 10^33, so that none overflows.
            var rest = try to.fraction.divided(by: from.fraction)
            var scale = 0
            while rest.numerator < Self.fiveDigits * rest.denominator, rest.denominator > 1 {
                rest = try rest.multiplied(by: Fraction(10))
                scale += 1
            }
            var digits = rest.rounded
            while scale > 0, digits.isMultiple(of: 10) { (digits, scale) = (digits / 10, scale - 1) }
            return Decimals.text(digits, scale: scale)
        } catch {
            return nil
        }
    }

    /// The smallest number of five digits.
    private static let fiveDigits: Int128 = 10_000
}

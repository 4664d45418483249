// A day's rates against the rates of the day before: rates that cannot be right, and rates that are gone.

/// The result of comparing a day's rates with earlier rates.
public struct RateComparison: Hashable, Sendable {
    /// A rate that differs too much from the earlier one.
    public struct Jump: Hashable, Sendable {
        /// The currency of both rates.
        public let currency: CurrencyCode
        /// Of the last day before that has one.
        public let earlier: ExchangeRate
        /// The implausible rate.
        public let later: ExchangeRate
    }

    /// The day's rates without the implausible rates.
    public let plausible: ExchangeRates
    /// The implausible rates, by currency.
    public let jumps: [Jump]
    /// The currencies with an earlier rate and none on this day, in alphabetical order.
    public let missing: [CurrencyCode]

    /// Compares a day's rates with earlier rates of the same base currency, usually the rates of the day before.
    ///
    /// A rate of more than ten times, or less than a tenth of, the earlier one is left out: it is rather a
    /// lost decimal point or a changed unit than a rate. A currency without an earlier rate is accepted.
    public init(of rates: ExchangeRates, with earlier: ExchangeRates) {
        jumps = rates.rates.compactMap { code, later in
            earlier.rates[code].flatMap { before in
                Self.isJump(before, later) ? Jump(currency: code, earlier: before, later: later) : nil
            }
        }
        .sorted { $0.currency < $1.currency }
        let refused = Set(jumps.map(\.currency))
        plausible = ExchangeRates(
            day: rates.day,
            source: rates.source,
            base: rates.base,
            rates: rates.rates.filter { !refused.contains($0.key) }
        )
        missing = earlier.rates.keys.filter { rates[$0] == nil }.sorted()
    }

    private static func isJump(_ left: ExchangeRate, _ right: ExchangeRate) -> Bool {
        // Both with the same denominator: below 10^15 × 10^12, and ten times that.
        let first = Int128(left.mantissa) * Decimals.powerOfTen(right.scale)
        let second = Int128(right.mantissa) * Decimals.powerOfTen(left.scale)
        return first > second * 10 || second > first * 10
    }
}

// Amounts in another currency by one day's rates: exact integers, rounded once.

/// The reason why an amount has no value in another currency.
public enum ConversionError: Error, Hashable, Sendable {
    /// The day has no rate for the currency, or the currency is neither in use nor one that the euro has replaced. A
    /// total leaves the amount out and
    /// says so; the amount is never counted one to one.
    case noRate(CurrencyCode)
    /// The result does not fit 64 bits of minor units.
    case tooLarge
}

/// Converts amounts by the rates of one day, through the base currency of the rates.
public struct CurrencyConverter: Sendable {
    /// The day's rates.
    public let rates: ExchangeRates
    private let currencies: CurrencyTable
    /// The day on which the euro has replaced some currencies, at fixed rates.
    private let day: CivilDate

    /// - Parameters:
    ///   - currencies: tells the minor units of each currency, and the rates of the currencies that the euro has replaced.
    ///   - day: the day of the amounts, if that is later than the day of the rates.
    public init(rates: ExchangeRates, currencies: CurrencyTable, on day: CivilDate? = nil) {
        self.rates = rates
        self.currencies = currencies
        self.day = max(day ?? rates.day, rates.day)
    }

    /// Whether amounts in a currency can be converted.
    public func hasRate(of code: CurrencyCode) -> Bool { (try? rate(of: code)) != nil }

    /// An amount in another currency, rounded half-even to whole minor units of that currency.
    ///
    /// The result is the nearest amount to the exact value `money` ÷ rate × rate: nothing is rounded in
    /// between. An amount that is already in the currency is returned unchanged, also if there is no rate.
    /// - Throws: `ConversionError.noRate` for a currency without a rate, with the first of the two that lacks
    ///   it; `ConversionError.tooLarge` when the result overflows.
    public func convert(_ money: Money, to target: CurrencyCode) throws(ConversionError) -> Money {
        guard money.currency != target else { return money }
        let (from, fromExponent) = try rate(of: money.currency)
        let (to, toExponent) = try rate(of: target)
        // minor ÷ 10^fromExponent ÷ (from.mantissa ÷ 10^from.scale) × (to.mantissa ÷ 10^to.scale) ×
        // 10^toExponent, as one fraction: minor × to.mantissa × 10^power ÷ from.mantissa. Exponents are at
        // most 4, scales at most 12 and mantissas below 10^15, so that the power is at most 16 in either
        // direction. Only the multiplication by the power can overflow 128 bits, and the result is then far
        // above 64 bits.
        let power = toExponent + from.scale - fromExponent - to.scale
        let (numerator, isTooLarge) = (Int128(money.minor) * Int128(to.mantissa))
            .multipliedReportingOverflow(by: Decimals.powerOfTen(power))
        guard !isTooLarge else { throw .tooLarge }
        let denominator = Int128(from.mantissa) * Decimals.powerOfTen(-power)
        guard let minor = Int64(exactly: Fraction.rounded(numerator, over: denominator)) else {
            throw .tooLarge
        }
        return Money(minor: minor, currency: target)
    }

    /// Converts a sum in the same way. It needs more time: the product of a sum and two rates can have 256 bits.
    /// - Throws: as for an amount; `ConversionError.tooLarge` when the result reaches `limit`.
    public func convert(_ sum: MoneySum, to target: CurrencyCode) throws(ConversionError) -> MoneySum {
        guard sum.currency != target else { return sum }
        if let minor = Int64(exactly: sum.minor),
            let small = try? convert(Money(minor: minor, currency: sum.currency), to: target)
        {
            return MoneySum(small)
        }
        let (from, fromExponent) = try rate(of: sum.currency)
        let (to, toExponent) = try rate(of: target)
        let power = toExponent + from.scale - fromExponent - to.scale
        // Below 10^31, as above.
        let factor = UInt128(to.mantissa) * UInt128(Decimals.powerOfTen(power))
        let divisor = UInt128(from.mantissa) * UInt128(Decimals.powerOfTen(-power))
        let product = sum.minor.magnitude.multipliedFullWidth(by: factor)
        guard product.high < divisor else { throw .tooLarge }
        let (quotient, remainder) = divisor.dividingFullWidth(product)
        let isUp = remainder > divisor - remainder || (remainder * 2 == divisor && quotient % 2 == 1)
        guard quotient < Self.limit.magnitude else { throw .tooLarge }
        let minor = Int128(quotient) + (isUp ? 1 : 0)
        return MoneySum(minor: sum.minor < 0 ? -minor : minor, currency: target)
    }

    /// The value of a sum in another currency; nil without a rate. It is `limit` where the sum is too large.
    public func value(of sum: MoneySum, in target: CurrencyCode) -> Int128? {
        do throws(ConversionError) { return try convert(sum, to: target).minor } catch {
            guard case .tooLarge = error else { return nil }
            return sum.minor < 0 ? -Self.limit : Self.limit
        }
    }

    /// The limit of converted sums. Amounts that can be shown are far below it, and the converted sums of all currencies
    /// add up to less than 128 bits.
    static let limit: Int128 = 1 << 112

    private func rate(
        of code: CurrencyCode
    ) throws(ConversionError) -> (rate: ExchangeRate, exponent: Int) {
        let exponent = currencies.exponent(of: code)
        if rates.base == .eur, let fixed = currencies.euro.rate(of: code, on: day) {
            return (fixed, exponent)
        }
        guard let rate = rates[code], currencies[code] != nil || currencies.euro.contains(code) else {
            throw .noRate(code)
        }
        return (rate, exponent)
    }
}

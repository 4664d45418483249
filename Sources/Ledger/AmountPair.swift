// The two amounts of a transaction across currencies, which belong together.

/// An amount and what it was at the other end, in another currency: 10.00 GBP, charged as 11.70 EUR.
package struct AmountPair: Hashable, Sendable {
    package let amount: Money
    package let other: Money

    package init(amount: Money, other: Money) {
        self.amount = amount
        self.other = other
    }

    /// The value of another amount at the other end at the same rate, rounded half-even.
    /// - Returns: nil for an amount in another currency, and if the result is nothing or too large.
    package func other(for new: Money) -> Money? {
        guard new.currency == amount.currency,
            let product = try? Fraction(Int128(other.minor)).multiplied(by: Fraction(Int128(new.minor))),
            let minor = try? product.divided(by: Fraction(Int128(amount.minor))).rounded,
            let minor = Int64(exactly: minor), minor > 0
        else { return nil }
        return Money(minor: minor, currency: other.currency)
    }

    /// Whether a form that had these amounts has another one now, or another currency at the other end, while the number
    /// there is the same.
    package func isHalfChanged(in new: AmountPair) -> Bool {
        new.other.minor == other.minor && new != self
    }
}

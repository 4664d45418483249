// The seam between pages and the tables of a locale: what must be known to write amounts and days.

public import Ledger
public import Templates

/// How a locale writes amounts and days, and what it calls currencies.
public protocol WritingStyle: Sendable {
    /// An amount with its symbol, a real minus sign (U+2212) before a negative one.
    func money(_ money: Money) -> String
    /// Writes the same into a page, safe to stand in it.
    func write(_ money: Money, into page: ByteBuffer)
    /// An amount as the user would type it: no symbol, no grouping, a hyphen for minus.
    func plain(_ money: Money) -> String
    /// The month and its year.
    func monthTitle(_ month: YearMonth) -> String
    /// The month alone, in a narrow place.
    func shortMonth(_ month: YearMonth) -> String
    /// A day with its weekday.
    func longDay(_ date: CivilDate) -> String
    /// The name of a currency; its code where it has none.
    func currencyName(_ code: CurrencyCode) -> String
    /// Every currency in use, alphabetically by code.
    var currencies: [CurrencyCode] { get }
}

extension WritingStyle {
    /// Writes what `money` gives.
    public func write(_ money: Money, into page: ByteBuffer) { page.appendEscaped(self.money(money)) }
}

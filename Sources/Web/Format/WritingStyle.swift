// The interface between pages and the tables of a locale, for formatting amounts and days.

package import Ledger
package import Templates

/// The formats of amounts and days in a locale, and its names of currencies.
package protocol WritingStyle: Sendable {
    /// An amount with its symbol, and with a minus sign (U+2212) if it is negative.
    func money(_ money: Money) -> String
    /// Writes the same into a page, escaped for HTML.
    func write(_ money: Money, into page: ByteBuffer)
    /// An amount as the user would type it: no symbol, no grouping, a hyphen for minus.
    func plain(_ money: Money) -> String
    /// The words in the place of a sum that no amount can hold.
    var tooLarge: String { get }
    /// A number of things, with grouping.
    func count(_ count: Int) -> String
    func monthTitle(_ month: YearMonth) -> String
    /// The abbreviated name of the month.
    func shortMonth(_ month: YearMonth) -> String
    /// A day with its weekday.
    func longDay(_ date: CivilDate) -> String
    /// A day with the abbreviated name of its month.
    func shortDay(_ date: CivilDate) -> String
    /// The name of a currency; its code if it has no name.
    func currencyName(_ code: CurrencyCode) -> String
    /// Every currency in use, alphabetically by code.
    var currencies: [CurrencyCode] { get }
}

extension WritingStyle {
    /// A sum as `money` formats an amount, or the words that it is too large.
    package func money(_ sum: MoneySum) -> String { sum.amount.map(money(_:)) ?? tooLarge }

    /// A sum as `plain` formats an amount, or the words that it is too large.
    package func plain(_ sum: MoneySum) -> String { sum.amount.map(plain(_:)) ?? tooLarge }

    /// Writes the result of `money`, escaped.
    package func write(_ money: Money, into page: ByteBuffer) { page.appendEscaped(self.money(money)) }
}

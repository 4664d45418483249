// The seam between pages and the tables of a locale: what must be known to write amounts and days.

public import Ledger

/// How a locale writes amounts and days, and what it calls currencies.
public protocol WritingStyle: Sendable {
    /// An amount with its symbol, a real minus sign (U+2212) before a negative one.
    func money(_ money: Money) -> String
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

/// English without a country: the code after the amount. For where no table of a locale is at hand.
public struct PlainStyle: WritingStyle {
    /// Every currency that can be chosen.
    public let currencies: [CurrencyCode]
    private let digits: @Sendable (CurrencyCode) -> Int
    private let names: @Sendable (CurrencyCode) -> String?

    /// A style.
    /// - Parameters:
    ///   - currencies: what can be chosen.
    ///   - digits: how many digits of an amount are behind the point, 0 to 4.
    ///   - names: what a currency is called.
    public init(
        currencies: [CurrencyCode] = [.eur, .usd],
        digits: @escaping @Sendable (CurrencyCode) -> Int = { _ in 2 },
        names: @escaping @Sendable (CurrencyCode) -> String? = { _ in nil }
    ) {
        self.currencies = currencies
        self.digits = digits
        self.names = names
    }

    /// `−1,234.50 EUR`, with a space that does not break.
    public func money(_ money: Money) -> String {
        let (whole, fraction) = parts(money)
        var grouped = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index).isMultiple(of: 3) { grouped += "," }
            grouped.append(digit)
        }
        return (money.minor < 0 ? "\u{2212}" : "") + grouped + fraction + "\u{a0}" + money.currency.rawValue
    }

    /// `-1234.50`.
    public func plain(_ money: Money) -> String {
        let (whole, fraction) = parts(money)
        return (money.minor < 0 ? "-" : "") + whole + fraction
    }

    /// `November 2026`.
    public func monthTitle(_ month: YearMonth) -> String { "\(EnglishCalendar.months[month.month - 1]) \(month.year)" }

    /// `Nov`.
    public func shortMonth(_ month: YearMonth) -> String { EnglishCalendar.shortMonths[month.month - 1] }

    /// `Saturday 21 November 2026`.
    public func longDay(_ date: CivilDate) -> String {
        "\(EnglishCalendar.weekdays[date.weekday - 1]) \(date.components.day) \(monthTitle(date.yearMonth))"
    }

    /// What it was given, else the code.
    public func currencyName(_ code: CurrencyCode) -> String { names(code) ?? code.rawValue }

    private func parts(_ money: Money) -> (whole: String, fraction: String) {
        let places = min(max(digits(money.currency), 0), 4)
        let text = String(money.minor.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
        return (String(padded.dropLast(places)), places == 0 ? "" : "." + padded.suffix(places))
    }
}

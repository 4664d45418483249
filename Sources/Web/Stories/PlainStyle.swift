// A style of amounts without tables, so that snapshots of pages do not depend on the tables.

package import Ledger

/// English without a country: the code after the amount. For where no table of a locale is at hand.
package struct PlainStyle: WritingStyle {
    /// Every currency that can be chosen.
    package let currencies: [CurrencyCode]
    package let tooLarge = "too large to show"
    private let digits: @Sendable (CurrencyCode) -> Int
    private let names: @Sendable (CurrencyCode) -> String?

    /// A style.
    /// - Parameters:
    ///   - currencies: what can be chosen.
    ///   - digits: how many digits of an amount are behind the point, 0 to 4.
    ///   - names: what a currency is called.
    package init(
        currencies: [CurrencyCode] = [.eur, .usd],
        digits: @escaping @Sendable (CurrencyCode) -> Int = { _ in 2 },
        names: @escaping @Sendable (CurrencyCode) -> String? = { _ in nil }
    ) {
        self.currencies = currencies
        self.digits = digits
        self.names = names
    }

    /// `−1,234.50 EUR`, with a space that does not break.
    package func money(_ money: Money) -> String {
        let (whole, fraction) = parts(money)
        return (money.minor < 0 ? "\u{2212}" : "") + grouped(whole) + fraction + "\u{a0}"
            + money.currency.rawValue
    }

    /// `100,037`.
    package func count(_ count: Int) -> String { grouped(String(count)) }

    private func grouped(_ digits: String) -> String {
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += "," }
            grouped.append(digit)
        }
        return grouped
    }

    /// `-1234.50`.
    package func plain(_ money: Money) -> String {
        let (whole, fraction) = parts(money)
        return (money.minor < 0 ? "-" : "") + whole + fraction
    }

    /// `November 2026`.
    package func monthTitle(_ month: YearMonth) -> String { "\(Self.months[month.month - 1]) \(month.year)" }

    /// `Nov`.
    package func shortMonth(_ month: YearMonth) -> String { String(Self.months[month.month - 1].prefix(3)) }

    /// `Saturday 21 November 2026`.
    package func longDay(_ date: CivilDate) -> String {
        "\(Self.weekdays[date.weekday - 1]) \(date.components.day) \(monthTitle(date.yearMonth))"
    }

    package func shortDay(_ date: CivilDate) -> String {
        "\(date.components.day) \(shortMonth(date.yearMonth)) \(date.components.year)"
    }

    /// The given symbol, or else the code.
    package func currencyName(_ code: CurrencyCode) -> String { names(code) ?? code.rawValue }

    private func parts(_ money: Money) -> (whole: String, fraction: String) {
        let places = min(max(digits(money.currency), 0), 4)
        let text = String(money.minor.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
        return (String(padded.dropLast(places)), places == 0 ? "" : "." + padded.suffix(places))
    }

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
}

extension Formats {
    /// Formats in the plain style.
    init(
        base: CurrencyCode,
        secondary: [CurrencyCode],
        today: CivilDate,
        conversion: Conversion? = nil
    ) {
        self.init(
            base: base,
            secondary: secondary,
            today: today,
            style: PlainStyle(),
            conversion: conversion
        )
    }
}

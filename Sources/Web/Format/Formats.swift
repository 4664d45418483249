// Formats amounts and days for the user of a page.

import Ledger
import Texts

/// The user's formats of amounts and dates, with the current day and the currencies, which texts need too.
struct Formats: Sendable {
    /// The currency of budgets and totals.
    let base: CurrencyCode
    /// Other currencies that the user chose.
    let secondary: [CurrencyCode]
    /// The current day in the user's time zone.
    let today: CivilDate
    /// The first day of the user's weeks.
    var weekStart = WeekStart.monday
    /// The formats of the user's locale.
    let style: any WritingStyle
    /// The form of text files for spreadsheets that is usual in the user's region.
    var sheetForm = SheetForm.comma
    /// The latest rates, if the user sees converted totals; nil for totals by currency.
    var conversion: Conversion? = nil
    /// The day of a time in UTC seconds, in the user's time zone; by default in UTC.
    var day: @Sendable (_ seconds: Int64) -> CivilDate = {
        CivilDate(dayNumber: Int32(clamping: $0 / 86_400))
    }
    /// The first and the last day of the rates of a report by the rates of each day: `2026-01-02/2026-11-20`.
    var rateDays: String?

    /// An amount with its symbol, negative amounts with a real minus sign: `−€42.10`.
    func money(_ money: Money) -> String { style.money(money) }

    /// A sum in the same way, or the words that it is too large.
    func money(_ sum: MoneySum) -> String { style.money(sum) }

    /// The same for minor units of a currency.
    func money(_ minor: some BinaryInteger, _ currency: CurrencyCode) -> String {
        style.money(MoneySum(minor: Int128(minor), currency: currency))
    }

    /// A sum that begins with its sign, also if the sign is a plus.
    func signed(_ minor: some BinaryInteger, _ currency: CurrencyCode) -> String {
        let isMarked = minor > 0 && !Int128(minor).isTooLarge
        return (isMarked ? "+" : "") + money(minor, currency)
    }

    /// A sum among sums of other currencies: with the currency also if it is too large.
    func listed(_ sum: MoneySum) -> String {
        sum.minor.isTooLarge ? "\(sum.currency) \(money(sum))" : money(sum)
    }

    /// An amount as it would be typed: no symbol, no grouping.
    func plain(_ minor: Int64, _ currency: CurrencyCode) -> String {
        style.plain(Money(minor: minor, currency: currency))
    }

    /// The month and its year: `November 2026`.
    func monthTitle(_ month: YearMonth) -> String { style.monthTitle(month) }

    /// The abbreviated name of a month: `Nov`.
    func shortMonth(_ month: YearMonth) -> String { style.shortMonth(month) }

    /// A day with its weekday: `Saturday 21 November 2026`.
    func longDay(_ date: CivilDate) -> String { style.longDay(date) }

    /// A day with its weekday, and `Today` or `Yesterday` before it.
    func dayTitle(_ date: CivilDate) -> Text {
        let long = longDay(date)
        switch Int(today.dayNumber) - Int(date.dayNumber) {
        case 0: return Text("common.today-day", ["day": .string(long)])
        case 1: return Text("common.yesterday-day", ["day": .string(long)])
        default: return .verbatim(long)
        }
    }

    /// A range of days, as months if it consists of whole months: `January 2026 to March 2026`; `All months` for nil.
    func daysTitle(_ days: ClosedRange<CivilDate>?) -> Text {
        var query = TransactionQuery()
        query.days = days
        guard let days else { return Text("transactions.all-months") }
        if let month = query.month { return .verbatim(monthTitle(month)) }
        if days.upperBound == .distantFuture {
            return Text("transactions.since", ["first": .string(style.shortDay(days.lowerBound))])
        }
        let months = query.months.map { (monthTitle($0.lowerBound), monthTitle($0.upperBound)) }
        let (first, last) = months ?? (style.shortDay(days.lowerBound), style.shortDay(days.upperBound))
        return Text("transactions.from-to", ["first": .string(first), "last": .string(last)])
    }

    /// The name of a currency; its code if it has no name.
    func currencyName(_ code: CurrencyCode) -> String { style.currencyName(code) }

    /// Every currency in use, alphabetically by code.
    var allCurrencies: [CurrencyCode] { style.currencies }
}

extension Formats {
    /// The base currency, the secondary currencies and the currencies of the accounts, which come first in a select.
    func usedCurrencies(_ catalog: Catalog) -> [CurrencyCode] {
        var seen: Set<CurrencyCode> = []
        return ([base] + secondary + catalog.accounts.map(\.currency)).filter { seen.insert($0).inserted }
    }

    /// The currencies in use first, then all others, by code.
    func currencyChoices(first used: [CurrencyCode]) -> [Choice] {
        ordered(first: used).map { Choice($0.rawValue, .verbatim($0.rawValue)) }
    }

    /// The same with names: `EUR, Euro`.
    func namedCurrencyChoices(first used: [CurrencyCode]) -> [Choice] {
        ordered(first: used).map { Choice($0.rawValue, .verbatim("\($0.rawValue), \(currencyName($0))")) }
    }

    private func ordered(first used: [CurrencyCode]) -> [CurrencyCode] {
        var seen: Set<CurrencyCode> = []
        return (used + allCurrencies).filter { seen.insert($0).inserted }
    }
}

extension Text {
    /// The sentences one after the other; an empty text for none.
    static func sentences(_ sentences: [Text]) -> Text {
        guard let first = sentences.first else { return .verbatim("") }
        return sentences.dropFirst().reduce(first) { before, next in
            Text("common.two-sentences", ["first": .text(before), "second": .text(next)])
        }
    }

    /// A sentence that says some sums; another one if one of the sums is too large.
    static func saying(_ sums: Int128..., in sentence: Text) -> Text {
        sums.contains(where: \.isTooLarge) ? Text("amounts.too-large-to-add-up") : sentence
    }

    static func transactions(_ count: Int) -> Text {
        Text("transactions.transaction-count", ["count": .count(count)])
    }
}

extension Int128 {
    /// Whether no amount can hold so many minor units.
    var isTooLarge: Bool { Int64(exactly: self) == nil }
}

/// A part of a whole in whole percent, rounded half up, but never to 100 unless the part is the whole; 0 if the whole is
/// not above zero. Never traps.
func percent(_ part: Int128, of whole: Int128) -> Int {
    guard whole > 0 else { return 0 }
    // The largest amount as a percentage of the smallest amount exceeds the range of `Int`.
    let rounded = Int(exactly: (Double(part) / Double(whole) * 100).rounded()) ?? (part < 0 ? .min : .max)
    return rounded == 100 && part != whole ? (part < whole ? 99 : 101) : rounded
}

/// The same as a text without the percent sign: `<1` for a part above zero that rounds to 0.
func share(_ part: Int128, of whole: Int128) -> String {
    let rounded = percent(part, of: whole)
    return rounded == 0 && part > 0 && whole > 0 ? "<1" : "\(rounded)"
}

/// A part of a whole as a width for SVG, between 0 and 100 per cent, with one decimal.
func width(_ part: Int128, of whole: Int128) -> String {
    guard whole > 0, part > 0 else { return "0%" }
    let tenths = Int((min(1, Double(part) / Double(whole)) * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
}

// Amounts and days as a locale writes them. The words are English, as all texts of the pages are.

public import Ledger

/// The writing of one locale, from the tables.
public struct LocaleStyle: WritingStyle {
    private let table: CurrencyTable
    private let locale: LocaleFacts
    private let decimal: [UInt8]
    private let group: [UInt8]
    private let digits: [[UInt8]]
    private let written: [CurrencyCode: Written]

    /// What stands around the digits of a currency, spaces included.
    private struct Written {
        let exponent: Int
        let before: [UInt8]
        let after: [UInt8]

        init(_ symbol: String, exponent: Int, _ place: LocaleFacts.SymbolPlace) {
            self.exponent = exponent
            let bytes = Array(symbol.utf8)
            // A code or a symbol of letters does not stand right at the digits (CLDR, currency spacing).
            switch place {
            case .before: before = bytes + (symbol.last?.isLetter == true ? LocaleStyle.space : [])
            case .beforeWithSpace: before = bytes + LocaleStyle.space
            case .after, .afterWithSpace: before = []
            }
            switch place {
            case .before, .beforeWithSpace: after = []
            case .after: after = (symbol.first?.isLetter == true ? LocaleStyle.space : []) + bytes
            case .afterWithSpace: after = LocaleStyle.space + bytes
            }
        }
    }

    /// The writing of a locale.
    public init(locale: LocaleFacts, currencies: CurrencyTable) {
        table = currencies
        self.locale = locale
        decimal = Array(String(locale.decimalSign).utf8)
        group = Array(locale.groupSign.utf8)
        digits = locale.digits.map { Array(String($0).utf8) }
        written = Dictionary(
            currencies.all.map { ($0.code, Written($0.symbol, exponent: $0.exponent, locale.symbolPlace)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Every currency in use, alphabetically by code.
    public var currencies: [CurrencyCode] { table.all.map(\.code) }

    /// Its English name; the code where it is not in use.
    public func currencyName(_ code: CurrencyCode) -> String { table[code]?.name ?? code.rawValue }

    /// `−€1,234.50`, `−1.234,50 €`: with symbol, separators, digits and sign of the locale.
    public func money(_ money: Money) -> String {
        let code = money.currency
        let around = written[code] ?? Written(code.rawValue, exponent: 2, locale.symbolPlace)
        var out: [UInt8] = []
        out.reserveCapacity(48)
        if money.minor < 0 { out += Self.minus }
        out += around.before
        number(money.minor.magnitude, exponent: around.exponent, grouped: true, into: &out)
        out += around.after
        return String(decoding: out, as: UTF8.self)
    }

    /// As it would be typed: `-1234.50`, with the locale's decimal sign.
    public func plain(_ money: Money) -> String {
        var out: [UInt8] = []
        if money.minor < 0 { out.append(UInt8(ascii: "-")) }
        number(
            money.minor.magnitude,
            exponent: table[money.currency]?.exponent ?? 2,
            grouped: false,
            into: &out
        )
        return String(decoding: out, as: UTF8.self)
    }

    /// `November 2026`.
    public func monthTitle(_ month: YearMonth) -> String {
        "\(EnglishCalendar.months[month.month - 1]) \(month.year)"
    }

    /// `Nov`.
    public func shortMonth(_ month: YearMonth) -> String { EnglishCalendar.shortMonths[month.month - 1] }

    /// `Saturday 21 November 2026`; the month first where the locale is American.
    public func longDay(_ date: CivilDate) -> String {
        let (year, month, day) = date.components
        let weekday = EnglishCalendar.weekdays[date.weekday - 1]
        let name = EnglishCalendar.months[month - 1]
        return locale.territory == "US"
            ? "\(weekday), \(name) \(day), \(year)" : "\(weekday) \(day) \(name) \(year)"
    }

    /// Writes digits from the last to the first, then turns them round.
    private func number(_ magnitude: UInt64, exponent: Int, grouped: Bool, into out: inout [UInt8]) {
        var reversed: [UInt8] = []
        reversed.reserveCapacity(24)
        var rest = magnitude
        repeat {
            reversed.append(UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        while reversed.count <= exponent { reversed.append(0) }
        let whole = reversed.count - exponent
        for place in stride(from: reversed.count - 1, through: 0, by: -1) {
            let digit = reversed[place]
            if grouped, digits.count == 10 {
                out += digits[Int(digit)]
            } else {
                out.append(UInt8(ascii: "0") + digit)
            }
            let left = place - exponent
            if place == exponent, exponent > 0 {
                out += decimal
            } else if grouped, left > 0, left < whole, isBoundary(left) {
                out += group
            }
        }
    }

    /// Whether a group ends where so many digits of the whole number are still to come.
    private func isBoundary(_ left: Int) -> Bool {
        left == 3 || (left > 3 && (left - 3).isMultiple(of: locale.higherGroupSize))
    }

    private static let minus: [UInt8] = [0xE2, 0x88, 0x92]
    fileprivate static let space: [UInt8] = [0xC2, 0xA0]
}

/// The English names of months and weekdays.
enum EnglishCalendar {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
    static let shortMonths = months.map { String($0.prefix(3)) }
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}

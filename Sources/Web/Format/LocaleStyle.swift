// Formats amounts and days for a locale. The names of months and weekdays are from the catalogue.

package import Ledger
package import Templates
package import Texts

/// The formats of one locale, from the tables.
package struct LocaleStyle: WritingStyle {
    private let table: CurrencyTable
    private let locale: LocaleFacts
    private let decimal: [UInt8]
    private let group: [UInt8]
    /// The ten digits in UTF-8; empty for ASCII digits.
    private let digits: [[UInt8]]
    /// Whether separators and digits can be written into a page without escaping.
    private let isPlain: Bool
    private let affixes: [CurrencyCode: Affixes]
    private let calendar: CalendarNames
    package let tooLarge: String

    /// The text around the digits of a currency's amounts, spaces included. An object, because many amounts
    /// share one.
    private final class Affixes: Sendable {
        let exponent: Int
        let before: [UInt8]
        let after: [UInt8]
        /// Whether they can be written into a page without escaping.
        let isPlain: Bool
        /// Whether the sign is from right to left, so that the amount must not reorder the text beside it.
        let isIsolated: Bool

        init(_ symbol: String, exponent: Int, _ place: LocaleFacts.SymbolPlace) {
            self.exponent = exponent
            let bytes = Array(symbol.utf8)
            isIsolated = symbol.isolated != symbol
            // A code, letters or a point are separated from the digits by a space (CLDR, currency spacing).
            switch place {
            case .before: before = bytes + (symbol.last?.isSymbol == false ? LocaleStyle.space : [])
            case .beforeWithSpace: before = bytes + LocaleStyle.space
            case .after, .afterWithSpace: before = []
            }
            switch place {
            case .before, .beforeWithSpace: after = []
            case .after: after = (symbol.first?.isSymbol == false ? LocaleStyle.space : []) + bytes
            case .afterWithSpace: after = LocaleStyle.space + bytes
            }
            isPlain = LocaleStyle.isPlain(bytes)
        }
    }

    /// Creates the formats of a locale.
    /// - Parameter texts: the names of months and weekdays in the language of the pages, and the words for a sum that is
    ///   too large.
    package init(locale: LocaleFacts, currencies: CurrencyTable, texts: TextCatalogue) {
        calendar = CalendarNames(texts)
        tooLarge = texts.string(Text("amounts.sum-too-large"))
        table = currencies
        self.locale = locale
        decimal = Array(String(locale.decimalSign).utf8)
        group = Array(locale.groupSign.utf8)
        let own = locale.digits.map { Array(String($0).utf8) }
        digits = own.count == 10 && own != Self.asciiDigits ? own : []
        isPlain = ([decimal, group] + own).allSatisfy(Self.isPlain)
        affixes = Dictionary(
            currencies.all.map {
                let sign = locale.signs[$0.code] ?? $0.symbol
                return ($0.code, Affixes(sign, exponent: $0.exponent, locale.symbolPlace))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Every currency in use, alphabetically by code.
    package var currencies: [CurrencyCode] { table.all.map(\.code) }

    /// The English name of a currency; its code if the currency is not in use.
    package func currencyName(_ code: CurrencyCode) -> String { table[code]?.name ?? code.rawValue }

    /// `−€1,234.50`, `−1.234,50 €`: with the currency's sign, separators, digits and minus of the locale.
    package func money(_ money: Money) -> String {
        let out = ByteBuffer(capacity: 64)
        put(money, around(money.currency), out)
        return out.text
    }

    /// Writes an amount into a page.
    package func write(_ money: Money, into page: ByteBuffer) {
        let around = around(money.currency)
        if isPlain, around.isPlain { put(money, around, page) } else { page.appendEscaped(self.money(money)) }
    }

    private func around(_ code: CurrencyCode) -> Affixes {
        affixes[code] ?? Affixes(code.rawValue, exponent: 2, locale.symbolPlace)
    }

    private func put(_ money: Money, _ around: Affixes, _ out: ByteBuffer) {
        if around.isIsolated { out.append(Self.isolate) }
        if money.minor < 0 { out.append(Self.minus) }
        out.append(around.before)
        number(money.minor.magnitude, exponent: around.exponent, grouped: true, into: out)
        out.append(around.after)
        if around.isIsolated { out.append(Self.endOfIsolate) }
    }

    /// `100,037`, with the separators and digits of the locale.
    package func count(_ count: Int) -> String {
        let out = ByteBuffer(capacity: 32)
        if count < 0 { out.append(Self.minus) }
        number(UInt64(count.magnitude), exponent: 0, grouped: true, into: out)
        return out.text
    }

    /// An amount as the user would type it: `-1234.50`, with the locale's decimal sign.
    package func plain(_ money: Money) -> String {
        let out = ByteBuffer(capacity: 64)
        if money.minor < 0 { out.append(UInt8(ascii: "-")) }
        let exponent = table.exponent(of: money.currency)
        number(money.minor.magnitude, exponent: exponent, grouped: false, into: out)
        return out.text
    }

    /// `November 2026`.
    package func monthTitle(_ month: YearMonth) -> String {
        "\(calendar.months[month.month - 1]) \(month.year)"
    }

    /// `Nov`.
    package func shortMonth(_ month: YearMonth) -> String { calendar.shortMonths[month.month - 1] }

    /// `21 Nov 2026`; the month precedes the day in American locales.
    package func shortDay(_ date: CivilDate) -> String {
        let (year, month, day) = date.components
        let name = calendar.shortMonths[month - 1]
        return locale.territory == "US" ? "\(name) \(day), \(year)" : "\(day) \(name) \(year)"
    }

    /// `Saturday 21 November 2026`; the month precedes the day in American locales.
    package func longDay(_ date: CivilDate) -> String {
        let (year, month, day) = date.components
        let weekday = calendar.weekdays[date.weekday - 1]
        let name = calendar.months[month - 1]
        return locale.territory == "US"
            ? "\(weekday), \(name) \(day), \(year)" : "\(weekday) \(day) \(name) \(year)"
    }

    /// Writes the digits from the first to the last.
    private func number(_ magnitude: UInt64, exponent: Int, grouped: Bool, into out: ByteBuffer) {
        // Division yields the digits from the last to the first; a stack of four bits each reverses them.
        var stack: UInt128 = 0
        var left = 0
        var rest = magnitude
        repeat {
            stack = stack << 4 | UInt128(rest % 10)
            rest /= 10
            left += 1
        } while rest > 0 || left <= exponent
        let whole = left - exponent
        while left > 0 {
            let digit = UInt8(truncatingIfNeeded: stack & 15)
            stack >>= 4
            left -= 1
            if grouped, !digits.isEmpty {
                out.append(digits[Int(digit)])
            } else {
                out.append(UInt8(ascii: "0") + digit)
            }
            let toCome = left - exponent
            if toCome == 0, exponent > 0 {
                out.append(decimal)
            } else if grouped, toCome > 0, toCome < whole, isBoundary(toCome) {
                out.append(group)
            }
        }
    }

    /// Whether a group ends before the given number of remaining digits of the whole number.
    private func isBoundary(_ left: Int) -> Bool {
        left == 3 || (left > 3 && (left - 3).isMultiple(of: locale.higherGroupSize))
    }

    /// Whether the bytes contain no character that HTML reads as markup.
    fileprivate static func isPlain(_ bytes: [UInt8]) -> Bool {
        !bytes.contains { "&<>\"'".utf8.contains($0) }
    }

    private static let asciiDigits = "0123456789".utf8.map { [$0] }
    private static let minus: [UInt8] = [0xE2, 0x88, 0x92]
    /// FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE, as around names (`String.isolated`).
    private static let isolate = Array("\u{2068}".utf8)
    private static let endOfIsolate = Array("\u{2069}".utf8)
    fileprivate static let space: [UInt8] = [0xC2, 0xA0]
}

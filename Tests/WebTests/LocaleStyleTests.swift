// Amounts as locales write them, and that what is shown can be typed again.

import Ledger
import Templates
import TestKit
import Testing

@testable import Web

@Suite struct LocaleStyles {
    private let currencies: CurrencyTable
    private let locales: LocaleTable
    private let calendar: CalendarNames

    init() throws {
        currencies = try CurrencyTable(tsv: Repository.text("Resources/data/currencies.tsv"))
        calendar = CalendarNames(try Repository.texts())
        locales = try LocaleTable(tsv: Repository.text("Resources/data/locales.tsv"))
    }

    private func style(_ tag: String) throws -> LocaleStyle {
        LocaleStyle(locale: try #require(locales[tag]), currencies: currencies, calendar: calendar)
    }

    private func money(_ minor: Int64, _ code: String) throws -> Money {
        Money(minor: minor, currency: try #require(CurrencyCode(code)))
    }

    @Test(arguments: [
        ("en-US", "USD", -123_456, "−$1,234.56"), ("en-IE", "EUR", 5, "€0.05"),
        ("de-DE", "EUR", 123_456_789, "1.234.567,89 €"),
        ("de-AT", "EUR", -1, "−€ 0,01"), ("en-IN", "INR", 1_234_567_890, "₹1,23,45,678.90"),
        ("ja-JP", "JPY", 12_345, "¥12,345"),
        ("en-US", "KWD", 1_234_567, "KWD 1,234.567"), ("fr-FR", "EUR", 100_000, "1\u{202f}000,00 €"),
        ("de-CH", "CHF", 123_456, "CHF 1’234.56"), ("bg-BG", "EUR", 250, "2,50 €"),
        ("en-US", "EUR", 99_999, "€999.99"),
    ])
    func anAmountLooksAsItDoesThere(tag: String, code: String, minor: Int64, written: String) throws {
        let shown = try style(tag).money(try money(minor, code)).replacing("\u{a0}", with: " ")
        #expect(shown == written)
    }

    @Test func arabicDigitsAreWrittenWhereTheyAreUsed() throws {
        #expect(try style("ar-EG").money(try money(123, "EUR")).contains("١"))
    }

    @Test func theEndsOfTheRangeAreWrittenExactly() throws {
        #expect(try style("en-US").money(try money(.min, "USD")) == "−$92,233,720,368,547,758.08")
        #expect(try style("en-US").plain(try money(.max, "JPY")) == "9223372036854775807")
    }

    @Test func whatIsWrittenIntoAPageIsWhatIsShown() throws {
        for locale in locales.all {
            let style = LocaleStyle(locale: locale, currencies: currencies, calendar: calendar)
            for code in ["EUR", "USD", "JPY", "KWD", "CHF", "XXX"] {
                for minor: Int64 in [0, 5, -123_456_789, .max, .min] {
                    let amount = try money(minor, code)
                    let page = ByteBuffer()
                    style.write(amount, into: page)
                    let expected = ByteBuffer()
                    expected.appendEscaped(style.money(amount))
                    #expect(page.bytes == expected.bytes, "\(locale.tag) \(code) \(minor)")
                }
            }
        }
    }

    @Test func whatIsShownCanBeTypedInAgain() throws {
        var random = SplitMix(seed: 20_261_121)
        for _ in 0..<3_000 {
            let locale = try #require(locales.all.randomElement(using: &random))
            let currency = try #require(currencies.all.randomElement(using: &random))
            let minor =
                Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
                >> Int64.random(in: 0...40, using: &random)
            let money = Money(minor: minor, currency: currency.code)
            let style = LocaleStyle(locale: locale, currencies: currencies, calendar: calendar)
            let parser = AmountParser(decimalSign: locale.decimalSign, currencies: currencies)
            let plain = style.plain(money)
            #expect(
                try parser.parse(plain, expecting: currency.code).money == money,
                "\(locale.tag) \(plain)"
            )
            // Amounts with a sign that several currencies share are read as the expected one.
            let shown = style.money(money)
            let read = Result { () throws(AmountError) in
                try parser.parse(shown, expecting: currency.code).money
            }
            #expect(read == .success(money), "\(locale.tag) \(shown)")
        }
    }

    @Test func daysAreWrittenInTheOrderOfTheCountry() throws {
        let day = try #require(CivilDate(iso: "2026-11-21"))
        #expect(try style("en-US").longDay(day) == "Saturday, November 21, 2026")
        #expect(try style("en-IE").longDay(day) == "Saturday 21 November 2026")
        #expect(try style("de-DE").shortMonth(day.yearMonth) == "Nov")
    }
}

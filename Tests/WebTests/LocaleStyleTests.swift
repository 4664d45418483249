// Amounts as locales write them, and that what is shown can be typed again.

import Ledger
import Templates
import TestKit
import Testing
import Texts

@testable import Web

@Suite struct LocaleStyles {
    private let currencies: CurrencyTable
    private let locales: LocaleTable
    private let texts: TextCatalogue

    init() throws {
        currencies = try CurrencyTable(tsv: Repository.text("Resources/data/currencies.tsv"))
        texts = try Repository.texts()
        locales = try LocaleTable(
            tsv: Repository.text("Resources/data/locales.tsv"),
            signs: CurrencySigns(tsv: Repository.text("Resources/data/signs.tsv"))
        )
    }

    private func style(_ tag: String) throws -> LocaleStyle {
        LocaleStyle(locale: try #require(locales[tag]), currencies: currencies, texts: texts)
    }

    private func money(_ minor: Int64, _ code: String) throws -> Money {
        Money(minor: minor, currency: try #require(CurrencyCode(code)))
    }

    @Test(arguments: [
        ("en-US", "USD", -123_456, "−$1,234.56"), ("en-IE", "EUR", 5, "€0.05"),
        ("de-DE", "EUR", 123_456_789, "1.234.567,89 €"),
        ("de-AT", "EUR", -1, "−€ 0,01"), ("en-IN", "INR", 1_234_567_890, "₹1,23,45,678.90"),
        ("ja-JP", "JPY", 12_345, "￥12,345"), ("ja-JP", "CNY", 1_250, "元 12.50"),
        ("zh", "CNY", 1_250, "¥12.50"), ("zh-TW", "TWD", 1_250, "$12.50"), ("ko-KR", "KRW", 1_250, "₩1,250"),
        ("pl-PL", "PLN", 1_250, "12,50 zł"), ("pl-PL", "EUR", 1_250, "12,50 €"),
        ("cs-CZ", "CZK", 1_250, "12,50 Kč"), ("sv-SE", "SEK", -1_250, "−12,50 kr"),
        ("da-DK", "DKK", 1_250, "12,50 kr."), ("nb-NO", "NOK", 1_250, "12,50 kr"),
        ("hu-HU", "HUF", 1_250, "12,50 Ft"), ("ro-RO", "RON", 1_250, "12,50 lei"),
        ("tr-TR", "TRY", 1_250, "₺12,50"), ("ru-RU", "RUB", 1_250, "12,50 ₽"),
        ("uk-UA", "UAH", 1_250, "12,50 ₴"),
        ("th-TH", "THB", 1_250, "฿12.50"), ("id-ID", "IDR", 1_250, "Rp 12,50"),
        ("es-AR", "ARS", 1_250, "$ 12,50"), ("es-AR", "USD", 1_250, "US$ 12,50"),
        ("es-CL", "CLP", 1_250, "$1.250"), ("es-CO", "COP", 1_250, "$ 12,50"),
        ("es-MX", "MXN", 1_250, "$12.50"),
        ("en-CA", "CAD", 1_250, "$12.50"), ("en-CA", "USD", 1_250, "US$12.50"),
        ("en-AU", "AUD", 1_250, "$12.50"), ("en-SG", "SGD", 1_250, "$12.50"),
        ("en-NZ", "NZD", 1_250, "$12.50"),
        ("en-US", "CAD", 1_250, "CA$12.50"), ("en-US", "PLN", 1_250, "PLN 12.50"),
        ("en-PL", "PLN", 1_250, "12,50 zł"),
        ("es-PA", "PAB", 1_250, "B/. 12.50"), ("fr-SN", "XOF", 1_250, "1\u{202f}250 F\u{202f}CFA"),
        ("en-US", "KWD", 1_234_567, "KWD 1,234.567"), ("fr-FR", "EUR", 100_000, "1\u{202f}000,00 €"),
        ("de-CH", "CHF", 123_456, "CHF 1’234.56"), ("bg-BG", "EUR", 250, "2,50 €"),
        ("en-US", "EUR", 99_999, "€999.99"),
    ])
    func anAmountLooksAsItDoesThere(tag: String, code: String, minor: Int64, written: String) throws {
        let shown = try style(tag).money(try money(minor, code)).replacing("\u{a0}", with: " ")
        #expect(shown == written)
    }

    /// The sign is written from right to left: it must not change places with what stands beside the amount.
    @Test func anAmountFromRightToLeftIsIsolated() throws {
        let shown = try style("ar-EG").money(try money(-123, "EGP"))
        #expect(shown.first == "\u{2068}" && shown.last == "\u{2069}" && shown.contains("−"))
        #expect(
            try style("en-GB").money(try money(-123, "EGP")).allSatisfy { !"\u{2068}\u{2069}".contains($0) }
        )
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
            let style = LocaleStyle(locale: locale, currencies: currencies, texts: texts)
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

    /// In a form that expects the currency, and in one that expects the currency of the country.
    @Test func whatIsShownCanBeTypedInAgain() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix(seed: seed)
        var faults: Set<String> = []
        for locale in locales.all {
            let style = LocaleStyle(locale: locale, currencies: currencies, texts: texts)
            let parser = AmountParser(
                decimalSign: locale.decimalSign,
                currencies: currencies,
                locale: locale
            )
            for currency in currencies.all {
                let minor =
                    Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
                    >> Int64.random(in: 0...40, using: &random)
                let money = Money(minor: minor, currency: currency.code)
                let (plain, shown) = (style.plain(money), style.money(money))
                for (text, expected) in [
                    (plain, currency.code), (shown, currency.code), (shown, locale.currency ?? .eur),
                ] where (try? parser.parse(text, expecting: expected).money) != money {
                    faults.insert("\(currency.code) in \(expected)")
                }
            }
        }
        // A currency of the country that has the same sign comes first: CFA francs, wons and pounds.
        #expect(faults == ["XAF in XOF", "KRW in KPW", "GBP in SYP"], "seed \(seed)")
    }

    @Test func daysAreWrittenInTheOrderOfTheCountry() throws {
        let day = try #require(CivilDate(iso: "2026-11-21"))
        #expect(try style("en-US").longDay(day) == "Saturday, November 21, 2026")
        #expect(try style("en-IE").longDay(day) == "Saturday 21 November 2026")
        #expect(try style("de-DE").shortMonth(day.yearMonth) == "Nov")
    }
}

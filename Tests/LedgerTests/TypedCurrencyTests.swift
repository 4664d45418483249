// The signs of currencies beside typed amounts.
import Ledger
import TestKit
import Testing

@Suite struct TypedCurrencies {
    private let currencies: CurrencyTable
    private let locales: LocaleTable

    init() throws {
        currencies = try Shipped.currencies()
        locales = try Shipped.locales()
    }

    private func read(_ text: String, _ tag: String, _ expected: String) throws -> AmountParser.Entry {
        let locale = try #require(locales[tag])
        let parser = AmountParser(decimalSign: locale.decimalSign, currencies: currencies, locale: locale)
        return try parser.parse(text, expecting: try #require(CurrencyCode(expected)))
    }

    /// The sign, a locale and the currency of its country.
    private static let ofCountries = [
        ("zł", "pl-PL", "PLN"), ("Kč", "cs-CZ", "CZK"), ("kr", "sv-SE", "SEK"), ("kr", "nb-NO", "NOK"),
        ("kr.", "da-DK", "DKK"), ("kr.", "is-IS", "ISK"), ("Ft", "hu-HU", "HUF"), ("lei", "ro-RO", "RON"),
        ("₺", "tr-TR", "TRY"), ("TL", "tr-TR", "TRY"), ("₽", "ru-RU", "RUB"), ("руб.", "ru-RU", "RUB"),
        ("₴", "uk-UA", "UAH"), ("грн", "uk-UA", "UAH"), ("฿", "th-TH", "THB"), ("บาท", "th-TH", "THB"),
        ("Rp", "id-ID", "IDR"), ("￥", "ja-JP", "JPY"), ("¥", "ja-JP", "JPY"), ("円", "ja-JP", "JPY"),
        ("¥", "zh", "CNY"), ("￥", "zh", "CNY"), ("元", "zh", "CNY"), ("元", "zh-TW", "TWD"),
        ("₩", "ko-KR", "KRW"), ("￦", "ko-KR", "KRW"), ("원", "ko-KR", "KRW"), ("$", "es-AR", "ARS"),
        ("$", "es-CL", "CLP"), ("$", "es-CO", "COP"), ("$", "es-MX", "MXN"), ("MX$", "es-MX", "MXN"),
        ("$", "en-CA", "CAD"), ("CA$", "en-CA", "CAD"), ("$", "en-AU", "AUD"), ("A$", "en-AU", "AUD"),
        ("$", "en-SG", "SGD"), ("S$", "en-SG", "SGD"), ("$", "en-NZ", "NZD"), ("$", "en-US", "USD"),
        ("$ CA", "fr-CA", "CAD"), ("F CFA", "fr-SN", "XOF"), ("FCFA", "fr-SN", "XOF"), ("R$", "pt-BR", "BRL"),
        ("Rs.", "ta-LK", "LKR"), ("₹", "hi-IN", "INR"), ("Rs", "en-IN", "INR"), ("S/", "es-PE", "PEN"),
        ("S/.", "es-PE", "PEN"), ("B/.", "es-PA", "PAB"), ("ج.م.\u{200F}", "ar-EG", "EGP"),
        ("ج.م", "ar-EG", "EGP"), ("LE", "ar-EG", "EGP"), ("Fr.", "de-CH", "CHF"), ("L", "ro-MD", "MDL"),
        ("lei", "ro-MD", "MDL"), ("K", "en-ZM", "ZMW"), ("P", "en-BW", "BWP"), ("£", "en-GB", "GBP"),
        ("€", "de-DE", "EUR"), ("Gs.", "es-PY", "PYG"), ("Lek", "sq-AL", "ALL"), ("₫", "vi-VN", "VND"),
    ]

    /// Whether the account is in the currency of the country or in another one.
    @Test(arguments: ofCountries) func theSignOfACountryIsReadThere(sign: String, tag: String, code: String)
        throws
    {
        for expected in [code, "XPF"] {
            for text in [
                "12 \(sign)", "12\(sign)", "12\u{A0}\(sign)", "12\u{202F}\(sign)", "\(sign)12", "\(sign) 12",
                "\(sign)\u{A0}12", "12 \(sign.uppercased())", "12 \(sign.lowercased())", " \(sign) 12 ",
                "\u{200F}12 \(sign)\u{200F}", "5+7 \(sign)", "\(sign) 3*4",
            ] {
                for (minus, factor) in [("", 1), ("-", -1), ("−", -1), ("– ", -1)]
                where minus.isEmpty || text.first != " " {
                    let typed = minus + text
                    if !minus.isEmpty, typed.contains("+") { continue }
                    let entry = try read(typed, tag, expected)
                    let exponent = entry.typedCurrency.flatMap { currencies[$0]?.exponent } ?? 2
                    let units = (0..<exponent).reduce(Int64(factor)) { unit, _ in unit * 10 }
                    #expect(entry.typedCurrency?.rawValue == code, "\(typed) \(tag) \(expected)")
                    #expect(entry.money.minor == 12 * units, "\(typed) \(tag) \(expected)")
                }
            }
        }
    }

    @Test(arguments: [
        // The expected currency comes first, whatever the country.
        ("$12", "en-CA", "USD", "USD"), ("$12", "es-AR", "USD", "USD"), ("12 kr", "sv-SE", "DKK", "DKK"),
        ("12 kr", "en-US", "NOK", "NOK"), ("¥12", "en-US", "CNY", "CNY"), ("¥12", "zh", "JPY", "JPY"),
        ("£12", "en-GB", "GIP", "GIP"), ("12 K", "en-US", "ZMW", "ZMW"), ("$12", "de-DE", "ARS", "ARS"),
        // Then that of the country.
        ("$12", "es-AR", "EUR", "ARS"), ("$12", "en-CA", "EUR", "CAD"), ("12 kr", "sv-SE", "EUR", "SEK"),
        ("12 元", "zh", "EUR", "CNY"), ("Rs 12", "ta-LK", "USD", "LKR"), ("12 K", "en-ZM", "EUR", "ZMW"),
        // Then the currency that is shown so.
        ("US$12", "es-AR", "ARS", "USD"), ("US $ 12", "es-AR", "ARS", "USD"), ("$12", "de-DE", "EUR", "USD"),
        ("A$12", "en-US", "USD", "AUD"),
        ("MX$12", "en-US", "USD", "MXN"), ("CA$12", "en-US", "USD", "CAD"), ("12 $CA", "fr-FR", "EUR", "CAD"),
        ("JP¥12", "zh", "CNY", "JPY"), ("CN¥12", "ja-JP", "JPY", "CNY"), ("R$12", "en-US", "USD", "BRL"),
        // Then the only one in the world.
        ("12 zł", "en-US", "USD", "PLN"), ("12 zl", "en-US", "USD", "PLN"), ("12 ZŁ", "de-DE", "EUR", "PLN"),
        ("12 Kč", "en-US", "USD", "CZK"), ("12 KC", "en-US", "USD", "CZK"), ("12 Ft", "de-AT", "EUR", "HUF"),
        ("₺12", "de-DE", "EUR", "TRY"), ("12円", "en-US", "USD", "JPY"), ("12원", "en-US", "USD", "KRW"),
        ("S/12", "en-US", "USD", "PEN"), ("12 F CFA", "en-US", "USD", "XOF"),
        ("12 руб.", "de-DE", "EUR", "RUB"),
        // Then the currency that is shown so in English.
        ("¥12", "es-ES", "EUR", "JPY"), ("£12", "pl-PL", "PLN", "GBP"), ("$12", "pl-PL", "PLN", "USD"),
    ])
    func aSharedSignIsThatOfTheNearestCurrency(text: String, tag: String, expected: String, code: String)
        throws
    {
        #expect(try read(text, tag, expected).typedCurrency?.rawValue == code)
    }

    @Test(arguments: [
        ("12 kr", "en-US", "USD"), ("12 元", "en-US", "USD"), ("12 lei", "en-US", "USD"),
        ("Rs 12", "en-US", "USD"),
        ("12k", "en-US", "USD"), ("12 m", "en-US", "USD"), ("12 p", "en-GB", "GBP"), ("12 E", "de-DE", "EUR"),
        ("12 krx", "sv-SE", "SEK"), ("12 crowns", "sv-SE", "SEK"), ("zł12zł", "pl-PL", "PLN"),
        ("12 z ł x", "pl-PL", "PLN"), ("$€12", "en-US", "USD"), ("zł", "pl-PL", "PLN"),
        ("- zł", "pl-PL", "PLN"),
    ])
    func aSignOfNoOneCurrencyIsRefused(text: String, tag: String, expected: String) throws {
        #expect(throws: AmountError.unreadable) { try read(text, tag, expected) }
    }

    /// A point belongs to the number after a sign, and to an abbreviation after letters.
    @Test(
        arguments: [
            ("$.50", "en-US", "USD", 50), ("EUR.50", "en-US", "EUR", 50), ("kr.50", "da-DK", "DKK", 5_000),
            ("kr .50", "en-DK", "DKK", 50), ("kr,50", "da-DK", "DKK", 50), ("Rs.5.50", "ta-LK", "LKR", 550),
            ("50.kr.", "da-DK", "DKK", 5_000), ("12.5$", "en-US", "USD", 1_250),
            ("12,50 zł", "pl-PL", "PLN", 1_250),
            ("$ 12,50", "es-AR", "ARS", 1_250), ("$12.50", "en-CA", "CAD", 1_250),
            ("1.234,50 Kč", "cs-CZ", "CZK", 123_450),
            ("S/.12.50", "es-PE", "PEN", 1_250),
        ] as [(String, String, String, Int64)]
    )
    func aPointBesideASignIsReadByTheSign(text: String, tag: String, expected: String, minor: Int64) throws {
        #expect(try read(text, tag, expected).money.minor == minor)
    }
}

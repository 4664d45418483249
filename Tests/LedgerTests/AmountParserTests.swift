// Texts that users type, and the parsed amounts.
import Ledger
import TestKit
import Testing

private func parser(_ sign: Character, _ locale: LocaleFacts = .fallback) throws -> AmountParser {
    AmountParser(decimalSign: sign, currencies: try Shipped.currencies(), locale: locale)
}

private func parsed(_ text: String, _ currency: String = "EUR", _ sign: Character = ".") throws -> Int64 {
    let code = try #require(CurrencyCode(currency))
    return try parser(sign).parse(text, expecting: code).money.minor
}

private func fault(_ text: String, _ currency: String = "EUR", _ sign: Character = ".") throws -> AmountError?
{
    #expect(throws: AmountError.self, "\(text)") { try parsed(text, currency, sign) }
}

@Test(
    arguments: [
        ("12.5", 1250), ("12,50", 1250), ("1,234.56", 123_456), ("1.234,56", 123_456), ("1 234", 123_400),
        ("1\u{A0}234,5", 123_450), ("1\u{202F}234.5", 123_450), ("1'234.56", 123_456),
        ("1’234’567.8", 123_456_780),
        ("12,34,567.89", 123_456_789), ("1.234.567", 123_456_700), ("0.12", 12), (".5", 50), ("5.", 500),
        ("007", 700),
        ("12.50+3*2", 1850), ("(1+2)*3", 900), ("10/4", 250), ("10/3", 333), ("20/3", 667), ("0.005*1", 0),
        ("0.015*1", 2),
        ("0.025*1", 2), ("-0.015*1", -2), ("7 − 2 × 3", 100), ("7÷2", 350), ("-12", -1200), ("−12.5", -1250),
        ("--5", 500), ("+5", 500),
        ("1 234 + 1", 123_500), ("١٢٫٥", 1250), ("१२.५", 1250), ("12.500", 1250), ("  12  ", 1200),
        ("\u{200F}12", 1200), (",5000", 50), ("0,500", 50), ("0,5000", 50), ("1 234,500", 123_450),
        ("1'234,5000", 123_450),
        // Keyboards for Chinese, Japanese and Korean type these.
        ("１２．５０", 1250), ("１，２３４．５０", 123_450), ("－１２", -1200), ("１２＋３", 1500), ("２×３", 600), ("２＊３", 600),
        ("（１＋２）／２", 150), ("１＇２３４", 123_400), ("１　２３４", 123_400), ("　１２　", 1200), ("12。50", 1250),
        ("12、50", 1250),
        ("１２｡５", 1250), ("1､234.5", 123_450), ("＄12", 1200), ("￡12", 1200), ("１２ＥＵＲ", 1200), ("１２ｅｕｒ", 1200),
        ("12﹒5", 1250), ("2∗3", 600), ("3∕2", 150), ("2⋅3", 600),
        ("﹣12", -1200), ("‐12", -1200), ("‑12", -1200), ("‒12", -1200), ("–12", -1200), ("–€12", -1200),
        ("－€12", -1200), ("20 ‐ 8", 1200),
    ] as [(String, Int64)]
)
func whatPeopleTypeIsRead(text: String, minor: Int64) throws {
    #expect(try parsed(text) == minor)
}

@Test(
    arguments: [
        ("1.234", "EUR", ",", 123_400), ("1,234", "EUR", ".", 123_400), ("1,234", "BHD", ",", 1_234),
        ("1.234", "BHD", ".", 1_234),
        ("1.234", "JPY", ",", 1_234), ("0.123", "BHD", ",", 123), ("12345", "JPY", ".", 12_345),
        ("1.2345", "CLF", ".", 12_345), ("1,234", "EUR", "٫", 123_400), ("1.234", "EUR", "٫", 123_400),
        ("1,2345", "CLF", ",", 12_345), ("1.0000", "EUR", ".", 100), ("1,0000", "EUR", ",", 100),
        ("1234,500", "EUR", ",", 123_450), ("0,1234", "CLF", ".", 1_234), ("12,50", "EUR", ".", 1_250),
        ("1.5", "EUR", ",", 150), ("1,5", "EUR", "٫", 150),
    ] as [(String, String, Character, Int64)]
)
func whatIsAmbiguousIsReadByTheLocale(text: String, currency: String, sign: Character, minor: Int64) throws {
    #expect(try parsed(text, currency, sign) == minor)
}

@Test(
    arguments: [
        ("€12", "EUR", "EUR"), ("12 €", "EUR", "EUR"), ("-€12", "EUR", "EUR"), ("EUR 12", "USD", "EUR"),
        ("12usd", "EUR", "USD"),
        ("$12", "AUD", "AUD"), ("$12", "EUR", "USD"), ("＄１２．００", "EUR", "USD"), ("￡12", "EUR", "GBP"),
        ("£ 12.00", "EUR", "GBP"), ("12 CHF", "CHF", "CHF"),
        ("12", "EUR", nil),
    ] as [(String, String, String?)]
)
func aSymbolOrCodeMayStandOnEitherSide(text: String, expected: String, typed: String?) throws {
    let code = try #require(CurrencyCode(expected))
    let entry = try parser(".").parse(text, expecting: code)
    #expect(entry.typedCurrency?.rawValue == typed)
    #expect(entry.money.currency.rawValue == typed ?? expected)
    #expect(abs(entry.money.minor) == 1200)
}

@Test(
    arguments: [
        ("(1,234.56)", "EUR", ".", -123_456), ("(1.234,56)", "EUR", ",", -123_456),
        ("12,50-", "EUR", ",", -1_250),
        ("12.50 -", "EUR", ".", -1_250), ("12,50−", "EUR", ",", -1_250), ("12,50–", "EUR", ",", -1_250),
        ("（１２．５０）", "EUR", ".", -1_250), ("１２．５０－", "EUR", ".", -1_250), ("﹙12﹚", "EUR", ".", -1_200),
        ("( 12 )", "EUR", ".", -1_200), ("((12))", "EUR", ".", -1_200), ("(12.)", "EUR", ".", -1_200),
        ("(.5)", "EUR", ".", -50), ("(1 234,5)", "EUR", ",", -123_450), ("1'234.50-", "EUR", ".", -123_450),
        ("(12,34,567.89)", "INR", ".", -123_456_789), ("(1,234)", "JPY", ".", -1_234),
        ("1,234-", "JPY", ".", -1_234),
        ("(١٢٫٥٠)", "EGP", "٫", -1_250), ("\u{200F}١٢٫٥٠-", "EGP", "٫", -1_250),
        ("(۱۲٫۵)", "EUR", "٫", -1_250),
        ("(€12.50)", "EUR", ".", -1_250), ("€(12.50)", "EUR", ".", -1_250), ("(12.50 €)", "EUR", ".", -1_250),
        ("(12.50) €", "EUR", ".", -1_250), ("(EUR 12.50)", "EUR", ".", -1_250),
        ("(S/ 12.50)", "PEN", ".", -1_250),
        ("€12,50-", "EUR", ",", -1_250), ("12,50- €", "EUR", ",", -1_250), ("12,50 €-", "EUR", ",", -1_250),
        ("12,50-EUR", "EUR", ",", -1_250), ("(0)", "EUR", ".", 0), ("0-", "EUR", ".", 0),
        ("(92233720368547758.07)", "EUR", ".", -.max),
        // A sign is typed, so the parentheses are those of a sum.
        ("(-12)", "EUR", ".", -1_200), ("-(12)", "EUR", ".", -1_200), ("+(12)", "EUR", ".", 1_200),
        ("(+12)", "EUR", ".", 1_200),
        // Sums.
        ("(1+2)", "EUR", ".", 300), ("(1+2)*3", "EUR", ".", 900), ("(12)*1", "EUR", ".", 1_200),
        ("2*(3)", "EUR", ".", 600),
        ("(1)+(2)", "EUR", ".", 300), ("(5)-(2)", "EUR", ".", 300), ("(5-2)", "EUR", ".", 300),
        ("12-(2)", "EUR", ".", 1_000),
    ] as [(String, String, Character, Int64)]
)
func theMinusOfStatementsIsRead(text: String, currency: String, sign: Character, minor: Int64) throws {
    #expect(try parsed(text, currency, sign) == minor)
}

/// A negative amount in the ways of statements is read as it is with its minus in front, in each locale's signs.
@Test func anyAmountIsReadInTheWaysOfStatements() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix(seed: seed)
    let ways: [(String) -> String] = [
        { "(\($0))" }, { "\($0)-" }, { "\($0) −" }, { "（\($0)）" }, { "€(\($0))" }, { "(\($0) €)" },
        { "(EUR \($0))" },
        { "\($0)- €" }, { "\($0) €－" },
    ]
    for _ in 0..<2_000 {
        let minor =
            Int64.random(in: 0...99_999_999_999, using: &random) >> Int64.random(in: 0...30, using: &random)
        let (sign, group): (Character, String) =
            [(".", ","), (",", "."), (",", "\u{202F}"), (".", "'"), ("٫", "٬")].randomElement(using: &random)
            ?? (".", ",")
        var whole = "\(minor / 100)"
        if Bool.random(using: &random) {
            for index in stride(from: whole.count - 3, to: 0, by: -3) {
                whole.insert(contentsOf: group, at: whole.index(whole.startIndex, offsetBy: index))
            }
        }
        let cents = minor % 100
        let number = "\(whole)\(sign)\(cents < 10 ? "0" : "")\(cents)"
        for way in ways {
            let text = way(number)
            #expect(try parsed(text, "EUR", sign) == -minor, "\(text) seed \(seed)")
        }
        #expect(try parsed("-\(number)", "EUR", sign) == -minor, "\(number) seed \(seed)")
    }
}

/// In full-width characters, with ideographic punctuation, and with the hyphens and spaces of typesetting.
@Test func anAmountIsReadInCharactersOfAnyWidth() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix(seed: seed)
    let wide: (Character) -> Character = { character in
        character.unicodeScalars.first.flatMap { Unicode.Scalar($0.value + 0xFEE0) }.map { Character($0) }
            ?? " "
    }
    for _ in 0..<2_000 {
        let minor = Int64.random(in: -9_999_999...9_999_999, using: &random)
        let (whole, cents) = (minor.magnitude / 100, minor.magnitude % 100)
        let text = "\(minor < 0 ? "-" : "")\(whole).\(cents < 10 ? "0" : "")\(cents)"
        let typed = String(
            text.map { character in
                switch (character, Int.random(in: 0...3, using: &random)) {
                case (".", 0): "。"
                case ("-", 0): "−"
                case ("-", 1): "‐"
                case (_, 2): wide(character)
                default: character
                }
            }
        )
        #expect(try parsed(typed) == minor, "\(typed) seed \(seed)")
    }
}

@Test(
    arguments: [
        ("1,0000", "."), ("1,5000", "."), ("1,00000", "."), ("1.0000", ","), ("1,0000", "٫"), ("1.0000", "٫"),
        ("1,2345", "."), ("1234,500", "."), ("12345,600", "."), ("1234.500", ","), ("012,500", "."),
        ("１，００００", "."),
        ("12,0000 + 1", "."), ("1 0000", "."), ("1'0000", "."), ("1٬0000", "."), ("1,0000.00", "."),
        ("1,0000,000", "."),
    ] as [(String, Character)]
)
func digitsThatFitNeitherThousandsNorDecimalsAreUnclear(text: String, sign: Character) throws {
    #expect(try fault(text, "EUR", sign) == .unclear)
    #expect(try fault(text, "CLF", sign) == .unclear)
}

@Test(
    arguments: [
        ("", .empty), ("   ", .empty), ("abc", .unreadable), ("12 abc", .unreadable), ("12+", .unreadable),
        ("(12", .unreadable),
        ("12)", .unreadable), ("12,-", .unreadable), ("12.–", .unreadable), ("€12,-", .unreadable),
        ("-", .unreadable),
        ("()", .unreadable), ("-12-", .unreadable), ("(12)-", .unreadable), ("(12-)", .unreadable),
        ("12--", .unreadable),
        ("1+2-", .unreadable), ("(1,0000)", .unclear), ("(1.234,5.6)", .unclear),
        ("(12.345)", .tooManyDecimals(.eur, allowed: 2)),
        ("12.345-", .tooManyDecimals(.eur, allowed: 2)), ("(92233720368547758.08)", .tooLarge),
        ("*2", .unreadable), ("1..2", .unclear), ("1,2,3.4", .unclear),
        ("1 23", .unclear), ("1.2.3,4,5", .unclear),
        ("1 234'567", .unclear), ("12,3456.78", .unclear), ("1/0", .divisionByZero),
        ("1/(2-2)", .divisionByZero),
        (String(repeating: "9", count: 31), .tooLarge), ("1000000000000000000000000000000", .tooLarge),
        ("92233720368547758.08", .tooLarge),
        ("99999999999999999999*99999999999999999999*99999999999", .tooLarge),
        (String(repeating: "(", count: 100) + "1", .tooDeep),
        (String(repeating: "-", count: 150) + "1", .tooDeep), (String(repeating: "1", count: 201), .tooLong),
        ("½", .unreadable), ("1e5", .unreadable), ("0x10", .unreadable),
        ("\u{0}", .unreadable),
    ] as [(String, AmountError)]
)
func whatCannotBeReadIsSaid(text: String, error: AmountError) throws {
    #expect(try fault(text) == error)
}

@Test func decimalsThatTheCurrencyLacksAreRefused() throws {
    #expect(try fault("12.345") == .tooManyDecimals(.eur, allowed: 2))
    let yen = try #require(CurrencyCode("JPY"))
    #expect(try fault("12.5", "JPY") == .tooManyDecimals(yen, allowed: 0))
    #expect(try fault("1.000", "JPY") == .unclear && fault("-999.000", "JPY") == .unclear)
    #expect(try parsed("12.00", "JPY") == 12 && parsed("1,000", "JPY") == 1_000)
    #expect(try parsed("9223372036854775807", "JPY") == .max)
}

@Test func noTextCrashesTheParser() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    let locale = try #require(try Shipped.locales()["de-DE"])
    let parser = try parser(",", locale)
    let alphabet = Array("0123456789.,' +-*/()€$EUR−×÷\u{A0}٣．，＋－×（）￥。、\u{3000}kr.złF CFA/")
    for _ in 0..<50_000 {
        let text = String(
            (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? "0"
            }
        )
        _ = try? parser.parse(text, expecting: .eur)
    }
}

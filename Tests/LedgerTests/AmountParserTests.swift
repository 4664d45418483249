// Texts that users type, and the parsed amounts.
import Ledger
import TestKit
import Testing

private func parsed(_ text: String, _ currency: String = "EUR", _ sign: Character = ".") throws -> Int64 {
    let code = try #require(CurrencyCode(currency))
    let parser = AmountParser(decimalSign: sign, currencies: try Shipped.currencies())
    return try parser.parse(text, expecting: code).money.minor
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
        ("\u{200F}12", 1200),
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
        ("1.2345", "CLF", ".", 12_345),
    ] as [(String, String, Character, Int64)]
)
func whatIsAmbiguousIsReadByTheLocale(text: String, currency: String, sign: Character, minor: Int64) throws {
    #expect(try parsed(text, currency, sign) == minor)
}

@Test(
    arguments: [
        ("€12", "EUR", "EUR"), ("12 €", "EUR", "EUR"), ("-€12", "EUR", "EUR"), ("EUR 12", "USD", "EUR"),
        ("12usd", "EUR", "USD"),
        ("$12", "AUD", "AUD"), ("$12", "EUR", "USD"), ("£ 12.00", "EUR", "GBP"), ("12 CHF", "CHF", "CHF"),
        ("12", "EUR", nil),
    ] as [(String, String, String?)]
)
func aSymbolOrCodeMayStandOnEitherSide(text: String, expected: String, typed: String?) throws {
    let code = try #require(CurrencyCode(expected))
    let parser = AmountParser(decimalSign: ".", currencies: try Shipped.currencies())
    let entry = try parser.parse(text, expecting: code)
    #expect(entry.typedCurrency?.rawValue == typed)
    #expect(entry.money.currency.rawValue == typed ?? expected)
    #expect(abs(entry.money.minor) == 1200)
}

@Test(
    arguments: [
        ("", .empty), ("   ", .empty), ("abc", .unreadable), ("12 abc", .unreadable), ("12+", .unreadable),
        ("(12", .unreadable),
        ("12)", .unreadable), ("*2", .unreadable), ("1..2", .unclear), ("1,2,3.4", .unclear),
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
    #expect(try parsed("9223372036854775807", "JPY") == .max)
}

@Test func noTextCrashesTheParser() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    let parser = AmountParser(decimalSign: ",", currencies: try Shipped.currencies())
    let alphabet = Array("0123456789.,' +-*/()€$EUR−×÷\u{A0}٣")
    for _ in 0..<50_000 {
        let text = String(
            (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? "0"
            }
        )
        _ = try? parser.parse(text, expecting: .eur)
    }
}

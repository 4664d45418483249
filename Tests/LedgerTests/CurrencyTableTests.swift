// The table of currencies as it is shipped.
import Ledger
import Testing

@Test(arguments: [("EUR", 2, "€"), ("JPY", 0, "¥"), ("BHD", 3, "BHD"), ("CLF", 4, "CLF"), ("ISK", 0, "ISK")])
func digitsAreThoseOfTheISO(code: String, exponent: Int, symbol: String) throws {
    let code = try #require(CurrencyCode(code))
    let currency = try #require(try Shipped.currencies()[code])
    #expect(currency.exponent == exponent)
    #expect(currency.symbol == symbol)
}

@Test(arguments: [
    ("PLN", ["zł", "zl"]), ("CZK", ["kč", "kc"]), ("SEK", ["kr"]), ("JPY", ["¥", "円"]), ("CNY", ["¥", "元"]),
    ("KRW", ["₩", "원"]), ("RON", ["lei"]), ("ARS", ["$"]), ("CLP", ["$"]), ("COP", ["$"]),
    ("SGD", ["$", "s$"]),
    ("XOF", ["fcfa"]), ("AUD", ["a$", "$"]), ("TRY", ["₺", "tl"]),
])
func aCurrencyIsKnownByTheSignsOfAllLocales(code: String, signs: [String]) throws {
    let currency = try #require(try CurrencyCode(code).flatMap { try Shipped.currencies()[$0] })
    #expect(Set(currency.signs).isSuperset(of: signs), "\(currency.signs)")
}

@Test func aSignIsNoCode() throws {
    let currencies = try Shipped.currencies()
    for sign in currencies.all.flatMap(\.signs) {
        #expect(CurrencyCode(sign).flatMap { currencies[$0] } == nil, "\(sign)")
        #expect(sign == sign.lowercased() && !sign.contains("."), "\(sign)")
    }
}

@Test func aLineWithoutSignsHasTheSymbol() throws {
    let table = try CurrencyTable(tsv: "XCG\t2\tCg.\tGuilder\nUSD\t2\t$\tUS Dollar\t$ us$\n")
    #expect(table.all.map(\.signs) == [["$", "us$"], ["cg"]])
}

@Test(arguments: ["XAU", "XTS", "XXX", "BGN", "USN"]) func codesWithoutCashAreMissing(code: String) throws {
    let code = try #require(CurrencyCode(code))
    #expect(try Shipped.currencies()[code] == nil)
}

@Test func theWholeListIsThere() throws {
    let all = try Shipped.currencies().all
    #expect(all.count > 150)
    #expect(all == all.sorted { $0.code < $1.code })
    #expect(all.allSatisfy { !$0.name.isEmpty && !$0.symbol.isEmpty })
}

@Test(arguments: [
    "EUR\t2\t€", "EUR\t2\t€\tEuro\t€\t€", "EURO\t2\t€\tEuro", "EUR\tx\t€\tEuro", "EUR\t9\t€\tEuro",
])
func aDamagedLineIsNamed(line: String) {
    #expect(throws: LedgerError.badTable(line: 2)) {
        try CurrencyTable(tsv: "USD\t2\t$\tUS Dollar\n\(line)\n")
    }
}

@Test func aCodeIsThreeLettersWrittenLarge() throws {
    #expect(CurrencyCode("eur") == .eur && CurrencyCode("USD") == .usd && CurrencyCode.eur.rawValue == "EUR")
    for text in ["", "E", "EU", "EURO", "E R", "E1R", "éUR", "[UR", "EU{", "ÅÅÅ"] {
        #expect(CurrencyCode(text) == nil)
    }
    let codes = ["AED", "EUR", "USD", "ZMW"].compactMap { CurrencyCode($0) }
    #expect(
        codes.count == 4 && codes.shuffled().sorted() == codes && codes.map(\.rawValue).sorted().count == 4
    )
}

// The text in which rates are stored.
import Ledger
import Testing

@Suite struct RateLinesTests {
    @Test func ratesAreReadAsTheyWereWritten() throws {
        let chf = try #require(CurrencyCode("CHF"))
        let rates: [CurrencyCode: ExchangeRate] = [
            .usd: try #require(ExchangeRate("1.1172")), chf: try #require(ExchangeRate("0.9191")),
        ]
        #expect(RateLines.text(of: rates) == "CHF 0.9191\nUSD 1.1172")
        #expect(RateLines.rates(of: "CHF 0.9191\nUSD 1.1172") == rates)
        #expect(RateLines.rates(of: "CHF 0.9191\nUSD 1.1172", only: [.usd])?.keys.sorted() == [.usd])
        #expect(RateLines.text(of: [:]) == "" && RateLines.rates(of: "") == [:])
    }

    @Test(arguments: ["USD", "USD 1.1 2", "US 1.1", "USD -1", "USD 0", "1.1 USD"])
    func malformedTextHasNoRates(_ text: String) {
        #expect(RateLines.rates(of: text) == nil)
    }
}

// The rates that hold on a day, and amounts by the rates of their days.
import Ledger
import Testing

@Suite struct RatesOfManyDays {
    private func day(_ iso: String) throws -> CivilDate { try #require(CivilDate(iso: iso)) }

    private func set(_ iso: String, _ dollar: String) throws -> ExchangeRates {
        ExchangeRates(
            day: try day(iso),
            source: .europeanCentralBank,
            rates: [.usd: try #require(ExchangeRate(dollar))]
        )
    }

    /// A Friday, the Monday after it, and a Wednesday two weeks later.
    private func history() throws -> RateHistory {
        RateHistory(
            version: "1",
            days: [try set("2026-01-05", "1.25"), try set("2026-01-02", "1.1"), try set("2026-01-21", "2")]
        )
    }

    @Test func aDayWithoutRatesHasThoseOfTheLastDayBefore() throws {
        let history = try history()
        for (asked, expected) in [
            ("2026-01-01", nil), ("2026-01-02", "2026-01-02"), ("2026-01-04", "2026-01-02"),
            ("2026-01-05", "2026-01-05"), ("2026-01-12", "2026-01-05"), ("2026-01-13", nil),
            ("2026-01-20", nil), ("2026-01-21", "2026-01-21"), ("2027-06-30", "2026-01-21"),
        ] {
            #expect(history.rates(on: try day(asked))?.day.description == expected, "\(asked)")
        }
        #expect(RateHistory(version: "0", days: []).rates(on: try day("2026-01-01")) == nil)
    }

    @Test func anAmountHasTheValueOfItsDay() throws {
        let currencies = try CurrencyTable(tsv: "EUR\t2\t€\tEuro\nUSD\t2\t$\tDollar\n")
        let converter = DayConverter(try history(), to: .eur, currencies: currencies)
        let money = MoneySum(minor: 1_000, currency: .usd)
        #expect(converter.value(of: money, on: try day("2026-01-03")) == 909)
        #expect(converter.value(of: money, on: try day("2026-01-05")) == 800)
        #expect(converter.value(of: money, on: try day("2026-02-01")) == 500)
        #expect(converter.value(of: money, on: try day("2025-12-31")) == nil)
        #expect(converter.value(of: MoneySum(minor: 7, currency: .eur), on: try day("2025-12-31")) == 7)
        let largest = MoneySum(minor: 1 << 63, currency: .usd)
        let cheap = RateHistory(version: "1", days: [try set("2026-01-02", "0.1")])
        let large = DayConverter(cheap, to: .eur, currencies: currencies)
        #expect(large.value(of: largest, on: try day("2026-01-02")) == 10 << 63)
    }

    @Test func aHistoryIsOfOneSourceAndBase() throws {
        let yen = ExchangeRates(
            day: try day("2026-01-03"),
            source: .europeanCentralBank,
            base: .usd,
            rates: [.eur: try #require(ExchangeRate("0.9"))]
        )
        let days = RateHistory(version: "1", days: try history().days + [yen]).days
        #expect(days == (try history().days), "the newest day is in euros")
    }

    @Test func aRangeCoversShorterOnesAndFewerCurrencies() throws {
        let range = RateHistoryRange(from: try day("2026-01-01"), currencies: [.eur, .usd])
        #expect(range.covers(range))
        #expect(range.covers(RateHistoryRange(from: try day("2026-05-01"), currencies: [.usd])))
        let earlier = RateHistoryRange(from: try day("2025-12-31"), currencies: [.usd])
        #expect(!range.covers(earlier) && range.union(earlier).covers(earlier))
        #expect(!earlier.covers(range) && range.union(earlier).covers(range))
    }
}

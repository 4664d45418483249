// Currencies that the euro has replaced: their fixed rates from that day on, and the rates of the days before.
import Ledger
import Testing

@Suite struct ReplacedByTheEuro {
    private func code(_ text: String) throws -> CurrencyCode { try #require(CurrencyCode(text)) }
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso: text)) }

    @Test(
        arguments: [
            ("BGN", 10_000, 5_113), ("HRK", 753_450, 100_000), ("EEK", 156_466, 10_000),
            ("LVL", 10_000, 14_229),
            ("LTL", 34_528, 10_000), ("SKK", 301_260, 10_000), ("SIT", 2_396_400, 10_000),
            ("CYP", 10_000, 17_086), ("MTL", 10_000, 23_294), ("GRD", 34_075, 100), ("DEM", 10_000, 5_113),
            ("ITL", 193_627, 100), ("IEP", 10_000, 12_697), ("FRF", 655_957, 100_000),
            ("ATS", 137_603, 10_000),
            ("BEF", 403_399, 10_000), ("LUF", 403_399, 10_000), ("NLG", 220_371, 100_000),
            ("ESP", 166_386, 1_000), ("PTE", 200_482, 1_000), ("FIM", 594_573, 100_000),
        ] as [(String, Int64, Int64)]
    )
    func theirRateIsFixed(text: String, minor: Int64, euros: Int64) throws {
        let (table, code) = (try Shipped.currencies(), try code(text))
        let converter = CurrencyConverter(rates: try rates(dayOfRates), currencies: table)
        let money = Money(minor: minor, currency: code)
        #expect(try converter.convert(money, to: .eur).minor == euros)
        #expect(try converter.convert(MoneySum(money), to: .eur).minor == Int128(euros))
        #expect(converter.hasRate(of: code) && table[code] == nil)
        // There and back, as a budget in the currency counts what an account in euros was charged.
        let back = try converter.convert(Money(minor: euros, currency: .eur), to: code)
        #expect(abs(back.minor - minor) <= minor / euros + 1)
        let dollars = try converter.convert(money, to: .usd).minor
        let through = try converter.convert(Money(minor: euros, currency: .eur), to: .usd).minor
        #expect(abs(dollars - through) <= 1)
    }

    @Test func allThatJoinedAreThere() throws {
        #expect(try Shipped.currencies().euro.codes.count == 21)
        #expect(!(try Shipped.currencies().euro.contains(.eur)))
    }

    @Test(
        arguments: [
            // On the day before, the rate of the day; without one, none.
            ("HRK", "2022-12-30", "7.5365", 10_000, 1_327), ("HRK", "2022-12-31", "7.5365", 10_000, 1_327),
            ("HRK", "2022-12-31", nil, 10_000, nil),
            // The first of January has the rates of another year, and the fixed rate.
            ("HRK", "2023-01-01", "7.6", 753_450, 100_000), ("HRK", "2023-01-01", nil, 753_450, 100_000),
            ("BGN", "2025-12-31", "1.9", 1_900, 1_000), ("BGN", "2026-01-01", "1.9", 195_583, 100_000),
            ("BGN", "2024-03-01", nil, 10_000, nil),
            // Others never have a fixed rate.
            ("TRL", "2004-12-30", "1000", 10_000, nil), ("USD", "2026-01-01", nil, 100, nil),
        ] as [(String, String, String?, Int64, Int128?)]
    )
    func aDayHasItsRate(text: String, on date: String, rate: String?, minor: Int64, euros: Int128?) throws {
        let (code, date) = (try code(text), try day(date))
        let set = ExchangeRates(
            day: date.adding(days: -1),
            source: .europeanCentralBank,
            rates: try rate.map { [code: try #require(ExchangeRate($0))] } ?? [.usd: .one]
        )
        let days = text == "USD" ? [] : [set]
        let converter = DayConverter(
            RateHistory(version: "1", days: days),
            to: .eur,
            currencies: try Shipped.currencies()
        )
        #expect(converter.value(of: MoneySum(minor: Int128(minor), currency: code), on: date) == euros)
    }

    @Test func aDayWithoutAnyRatesHasTheFixedRates() throws {
        let converter = DayConverter(
            RateHistory(version: "1", days: []),
            to: .eur,
            currencies: try Shipped.currencies()
        )
        let sum = MoneySum(minor: 195_583, currency: try code("BGN"))
        #expect(converter.value(of: sum, on: try day("2026-02-01")) == 100_000)
        #expect(converter.value(of: sum, on: try day("2025-12-31")) == nil)
    }

    @Test func shownRatesHaveThoseOfTheUsersCurrenciesOnly() throws {
        let (table, lev) = (try Shipped.currencies(), try code("BGN"))
        let shown = table.euro.completing(try rates(dayOfRates), for: [lev, .usd, .eur])
        #expect(shown.rates.count == dayOfRates.count + 1)
        #expect(shown.crossRate(from: .eur, to: lev) == "1.9558")
        let before = table.euro.completing(try rates([("USD", "1")], day: "2025-12-31"), for: [lev])
        #expect(before[lev] == nil)
    }

    @Test(arguments: [
        "BGN\t2026-01-01", "BGN\t2026-13-01\t1", "EUR\t2026-01-01\t1", "BGN\t2026-01-01\t0", "B\tb\t1",
    ])
    func aDamagedLineIsNamed(line: String) {
        #expect(throws: LedgerError.badTable(line: 2)) {
            try EuroTable(tsv: "HRK\t2023-01-01\t7.53450\n\(line)\n")
        }
    }
}

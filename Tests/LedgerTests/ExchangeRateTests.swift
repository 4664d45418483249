// Rates as text, the rate between two currencies, and the comparison of two days.
import Ledger
import TestKit
import Testing

/// All rates that the European Central Bank published for 2026-10-30.
let dayOfRates = [
    ("USD", "1.1172"), ("JPY", "175.68"), ("CZK", "24.353"), ("DKK", "7.4735"), ("GBP", "0.8338"),
    ("HUF", "366.33"), ("PLN", "4.4038"), ("RON", "5.3447"), ("SEK", "10.978"), ("CHF", "0.9194"),
    ("ISK", "136"), ("NOK", "10.312"), ("TRY", "55.8015"), ("AUD", "1.5904"), ("BRL", "6.0692"),
    ("CAD", "1.5606"), ("CNY", "7.4326"), ("HKD", "8.7652"), ("IDR", "20275.17"), ("ILS", "3.495"),
    ("INR", "106.084"), ("KRW", "1491.76"), ("MXN", "21.1237"), ("MYR", "4.5325"), ("NZD", "1.9823"),
    ("PHP", "71.143"), ("SGD", "1.4282"), ("THB", "37.683"), ("ZAR", "18.6455"),
]

/// Rates of one day from texts.
func rates(_ texts: [(String, String)], day: String = "2026-10-30") throws -> ExchangeRates {
    var rates: [CurrencyCode: ExchangeRate] = [:]
    for (code, text) in texts {
        let currency = try #require(CurrencyCode(code))
        let rate = try #require(ExchangeRate(text))
        rates[currency] = rate
    }
    let day = try #require(CivilDate(iso: day))
    return ExchangeRates(day: day, source: .europeanCentralBank, rates: rates)
}

@Suite struct RatesAsText {
    @Test(
        arguments: [
            ("1.0823", 10_823, 4, "1.0823"), ("136", 136, 0, "136"), ("0.8338", 8_338, 4, "0.8338"),
            ("1.50", 15, 1, "1.5"), ("1.000", 1, 0, "1"), ("100.0", 100, 0, "100"), ("10", 10, 0, "10"),
            ("1912400", 1_912_400, 0, "1912400"), ("0.000000000001", 1, 12, "0.000000000001"),
            ("999999999999999", 999_999_999_999_999, 0, "999999999999999"),
            ("999.999999999999", 999_999_999_999_999, 12, "999.999999999999"),
        ] as [(String, UInt64, Int, String)]
    )
    func aRateIsExact(text: String, mantissa: UInt64, scale: Int, canonical: String) throws {
        let rate = try #require(ExchangeRate(text))
        #expect(rate.mantissa == mantissa && rate.scale == scale && rate.description == canonical)
        #expect(ExchangeRate(canonical) == rate)
    }

    @Test(arguments: [
        "", "0", "0.0", "0.000", "-1", "+1", "\u{2212}1", "1e5", "1E5", "1.", ".5", ".", "1..2", "1.2.3",
        "1,5", " 1", "1 ", "1\n", "01.2", "00.5", "1_000", "0x10", "NaN", "inf", "N/A", "١", "½", "\u{0}",
        "1\u{0}", "1234567890123456", "0.0000000000001", "1.000000000000000000000000000000000000000",
        String(repeating: "1", count: 1_000_000),
    ])
    func anyOtherTextIsNoRate(text: String) {
        #expect(ExchangeRate(text) == nil)
    }

    @Test func theBaseCurrencyHasTheRateOne() throws {
        let day = try rates([("USD", "1.1172"), ("EUR", "2")])
        let pound = try #require(CurrencyCode("GBP"))
        #expect(day[.eur] == .one && day.rates.keys.sorted() == [.usd] && day.base == .eur)
        #expect(day[.usd]?.description == "1.1172")
        #expect(day[pound] == nil)
        #expect(day.source.name == "European Central Bank")
        #expect(RateSource(rawValue: "ecb") == .europeanCentralBank)
        // The rates are free to use if their source is named, also under a made-up day.
        #expect(RateSource.demo.name.contains("European Central Bank"))
    }
}

@Suite struct CrossRates {
    @Test(arguments: [
        ("EUR", "USD", "1.1172"), ("USD", "EUR", "0.89509"), ("EUR", "IDR", "20275"),
        ("IDR", "EUR", "0.000049321"), ("JPY", "USD", "0.0063593"), ("ISK", "JPY", "1.2918"),
        ("USD", "IDR", "18148"), ("GBP", "TRY", "66.924"), ("KRW", "GBP", "0.00055894"),
        ("IDR", "JPY", "0.0086648"), ("USD", "USD", "1"), ("XXX", "XXX", "1"),
    ])
    func aRateBetweenTwoCurrenciesHasFiveDigits(source: String, target: String, text: String) throws {
        let (from, to) = (try #require(CurrencyCode(source)), try #require(CurrencyCode(target)))
        #expect(try rates(dayOfRates).crossRate(from: from, to: to) == text)
    }

    @Test(arguments: [
        ("100000.5", "100000"), ("100001.5", "100002"), ("1.00005", "1"), ("1.00015", "1.0002"),
        ("9.99995", "10"), ("99999.5", "100000"), ("0.000000000001", "0.000000000001"),
        ("999999999999999", "999999999999999"),
    ])
    func itIsRoundedHalfEven(rate: String, text: String) throws {
        #expect(try rates([("USD", rate)]).crossRate(from: .eur, to: .usd) == text)
    }

    @Test func withoutARateThereIsNone() throws {
        let unknown = try #require(CurrencyCode("RUB"))
        let day = try rates(dayOfRates)
        #expect(day.crossRate(from: unknown, to: .eur) == nil)
        #expect(day.crossRate(from: .usd, to: unknown) == nil)
    }

    @Test func itIsTheNearestNumberForEachPair() throws {
        let day = try rates(dayOfRates)
        let all = dayOfRates + [("EUR", "1")]
        for (source, rate) in all {
            for (target, other) in all where source != target {
                let (from, to) = (try #require(CurrencyCode(source)), try #require(CurrencyCode(target)))
                let text = try #require(day.crossRate(from: from, to: to))
                let parts = text.split(separator: ".")
                let decimals = parts.count == 2 ? parts[1].count : 0
                let digits = parts.joined(separator: "").drop { $0 == "0" }
                let scaled = "1" + String(repeating: "0", count: decimals)
                let exact = Ratio().times(other).divided(by: rate).times(scaled)
                #expect(exact.rounds(to: String(digits)), "1 \(source) = \(text) \(target)")
                #expect(decimals == 0 || digits.count <= 5, "1 \(source) = \(text) \(target)")
            }
        }
    }
}

@Suite struct ComparedDays {
    @Test func aRateThatJumpsIsLeftOutAndTheOthersStay() throws {
        let before = try rates(
            [("USD", "1.1"), ("JPY", "170"), ("GBP", "0.8"), ("CHF", "0.9"), ("ISK", "136"), ("SEK", "11")],
            day: "2026-10-29"
        )
        let after = try rates([
            ("USD", "11"), ("JPY", "1700.01"), ("GBP", "0.08"), ("CHF", "0.0899"), ("SEK", "11.2"),
            ("DKK", "7.4"),
        ])
        let comparison = RateComparison(of: after, with: before)
        #expect(comparison.jumps.map(\.currency.rawValue) == ["CHF", "JPY"])
        #expect(comparison.jumps.map(\.earlier.description) == ["0.9", "170"])
        #expect(comparison.jumps.map(\.later.description) == ["0.0899", "1700.01"])
        #expect(comparison.missing.map(\.rawValue) == ["ISK"])
        let plausible = try rates([("USD", "11"), ("GBP", "0.08"), ("SEK", "11.2"), ("DKK", "7.4")])
        #expect(comparison.plausible == plausible)
    }

    @Test func theSameDayHasNoDifferences() throws {
        let day = try rates(dayOfRates)
        let comparison = RateComparison(of: day, with: day)
        #expect(comparison.plausible == day && comparison.jumps.isEmpty && comparison.missing.isEmpty)
    }

    @Test func theGreatestAndTheSmallestRatesAreCompared() throws {
        let (large, small) = (try rates([("USD", "999999999999999")]), try rates([("USD", "0.000000000001")]))
        #expect(RateComparison(of: large, with: small).jumps.count == 1)
        #expect(RateComparison(of: small, with: large).plausible.rates.isEmpty)
        #expect(RateComparison(of: small, with: small).jumps.isEmpty)
    }
}

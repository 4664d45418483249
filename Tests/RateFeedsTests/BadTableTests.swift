// Tables in CSV with faults.
import Ledger
import RateFeeds
import Testing

@Suite struct BadTables {
    @Test(
        arguments: [
            ("Date", .noRates, 1), ("Date,", .noRates, 1), ("Date,\n2026-10-30,\n", .noRates, 1),
            ("Date,USD,", .noRates, nil), ("Date,USD,\n", .noRates, nil), ("Dates,USD\n", .malformed, 1),
            ("Date,usd,\n", .invalidCurrency("usd"), 1), ("Date,US", .invalidCurrency("US"), 1),
            ("Date,EUR,\n2026-10-30,1,\n", .invalidCurrency("EUR"), 1),
            ("Date,,USD,\n", .invalidCurrency(""), 1),
            ("Date,USD,USD,\n2026-10-30,1,2,\n", .repeatedCurrency(.usd), 2),
            ("Date,USD,\n2026-10-30,1\n", .truncated, 2), ("Date,USD,\n2026-10-30\n", .truncated, 2),
            ("Date,USD,\n2026-10-30,1\n2026-10-29,1,\n", .malformed, 2),
            ("Date,USD,\n\n2026-10-29,1,\n", .malformed, 2),
            ("Date,USD,\n2026-10-30,1,2,\n", .malformed, 2),
            ("Date,USD,\n2026-10-30,1,2\n", .unexpected("2"), 2),
            ("Date,USD,\n2026-10-30,,\n", .invalidRate(.usd, ""), 2),
            ("Date,USD,\n2026-10-30,n/a,\n", .invalidRate(.usd, "n/a"), 2),
            ("Date,USD,\n2026-10-30,1 1,\n", .invalidRate(.usd, "1 1"), 2),
            ("Date,USD,\n2026-10-30,\"1\",\n", .invalidRate(.usd, "\"1\""), 2),
            ("Date,USD,\n2026-10-30,N/A,\n", .noRates, 2),
            ("Date,USD,\n2026-10-30,1,\n2026-13-01,1,\n", .invalidDay("2026-13-01"), 3),
            ("Date,USD,\n30 october 2026,1,\n", .invalidDay("30 october 2026"), 2),
            ("Date,USD,\n31 February 2026,1,\n", .invalidDay("31 February 2026"), 2),
            ("Date,USD,\n+30 October 2026,1,\n", .invalidDay("+30 October 2026"), 2),
            ("Date,USD,\n30  October 2026,1,\n", .invalidDay("30  October 2026"), 2),
            ("Date,TRL,\n2026-10-30,1,\n", .noRates, nil),
        ] as [(String, RateFileError.Problem, Int?)]
    )
    func aTableWithAFaultIsRefused(text: String, problem: RateFileError.Problem, line: Int?) throws {
        let error = try #require(fault(Array(text.utf8), try Files.reader()))
        #expect(error.problem == problem && error.line == line, "\(error)")
    }

    @Test func aDayThatOccursTwiceIsRefused() throws {
        let text = "Date,USD,\n2026-10-30,1,\n30 October 2026,1,\n"
        let day = try #require(CivilDate(iso: "2026-10-30"))
        let error = fault(Array(text.utf8), try Files.reader())
        #expect(error?.problem == .repeatedDay(day) && error?.line == 3)
    }

    @Test(arguments: [
        "Date,USD,\n2026-10-30,1.1172,\n", "Date,USD\n2026-10-30,1.1172\n", "Date,USD\n2026-10-30,1.1172",
        "Date, USD, \n30 October 2026, 1.1172, \n", "Date,USD,GBP,\r\n2026-10-30, 1.11720 ,N/A,\r\n",
    ])
    func spacesAndTheLastCommaDoNotMatter(text: String) throws {
        let file = try Files.read(text)
        #expect(file.days.count == 1 && file.days[0].day.description == "2026-10-30")
        #expect(file.days[0].rates.map { "\($0.key) \($0.value)" } == ["USD 1.1172"])
    }
}

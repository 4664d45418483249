// The files of the European Central Bank: every layout and container has the same rates.
import Ledger
import RateFeeds
import Testing

@Suite struct RealFiles {
    private func rate(_ code: String, of day: String, in file: RateFile) throws -> String? {
        let code = try currency(code)
        let rates = try #require(file.days.first { $0.day.description == day })
        return rates[code]?.description
    }

    @Test func theDailyFileIsTheSameAsXMLAsCSVAndAsZip() throws {
        let files = try [Files.xml[0], Files.csv[0], Files.zip[0]].map {
            try Files.reader().read(try Files.bytes($0))
        }
        for file in files {
            #expect(file == files[0])
            #expect(file.days.count == 1 && file.withdrawn.isEmpty)
            #expect(file.days[0].day.description == "2026-10-30" && file.days[0].rates.count == 29)
            #expect(file.days[0].source == .europeanCentralBank && file.days[0].base == .eur)
            #expect(try rate("IDR", of: "2026-10-30", in: file) == "20275.17")
        }
    }

    @Test func theHistoryIsTheSameAsXMLAsCSVAndAsZip() throws {
        let files = try [Files.xml[1], Files.csv[1], Files.zip[1]].map {
            try Files.reader().read(try Files.bytes($0))
        }
        for file in files {
            #expect(file == files[0])
            #expect(file.days.count == 17 && file.days.map(\.day) == file.days.map(\.day).sorted(by: >))
            #expect(file.days.first?.day.description == "2026-10-30")
            #expect(file.days.last?.day.description == "1999-01-04")
        }
    }

    @Test func ratesAreThoseOfTheFile() throws {
        let file = try Files.reader().read(try Files.bytes(Files.zip[1]))
        #expect(try rate("USD", of: "1999-01-04", in: file) == "1.1789")
        #expect(try rate("ISK", of: "1999-01-04", in: file) == "81.48")
        #expect(try rate("ISK", of: "2010-06-15", in: file) == nil)
        #expect(try rate("TRY", of: "2004-12-31", in: file) == nil)
        #expect(try rate("TRY", of: "2005-01-03", in: file) != nil)
        #expect(file.days.last?.rates.count == 25 && file.days.first?.rates.count == 29)
    }

    @Test func withdrawnCurrenciesAreCountedAndLeftOut() throws {
        let file = try Files.reader().read(try Files.bytes(Files.xml[1]))
        let expected = try ["ROL": 4, "TRL": 3].map { (try currency($0.key), $0.value) }
        #expect(file.withdrawn == Dictionary(uniqueKeysWithValues: expected))
        for code in file.withdrawn.keys {
            #expect(file.days.allSatisfy { $0[code] == nil }, "\(code)")
        }
    }

    @Test func ratesOfCurrenciesThatTheEuroHasReplacedAreKept() throws {
        let days = try Files.reader().read(try Files.bytes(Files.xml[1])).days
        for (code, count) in [
            ("CYP", 7), ("EEK", 9), ("LTL", 9), ("LVL", 9), ("MTL", 7), ("SIT", 5), ("SKK", 8), ("BGN", 13),
            ("HRK", 8),
        ] {
            let currency = try currency(code)
            #expect(days.count { $0[currency] != nil } == count, "\(code)")
        }
    }

    @Test func aCurrencyThatIsGoneIsReportedAsMissing() throws {
        let days = try Files.reader().read(try Files.bytes(Files.xml[1])).days
        for (later, earlier) in zip(days, days.dropFirst()) {
            let comparison = RateComparison(of: later, with: earlier)
            #expect(comparison.jumps.isEmpty, "\(later.day)")
            let missing = comparison.missing.map(\.rawValue)
            switch later.day.description {
            case "2022-03-02": #expect(missing == ["RUB"])
            case "2010-06-15": #expect(missing == ["ISK", "SKK"])
            // The euro has replaced these since the day before.
            case "2007-01-02": #expect(missing == ["SIT"])
            case "2008-01-02": #expect(missing == ["CYP", "MTL"])
            case "2022-03-01": #expect(missing == ["EEK", "LTL", "LVL"])
            case "2023-01-02": #expect(missing == ["HRK"])
            case "2026-01-02": #expect(missing == ["BGN"])
            default: #expect(missing.isEmpty, "\(later.day)")
            }
        }
    }

    @Test func theBundledRatesAreOfOneDay() throws {
        let file = try Files.reader().read(try Files.resource("rates.xml"))
        #expect(file.days.count == 1 && file.withdrawn.isEmpty)
        #expect(file.days[0].day.description == "2026-10-30" && file.days[0].rates.count == 29)
    }

    @Test(arguments: Files.xml + Files.csv + Files.zip)
    func aDayAfterTodayIsRefused(name: String) throws {
        let reader = try Files.reader(today: "2026-10-29")
        let day = try #require(CivilDate(iso: "2026-10-30"))
        let error = try #require(fault(try Files.bytes(name), reader))
        #expect(error.problem == .futureDay(day) && error.line != nil)
    }

    @Test(arguments: Files.xml + Files.csv)
    func aByteOrderMarkIsAccepted(name: String) throws {
        let bytes = try Files.bytes(name)
        let marked = try Files.reader().read([0xEF, 0xBB, 0xBF] + bytes)
        #expect(try Files.reader().read(bytes) == marked)
    }

    @Test(arguments: Files.csv)
    func linesMayEndWithACarriageReturn(name: String) throws {
        let bytes = try Files.bytes(name)
        let other = bytes.flatMap { $0 == 10 ? [13, 10] : [$0] }
        #expect(try Files.reader().read(bytes) == Files.reader().read(other))
    }
}

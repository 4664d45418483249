// The periods whose sums are those of a range of months.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct ReportPeriodsTests {
    @Test(arguments: [1, 2, 2_026] as [UInt64])
    func coverEachMonthOfARangeOnceAndNoOther(seed: UInt64) {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<500 {
            let begin = Int.random(in: 2018...2024, using: &random)
            let years = begin...Int.random(in: begin...2030, using: &random)
            let first = YearMonth(index: 24_200 + Int.random(in: 0..<100, using: &random))
            let last = YearMonth(index: first.index + Int.random(in: 0..<100, using: &random))
            let parts = ReportPeriods.of(first...last, among: years)
            for month in years.lowerBound * 12...years.upperBound * 12 + 11 {
                let times = parts.reduce(0) { sum, part in
                    let isIn =
                        part.unit == .months
                        ? part.numbers.contains(month)
                        : part.numbers.contains(month / 12) || part.numbers == 0...0
                    return isIn ? sum + part.sign : sum
                }
                let isIn = (first.index...last.index).contains(month)
                #expect(times == (isIn ? 1 : 0), "\(month) of \(first) to \(last) among \(years)")
            }
        }
    }

    private func periods(_ first: String, _ last: String, among years: ClosedRange<Int> = 2015...2026)
        -> [ReportPeriods]
    {
        ReportPeriods.of(month(first)...month(last), among: years)
    }

    @Test func ofAllTimeAreOneSum() {
        #expect(periods("0001-01", "9999-12") == [.years(0...0)])
        #expect(periods("2015-01", "2026-12") == [.years(0...0)])
    }

    @Test func outsideOfTheBookAreNone() {
        #expect(periods("2014-01", "2014-12").isEmpty)
        #expect(periods("2027-01", "2029-05").isEmpty)
    }

    @Test func ofMostYearsAreAllLessTheOthers() {
        #expect(
            periods("2016-11", "2026-10") == [
                .years(0...0), .years(2015...2015, sign: -1), .years(2016...2016, sign: -1),
                .months(24_202...24_203), .months(24_322...24_323, sign: -1),
            ]
        )
    }

    @Test func ofSomeYearsAreTheseYears() {
        #expect(periods("2025-01", "2025-12") == [.years(2025...2025)])
        #expect(
            periods("2022-12", "2025-02") == [
                .years(2023...2024), .months(24_275...24_275), .months(24_300...24_301),
            ]
        )
    }

    @Test func ofPartsOfYearsAreTheMonthsInsideOrOutside() {
        #expect(periods("2025-02", "2025-09") == [.months(24_301...24_308)])
        #expect(
            periods("2025-02", "2025-11") == [
                .years(2025...2025), .months(24_300...24_300, sign: -1), .months(24_311...24_311, sign: -1),
            ]
        )
        // The usual range in a young book.
        #expect(
            periods("2025-07", "2026-06", among: 2025...2026) == [
                .months(24_306...24_311), .months(24_312...24_317),
            ]
        )
        #expect(periods("2026-06", "2026-06", among: 2026...2026) == [.months(24_317...24_317)])
        #expect(
            periods("2025-12", "2026-01", among: 2025...2026) == [
                .months(24_311...24_311), .months(24_312...24_312),
            ]
        )
    }
}

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
        for _ in 0..<300 {
            let first = YearMonth(index: 24_240 + Int.random(in: 0..<36, using: &random))
            let last = YearMonth(index: first.index + Int.random(in: 0..<60, using: &random))
            let parts = (first...last).reportPeriods
            for month in YearMonth(year: 2018, month: 1).index...YearMonth(year: 2030, month: 1).index {
                let times = parts.reduce(0) { sum, part in
                    let number = part.unit == .years ? month / 12 : month
                    return part.numbers.contains(number) ? sum + (part.isSubtracted ? -1 : 1) : sum
                }
                let isIn = (first.index...last.index).contains(month)
                #expect(times == (isIn ? 1 : 0), "\(month) of \(first) to \(last)")
            }
        }
    }

    @Test func areTheYearsOfALongRange() {
        let all = YearMonth(index: .min)...YearMonth(index: .max)
        #expect(all.reportPeriods.map(\.numbers) == [1...1, 2...9998, 9999...9999])
        #expect(all.reportPeriods.allSatisfy { $0.unit == .years })
        let year = YearMonth(year: 2025, month: 1)...YearMonth(year: 2025, month: 12)
        #expect(year.reportPeriods == [ReportPeriods(unit: .years, numbers: 2025...2025)])
    }

    @Test func areMonthsForAHalfOfAYear() {
        let half = YearMonth(year: 2025, month: 2)...YearMonth(year: 2025, month: 7)
        let months = half.lowerBound.index...half.upperBound.index
        #expect(half.reportPeriods == [ReportPeriods(unit: .months, numbers: months)])
        let more = YearMonth(year: 2025, month: 2)...YearMonth(year: 2025, month: 11)
        #expect(
            more.reportPeriods == [
                ReportPeriods(unit: .years, numbers: 2025...2025),
                ReportPeriods(unit: .months, numbers: 24_300...24_300, isSubtracted: true),
                ReportPeriods(unit: .months, numbers: 24_311...24_311, isSubtracted: true),
            ]
        )
    }
}

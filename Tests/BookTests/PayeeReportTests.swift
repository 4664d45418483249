// The periods whose sums are those of a range of months.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct PayeePeriodsTests {
    @Test(arguments: [1, 2, 2_026] as [UInt64])
    func coverEachMonthOfARangeOnceAndNoOther(seed: UInt64) {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<300 {
            let first = YearMonth(index: 24_240 + Int.random(in: 0..<36, using: &random))
            let last = YearMonth(index: first.index + Int.random(in: 0..<60, using: &random))
            let parts = (first...last).payeePeriods
            for month in YearMonth(year: 2018, month: 1).index...YearMonth(year: 2030, month: 1).index {
                let times = parts.reduce(0) { sum, part in
                    let isIn = part.periods.contains(month) || part.periods.contains(-(month / 12))
                    return isIn ? sum + (part.isSubtracted ? -1 : 1) : sum
                }
                #expect(
                    times == ((first.index...last.index).contains(month) ? 1 : 0),
                    "\(month) of \(first) to \(last)"
                )
            }
        }
    }

    @Test func areTheYearsOfALongRange() {
        let all = YearMonth(index: .min)...YearMonth(index: .max)
        #expect(all.payeePeriods.map(\.periods) == [-1 ... -1, -9998 ... -2, -9999 ... -9999])
        let year = YearMonth(year: 2025, month: 1)...YearMonth(year: 2025, month: 12)
        #expect(year.payeePeriods == [PayeePeriods(periods: -2025 ... -2025)])
    }

    @Test func areMonthsForAHalfOfAYear() {
        let half = YearMonth(year: 2025, month: 2)...YearMonth(year: 2025, month: 7)
        #expect(half.payeePeriods == [PayeePeriods(periods: half.lowerBound.index...half.upperBound.index)])
        let more = YearMonth(year: 2025, month: 2)...YearMonth(year: 2025, month: 11)
        #expect(
            more.payeePeriods == [
                PayeePeriods(periods: -2025 ... -2025),
                PayeePeriods(periods: 24_300...24_300, isSubtracted: true),
                PayeePeriods(periods: 24_311...24_311, isSubtracted: true),
            ]
        )
    }
}

// The years and months whose sums are those of a range of months.
import Ledger

/// A part of the sums of a range of months: some months, or some years as a whole.
struct ReportPeriods: Equatable {
    enum Unit { case months, years }

    /// The number of the year that stands for all years.
    static let allYears = 0

    let unit: Unit
    /// The indexes of months, or the numbers of years.
    let numbers: ClosedRange<Int>
    /// 1, or -1 for periods that are taken away from larger ones.
    let sign: Int

    private init(_ unit: Unit, _ numbers: ClosedRange<Int>, sign: Int = 1) {
        (self.unit, self.numbers, self.sign) = (unit, numbers, sign)
    }

    static func months(_ indexes: ClosedRange<Int>, sign: Int = 1) -> ReportPeriods {
        ReportPeriods(.months, indexes, sign: sign)
    }

    static func years(_ numbers: ClosedRange<Int>, sign: Int = 1) -> ReportPeriods {
        ReportPeriods(.years, numbers, sign: sign)
    }

    /// The periods whose sums add up to those of a range of months.
    ///
    /// A year that is covered by more than half is its own sum less the months outside. A range that covers more years
    /// of the book than it leaves out is the sum of all years less those outside.
    /// - Parameter years: the years from the first to the last one that has sums.
    static func of(_ span: ClosedRange<YearMonth>, among years: ClosedRange<Int>) -> [ReportPeriods] {
        guard span.lowerBound.year <= years.upperBound, span.upperBound.year >= years.lowerBound else {
            return []
        }
        let months = ClosedRange(
            uncheckedBounds: (
                max(span.lowerBound.index, years.lowerBound * 12),
                min(span.upperBound.index, years.upperBound * 12 + 11)
            )
        )
        let (first, last) = (months.lowerBound / 12, months.upperBound / 12)
        let isTakenFromAll = last - first + 1 > years.count / 2
        var parts: [ReportPeriods] = []
        func add(years: Range<Int>, sign: Int) {
            if !years.isEmpty { parts.append(.years(years.lowerBound...years.upperBound - 1, sign: sign)) }
        }
        if isTakenFromAll {
            parts.append(.years(allYears...allYears))
            add(years: years.lowerBound..<first, sign: -1)
            add(years: last + 1..<years.upperBound + 1, sign: -1)
        } else if first < last {
            add(years: first + 1..<last, sign: 1)
        }
        guard first < last else { return parts + partOfYear(first, months, isCounted: isTakenFromAll) }
        return parts + partOfYear(first, months.lowerBound...first * 12 + 11, isCounted: isTakenFromAll)
            + partOfYear(last, last * 12...months.upperBound, isCounted: isTakenFromAll)
    }

    /// - Parameter isCounted: whether the whole year is counted already.
    private static func partOfYear(_ year: Int, _ inside: ClosedRange<Int>, isCounted: Bool)
        -> [ReportPeriods]
    {
        let whole = year...year
        guard inside.count > 6 else {
            return (isCounted ? [.years(whole, sign: -1)] : []) + [.months(inside)]
        }
        var parts: [ReportPeriods] = isCounted ? [] : [.years(whole)]
        let (january, december) = (year * 12, year * 12 + 11)
        if inside.lowerBound > january { parts.append(.months(january...inside.lowerBound - 1, sign: -1)) }
        if inside.upperBound < december { parts.append(.months(inside.upperBound + 1...december, sign: -1)) }
        return parts
    }
}

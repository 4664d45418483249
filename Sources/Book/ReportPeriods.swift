// The years and months whose sums are those of a range of months.
import Ledger

/// A part of a range of months: some months, or some years as a whole.
struct ReportPeriods: Equatable {
    enum Unit { case months, years }

    let unit: Unit
    /// The indexes of months, or the numbers of years.
    let numbers: ClosedRange<Int>
    /// Whether these months are taken away from a year.
    var isSubtracted = false
}

extension ClosedRange<YearMonth> {
    /// The periods whose sums are those of the range.
    ///
    /// A year that is covered by more than half is its own sum less the months outside, so that at most six months are
    /// read at each end, however long the range is.
    var reportPeriods: [ReportPeriods] {
        let (first, last) = (lowerBound.year, upperBound.year)
        guard first < last else { return partOfYear(first, lowerBound.index...upperBound.index) }
        let between = last - first > 1 ? [ReportPeriods(unit: .years, numbers: first + 1...last - 1)] : []
        return partOfYear(first, lowerBound.index...first * 12 + 11) + between
            + partOfYear(last, last * 12...upperBound.index)
    }

    private func partOfYear(_ year: Int, _ months: ClosedRange<Int>) -> [ReportPeriods] {
        guard months.count > 6 else { return [ReportPeriods(unit: .months, numbers: months)] }
        let (january, december) = (year * 12, year * 12 + 11)
        var parts = [ReportPeriods(unit: .years, numbers: year...year)]
        if months.lowerBound > january {
            let before = january...months.lowerBound - 1
            parts.append(ReportPeriods(unit: .months, numbers: before, isSubtracted: true))
        }
        if months.upperBound < december {
            let after = months.upperBound + 1...december
            parts.append(ReportPeriods(unit: .months, numbers: after, isSubtracted: true))
        }
        return parts
    }
}

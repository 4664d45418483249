// The years and months whose sums add up to the sums of a range of months.
import Ledger

/// A part of the sums of a range of months: some months, or some years as a whole.
struct ReportPeriods: Equatable {
    enum Unit { case months, years }

    /// The number of the year that stands for all years.
    static let allYears = 0

    let unit: Unit
    /// The indexes of months, or the numbers of years.
    let numbers: ClosedRange<Int>
    /// 1, or -1 for periods that are subtracted from larger periods.
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

    /// The number of rows that are read, in rows of an average month: a year has fewer rows than its months together.
    private var cost: Int {
        numbers.count * (unit == .months ? 1 : numbers.lowerBound == Self.allYears ? 8 : 4)
    }

    /// The periods whose sums add up to the sums of a range of months.
    ///
    /// They are the months of the range, with years in their place, and with months that are subtracted from a year, if
    /// that is less to read. For a range that leaves little of the book out, the years and months outside are
    /// subtracted from the sum of all years.
    /// - Parameter years: the years from the first to the last year that has sums.
    static func of(_ span: ClosedRange<YearMonth>, among years: ClosedRange<Int>) -> [ReportPeriods] {
        let first = max(span.lowerBound.index, years.lowerBound * 12)
        let last = min(span.upperBound.index, years.upperBound * 12 + 11)
        guard first <= last else { return [] }
        let inside = first...last
        let between = first / 12 + 1..<max(first / 12 + 1, last / 12)
        let outside = [years.lowerBound..<first / 12, last / 12 + 1..<years.upperBound + 1]
        return cheapest(
            some(between) + partsOfYears(inside, isCounted: false),
            [.years(allYears...allYears)] + outside.flatMap { some($0, sign: -1) }
                + partsOfYears(inside, isCounted: true)
        )
    }

    /// The part of the first year of a range, and the part of the last year if it is another year.
    /// - Parameter isCounted: whether these years are counted as a whole already.
    private static func partsOfYears(_ months: ClosedRange<Int>, isCounted: Bool) -> [ReportPeriods] {
        let (first, last) = (months.lowerBound / 12, months.upperBound / 12)
        guard first < last else { return partOfYear(first, months, isCounted) }
        return partOfYear(first, months.lowerBound...first * 12 + 11, isCounted)
            + partOfYear(last, last * 12...months.upperBound, isCounted)
    }

    private static func partOfYear(_ year: Int, _ inside: ClosedRange<Int>, _ isCounted: Bool)
        -> [ReportPeriods]
    {
        let (january, december) = (year * 12, year * 12 + 11)
        var less: [ReportPeriods] = []
        if inside.lowerBound > january { less.append(.months(january...inside.lowerBound - 1, sign: -1)) }
        if inside.upperBound < december { less.append(.months(inside.upperBound + 1...december, sign: -1)) }
        let whole = year...year
        return cheapest(
            (isCounted ? [.years(whole, sign: -1)] : []) + [.months(inside)],
            (isCounted ? [] : [.years(whole)]) + less
        )
    }

    private static func some(_ years: Range<Int>, sign: Int = 1) -> [ReportPeriods] {
        years.isEmpty ? [] : [.years(years.lowerBound...years.upperBound - 1, sign: sign)]
    }

    private static func cheapest(_ one: [ReportPeriods], _ other: [ReportPeriods]) -> [ReportPeriods] {
        func cost(_ parts: [ReportPeriods]) -> Int { parts.reduce(0) { $0 + $1.cost } }
        return cost(one) <= cost(other) ? one : other
    }
}

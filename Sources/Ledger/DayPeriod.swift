// Days that are named relative to today.

/// A range of days by its name, which is also its text form. A view that was saved with it moves on with the days.
public enum DayPeriod: String, CaseIterable, Sendable {
    case thisMonth = "this-month"
    case lastMonth = "last-month"
    case thisYear = "this-year"
    case lastYear = "last-year"

    /// The days, both ends included.
    public func days(on today: CivilDate) -> ClosedRange<CivilDate> {
        let month = today.yearMonth
        func days(of months: ClosedRange<YearMonth>) -> ClosedRange<CivilDate> {
            months.lowerBound.firstDay...months.upperBound.lastDay
        }
        func year(_ year: Int) -> ClosedRange<YearMonth> {
            YearMonth(year: year, month: 1)...YearMonth(year: year, month: 12)
        }
        return switch self {
        case .thisMonth: days(of: month...month)
        case .lastMonth: days(of: month.previous...month.previous)
        case .thisYear: days(of: year(month.year))
        case .lastYear: days(of: year(max(1, month.year - 1)))
        }
    }
}

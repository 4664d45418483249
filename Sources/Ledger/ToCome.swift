// The days that are to come: a figure that has today in it counts to the end of today.

extension CivilDate {
    /// The last day of the calendar. A figure through this day counts everything.
    public static let distantFuture = CivilDate(dayNumber: .max)
}

extension ClosedRange<CivilDate> {
    /// The days after a day that the range contains; nil if it ends by then, and if it begins later: all of it is to come,
    /// and its figures are of all its days.
    public func daysToCome(after today: CivilDate) -> ClosedRange<CivilDate>? {
        guard lowerBound <= today, today < upperBound else { return nil }
        return today.adding(days: 1)...upperBound
    }
}

extension ClosedRange<YearMonth> {
    /// The days of the months.
    public var days: ClosedRange<CivilDate> { lowerBound.firstDay...upperBound.lastDay }
}

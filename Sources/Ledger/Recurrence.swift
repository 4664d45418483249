// The days on which something comes again.

/// The unit of the distance between two days of a recurrence.
public enum RecurrenceUnit: String, CaseIterable, Sendable {
    case day, week, month, year
    /// A month, of which it is the last day.
    case monthEnd

    /// Whether the days are counted in months.
    var isOfMonths: Bool { self == .month || self == .monthEnd }
}

/// The treatment of a day that is a Saturday or a Sunday.
public enum WeekendShift: String, CaseIterable, Sendable {
    /// The day stays.
    case none
    /// The Friday before it.
    case before
    /// The Monday after it.
    case after
}

/// A sequence of days: every so many days, weeks, months or years from a first day on.
///
/// Months and years keep the day of the month of the first day. In a month that has no such day it is the last day, so
/// that the 31st means the end of every month, and the 30th means the 30th. `monthEnd` is the last day of each month,
/// beginning with the month of the first day. The days belong to a calendar without hours and zones, and a change of
/// summer time moves no day.
public struct Recurrence: Hashable, Sendable {
    /// The first day.
    public var start: CivilDate
    /// The last day on which it can come; nil for no end.
    public var end: CivilDate?
    /// The number of units between two days, from 1 to `limit`.
    public var every: Int
    /// The unit of `every`.
    public var unit: RecurrenceUnit
    /// The treatment of weekends. It moves the day on which money moves, and not the days after it.
    public var shift: WeekendShift

    /// The greatest number of units between two days.
    public static let limit = 999

    /// - Parameter every: clamped to 1 to `limit`.
    public init(
        start: CivilDate,
        end: CivilDate? = nil,
        every: Int,
        unit: RecurrenceUnit,
        shift: WeekendShift = .none
    ) {
        self.start = start
        self.end = end
        self.every = min(max(every, 1), Self.limit)
        self.unit = unit
        self.shift = shift
    }

    /// The day with a number, counted from 0; nil after the end, and after the last day of the calendar.
    public func day(_ number: Int) -> CivilDate? {
        let day: CivilDate
        switch unit {
        case .day, .week:
            let (distance, overflow) = number.multipliedReportingOverflow(by: step)
            guard !overflow, distance <= Int(Self.lastDay.dayNumber) - Int(start.dayNumber) else {
                return nil
            }
            day = start.adding(days: distance)
        case .month, .year, .monthEnd:
            let first = start.yearMonth.index
            let (distance, overflow) = number.multipliedReportingOverflow(by: step)
            guard !overflow, distance <= Self.lastDay.yearMonth.index - first else { return nil }
            let month = YearMonth(index: first + distance)
            day =
                unit == .monthEnd
                ? month.lastDay
                : month.firstDay.adding(days: min(start.components.day, month.dayCount) - 1)
        }
        return end.map { day <= $0 } ?? true ? day : nil
    }

    /// The number of the first day after a given one.
    public func number(after day: CivilDate) -> Int {
        guard day >= start else { return 0 }
        switch unit {
        case .day, .week: return (Int(day.dayNumber) - Int(start.dayNumber)) / step + 1
        case .month, .year, .monthEnd:
            let number = (day.yearMonth.index - start.yearMonth.index) / step
            let found = Recurrence(start: start, every: every, unit: unit).day(number)
            return found.map { $0 <= day } ?? false ? number + 1 : number
        }
    }

    /// The days after a given one, in order; all days for nil.
    public func days(after day: CivilDate?) -> some Sequence<CivilDate> {
        sequence(state: day.map { number(after: $0) } ?? 0) { (next: inout Int) -> CivilDate? in
            defer { next += 1 }
            return self.day(next)
        }
    }

    /// The day on which money moves for one of the days: another one if that is part of a weekend. A day that would be
    /// moved beyond the first or the last day stays, so that no payment is lost and none is outside the days that the
    /// user has entered.
    public func moved(_ day: CivilDate) -> CivilDate {
        let past = day.weekday - 5
        guard past > 0, shift != .none else { return day }
        let moved = day.adding(days: shift == .before ? -past : 3 - past)
        return moved < start || end.map { moved > $0 } ?? false ? day : moved
    }

    /// The length of a step in days or months.
    private var step: Int {
        switch unit {
        case .day, .month, .monthEnd: every
        case .week: every * 7
        case .year: every * 12
        }
    }

    private static let lastDay = CivilDate(dayNumber: .max)
}

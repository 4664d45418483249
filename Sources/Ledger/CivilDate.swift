/// A day of the proleptic Gregorian calendar without a time or a zone, from 0001-01-01 to 9999-12-31.
public struct CivilDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number of days since 1970-01-01.
    public let dayNumber: Int32

    /// The day with a number of days since 1970-01-01, clamped to the years 1 to 9999.
    public init(dayNumber: Int32) {
        self.dayNumber = min(max(dayNumber, Self.first), Self.last)
    }

    /// Nil if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= YearMonth(year: year, month: month).dayCount
        else { return nil }
        dayNumber = Self.number(year: year, month: month, day: day)
    }

    /// Parses exactly `YYYY-MM-DD`; nil for other text and for days that do not exist.
    public init?(iso text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 45, bytes[7] == 45,
            let year = decimal(bytes[0..<4]), let month = decimal(bytes[5..<7]),
            let day = decimal(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = components
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// In the proleptic Gregorian calendar; months and days count from 1.
    public var components: (year: Int, month: Int, day: Int) {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
        let shifted = Int(dayNumber) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The month that contains the day.
    public var yearMonth: YearMonth {
        let (year, month, _) = components
        return YearMonth(year: year, month: month)
    }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    public var weekday: Int {
        let remainder = (Int(dayNumber) + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    /// The day a number of days later; earlier for a negative number.
    public func adding(days: Int) -> CivilDate {
        CivilDate(dayNumber: Int32(clamping: Int(dayNumber).addingClamped(days)))
    }

    /// The same day of a year that is a number of years later; 1 March in place of a 29 February that the year does not
    /// have.
    public func adding(years: Int) -> CivilDate {
        let (year, month, day) = components
        let target = min(max(year.addingClamped(years), 0), 10_000)
        return CivilDate(dayNumber: Self.number(year: target, month: month, day: day))
    }

    /// Whether the day is before 1970 or more than two years ahead, as when a digit of the year was mistyped. Such a day
    /// is possible, but rarely intended.
    public func isUnusual(on today: CivilDate) -> Bool { dayNumber < 0 || self > today.adding(years: 2) }

    /// In calendar order.
    public static func < (left: CivilDate, right: CivilDate) -> Bool { left.dayNumber < right.dayNumber }

    private static let first = number(year: 1, month: 1, day: 1)
    private static let last = number(year: 9999, month: 12, day: 31)

    /// The same source, days_from_civil.
    static func number(year: Int, month: Int, day: Int) -> Int32 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(era * 146_097 + dayOfEra - 719_468)
    }
}

/// A calendar month.
public struct YearMonth: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Months since January of year 0: `year * 12 + month - 1`. The book stores this number.
    public let index: Int

    /// The month with this index, clamped to the years 1 to 9999.
    public init(index: Int) { self.index = min(max(index, 12), 9999 * 12 + 11) }

    /// The month of a year; values outside the calendar are clamped.
    public init(year: Int, month: Int) {
        // A year far outside the calendar is replaced by one just outside it, which cannot overflow the
        // product.
        self.init(index: (min(max(year, 0), 10_000) * 12 - 1).addingClamped(month))
    }

    /// Parses exactly `YYYY-MM`; nil for other text.
    public init?(iso text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[4] == 45, let year = decimal(bytes[0..<4]),
            let month = decimal(bytes[5..<7]),
            year >= 1, (1...12).contains(month)
        else { return nil }
        self.init(year: year, month: month)
    }

    /// The calendar year, 1 to 9999.
    public var year: Int { index / 12 }
    /// The month of the year, from 1 to 12.
    public var month: Int { index % 12 + 1 }
    /// `YYYY-MM`.
    public var description: String { "\(padded(year, 4))-\(padded(month, 2))" }
    /// The month after.
    public var next: YearMonth { YearMonth(index: index + 1) }
    /// The month before.
    public var previous: YearMonth { YearMonth(index: index - 1) }
    /// The first day, at the beginning of the month.
    public var firstDay: CivilDate {
        CivilDate(dayNumber: CivilDate.number(year: year, month: month, day: 1))
    }
    /// The last day, whose number depends on leap years.
    public var lastDay: CivilDate { firstDay.adding(days: dayCount - 1) }

    /// The number of days, 28 to 31.
    public var dayCount: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether the month is before 1970 or more than two years ahead; see `CivilDate.isUnusual(on:)`.
    public func isUnusual(in present: YearMonth) -> Bool {
        year < 1970 || index > present.index + 24
    }

    /// In calendar order.
    public static func < (left: YearMonth, right: YearMonth) -> Bool { left.index < right.index }
}

/// A decimal number of ASCII digits only, or nil.
private func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in digits {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
    }
    return value
}

private func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
}

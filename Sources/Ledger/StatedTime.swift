// Points in time as a bank or an operator states them, and the days on which they are for a user.

/// A point in time of which perhaps only the day is known.
public enum StatedTime: Hashable, Sendable {
    /// Only the day is stated: it is the same one in every time zone.
    case day(CivilDate)
    /// UTC seconds.
    case time(Int64)

    /// A time in UTC seconds. Exactly midnight stands for its day: services write a day without a time in this way.
    public init(seconds: Int64) {
        self = seconds.isMultiple(of: 86_400) ? .day(CivilDate(utc: seconds)) : .time(seconds)
    }

    /// The day in a time zone.
    /// - Parameter local: the day of a time, in UTC seconds, in that zone.
    public func day(_ local: (Int64) -> CivilDate) -> CivilDate {
        switch self {
        case .day(let day): day
        case .time(let seconds): local(seconds)
        }
    }

    /// The day for a service that counts in UTC.
    public var utcDay: CivilDate { day { CivilDate(utc: $0) } }

    /// UTC seconds; nil if only the day is stated.
    public var seconds: Int64? {
        switch self {
        case .day: nil
        case .time(let seconds): seconds
        }
    }
}

extension CivilDate {
    /// The day of a time in UTC.
    /// - Parameter seconds: since 1970 (UTC).
    public init(utc seconds: Int64) {
        let day = seconds / 86_400
        self.init(dayNumber: Int32(clamping: seconds % 86_400 < 0 ? day - 1 : day))
    }
}

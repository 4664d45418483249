// The times at which new rates are requested.

public import Ledger

/// Decides when to request rates, from the last request and the newest day. Times are UTC seconds.
///
/// The European Central Bank publishes a day's rates at about 16:00 in Frankfurt on working days. They are
/// requested once after that; then again, at growing intervals, until they are there. Public holidays are not
/// known here: on one, the requests find nothing new.
///
/// The value waits for nothing itself. Its owner compares `nextRequest` with the clock once a minute, which is
/// what wakes it; a minute that was missed, because the process was stopped or the machine was asleep, is made
/// up for by the next one.
public struct RateSchedule: Hashable, Sendable {
    /// The shortest interval of requests, in seconds.
    public static let leastSeconds: Int64 = 3_600
    /// The longest time for which a source may postpone the next request, in seconds.
    public static let mostPostponedSeconds: Int64 = 86_400
    /// The time between the publication and the first request, in seconds.
    private static let graceSeconds: Int64 = 900
    /// The greatest `delaySeconds`.
    public static let mostDelaySeconds: Int64 = 1_800

    /// The time of the last request, answered or not; nil if there was none.
    public var attemptedAt: Int64?
    /// The number of requests that have failed since the last successful one.
    public var failures: Int
    /// The time before which the source asked not to be requested again.
    public var notBefore: Int64?
    /// The newest day with rates; nil if there are none.
    public var newestDay: CivilDate?
    /// A part of half an hour, different for each server, so that they do not all send their requests in the
    /// same second.
    public var delaySeconds: Int64

    /// - Parameter delaySeconds: clamped to 0 through `mostDelaySeconds`.
    public init(
        attemptedAt: Int64?,
        failures: Int = 0,
        notBefore: Int64? = nil,
        newestDay: CivilDate?,
        delaySeconds: Int64 = 0
    ) {
        self.attemptedAt = attemptedAt
        self.failures = failures
        self.notBefore = notBefore
        self.newestDay = newestDay
        self.delaySeconds = min(max(0, delaySeconds), Self.mostDelaySeconds)
    }

    /// The time of the next request; it is due if that is not in the future.
    ///
    /// A last request in the future, before the clock was set back, counts as one of this second.
    public func nextRequest(at now: Int64) -> Int64 {
        guard let attemptedAt = attemptedAt.map({ min($0, now) }) else { return now }
        if failures > 0 {
            // One hour, two, four, and four from then on.
            let pause = Self.leastSeconds << Int64(min(failures - 1, 2))
            let postponed = min(notBefore ?? attemptedAt, attemptedAt + Self.mostPostponedSeconds)
            return max(attemptedAt + pause, postponed)
        }
        let earliest = attemptedAt + Self.leastSeconds
        let expected = expectedDay(at: now)
        if let newestDay, newestDay >= expected {
            return max(earliest, requestTime(of: Self.workingDay(after: expected)))
        }
        let due = requestTime(of: expected)
        guard attemptedAt >= due else { return max(earliest, due) }
        // The day is late, or a holiday.
        let hours = (attemptedAt - due) / 3_600
        return attemptedAt + (hours < 6 ? 1 : hours < 24 ? 6 : 24) * 3_600
    }

    /// The newest day whose rates are to be expected at a time.
    private func expectedDay(at now: Int64) -> CivilDate {
        var day = CivilDate(dayNumber: Int32(clamping: now / 86_400))
        while !Self.isWorkingDay(day) || requestTime(of: day) > now, day.components.year > 1 {
            day = day.adding(days: -1)
        }
        return day
    }

    /// The time of the first request for a day's rates.
    private func requestTime(of day: CivilDate) -> Int64 {
        let hour: Int64 = Self.isSummer(day) ? 14 : 15
        return Int64(day.dayNumber) * 86_400 + hour * 3_600 + Self.graceSeconds + delaySeconds
    }

    private static func isWorkingDay(_ day: CivilDate) -> Bool { day.weekday <= 5 }

    private static func workingDay(after day: CivilDate) -> CivilDate {
        var next = day.adding(days: 1)
        while !isWorkingDay(next), next > day { next = next.adding(days: 1) }
        return next
    }

    /// Whether Frankfurt has summer time on the afternoon of a day: from the last Sunday of March to the last
    /// one of October (Directive 2000/84/EC).
    private static func isSummer(_ day: CivilDate) -> Bool {
        let year = day.components.year
        func lastSunday(_ month: Int) -> CivilDate {
            let last = YearMonth(year: year, month: month).lastDay
            return last.adding(days: -(last.weekday % 7))
        }
        return day >= lastSunday(3) && day < lastSunday(10)
    }
}

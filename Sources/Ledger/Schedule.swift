// Payments that come again: subscriptions, bills, debts and salaries.

/// A transaction that comes again and again.
///
/// Each day of its recurrence is recorded or skipped once, in order. The transaction of a day has an id that is derived
/// from the schedule and the day, so that two devices that record the same day record the same transaction.
public struct Schedule: Hashable, Sendable, Identifiable {
    /// The transaction that is recorded. Its id is the id of the schedule, its date the first day, and it has no parts.
    public var transaction: Transaction
    /// The last day; nil for no end.
    public var end: CivilDate?
    /// The number of units between two days.
    public var every: Int
    /// The unit of `every`.
    public var unit: RecurrenceUnit
    /// The treatment of weekends.
    public var shift: WeekendShift
    /// Whether it is recorded on its day; otherwise it waits until the user confirms it.
    public var isAutomatic: Bool
    /// The last day that was recorded or skipped; nil if none was.
    public var done: CivilDate?
    /// The currency of `transaction.accountMinor`; nil if it is not known. The account may have another one by now.
    public var accountCurrency: CurrencyCode?
    /// The currency of `transaction.toMinor`; nil if it is not known, or if it is no transfer.
    public var toCurrency: CurrencyCode?
    /// The schedule of which this is a copy, if it was deleted and restored. The ids of transactions derive from it.
    public var series: EntityID?

    /// The greatest number of days that may have passed without being recorded. More of them are a mistake in the first
    /// day, and nothing is recorded until it is corrected.
    public static let mostPassed = 400

    /// Does not check lengths, signs and currencies.
    public init(
        transaction: Transaction,
        end: CivilDate? = nil,
        every: Int = 1,
        unit: RecurrenceUnit = .month,
        shift: WeekendShift = .none,
        isAutomatic: Bool = true,
        done: CivilDate? = nil,
        accountCurrency: CurrencyCode? = nil,
        toCurrency: CurrencyCode? = nil,
        series: EntityID? = nil
    ) {
        self.accountCurrency = accountCurrency
        self.toCurrency = toCurrency
        self.series = series

        self.transaction = transaction
        self.end = end
        self.every = every
        self.unit = unit
        self.shift = shift
        self.isAutomatic = isAutomatic
        self.done = done
    }

    /// Unique among all entities.
    public var id: EntityID {
        get { transaction.id }
        set { transaction.id = newValue }
    }

    /// The days on which it comes.
    public var recurrence: Recurrence {
        Recurrence(start: transaction.date, end: end, every: every, unit: unit, shift: shift)
    }

    /// The occurrences that are neither recorded nor skipped, in order. There can be millions.
    public var open: some Sequence<ScheduleOccurrence> {
        let recurrence = recurrence
        return recurrence.days(after: done).lazy.map { planned in
            ScheduleOccurrence(planned: planned, day: recurrence.moved(planned))
        }
    }

    /// The next occurrence; nil after the last one.
    public var next: ScheduleOccurrence? { open.first { _ in true } }

    /// The open occurrences whose day is not after a given one, up to a limit.
    public func open(upTo day: CivilDate, limit: Int) -> [ScheduleOccurrence] {
        var found: [ScheduleOccurrence] = []
        // Days that are moved away from weekends keep their order.
        for occurrence in open {
            guard occurrence.day <= day, found.count < limit else { break }
            found.append(occurrence)
        }
        return found
    }

    /// The number of open occurrences whose day is not after a given one, up to a limit.
    /// - Parameter answered: occurrences that are not counted, because they have payments already.
    public func openCount(upTo day: CivilDate, limit: Int, but answered: Set<OccurrenceKey> = []) -> Int {
        open(upTo: day, limit: limit).count { !answered.contains(key(of: $0)) }
    }

    /// The open occurrences of some days, up to a limit.
    public func open(in days: ClosedRange<CivilDate>, limit: Int) -> [ScheduleOccurrence] {
        // A day that is moved forward was planned at most two days before.
        let before = days.lowerBound.adding(days: -3)
        var later = self
        later.done = max(done ?? before, before)
        return later.open(upTo: days.upperBound, limit: limit + 5).filter { $0.day >= days.lowerBound }
    }

    /// The same schedule, of which each occurrence before a day counts as done.
    public func beginning(on day: CivilDate) -> Schedule {
        let recurrence = recurrence
        // A day that is moved backward was planned at most two days later.
        let last = day.adding(days: 2)
        var number = recurrence.number(after: min(last, end ?? last))
        while number > 0 {
            number -= 1
            guard let planned = recurrence.day(number), recurrence.moved(planned) < day else { continue }
            var later = self
            later.done = max(done ?? planned, planned)
            return later
        }
        return self
    }

    /// The last day that counts as done when this schedule takes the place of an earlier version of it.
    ///
    /// After a change of its days, the first one is in the month, year or week of the day that would have come next, so
    /// that a rent that moves from the 10th to the 20th is not recorded twice in a month.
    /// - Parameter weekStart: the first day of the user's weeks.
    public func done(inPlaceOf old: Schedule, weekStart: WeekStart) -> CivilDate? {
        let isSame =
            transaction.date == old.transaction.date && every == old.every && unit == old.unit
        guard !isSame, let done = old.done, let next = old.next?.planned else { return old.done }
        let first: CivilDate
        switch unit {
        case _ where unit != old.unit && !(unit.isOfMonths && old.unit.isOfMonths): return done
        case .day: return done
        case .week: first = weekStart.firstDay(ofWeekWith: next)
        case .month, .monthEnd: first = next.yearMonth.firstDay
        case .year: first = YearMonth(year: next.yearMonth.year, month: 1).firstDay
        }
        return max(done, first.adding(days: -1))
    }

    /// Whether all its accounts have the currency of its amount, so that an occurrence can have another amount.
    public var hasOneAmount: Bool {
        let amount = transaction.amount
        return transaction.accountMinor == amount.minor && transaction.toMinor ?? amount.minor == amount.minor
            && accountCurrency ?? amount.currency == amount.currency
            && toCurrency ?? amount.currency == amount.currency
    }

    /// The same schedule with another amount, where it has only one.
    package func with(minor: Int64) -> Schedule {
        guard hasOneAmount else { return self }
        var copy = self
        (copy.transaction.amount.minor, copy.transaction.accountMinor) = (minor, minor)
        if transaction.toMinor != nil { copy.transaction.toMinor = minor }
        return copy
    }

    /// The record of its day. All devices derive the same id, so that no payment is recorded twice.
    public func transaction(of occurrence: ScheduleOccurrence) -> Transaction {
        var copy = transaction
        let key = key(of: occurrence)
        (copy.id, copy.date, copy.occurrence) = (key.transaction, occurrence.day, key.description)
        return copy
    }
}

/// One time that a schedule comes.
public struct ScheduleOccurrence: Hashable, Sendable {
    /// The day of the recurrence.
    public let planned: CivilDate
    /// The day on which money moves: another day if the planned day is part of a weekend that the schedule avoids.
    public let day: CivilDate

    /// An occurrence.
    public init(planned: CivilDate, day: CivilDate) {
        self.planned = planned
        self.day = day
    }

    /// The same occurrence with the day on which money has moved.
    package func paid(on day: CivilDate) -> ScheduleOccurrence {
        ScheduleOccurrence(planned: planned, day: day)
    }
}

/// The reason why a schedule cannot be recorded until it is changed.
public enum ScheduleObstacle: Hashable, Sendable {
    /// One of its accounts was deleted.
    case accountDeleted
    /// One of its accounts is closed.
    case accountClosed
    /// An account has another currency now, in which the amount is not known.
    case currencyChanged
    /// More days have passed than can be meant.
    case tooManyPassed
}

extension Schedule {
    /// The reason why the schedule cannot be recorded; nil if it can be.
    /// - Parameters:
    ///   - accounts: the live accounts.
    ///   - today: the present day; nil to leave the number of passed days out.
    public func obstacle(_ accounts: [Account], on today: CivilDate? = nil) -> ScheduleObstacle? {
        let ends = [transaction.account] + (transaction.toAccount.map { [$0] } ?? [])
        let found = ends.compactMap { id in accounts.first { $0.id == id } }
        guard found.count == ends.count, let account = found.first else { return .accountDeleted }
        guard found.allSatisfy({ !$0.isClosed }) else { return .accountClosed }
        let isKnown = zip(found, [accountCurrency, toCurrency]).allSatisfy { $1 == nil || $0.currency == $1 }
        let isInCurrency = account.currency == transaction.amount.currency
        let fits =
            isInCurrency
            ? transaction.accountMinor == transaction.amount.minor : transaction.kind != .transfer
        guard isKnown, fits else { return .currencyChanged }
        let most = Self.mostPassed
        if let today, openCount(upTo: today, limit: most + 1) > most { return .tooManyPassed }
        return nil
    }
}

// Payments that come again: subscriptions, bills, debts and salaries.

/// A transaction that comes again and again.
///
/// Each day of its recurrence is recorded or skipped once, in order. The transaction of a day has an id that is derived
/// from the schedule and the day, so that two devices that record the same day record the same transaction.
public struct Schedule: Hashable, Sendable, Identifiable {
    /// The transaction that is recorded. Its id is that of the schedule, its date the first day, and it has no parts.
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

    /// Does not check lengths, signs and currencies.
    public init(
        transaction: Transaction,
        end: CivilDate? = nil,
        every: Int = 1,
        unit: RecurrenceUnit = .month,
        shift: WeekendShift = .none,
        isAutomatic: Bool = true,
        done: CivilDate? = nil
    ) {
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

    /// The open occurrences whose day is not after a given one.
    public func open(upTo day: CivilDate) -> [ScheduleOccurrence] {
        Array(open.prefix(while: { $0.day <= day }))
    }

    /// The number of open occurrences whose day is not after a given one, up to a limit.
    public func openCount(upTo day: CivilDate, limit: Int) -> Int {
        open.prefix(limit).reduce(0) { $1.day <= day ? $0 + 1 : $0 }
    }

    /// The transaction of an occurrence.
    public func transaction(of occurrence: ScheduleOccurrence) -> Transaction {
        var copy = transaction
        copy.id = id.derived(for: occurrence.planned)
        copy.date = occurrence.day
        return copy
    }
}

/// One time that a schedule comes.
public struct ScheduleOccurrence: Hashable, Sendable {
    /// The day of the recurrence.
    public let planned: CivilDate
    /// The day on which money moves: another one if the planned one is part of a weekend and the schedule avoids those.
    public let day: CivilDate

    /// An occurrence.
    public init(planned: CivilDate, day: CivilDate) {
        self.planned = planned
        self.day = day
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
}

extension Schedule {
    /// The reason why the schedule cannot be recorded; nil if it can be.
    /// - Parameter accounts: the live accounts.
    public func obstacle(_ accounts: [Account]) -> ScheduleObstacle? {
        let ends = [transaction.account] + (transaction.toAccount.map { [$0] } ?? [])
        let found = ends.compactMap { id in accounts.first { $0.id == id } }
        guard found.count == ends.count else { return .accountDeleted }
        guard found.allSatisfy({ !$0.isClosed }) else { return .accountClosed }
        let isInCurrency = found[0].currency == transaction.amount.currency
        if isInCurrency != (transaction.accountMinor == transaction.amount.minor), isInCurrency {
            return .currencyChanged
        }
        if transaction.kind == .transfer, !isInCurrency { return .currencyChanged }
        return nil
    }
}

extension EntityID {
    /// The id of the transaction of a schedule with this id on a day. The same everywhere; different for each day.
    func derived(for day: CivilDate) -> EntityID {
        // The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators"). It maps
        // numbers one to one.
        var mixed = UInt64(bitPattern: Int64(day.dayNumber)) &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        return EntityID(high: high, low: low ^ mixed)
    }
}

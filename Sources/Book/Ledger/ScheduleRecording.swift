// How the occurrences of schedules become transactions, each once.
import GRDB
public import Ledger
import Storage

/// The transactions that schedules have recorded.
public struct ScheduledTransactions: Hashable, Sendable {
    /// An occurrence whose payment was in the book already.
    public struct Match: Hashable, Sendable {
        /// The schedule that a payment was found for.
        public let schedule: Schedule
        /// The name of the occurrence.
        public let key: OccurrenceKey
        /// The payment, which is noted as that of the occurrence.
        public let payment: Transaction
        /// An occurrence of another schedule that was equally near to the payment and would be recorded otherwise; nil for
        /// none.
        public let other: OpenOccurrence?
    }

    /// The number of new transactions.
    public var count = 0
    /// The number of occurrences whose payments were in the book already.
    public var matched = 0
    /// The last of these occurrences; nil for none.
    public var match: Match?
    /// The number of schedules that the book refused to record.
    public var refused = 0
    /// The number of the change in the history, by which it can be undone; nil for no change, or for several.
    public var change: Int64?
    /// Whether more is due than the call was to record.
    public var hasMore = false

    /// None.
    public init() {}
}

extension Book {
    /// Records everything that is due and needs no confirmation. Schedules that cannot be recorded, such as schedules
    /// of a closed account, are left out.
    ///
    /// It costs nothing if nothing is due, so that it can precede every page.
    /// - Parameters:
    ///   - today: the user's present day.
    ///   - isConfirmed: whether the user has confirmed everything that is due.
    ///   - most: the most occurrences of all schedules together. A year of sixty daily schedules would need seconds.
    ///   - isAllowed: whether anything may be recorded; asked only if something is due.
    @discardableResult
    public func recordDue(
        on today: CivilDate,
        isConfirmed: Bool = false,
        most: Int = .max,
        ifAllowed isAllowed: () -> Bool = { true }
    ) throws(BookError) -> ScheduledTransactions {
        let due = try current { lookups in
            lookups.schedules.filter { schedule in
                (schedule.isAutomatic || isConfirmed) && schedule.isDue(on: today)
                    && schedule.obstacle(lookups.choices.accounts, on: today) == nil
            }
        }
        guard !due.isEmpty, isAllowed() else { return ScheduledTransactions() }
        do { return try record(due, on: today, most: most).recorded } catch {
            // One of them is refused. It stays due, and must not hold up the others or the page.
            guard error.isOfSchedule else { throw error }
        }
        var all = ScheduledTransactions()
        var changes: [Int64] = []
        var left = most
        for schedule in due {
            guard left > 0 else {
                all.hasMore = true
                break
            }
            do {
                let (recorded, passed) = try record([schedule], on: today, most: left)
                all.count += recorded.count
                all.matched += recorded.matched
                all.match = recorded.match ?? all.match
                all.hasMore = all.hasMore || recorded.hasMore
                left -= passed
                changes += recorded.change.map { [$0] } ?? []
            } catch {
                guard error.isOfSchedule else { throw error }
                all.refused += 1
            }
        }
        all.change = changes.count == 1 ? changes.first : nil
        return all
    }

    /// - Returns: in addition, the number of occurrences that have passed, including occurrences that were entered
    ///   already.
    private func record(_ schedules: [Schedule], on today: CivilDate, most: Int) throws(BookError)
        -> (recorded: ScheduledTransactions, passed: Int)
    {
        try changeAsUser { db in
            var recorded = ScheduledTransactions()
            var due: [OpenOccurrence] = []
            for schedule in schedules {
                // Another request may have recorded it, or deleted the schedule, since.
                guard let schedule = try db.liveSchedule(schedule.id) else { continue }
                guard due.count < most else {
                    recorded.hasMore = true
                    break
                }
                let limit = min(Schedule.mostPassed, most - due.count)
                let open = schedule.open(upTo: today, limit: limit)
                due += open.map { OpenOccurrence(schedule: schedule, occurrence: $0) }
                recorded.hasMore = recorded.hasMore || open.count == limit
            }
            try db.record(due, on: today, &recorded)
            if recorded.count + recorded.matched > 0 { recorded.change = try db.presentChange() }
            return (recorded, due.count)
        }
    }

    /// Records the next occurrence of a schedule, whether or not it is due, and whether or not the book has a payment of
    /// it: see `payment(ofNext:planned:on:)`. A transaction of it that was deleted comes back with the present values of
    /// the schedule.
    /// - Parameters:
    ///   - planned: the day that the user has seen; nil for any.
    ///   - minor: the amount of this occurrence, if it has another one. It counts for a schedule with one amount only.
    ///   - day: the day on which it was paid, if that is another one than the schedule's.
    /// - Returns: the number of the change in the history; nil if the schedule has ended, if its next day is another one,
    ///   or if the occurrence was recorded elsewhere.
    /// - Throws: `unknownSchedule`; the errors of recording a transaction.
    public func recordNext(
        of id: EntityID,
        planned: CivilDate? = nil,
        minor: Int64? = nil,
        on day: CivilDate? = nil
    ) throws(BookError) -> Int64? {
        try changeAsUser { db in
            var schedule = try db.scheduleToRecord(id)
            if let minor { schedule = schedule.with(minor: minor) }
            guard let next = schedule.next, planned ?? next.planned == next.planned else { return nil }
            try db.checkCurrencies(of: schedule)
            // Another device has noted a payment of it.
            let isNew =
                try db.hasPayment(schedule.key(of: next))
                ? false : db.record(next.paid(on: day ?? next.day), of: schedule, again: true)
            try db.markAsDone(id, next.planned)
            return isNew ? try db.presentChange() : nil
        }
    }

    /// Skips the next occurrence of a schedule.
    /// - Parameter planned: the day that the user has seen; nil for any.
    /// - Returns: the number of the change in the history; nil if the schedule has ended, or if its next day is another
    ///   one.
    /// - Throws: `unknownSchedule`.
    public func skipNext(of id: EntityID, planned: CivilDate? = nil) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let next = try db.scheduleToRecord(id).next, planned ?? next.planned == next.planned else {
                return nil
            }
            try db.markAsDone(id, next.planned)
            return try db.presentChange()
        }
    }
}

extension Schedule {
    /// Whether what it records says something else than what another schedule records, apart from the amount and the day.
    fileprivate func differs(from other: Schedule) -> Bool {
        var same = other.transaction
        (same.id, same.date) = (transaction.id, transaction.date)
        (same.amount, same.accountMinor, same.toMinor) =
            (transaction.amount, transaction.accountMinor, transaction.toMinor)
        return same != transaction
    }

    /// Whether an occurrence of a day up to a given one is open.
    public func isDue(on day: CivilDate) -> Bool { next.map { $0.day <= day } ?? false }
}

extension BookError {
    /// Whether the book refuses what a schedule records.
    fileprivate var isOfSchedule: Bool {
        switch self {
        case .unknownAccount, .accountClosed, .unknownCategory, .categoryKind, .invalid, .overflow: true
        default: false
        }
    }
}

extension BookDatabase {
    func scheduleToRecord(_ id: EntityID) throws -> Schedule {
        guard let schedule = try liveSchedule(id) else { throw BookError.unknownSchedule(id) }
        return schedule
    }

    /// Checks that the accounts of a schedule have the currencies in which its amounts are known.
    fileprivate func checkCurrencies(of schedule: Schedule) throws {
        guard schedule.obstacle(try accounts()) == .currencyChanged else { return }
        throw BookError.invalid(.accountAmount)
    }

    /// Records open occurrences, and notes the payments of those that the user, an import or a bank has entered already.
    /// - Parameter due: for each schedule its occurrences in order.
    fileprivate func record(
        _ due: [OpenOccurrence],
        on today: CivilDate,
        _ recorded: inout ScheduledTransactions
    ) throws {
        let payments = try payments(of: due, among: schedules(), accounts(), on: today)
        for (place, open) in due.enumerated() {
            if let payment = payments.found[open.key] {
                try note(payment.id, isPaymentOf: open.key)
                recorded.matched += 1
                let others = payments.ties[payment.id] ?? []
                recorded.match = ScheduledTransactions.Match(
                    schedule: open.schedule,
                    key: open.key,
                    payment: payment,
                    other: others.compactMap { payments.open[$0] }.first {
                        $0.schedule.differs(from: open.schedule)
                    }
                )
            } else if !payments.held.contains(open.key), !payments.dropped.contains(open.key),
                try record(open.occurrence, of: open.schedule, again: false)
            {
                recorded.count += 1
            }
            let isLast = place + 1 == due.count || due[place + 1].schedule.id != open.schedule.id
            if isLast { try markAsDone(open.schedule.id, open.occurrence.planned) }
        }
    }

    /// Records an occurrence.
    /// - Parameter again: whether its transaction comes back if it was deleted. By itself, a schedule records nothing
    ///   again.
    /// - Returns: whether there is a transaction that was not there before.
    func record(_ occurrence: ScheduleOccurrence, of schedule: Schedule, again: Bool) throws
        -> Bool
    {
        try record(withLiveCategory(schedule.transaction(of: occurrence)), again: again)
    }

    /// Records a transaction whose id follows from what it records, so that it is recorded once.
    /// - Parameter again: whether it comes back if it was deleted.
    /// - Returns: whether there is a transaction that was not there before.
    func record(_ transaction: Transaction, again: Bool) throws -> Bool {
        guard try storedTransaction(transaction.id) != nil else {
            try record(new: transaction)
            return true
        }
        guard again, try living(transaction.id, Transaction.entityKind) == nil else { return false }
        try checkReferences(ofNew: transaction)
        let id = try restoreTransaction(transaction.id)
        try patch(transaction.fields, Transaction.entityKind, id)
        return true
    }

    /// The transaction without its category if that was deleted or has become one of another kind.
    private func withLiveCategory(_ transaction: Transaction) throws -> Transaction {
        guard let category = transaction.category, try !isLiveCategory(category, for: transaction.kind) else {
            return transaction
        }
        var copy = transaction
        copy.category = nil
        return copy
    }

    func markAsDone(_ id: EntityID, _ day: CivilDate) throws {
        try change("UPDATE schedules SET done_day = ? WHERE id = ?", [day.dayNumber, id.column])
    }
}

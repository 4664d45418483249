// How the occurrences of schedules become transactions, each once.
import GRDB
public import Ledger
import Storage

extension Book {
    /// Records everything that is due and needs no confirmation. Schedules that cannot be recorded, such as those of a
    /// closed account, are left out.
    ///
    /// It costs nothing if nothing is due, so that it can precede every page.
    /// - Parameter today: the user's present day.
    /// - Returns: the number of transactions that were recorded.
    @discardableResult
    public func recordDue(on today: CivilDate) throws(BookError) -> Int {
        let (due, accounts) = try current { lookups in
            (lookups.schedules.filter { $0.isAutomatic && $0.isDue(on: today) }, lookups.choices.accounts)
        }
        var count = 0
        for schedule in due where schedule.obstacle(accounts) == nil {
            do { count += try record(schedule.id) { $0.open(upTo: today) } } catch {
                // A schedule that the book refuses stays due, and its page says why. It must not end the pages of all
                // others.
                guard error.isOfSchedule else { throw error }
            }
        }
        return count
    }

    /// Records the next occurrence of a schedule, whether or not it is due.
    /// - Returns: the number of the change in the history; nil if the schedule has ended, or if the occurrence was
    ///   recorded elsewhere.
    /// - Throws: `unknownSchedule`; the errors of recording a transaction.
    public func recordNext(of id: EntityID) throws(BookError) -> Int64? {
        try changeAsUser { db in
            try db.record(try db.scheduleToRecord(id)) { $0.next.map { [$0] } ?? [] } == 0
                ? nil : try db.presentChange()
        }
    }

    /// Skips the next occurrence of a schedule.
    /// - Returns: the number of the change in the history; nil if the schedule has ended.
    /// - Throws: `unknownSchedule`.
    public func skipNext(of id: EntityID) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let next = try db.scheduleToRecord(id).next else { return nil }
            try db.markAsDone(id, next.planned)
            return try db.presentChange()
        }
    }

    private func record(_ id: EntityID, _ choose: (Schedule) -> [ScheduleOccurrence]) throws(BookError) -> Int
    {
        try changeAsUser { db in
            // Another request may have recorded it, or deleted the schedule, since.
            guard let schedule = try db.liveSchedule(id) else { return 0 }
            return try db.record(schedule, choose)
        }
    }
}

extension Schedule {
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
    fileprivate func scheduleToRecord(_ id: EntityID) throws -> Schedule {
        guard let schedule = try liveSchedule(id) else { throw BookError.unknownSchedule(id) }
        return schedule
    }

    /// Records occurrences. One that has been recorded here or elsewhere, also if its transaction was changed or deleted
    /// since, is not recorded again.
    /// - Returns: the number of new transactions.
    fileprivate func record(_ schedule: Schedule, _ choose: (Schedule) -> [ScheduleOccurrence]) throws -> Int
    {
        let occurrences = choose(schedule)
        guard let last = occurrences.last else { return 0 }
        var count = 0
        for occurrence in occurrences {
            let transaction = try withLiveCategory(schedule.transaction(of: occurrence))
            guard try storedTransaction(transaction.id) == nil else { continue }
            try record(new: transaction)
            count += 1
        }
        try markAsDone(schedule.id, last.planned)
        return count
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

    fileprivate func markAsDone(_ id: EntityID, _ day: CivilDate) throws {
        try change("UPDATE schedules SET done_day = ? WHERE id = ?", [day.dayNumber, id.column])
    }
}

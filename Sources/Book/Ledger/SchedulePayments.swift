// The payments of the book that answer for occurrences of schedules.
import Encoding
import GRDB
public import Ledger
import Storage

/// The payments that the book has for some open occurrences.
struct OccurrencePayments {
    /// The payments that answer for them, without being noted as their payments yet.
    var found: [OccurrenceKey: Transaction] = [:]
    /// The occurrences that have a transaction: they were recorded or matched on another device.
    var held: Set<OccurrenceKey> = []
    /// The occurrences that had a transaction, which was deleted. By themselves, they are not recorded again.
    var dropped: Set<OccurrenceKey> = []
    /// For a payment of several occurrences that were equally near, the others.
    var ties: [EntityID: [OccurrenceKey]] = [:]
    /// The open occurrences that competed, by their names.
    var open: [OccurrenceKey: OpenOccurrence] = [:]
}

extension Book {
    /// The transaction that perhaps is the payment of the next occurrence of a schedule; nil for none.
    /// - Parameters:
    ///   - planned: the day that the user has seen; nil for any.
    ///   - minor: the amount of this occurrence, as in `recordNext(of:planned:minor:)`.
    public func payment(
        ofNext id: EntityID,
        planned: CivilDate? = nil,
        minor: Int64? = nil,
        on today: CivilDate
    ) throws(BookError) -> Transaction? {
        try reading { db, lookups in
            guard var schedule = lookups.schedules.first(where: { $0.id == id }), let next = schedule.next,
                planned ?? next.planned == next.planned
            else { return nil }
            if let minor { schedule = schedule.with(minor: minor) }
            let open = OpenOccurrence(schedule: schedule, occurrence: next)
            let payments = try db.payments(
                of: [open],
                among: lookups.schedules,
                lookups.choices.accounts,
                on: today
            )
            return payments.found[open.key]
        }
    }

    /// Notes that a transaction, which was entered otherwise, is the payment of the next occurrence of a schedule, which
    /// is done thereby.
    /// - Parameter planned: the day that the user has seen; nil for any.
    /// - Returns: the number of the change in the history; nil if the schedule has ended, if its next day is another one,
    ///   or if the transaction is the payment of another occurrence or deleted.
    /// - Throws: `unknownSchedule`.
    public func note(_ payment: EntityID, isPaymentOfNext id: EntityID, planned: CivilDate? = nil)
        throws(BookError) -> Int64?
    {
        try changeAsUser { db in
            let schedule = try db.scheduleToRecord(id)
            guard let next = schedule.next, planned ?? next.planned == next.planned,
                let (stored, isDeleted) = try db.storedTransaction(payment), !isDeleted, try db.isFree(stored)
            else { return nil }
            let key = schedule.key(of: next)
            if try db.heldOccurrences([key]).live.isEmpty { try db.note(payment, isPaymentOf: key) }
            try db.markAsDone(id, next.planned)
            return try db.presentChange()
        }
    }
}

extension Book {
    /// Makes the payment of an occurrence that of another one, which fits it equally well: the other one is not recorded any
    /// more, and the former one is, as one change.
    /// - Parameter schedule: the schedule of the other occurrence.
    /// - Returns: the number of the change in the history; nil if the transaction is not the payment of the former one any
    ///   more, if a schedule was deleted, or if the other one was not recorded and is not the next one.
    /// - Throws: `unknownSchedule`; the errors of recording a transaction.
    public func note(
        _ payment: EntityID,
        isPaymentOf planned: CivilDate,
        of schedule: EntityID,
        insteadOf former: OccurrenceKey
    ) throws(BookError) -> Int64? {
        let now = clock()
        return try changeAsUser { db in
            let other = try db.scheduleToRecord(schedule)
            let key = OccurrenceKey(series: other.series ?? other.id, planned: planned)
            guard let (stored, isDeleted) = try db.storedTransaction(payment), !isDeleted,
                stored.occurrence == former.description,
                let first = try db.schedules().first(where: { ($0.series ?? $0.id) == former.series })
            else { return nil }
            if let recorded = try db.living(key.transaction, Transaction.entityKind) {
                try db.deleteTransaction(recorded, now)
            } else if other.next?.planned == planned {
                try db.markAsDone(other.id, planned)
            } else {
                return nil
            }
            try db.note(payment, isPaymentOf: key)
            let day = first.recurrence.moved(former.planned)
            let occurrence = ScheduleOccurrence(planned: former.planned, day: day)
            _ = try db.record(occurrence, of: first, again: true)
            return try db.presentChange()
        }
    }
}

extension BookDatabase {
    /// The payments of some occurrences.
    ///
    /// All open occurrences near them compete for the payments, also of schedules that ask and of later days, so that it
    /// does not matter when, and together with which others, an occurrence is looked at.
    /// - Parameters:
    ///   - wanted: open occurrences.
    ///   - schedules: all live schedules.
    ///   - accounts: the live accounts.
    ///   - today: the present day.
    ///   - bank: the rows of banks, whose open rows are payments as well; nil for the transactions of the book alone.
    func payments(
        of wanted: [OpenOccurrence],
        among schedules: [Schedule],
        _ accounts: [Account],
        on today: CivilDate,
        beside bank: BankRows? = nil
    ) throws -> OccurrencePayments {
        var payments = OccurrencePayments()
        guard !wanted.isEmpty else { return payments }
        let places = Set(wanted.map(\.schedule.transaction.account))
        let days = wanted.map(\.occurrence.day)
        let near = DayRanges(days, within: 2 * PaymentMatching.mostDays)
        let far = DayRanges(days, within: 3 * PaymentMatching.mostDays)
        var competing: [OccurrenceKey: OpenOccurrence] = [:]
        for open in wanted { competing[open.key] = open }
        for schedule in schedules where places.contains(schedule.transaction.account) {
            // It records nothing until it is changed.
            guard schedule.obstacle(accounts, on: today) == nil else { continue }
            for range in near.all {
                for occurrence in schedule.open(in: range, limit: .max - 5) {
                    let open = OpenOccurrence(schedule: schedule, occurrence: occurrence)
                    if competing[open.key] == nil { competing[open.key] = open }
                }
            }
        }
        let (held, dropped) = try heldOccurrences(competing.keys)
        (payments.held, payments.dropped) = (held, dropped)
        let open = competing.values.filter { !held.contains($0.key) }
        let candidates =
            try freePayments(for: open, in: far)
            + openRows(of: places, in: far, beside: bank)
        guard !candidates.isEmpty else { return payments }
        let answers = try bankAnswers()
        let matching = PaymentMatching(
            candidates,
            open,
            isRefused: { answers.contains(BankAnswer(entered: $0, record: $1.transaction)) },
            payee: \.nameKey
        )
        let byID = Dictionary(candidates.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        payments.found = matching.matches.compactMapValues { byID[$0] }
        payments.ties = matching.ties
        payments.open = competing
        return payments
    }

    /// The occurrences among some that have a live transaction, and the occurrences whose transactions are deleted.
    func heldOccurrences(_ keys: some Collection<OccurrenceKey>) throws
        -> (live: Set<OccurrenceKey>, deleted: Set<OccurrenceKey>)
    {
        guard !keys.isEmpty else { return ([], []) }
        var (live, all): (Set<OccurrenceKey>, Set<OccurrenceKey>) = ([], [])
        let noted = """
            SELECT occurrence, deleted_at IS NULL FROM transactions INDEXED BY transactions_by_occurrence
            WHERE occurrence IN (SELECT value FROM json_each(?))
            """
        try forEach(noted, [SQLPiece.json(Array(keys))]) { row in
            guard let key = OccurrenceKey(text: row.text(0)) else { return }
            all.insert(key)
            if row.int(1) == 1 { live.insert(key) }
        }
        // Earlier versions have noted nothing on what they recorded.
        let ids = Dictionary(keys.map { ($0.transaction, $0) }, uniquingKeysWith: { first, _ in first })
        let recorded = "SELECT id FROM transactions WHERE id IN (SELECT value FROM json_each(?))"
        for id in try self.all(recorded, [SQLPiece.json(Array(ids.keys))], { try $0.id(0) }) {
            guard let key = ids[id] else { continue }
            all.insert(key)
            if try living(id, Transaction.entityKind) != nil { live.insert(key) }
        }
        return (live, all.subtracting(live))
    }

    /// The transactions that belong to no occurrence and can be payments of some.
    private func freePayments(for open: [OpenOccurrence], in days: DayRanges) throws -> [Transaction] {
        var found: [Transaction] = []
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_account
            WHERE deleted_at IS NULL AND account = ? AND date BETWEEN ? AND ?
              AND amount_minor BETWEEN ? AND ?
              AND (kind = 'transfer' OR payee = '' OR bank_transaction IS NOT NULL
                OR payee IN (SELECT value FROM json_each(?)))
            """
        for (account, open) in Dictionary(grouping: open, by: \.schedule.transaction.account) {
            let minors = open.map(\.schedule.transaction.amount.minor)
            guard let least = minors.min(), let most = minors.max() else { continue }
            let payees = Set(open.map(\.schedule.transaction.payee).filter { !$0.isEmpty })
            let spellings = SQLPiece.json(try payees.flatMap { try self.spellings(of: $0) })
            for range in days.all {
                let bounds = [
                    Int64(range.lowerBound.dayNumber), Int64(range.upperBound.dayNumber),
                    least.addingClamped(-(least / 10)), most.addingClamped(most / 10),
                ]
                found += try all(sql, StatementArguments([account.column] + bounds + [spellings])) {
                    try Transaction($0)
                }
            }
        }
        let series = try SeriesOfSchedules(self)
        return try found.filter { try isFree($0, series) }
    }

    /// The payments of the open occurrences that pages show: of what is due, and of what is to come up to a day.
    /// - Parameters:
    ///   - first: the first day of the present month. All of its occurrences count, however many are due before it.
    ///   - last: the last day that is shown.
    func payments(
        from first: CivilDate,
        through last: CivilDate,
        on today: CivilDate,
        _ lookups: Lookups,
        beside bank: BankRows?
    ) throws -> OccurrencePayments {
        let accounts = lookups.choices.accounts
        let wanted = lookups.schedules.flatMap { schedule -> [OpenOccurrence] in
            guard schedule.obstacle(accounts, on: today) == nil else { return [] }
            let open = schedule.open(upTo: last, limit: Self.mostShown)
            let later = schedule.open(in: first...last, limit: Self.mostShown)
            return Set(open + later).map { OpenOccurrence(schedule: schedule, occurrence: $0) }
        }
        return try payments(of: wanted, among: lookups.schedules, accounts, on: today, beside: bank)
    }

    /// The most occurrences of one schedule that pages compare with payments: more than two months have.
    private static let mostShown = 100

    /// Notes that a transaction is the payment of an occurrence.
    func note(_ payment: EntityID, isPaymentOf key: OccurrenceKey) throws {
        try change("UPDATE transactions SET occurrence = ? WHERE id = ?", [key.description, payment.column])
    }

    /// Whether a live transaction that was entered otherwise is noted as the payment of an occurrence.
    func hasPayment(_ key: OccurrenceKey) throws -> Bool {
        let sql = """
            SELECT id FROM transactions INDEXED BY transactions_by_occurrence
            WHERE occurrence = ? AND deleted_at IS NULL
            """
        let recorded = try living(key.transaction, Transaction.entityKind)
        return try all(sql, [key.description]) { try $0.id(0) }.contains { $0 != recorded }
    }

    /// Whether a transaction is the payment of no occurrence. What a schedule has recorded never answers for another one.
    func isFree(_ payment: Transaction) throws -> Bool { try isFree(payment, SeriesOfSchedules(self)) }

    private func isFree(_ payment: Transaction, _ series: SeriesOfSchedules) throws -> Bool {
        guard series.occurrence(recordedAs: payment.id) == nil else { return false }
        guard let text = payment.occurrence else { return true }
        guard let key = OccurrenceKey(text: text) else { return false }
        if series.deleted.contains(key.series) { return true }
        // Two devices have paid one occurrence: what was recorded for it holds it, or else the least id.
        if try living(key.transaction, Transaction.entityKind) != nil { return true }
        let sql = """
            SELECT EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_by_occurrence
              WHERE occurrence = ? AND deleted_at IS NULL AND id < ?)
            """
        return try number(sql, [text, payment.id.column]) == 1
    }
}

/// The open rows of banks on some accounts.
private func openRows(of accounts: Set<EntityID>, in days: DayRanges, beside bank: BankRows?) -> [Transaction]
{
    guard let bank else { return [] }
    return days.all.flatMap { range in
        bank.open.of(range).filter { accounts.contains($0.account) }.map(bank.transaction)
    }
}

/// The days within a distance of some days, as few ranges that do not touch.
private struct DayRanges {
    private(set) var all: [ClosedRange<CivilDate>] = []

    init(_ days: [CivilDate], within distance: Int) {
        for day in Set(days).sorted() {
            let range = day.adding(days: -distance)...day.adding(days: distance)
            if let last = all.last, range.lowerBound <= last.upperBound.adding(days: 1) {
                all[all.count - 1] = last.lowerBound...range.upperBound
            } else {
                all.append(range)
            }
        }
    }
}

/// The series of all schedules of a book, also of deleted schedules.
private struct SeriesOfSchedules {
    /// The series of which every schedule is deleted.
    let deleted: Set<EntityID>
    private let byHigh: [UInt64: Set<EntityID>]

    init(_ db: BookDatabase) throws {
        let sql = "SELECT ifnull(series, id), deleted_at IS NULL FROM schedules"
        let found = try db.all(sql) { (id: try $0.id(0), isLive: $0.int(1) == 1) }
        let live = Set(found.filter(\.isLive).map(\.id))
        deleted = Set(found.map(\.id)).subtracting(live)
        byHigh = Dictionary(grouping: live.union(deleted), by: \.high).mapValues(Set.init)
    }

    /// The occurrence that a transaction records, also as a copy that was restored.
    func occurrence(recordedAs id: EntityID) -> OccurrenceKey? {
        guard let series = byHigh[id.high] else { return nil }
        var id = id
        for _ in 0...Self.mostCopies {
            for series in series {
                if let day = id.day(in: series) { return OccurrenceKey(series: series, planned: day) }
            }
            id = id.original
        }
        return nil
    }

    /// The most times that a transaction is deleted on a device with sync, and restored.
    private static let mostCopies = 8
}

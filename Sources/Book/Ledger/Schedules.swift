// Schedules: their creation, change and deletion, and how they are read.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// Adds a schedule. A second call with the same id and the same content changes nothing.
    /// - Throws: `idTaken`, `unknownAccount`, `accountClosed`, `unknownCategory`, `categoryKind`, `invalid`.
    @discardableResult
    public func add(_ schedule: Schedule) throws(BookError) -> Recorded {
        try schedule.checkShape()
        return try changeAsUser { db in
            let sql = "SELECT \(Schedule.columns) FROM schedules WHERE id = ?"
            if let stored = try db.first(sql, [schedule.id.column], { try Schedule($0) }) {
                guard stored == schedule else { throw BookError.idTaken(schedule.id) }
                return .already
            }
            try db.checkReferences(ofNew: schedule.transaction)
            try db.change(
                "INSERT INTO schedules (\(Schedule.columns)) VALUES (\(SyncedEntity.schedule.marks))",
                StatementArguments([schedule.id.column] + schedule.values)
            )
            return .new
        }
    }

    /// All live schedules, oldest first; cached between two changes.
    public func schedules() throws(BookError) -> [Schedule] { try current { $0.schedules } }

    /// A live schedule, or nil.
    public func schedule(_ id: EntityID) throws(BookError) -> Schedule? {
        try schedules().first { $0.id == id }
    }

    /// Marks a schedule as deleted. A repeated call does nothing. What it recorded stays.
    /// - Throws: `unknownSchedule`.
    public func deleteSchedule(_ id: EntityID) throws(BookError) {
        let now = clock()
        try changeAsUser { db in
            guard try db.isDeleted(id, in: "schedules") != nil else { throw BookError.unknownSchedule(id) }
            try db.change(
                "UPDATE schedules SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL",
                [now, id.column]
            )
        }
    }

    /// Reverts a deletion. The call does nothing on a live schedule.
    /// - Returns: the id of the restored schedule. It is another one if the cloud may know of the deletion, because a
    ///   row that is deleted there stays deleted.
    /// - Throws: `unknownSchedule`.
    @discardableResult
    public func restoreSchedule(_ id: EntityID) throws(BookError) -> EntityID {
        try changeAsUser { db in try db.restoreSchedule(id) }
    }

    /// A schedule, also a deleted one; nil if there was none.
    public func schedule(deletedOrNot id: EntityID) throws(BookError) -> Schedule? {
        try reading { db in
            try db.first("SELECT \(Schedule.columns) FROM schedules WHERE id = ?", [id.column]) {
                try Schedule($0)
            }
        }
    }
}

extension Schedule {
    static let columns = "id, \(SyncedEntity.schedule.columns)"

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        let id = try row.id(0)
        self.init(
            transaction: Transaction(
                id: id,
                kind: try row.kind(1),
                date: row.date(2),
                amount: Money(minor: row.int64(3), currency: try row.currency(4)),
                account: try row.id(5),
                accountMinor: row.int64(6),
                toAccount: row.optionalID(7),
                toMinor: row.optionalInt64(8),
                category: row.optionalID(9),
                payee: row.text(10),
                note: row.text(11),
                tags: Transaction.tags(row.text(12))
            ),
            end: row.isNull(15) ? nil : row.date(15),
            every: row.int(13),
            unit: Self.unit(try row.word(14), isMonthEnd: row.int64(22) == 1),
            shift: try row.word(16),
            isAutomatic: row.text(17) == Self.automatic,
            done: row.isNull(18) ? nil : row.date(18),
            accountCurrency: row.optionalText(19).flatMap { CurrencyCode($0) },
            toCurrency: row.optionalText(20).flatMap { CurrencyCode($0) },
            series: row.optionalID(21)
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        transaction.scheduledValues + [
            Int64(every), (unit == .monthEnd ? .month : unit).rawValue, end?.dayNumber, shift.rawValue,
            isAutomatic ? Self.automatic : Self.asking, done?.dayNumber, accountCurrency?.rawValue,
            toCurrency?.rawValue, series.column, unit == .monthEnd ? Int64(1) : nil,
        ]
    }

    /// The last day of months is a mark beside the unit, which two devices can change apart from each other.
    private static func unit(_ unit: RecurrenceUnit, isMonthEnd: Bool) -> RecurrenceUnit {
        isMonthEnd && unit == .month ? .monthEnd : unit
    }

    /// Checks what is true of every transaction, and the number of units between two days.
    public func checkShape() throws(BookError) {
        try transaction.checkShape()
        guard transaction.split == nil else { throw .invalid(.split) }
        guard (1...Recurrence.limit).contains(every) else { throw .invalid(.every) }
        guard end.map({ transaction.date <= $0 }) ?? true else { throw .invalid(.end) }
    }

    private static let automatic = "auto"
    private static let asking = "ask"
}

extension BookDatabase {
    func schedules() throws -> [Schedule] {
        try all("SELECT \(Schedule.columns) FROM schedules WHERE deleted_at IS NULL ORDER BY id") {
            try Schedule($0)
        }
    }

    func liveSchedule(_ id: EntityID) throws -> Schedule? {
        let sql = "SELECT \(Schedule.columns) FROM schedules WHERE id = ? AND deleted_at IS NULL"
        return try first(sql, [id.column]) { try Schedule($0) }
    }

    func restoreSchedule(_ id: EntityID) throws -> EntityID {
        guard let isDeleted = try isDeleted(id, in: "schedules") else { throw BookError.unknownSchedule(id) }
        guard isDeleted else { return id }
        let (living, isDone) = try revivable(id, Schedule.entityKind)
        guard !isDone else { return living }
        try change(
            "UPDATE schedules SET deleted_at = NULL, series = iif(id = ?, series, ifnull(series, ?)) WHERE id = ?",
            [id.column, id.column, living.column]
        )
        return living
    }

    /// The number of live schedules of a category.
    func scheduleCount(ofCategory id: EntityID) throws -> Int {
        try number("SELECT count(*) FROM schedules WHERE deleted_at IS NULL AND category = ?", [id.column])
    }

    /// The number of live schedules that use an account.
    func scheduleCount(ofAccount id: EntityID) throws -> Int {
        let sql =
            "SELECT count(*) FROM schedules WHERE deleted_at IS NULL AND (account = ? OR to_account = ?)"
        return try number(sql, [id.column, id.column])
    }

    /// Checks a schedule after a change, which may be one of several forms. References that it had before are not
    /// checked again.
    func check(_ schedule: Schedule, before: Schedule?) throws {
        try schedule.checkShape()
        try checkReferences(of: schedule.transaction, before: before?.transaction)
    }
}

// Accounts: their creation, change and deletion, and their balances.
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// Adds an account. A second call with the same id and the same content changes nothing.
    /// - Throws: `idTaken`, `invalid`.
    @discardableResult
    public func add(_ account: Account) throws(BookError) -> Recorded {
        try account.checkShape()
        return try changeAsUser { db in try db.add(account) }
    }

    /// Marks an account as deleted. A repeated call does nothing. An account with transactions cannot be
    /// deleted: without it they would count nowhere.
    /// - Throws: `unknownAccount`; `accountInUse`; `accountScheduled`.
    public func deleteAccount(_ id: EntityID) throws(BookError) {
        let now = clock()
        try changeAsUser { db in try db.deleteAccount(id, now) }
    }

    /// Reverts a deletion. The call does nothing on a live account.
    /// - Returns: the id of the restored account. It is another one if the cloud may know of the deletion,
    ///   because a row that is deleted there stays deleted.
    /// - Throws: `unknownAccount`.
    @discardableResult
    public func restoreAccount(_ id: EntityID) throws(BookError) -> EntityID {
        try changeAsUser { db in try db.restoreAccount(id) }
    }

    /// Closes an account: it keeps its transactions, accepts no new transactions, and forms do not offer it.
    /// - Returns: the number of the change in the history; nil if the account was closed already.
    /// - Throws: `unknownAccount`.
    public func closeAccount(_ id: EntityID) throws(BookError) -> Int64? { try set(id, isClosed: true) }

    /// Reopens a closed account.
    /// - Returns: the number of the change in the history; nil if the account was open already.
    /// - Throws: `unknownAccount`.
    public func reopenAccount(_ id: EntityID) throws(BookError) -> Int64? { try set(id, isClosed: false) }

    private func set(_ id: EntityID, isClosed: Bool) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let account = try db.liveAccount(id) else { throw BookError.unknownAccount(id) }
            guard account.isClosed != isClosed else { return nil }
            try db.patch(["closed": isClosed ? 1 : nil], Account.entityKind, id)
            return try db.presentChange()
        }
    }

    /// All live accounts with their balances after all transactions, oldest first.
    public func accountBalances() throws(BookError) -> [AccountBalance] {
        try current { $0.accounts }
    }

    /// A live account with its balance at the end of a day, or nil.
    public func account(_ id: EntityID, through today: CivilDate = .distantFuture) throws(BookError)
        -> AccountBalance?
    {
        try reading { db, lookups in
            try db.accountBalance(id).map { try lookups.account($0, through: today, db) }
        }
    }
}

extension Account {
    static let columns = "id, \(SyncedEntity.account.columns)"
    /// The number of `columns`.
    static let columnCount = Int32(SyncedEntity.account.fields.count + 1)
    static let order = "ORDER BY position IS NULL, position, id"

    /// Decodes the current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            name: row.text(1),
            type: try row.word(2),
            currency: try row.currency(3),
            openingMinor: row.int64(4),
            openingDay: row.isNull(12) ? nil : row.date(12),
            isClosed: row.int64(5) == 1,
            bank: AccountBank(
                connection: row.optionalText(6),
                account: row.optionalText(7),
                type: row.optionalText(8),
                isUsed: row.int64(9) == 1,
                syncedAt: row.optionalInt64(10),
                recordsFrom: row.isNull(11) ? nil : row.date(11)
            ),
            position: row.optionalText(13)
        )
    }

    /// The values of `columns` without the id.
    var values: [(any DatabaseValueConvertible)?] {
        [
            name.inNormalForm, type.rawValue, currency.rawValue, openingMinor, isClosed ? Int64(1) : nil,
            bank.connection,
            bank.account, bank.type, bank.isUsed ? Int64(1) : nil, bank.syncedAt, bank.recordsFrom?.dayNumber,
            openingDay?.dayNumber, position,
        ]
    }

    /// Checks that the name has 1 to 80 characters.
    public func checkShape() throws(BookError) {
        guard !name.isEmpty, name.isStorable(upTo: 80) else { throw .invalid(.name) }
    }
}

extension AccountBalance {
    static let query = """
        SELECT a.id, \(SyncedEntity.account.fields.map { "a.\($0.column)" }.joined(separator: ", ")),
          s.opening_minor + s.delta_minor, s.count
        FROM accounts a JOIN account_sums s ON s.account = a.id WHERE a.deleted_at IS NULL
        """

    init(_ row: Columns) throws {
        let next = Account.columnCount
        self.init(
            account: try Account(row),
            balanceMinor: Int128(row.int64(next)),
            transactionCount: row.int(next + 1)
        )
    }
}

extension BookDatabase {
    func add(_ account: Account) throws -> Recorded {
        let sql = "SELECT \(Account.columns) FROM accounts WHERE id = ?"
        if let stored = try first(sql, [account.id.column], { try Account($0) }) {
            guard stored == account else { throw BookError.idTaken(account.id) }
            return .already
        }
        try change(
            "INSERT INTO accounts (\(Account.columns)) VALUES (\(SyncedEntity.account.marks))",
            StatementArguments([account.id.column] + account.values)
        )
        return .new
    }

    func accountBalance(_ id: EntityID) throws -> AccountBalance? {
        try first(AccountBalance.query + " AND a.id = ?", [id.column]) { try AccountBalance($0) }
    }

    func liveAccount(_ id: EntityID) throws -> Account? {
        let sql = "SELECT \(Account.columns) FROM accounts WHERE id = ? AND deleted_at IS NULL"
        return try first(sql, [id.column]) { try Account($0) }
    }

    /// Whether the account is closed. A deleted account may be closed, too.
    func isClosed(_ id: EntityID) throws -> Bool {
        try number("SELECT closed IS 1 FROM accounts WHERE id = ?", [id.column]) == 1
    }

    /// Checks that the currency of an account with live transactions or schedules does not change.
    func check(_ account: Account, before: Account) throws {
        guard account.currency != before.currency else { return }
        try checkUnused(account.id)
    }

    /// Checks that no live transaction and no live schedule is on an account.
    private func checkUnused(_ account: EntityID) throws {
        let uses = try transactionCount(ofAccount: account)
        guard uses == 0 else { throw BookError.accountInUse(transactions: uses) }
        let schedules = try scheduleCount(ofAccount: account)
        guard schedules == 0 else { throw BookError.accountScheduled(schedules: schedules) }
    }

    func deleteAccount(_ id: EntityID, _ now: Int64) throws {
        guard let isDeleted = try isDeleted(id, in: "accounts") else { throw BookError.unknownAccount(id) }
        guard !isDeleted else { return }
        try checkUnused(id)
        try change("UPDATE accounts SET deleted_at = ? WHERE id = ?", [now, id.column])
    }

    func restoreAccount(_ id: EntityID) throws -> EntityID {
        guard let isDeleted = try isDeleted(id, in: "accounts") else { throw BookError.unknownAccount(id) }
        guard isDeleted else { return id }
        let (living, isDone) = try revivable(id, "account")
        guard !isDone else { return living }
        try change("UPDATE accounts SET deleted_at = NULL WHERE id = ?", [living.column])
        return living
    }

    func accounts() throws -> [Account] {
        try all("SELECT \(Account.columns) FROM accounts WHERE deleted_at IS NULL \(Account.order)") {
            try Account($0)
        }
    }

    func accountBalances() throws -> [AccountBalance] {
        try all(AccountBalance.query + " \(Account.order)") { try AccountBalance($0) }
    }

    func transactionCount(ofAccount id: EntityID) throws -> Int {
        try number("SELECT count FROM account_sums WHERE account = ?", [id.column])
    }

    /// Whether the row is marked as deleted; nil if there is no such row.
    func isDeleted(_ id: EntityID, in table: String) throws -> Bool? {
        try first("SELECT deleted_at FROM \(table) WHERE id = ?", [id.column]) { !$0.isNull(0) }
    }
}

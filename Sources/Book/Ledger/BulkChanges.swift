// One change to many transactions: a single step of the history, which is undone as a whole.
import GRDB
public import Ledger
import Storage

/// The result of a change to many transactions.
public struct BulkResult: Hashable, Sendable {
    /// The number of the change in the history, by which it can be undone; nil if nothing was changed.
    public var change: Int64?
    /// The number of transactions that were changed, deleted or duplicated.
    public var changedCount = 0
    /// The number of transactions that had the value already.
    public var unchangedCount = 0
    /// The number of changed transactions that are older now than the opening balances of their accounts. They count
    /// beside them.
    public var beforeOpeningCount = 0
    /// The numbers of the transactions that were left out.
    public var leftOut: [BulkObstacle: Int] = [:]
}

/// The number of selected transactions and their sums.
public struct SelectedTransactions: Hashable, Sendable {
    /// The live transactions, in the order of the list.
    public let rows: [Transaction]
    /// The number of selected transactions that were deleted meanwhile.
    public let deletedCount: Int
}

extension Book {
    /// The live transactions of a selection.
    /// - Parameter most: the greatest number of rows.
    /// - Throws: `selectionTooLarge` if there are more than `TransactionSelection.limit`.
    public func selected(_ selection: TransactionSelection) throws(BookError) -> SelectedTransactions {
        try reading { db in try db.selected(selection) }
    }

    /// Changes each transaction of a selection. A transaction that cannot have the change is left out, and counted.
    /// - Throws: `selectionTooLarge`; `unknownCategory`, `unknownAccount`, `accountClosed(.account)`, `invalid` and
    ///   `overflow`, after which nothing was changed.
    public func change(_ selection: TransactionSelection, by change: BulkChange) throws(BookError)
        -> BulkResult
    {
        try changingSelected(selection) { db, rows, result in
            if case .account(let account) = change, try db.isClosed(account.id) {
                throw BookError.accountClosed(.account)
            }
            try db.make(change, of: rows, &result)
        }
    }

    /// Deletes each transaction of a selection.
    /// - Throws: `selectionTooLarge`, `overflow`.
    public func delete(_ selection: TransactionSelection) throws(BookError) -> BulkResult {
        let now = clock()
        return try changingSelected(selection) { db, rows, result in
            for row in rows { try db.deleteTransaction(row.id, now) }
            result.changedCount = rows.count
        }
    }

    /// Adds a copy of each transaction of a selection, of another day. The copies are no records of a bank's rows.
    /// - Parameters:
    ///   - day: the day of the copies.
    ///   - ids: makes the id of a copy.
    /// - Throws: `selectionTooLarge`, `accountClosed`, `overflow`.
    public func duplicate(
        _ selection: TransactionSelection,
        on day: CivilDate,
        ids: () -> EntityID
    ) throws(BookError) -> BulkResult {
        try changingSelected(selection) { db, rows, result in
            // The copies are in the order of the originals.
            for row in rows.reversed() { try db.record(new: row.copy(ids(), on: day)) }
            result.changedCount = rows.count
        }
    }

    private func changingSelected(
        _ selection: TransactionSelection,
        _ body: (BookDatabase, [Transaction], inout BulkResult) throws -> Void
    ) throws(BookError) -> BulkResult {
        try changeAsUser { db in
            let selected = try db.selected(selection)
            var result = BulkResult()
            if selected.deletedCount > 0 { result.leftOut[.deleted] = selected.deletedCount }
            try body(db, selected.rows, &result)
            if result.changedCount > 0 { result.change = try db.presentChange() }
            return result
        }
    }
}

extension BookDatabase {
    /// Changes each of some rows, within a change of the user. A row that cannot have the change is left out, and counted.
    func make(_ change: BulkChange, of rows: [Transaction], _ result: inout BulkResult) throws {
        let currencies = try Lookups.currencies(self)
        let accounts = try accounts().filter { $0.openingDay != nil }
        for row in rows {
            let changed: Transaction
            do throws(BulkObstacle) {
                changed = try change.applied(to: row) { currencies[$0] }
            } catch {
                result.leftOut[error, default: 0] += 1
                continue
            }
            guard changed != row else {
                result.unchangedCount += 1
                continue
            }
            try changed.checkShape()
            let edit = try edit(changed, nil)
            if edit.change == nil { result.unchangedCount += 1 } else { result.changedCount += 1 }
            if !changed.perhapsInOpenings(of: accounts, inPlaceOf: row).isEmpty {
                result.beforeOpeningCount += 1
            }
        }
    }

    fileprivate func selected(_ selection: TransactionSelection) throws -> SelectedTransactions {
        switch selection {
        case .rows(let ids):
            let ids = Set(ids)
            guard ids.count <= TransactionSelection.limit else { throw BookError.selectionTooLarge }
            let sql = """
                SELECT \(Transaction.columns) FROM transactions
                WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?)) ORDER BY date DESC, id DESC
                """
            let rows = try all(sql, [SQLPiece.json(Array(ids))]) { try Transaction($0) }
            return SelectedTransactions(rows: rows, deletedCount: ids.count - rows.count)
        case .all(var query):
            (query.after, query.sort, query.limit) = (nil, .newestFirst, TransactionSelection.limit)
            let list = try TransactionList(self, Lookups(self), query, most: TransactionSelection.limit)
            let rows = try list.rows()
            guard rows.count <= TransactionSelection.limit else { throw BookError.selectionTooLarge }
            return SelectedTransactions(rows: rows, deletedCount: 0)
        }
    }
}

extension Transaction {
    /// The same transaction on another day, which is neither the record of a bank's row nor the payment of a schedule, not
    /// starred, and of no rule.
    public func copy(_ id: EntityID, on day: CivilDate) -> Transaction {
        var copy = self
        (copy.id, copy.date, copy.isStarred) = (id, day, false)
        (copy.bankTransaction, copy.occurrence, copy.rule) = (nil, nil, nil)
        return copy
    }
}

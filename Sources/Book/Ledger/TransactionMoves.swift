// Moving all transactions of an account to another one.
import GRDB
public import Ledger
import Storage

/// The result of moving the transactions of an account.
public struct MovedTransactions: Hashable, Sendable {
    /// The number of the change in the history, by which it can be undone; nil if nothing was moved.
    public let change: Int64?
    /// The number of moved transactions.
    public let count: Int
    /// The number of transfers between the two accounts, which stayed.
    public let transferCount: Int
}

extension Book {
    /// The effect of moving all transactions of a live account to another one.
    /// - Parameters:
    ///   - bank: the rows of banks that are in the balances.
    ///   - today: the day of the balances.
    /// - Throws: `unknownAccount` if the source is not live; `invalid(.toAccount)` if the target is not live or is the
    ///   source; `invalid(.currency)` if it has another currency; `accountClosed(.toAccount)`.
    public func planMove(
        from source: EntityID,
        to target: EntityID,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> TransactionMove {
        try reading { db, lookups in
            var plan = try db.planMove(from: source, to: target)
            let later = try lookups.changes(after: today, db)[source] ?? 0
            let staying = try db.changesOfTransfers(from: source, to: target, after: today, lookups)
            plan.toComeMinor = later - staying
            let shown = try db.balances(
                [plan.source, plan.target],
                lookups,
                beside: bank,
                through: today
            )
            if let source = shown.first, let target = shown.last {
                (plan.source, plan.target) = (source, target)
            }
            return plan
        }
    }

    /// Moves all transactions of an account, at either end, to another account of the same currency, as one change.
    /// Transfers between the two stay.
    /// - Parameter count: the number of transactions that the user agreed to move; nil for any.
    /// - Throws: as `planMove`; `changedMeanwhile(.other)` if the number of transactions is another one by now;
    ///   `overflow`.
    public func moveTransactions(from source: EntityID, to target: EntityID, expecting count: Int? = nil)
        throws(BookError) -> MovedTransactions
    {
        try changeAsUser { db in
            let plan = try db.planMove(from: source, to: target)
            guard count == nil || count == plan.count else { throw BookError.changedMeanwhile(.other) }
            let starting = try db.change(
                """
                UPDATE transactions SET account = ?
                WHERE account = ? AND deleted_at IS NULL AND to_account IS NOT ?
                """,
                [target.column, source.column, target.column]
            )
            let ending = try db.change(
                """
                UPDATE transactions SET to_account = ?
                WHERE to_account = ? AND deleted_at IS NULL AND account <> ?
                """,
                [target.column, source.column, target.column]
            )
            let moved = starting + ending
            return MovedTransactions(
                change: moved == 0 ? nil : try db.presentChange(),
                count: moved,
                transferCount: plan.transferCount
            )
        }
    }
}

extension BookDatabase {
    /// The change of an account by the transfers between it and another one after a day.
    fileprivate func changesOfTransfers(
        from source: EntityID,
        to target: EntityID,
        after today: CivilDate,
        _ lookups: Lookups
    ) throws -> Int128 {
        guard let last = lookups.lastDay, today < last else { return 0 }
        let sql = """
            SELECT account = ?, account_minor, to_minor FROM transactions INDEXED BY transactions_by_to_account
            WHERE deleted_at IS NULL AND to_account = ? AND account = ? AND date > ?
            """
        var change: Int128 = 0
        for (start, end) in [(source, target), (target, source)] {
            try forEach(sql, [source.column, end.column, start.column, today.dayNumber]) { row in
                change += row.int(0) != 0 ? -Int128(row.int64(1)) : Int128(row.int64(2))
            }
        }
        return change
    }

    fileprivate func planMove(from source: EntityID, to target: EntityID) throws -> TransactionMove {
        guard let from = try accountBalance(source) else { throw BookError.unknownAccount(source) }
        guard source != target, let to = try accountBalance(target) else {
            throw BookError.invalid(.toAccount)
        }
        guard from.account.currency == to.account.currency else { throw BookError.invalid(.currency) }
        guard !to.account.isClosed else { throw BookError.accountClosed(.toAccount) }
        var transfers: [Transaction] = []
        var sum = from.balanceMinor - Int128(from.account.openingMinor)
        var transferCount = 0
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_to_account
            WHERE deleted_at IS NULL AND to_account = ? AND account = ? ORDER BY date DESC, id DESC
            """
        for (start, end) in [(source, target), (target, source)] {
            try forEach(sql, [end.column, start.column]) { row in
                let transfer = try Transaction(row)
                sum += Int128(start == source ? transfer.accountMinor : -(transfer.toMinor ?? 0))
                transferCount += 1
                transfers.append(transfer)
            }
        }
        transfers.sort { ($0.date, $0.id) > ($1.date, $1.id) }
        var move = TransactionMove(
            source: from,
            target: to,
            count: from.transactionCount - transferCount,
            sumMinor: sum,
            transferCount: transferCount,
            transfers: Array(transfers.prefix(20))
        )
        if let day = to.account.openingDay, !to.account.bank.isUsed {
            move.beforeOpeningCount = try countMoved(from: source, to: target, before: day)
        }
        return move
    }

    /// The number of transactions before a day that move from one account to another.
    private func countMoved(from source: EntityID, to target: EntityID, before day: CivilDate) throws -> Int {
        try number(
            """
            SELECT (
              SELECT count(*) FROM transactions INDEXED BY transactions_by_account
              WHERE deleted_at IS NULL AND account = ?1 AND to_account IS NOT ?2 AND date < ?3
            ) + (
              SELECT count(*) FROM transactions INDEXED BY transactions_by_to_account
              WHERE deleted_at IS NULL AND to_account = ?1 AND account <> ?2 AND date < ?3
            )
            """,
            [source.column, target.column, day.dayNumber]
        )
    }
}

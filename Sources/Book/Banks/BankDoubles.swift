// Bank transactions of which the book has two records: one device has recorded one, and another device has it entered by
// hand, before either knew of the other.
public import Ledger
import Storage

extension Book {
    /// Makes one transaction of the records of the same bank transaction. Each device chooses alike: a transfer before
    /// others, what was entered by hand before what was recorded, and then the least id.
    /// - Returns: the number of records that were deleted for another one.
    @discardableResult
    public func mergeBankRecords() throws(BookError) -> Int {
        // Rarely there is one, and looking needs no change of the book.
        guard try reading({ db in try !db.keysWithTwoRecords().isEmpty }) else { return 0 }
        let now = clock()
        return try changeAsUser { db in
            var count = 0
            for key in try db.keysWithTwoRecords() {
                var records = try db.records(ofKey: key).sorted { $0.precedes($1, as: key) }
                guard var chosen = records.first else { continue }
                records.removeFirst()
                for record in records {
                    try db.replace(record, by: chosen, at: now)
                    chosen = try db.records(ofKey: key).first { $0.id == chosen.id } ?? chosen
                    count += 1
                }
            }
            return count
        }
    }
}

/// A transaction that was entered otherwise, and a record of the bank that is perhaps the same.
public struct BankDouble: Hashable, Sendable {
    /// The transaction that stays if they are the same.
    public let entered: Transaction
    /// The transaction that gives way.
    public let record: Transaction
}

extension Book {
    /// The transactions of an account since a day that were perhaps recorded from its bank as well: transactions with
    /// the same amount as a record within three days, transfers with the records of their sides, and transfers that
    /// were made of different sides. Each record is named once, the newest first.
    /// - Parameter rows: the rows of banks. A transaction that has a row of its own is none.
    public func bankDoubles(of account: EntityID, since day: CivilDate, beside rows: BankRows?)
        throws(BookError)
        -> [BankDouble]
    {
        let sql = """
            SELECT entered.id, record.id, entered.date, abs(record.date - entered.date)
            FROM transactions entered INDEXED BY transactions_by_account
            JOIN transactions record INDEXED BY transactions_by_account ON record.account = entered.account
              AND record.date BETWEEN entered.date - ?3 AND entered.date + ?3
            WHERE entered.deleted_at IS NULL AND entered.account = ?1 AND entered.date >= ?2
              AND (entered.bank_transaction IS NULL OR entered.kind = 'transfer')
              AND record.deleted_at IS NULL AND record.bank_transaction IS NOT NULL
              AND record.account_minor = entered.account_minor AND record.id <> entered.id
              AND CASE
                WHEN entered.kind <> 'transfer' THEN record.kind = entered.kind
                WHEN record.kind = 'transfer' THEN
                  record.to_account = entered.to_account AND record.to_minor = entered.to_minor
                  AND (entered.bank_transaction IS NULL OR entered.id < record.id)
                ELSE record.kind = 'expense'
              END
            UNION ALL
            SELECT entered.id, record.id, entered.date, abs(record.date - entered.date)
            FROM transactions entered INDEXED BY transactions_by_to_account
            JOIN transactions record INDEXED BY transactions_by_account ON record.account = entered.to_account
              AND record.date BETWEEN entered.date - ?3 AND entered.date + ?3
            WHERE entered.deleted_at IS NULL AND entered.to_account = ?1 AND entered.date >= ?2
              AND record.deleted_at IS NULL AND record.bank_transaction IS NOT NULL
              AND record.account_minor = entered.to_minor AND record.kind = 'income'
            ORDER BY 3 DESC, 1, 4, 2 LIMIT 100
            """
        let (pairs, answers) = try reading { db in
            let pairs = try db.all(sql, [account.column, day.dayNumber, BankRows.mostDaysApart]) {
                BankAnswer(entered: try $0.id(0), record: try $0.id(1))
            }
            return (pairs, pairs.isEmpty ? [] : try db.bankAnswers())
        }
        var named = rows?.enteredTransactions ?? []
        var doubles: [BankDouble] = []
        for pair in pairs
        where !answers.contains(pair) && named.isDisjoint(with: [pair.entered, pair.record]) {
            guard let entered = try transaction(pair.entered), let record = try transaction(pair.record),
                entered.bankAccount == nil || entered.bankAccount != record.bankAccount
            else { continue }
            doubles.append(BankDouble(entered: entered, record: record))
            named.formUnion([pair.entered, pair.record])
        }
        return doubles
    }
}

extension BankRows {
    /// The transactions that count in place of rows.
    var enteredTransactions: Set<EntityID> {
        Set(
            all.compactMap { row in
                if case .entered(let id) = row.state { id } else { nil }
            }
        )
    }
}

extension Transaction {
    /// The text of the key of the bank's account whose transaction it is the record of; nil for none.
    var bankAccount: Substring? { bankTransaction.map { BankTransactionKey(text: $0).account } }
}

extension BookDatabase {
    fileprivate func keysWithTwoRecords() throws -> [String] {
        let sql = """
            SELECT bank_transaction FROM transactions INDEXED BY transactions_by_bank
            WHERE bank_transaction IS NOT NULL AND deleted_at IS NULL
            GROUP BY bank_transaction HAVING COUNT(*) > 1
            """
        return try all(sql) { $0.text(0) }
    }

    fileprivate func records(ofKey key: String) throws -> [Transaction] {
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_bank
            WHERE bank_transaction = ? AND deleted_at IS NULL ORDER BY id
            """
        return try all(sql, [key]) { try Transaction($0) }
    }
}

extension Transaction {
    /// Whether it stays when there is another record of the same key.
    fileprivate func precedes(_ other: Transaction, as key: String) -> Bool {
        let derived = EntityID.derived(from: "transaction", key)
        func rank(_ one: Transaction) -> Int { one.kind == .transfer ? 0 : one.id == derived ? 2 : 1 }
        return (rank(self), id) < (rank(other), other.id)
    }
}

// How transactions of banks become transactions of the book, each once.
import GRDB
public import Ledger
import Storage
import SyncCore

/// The transactions that were recorded.
public struct BankRecords: Hashable, Sendable {
    /// The number of new transactions.
    public var count = 0
    /// The number of the change in the history, by which it can be undone; nil for no change.
    public var change: Int64?
}

extension Book {
    /// Records rows of banks as one change. Pending rows, and rows that are recorded already, are left out. A transaction
    /// without a category gets that of the last one of its payee.
    /// - Parameter again: whether a record that was deleted comes back. By itself, a device records nothing again.
    /// - Throws: the errors of recording a transaction.
    public func record(_ rows: [BankRow], again: Bool) throws(BookError) -> BankRecords {
        guard !rows.isEmpty else { return BankRecords() }
        return try changeAsUser { db in
            var records = BankRecords()
            for row in rows where !row.reported.isPending {
                if try db.record(ofBank: row.transaction, again: again) { records.count += 1 }
            }
            if records.count > 0 { records.change = try db.presentChange() }
            return records
        }
    }

    /// Notes that a transaction, which was entered otherwise, is the record of a row.
    /// - Returns: the number of the change in the history.
    /// - Throws: `unknownTransaction`; `deletedTransaction`.
    public func connect(_ transaction: EntityID, to row: BankRow) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let (stored, isDeleted) = try db.storedTransaction(transaction) else {
                throw BookError.unknownTransaction(transaction)
            }
            guard !isDeleted else { throw BookError.deletedTransaction(transaction) }
            guard stored.bankTransaction == nil, let key = row.transaction.bankTransaction else { return nil }
            try db.patch(["bankTransaction": .text(key)], Transaction.entityKind, transaction)
            return try db.presentChange()
        }
    }

    /// Switches the recording of new booked transactions on or off.
    /// - Parameter day: the first day that is recorded; nil to switch it off.
    /// - Returns: the number of the change in the history; nil if it was so already.
    /// - Throws: `unknownAccount`.
    public func recordBank(of account: EntityID, from day: CivilDate?) throws(BookError) -> Int64? {
        try changeAsUser { db in
            guard let stored = try db.liveAccount(account) else { throw BookError.unknownAccount(account) }
            guard (stored.bank.recordsFrom == nil) != (day == nil) else { return nil }
            let value: FieldValue = day.map { .integer(Int64($0.dayNumber)) } ?? .null
            try db.patch(["bankRecordFrom": value], Account.entityKind, account)
            return try db.presentChange()
        }
    }

    /// Records the booked rows of accounts that are recorded without a question. Rows that were perhaps entered already
    /// wait for the user.
    public func recordAutomatically(_ rows: BankRows) throws(BookError) -> BankRecords {
        let starts = Dictionary(
            try choices().accounts.compactMap { account in
                account.bank.isUsed && !account.isClosed
                    ? account.bank.recordsFrom.map { (account.id, $0) } : nil
            },
            uniquingKeysWith: { first, _ in first }
        )
        guard !starts.isEmpty else { return BankRecords() }
        let due = rows.all.filter { row in
            guard row.state == .open, !row.reported.isPending, let start = starts[row.transaction.account]
            else {
                return false
            }
            return start <= row.transaction.date
        }
        return try record(due, again: false)
    }

    /// Moves the user's notes from pending transactions that the bank has booked under other ids.
    /// - Parameters:
    ///   - before: the transactions of the last report.
    ///   - now: those of the present one.
    public func moveBankNotes(of account: BankAccountKey, before: [BankTransaction], now: [BankTransaction])
        throws(BookError)
    {
        let (old, new) = (Set(before.map(\.id)), Set(now.map(\.id)))
        let vanished = before.filter { $0.isPending && !new.contains($0.id) }
        var booked = now.filter { !$0.isPending && !old.contains($0.id) }
        guard !vanished.isEmpty, !booked.isEmpty else { return }
        let noted = try reading { db in
            try vanished.filter { try db.bankNote(of: BankTransactionKey(account, id: $0.id)) != nil }
        }
        guard !noted.isEmpty else { return }
        try changeAsUser { db in
            for pending in noted {
                guard let note = try db.bankNote(of: BankTransactionKey(account, id: pending.id)),
                    let place = pending.booked(among: booked)
                else { continue }
                let key = BankTransactionKey(account, id: booked.remove(at: place).id)
                guard try db.bankNote(of: key) == nil else { continue }
                try db.patch(["bankTransaction": .text(key.description)], BankNote.entityKind, note.id)
            }
        }
    }
}

extension BankTransaction {
    /// The place of the booked transaction that this pending one has become: of the same amount within a week,
    /// preferably with the same words, and of the nearest day. Nil if there is none.
    fileprivate func booked(among booked: [BankTransaction]) -> Int? {
        func distance(_ other: BankTransaction) -> Int {
            abs(Int(other.date.dayNumber) - Int(date.dayNumber))
        }
        return booked.indices.filter { booked[$0].money == money && distance(booked[$0]) <= 7 }
            .min {
                (booked[$0].description == description ? 0 : 1, distance(booked[$0]))
                    < (booked[$1].description == description ? 0 : 1, distance(booked[$1]))
            }
    }
}

extension BookDatabase {
    /// Records a transaction of a bank.
    /// - Returns: whether there is a transaction that was not there before.
    fileprivate func record(ofBank row: Transaction, again: Bool) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_by_bank
              WHERE bank_transaction = ? AND deleted_at IS NULL)
            """
        guard try number(sql, [row.bankTransaction]) == 0 else { return false }
        var transaction = row
        if transaction.category == nil { transaction.category = try lastCategory(of: transaction) }
        // A row of a bank must not hold up the others.
        guard (try? transaction.checkShape()) != nil else { return false }
        return try record(transaction, again: again)
    }

    /// The category of the last transaction of the same payee and kind, if it has one that is live and fits.
    private func lastCategory(of transaction: Transaction) throws -> EntityID? {
        guard !transaction.payee.isEmpty else { return nil }
        let sql = """
            SELECT category FROM transactions INDEXED BY transactions_by_payee
            WHERE deleted_at IS NULL AND payee = ? AND payee <> '' AND +kind = ? AND split IS NULL
            ORDER BY date DESC, id DESC LIMIT 1
            """
        let last = try first(sql, [transaction.payee, transaction.kind.rawValue]) { $0.optionalID(0) } ?? nil
        guard let last, try isLiveCategory(last, for: transaction.kind) else { return nil }
        return last
    }
}

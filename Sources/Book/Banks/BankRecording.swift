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
    /// Records rows of banks as one change. Pending rows, and rows that are recorded already, also as the other side of
    /// a transfer, are left out. The values that rules set come first; a transaction without a category then gets the
    /// category of the last transaction of its payee.
    /// - Parameter again: whether a record that was deleted comes back. By itself, a device records nothing again.
    /// - Throws: the errors of recording a transaction.
    public func record(_ rows: [BankRow], again: Bool) throws(BookError) -> BankRecords {
        guard !rows.isEmpty else { return BankRecords() }
        return try changeAsUser { db in
            var records = BankRecords()
            for row in rows where !row.reported.isPending {
                if case .recorded = row.state { continue }
                if try db.record(ofBank: row, again: again) { records.count += 1 }
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
            return try db.connect(stored, to: row) ? try db.presentChange() : nil
        }
    }

    /// Notes as one change that rows were entered already, each as the transaction that counts in its place.
    /// - Returns: the rows of which this is true still.
    public func connectEntered(_ rows: [BankRow]) throws(BookError) -> BankRecords {
        guard !rows.isEmpty else { return BankRecords() }
        return try changeAsUser { db in
            var records = BankRecords()
            for row in rows {
                guard case .entered(let id) = row.state,
                    let (stored, isDeleted) = try db.storedTransaction(id),
                    !isDeleted, try db.connect(stored, to: row)
                else { continue }
                records.count += 1
            }
            if records.count > 0 { records.change = try db.presentChange() }
            return records
        }
    }

    /// The records of a bank that are perhaps the same as a transaction which was entered otherwise: they have the same
    /// amount on the same account within three days. The last record comes first. For a transfer, they are the records
    /// of its sides, and transfers that were made of the other side.
    public func bankRecords(like transaction: Transaction) throws(BookError) -> [Transaction] {
        var sides = [(transaction.account, [transaction.kind], transaction.accountMinor)]
        if let account = transaction.toAccount, let minor = transaction.toMinor {
            // A bank reports the two sides as spending and income.
            sides = [
                (transaction.account, [.expense, .transfer], transaction.accountMinor),
                (account, [.income], minor),
            ]
        }
        let sql = """
            SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_account
            WHERE deleted_at IS NULL AND account = ? AND date BETWEEN ? AND ? AND bank_transaction IS NOT NULL
              AND account_minor = ? AND id <> ?
            ORDER BY date DESC, id
            """
        let most = BankRows.mostDaysApart
        let days = [-most, most].map { transaction.date.adding(days: $0).dayNumber }
        return try reading { db in
            let answers = try db.bankAnswers()
            var found: [Transaction] = []
            for (account, kinds, minor) in sides {
                found += try db.all(sql, [account.column, days[0], days[1], minor, transaction.id.column]) {
                    try Transaction($0)
                }
                .filter { kinds.contains($0.kind) }
            }
            return found.filter { record in
                if record.kind == .transfer,
                    record.toAccount != transaction.toAccount || record.toMinor != transaction.toMinor
                {
                    return false
                }
                // The records of the account of which the transaction is one are other transactions.
                return record.bankAccount != transaction.bankAccount
                    && !answers.contains(BankAnswer(entered: transaction.id, record: record.id))
            }
        }
    }

    /// Makes a transaction that was entered otherwise the record of a bank in place of the record that looks like it,
    /// which is deleted, as one change. What the user has entered stays; the rest, and the receipts, come from the
    /// former record.
    /// - Returns: the number of the change in the history; nil if the two are not alike any more, or one of them is gone.
    public func replace(record id: EntityID, by entered: EntityID) throws(BookError) -> Int64? {
        guard let transaction = try self.transaction(entered), let record = try self.transaction(id),
            try bankRecords(like: transaction).contains(where: { $0.id == id })
        else { return nil }
        let now = clock()
        return try changeAsUser { db in
            try db.replace(record, by: transaction, at: now)
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

    /// Records the booked rows of accounts that are recorded without a question. Rows that were perhaps entered
    /// already, and rows with the other side of a transfer, wait for the user.
    /// - Parameter booked: rows that were pending in the last report. They are recorded also if their day, which may be
    ///   the day of the purchase, is before the first recorded day.
    public func recordAutomatically(_ rows: BankRows, booked: Set<BankTransactionKey> = []) throws(BookError)
        -> BankRecords
    {
        let starts = Dictionary(
            try choices().accounts.compactMap { account in
                account.bank.isUsed && !account.isClosed
                    ? account.bank.recordsFrom.map { (account.id, $0) } : nil
            },
            uniquingKeysWith: { first, _ in first }
        )
        guard !starts.isEmpty else { return BankRecords() }
        let sides = try bankCounterparts(of: rows)
        let due = rows.all.filter { row in
            guard row.state == .open, !row.reported.isPending, let start = starts[row.transaction.account]
            else {
                return false
            }
            let key = row.transaction.bankTransaction.map { BankTransactionKey(text: $0) }
            guard start <= row.transaction.date || key.map(booked.contains) ?? false else { return false }
            return sides[row] == nil
        }
        return try record(due, again: false)
    }
}

/// The rows of a bank account that are neither recorded nor hidden, the newest first. The rows that were perhaps
/// entered already include pending rows.
public struct RecordableBankRows: Sendable {
    /// The rows that can be recorded at once.
    public private(set) var certain: [BankRow] = []
    /// The rows that were perhaps entered already.
    public private(set) var entered: [BankRow] = []
    /// The rows that are perhaps one side of a transfer.
    public private(set) var sides: [BankRow] = []

    /// The number of rows about which the user decides one by one.
    public var undecidedCount: Int { entered.count + sides.count }

    /// The days of the first and of the last row; nil without rows.
    public var days: ClosedRange<CivilDate>? {
        let ends = [certain, entered, sides].flatMap { [$0.first, $0.last] }.compactMap {
            $0?.transaction.date
        }
        guard let first = ends.min(), let last = ends.max() else { return nil }
        return first...last
    }

    /// The rows of some days.
    public func within(_ days: ClosedRange<CivilDate>) -> RecordableBankRows {
        var rows = self
        rows.certain.removeAll { !days.contains($0.transaction.date) }
        rows.entered.removeAll { !days.contains($0.transaction.date) }
        rows.sides.removeAll { !days.contains($0.transaction.date) }
        return rows
    }

    /// No rows.
    public init() {}

    fileprivate init(of account: EntityID, _ rows: BankRows, _ sides: BankCounterparts) {
        for row in rows.all where row.transaction.account == account {
            switch row.state {
            case .open where row.reported.isPending: continue
            case .open where sides[row] != nil: self.sides.append(row)
            case .open: certain.append(row)
            case .entered: entered.append(row)
            case .hidden, .recorded: continue
            }
        }
    }
}

extension Book {
    /// The rows of an account that can be recorded.
    public func recordable(of account: EntityID, among rows: BankRows) throws(BookError) -> RecordableBankRows
    {
        RecordableBankRows(of: account, rows, try bankCounterparts(of: rows))
    }
}

extension Transaction {
    /// Whether the key of a row can be written on the transaction. A record of the same account stays what it is, unless
    /// the bank does not report that transaction any more. A transfer that is the record of its other side stays as well.
    fileprivate func canBecomeRecord(of row: BankRow, _ key: String) -> Bool {
        guard let former = bankTransaction else { return true }
        let isOfAccount =
            BankTransactionKey(text: former).account == BankTransactionKey(text: key).account
        return isOfAccount ? row.state == .entered(id) : kind != .transfer
    }
}

extension BookDatabase {
    /// Writes the key of a row, and the amount that the bank has booked, on a transaction.
    /// - Returns: false if it is the record of another row, or the row has a record.
    fileprivate func connect(_ stored: Transaction, to row: BankRow) throws -> Bool {
        guard let key = row.transaction.bankTransaction, stored.canBecomeRecord(of: row, key) else {
            return false
        }
        try patch(["bankTransaction": .text(key)], Transaction.entityKind, stored.id)
        // It was entered before the bank has booked another amount.
        if !row.reported.isPending { try setBookedAmount(row.reported.money, of: stored.id) }
        return true
    }

    /// Deletes a record of a bank for a transaction that takes its place. That one's own words stay; the rest, and the
    /// receipts, come from the record.
    func replace(_ record: Transaction, by transaction: Transaction, at now: Int64) throws {
        var fields: Fields = [:]
        // A transfer is perhaps the record of its other side already.
        if transaction.bankTransaction == nil, let key = record.bankTransaction {
            fields["bankTransaction"] = .text(key)
        }
        if transaction.kind == record.kind, transaction.category == nil, transaction.split == nil {
            for name in ["category", "split"] { fields[name] = record.fields[name] }
        }
        if transaction.note.isEmpty { fields["note"] = record.fields["note"] }
        if transaction.tags.isEmpty { fields["tags"] = record.fields["tags"] }
        if let occurrence = record.occurrence, try isFree(transaction) {
            fields["occurrence"] = .text(occurrence)
        }
        try patch(fields, Transaction.entityKind, transaction.id)
        try moveReceipts(from: record.id, to: transaction.id)
        try deleteTransaction(record.id, now)
    }

    /// Whether there is a record with the key of a transaction.
    func hasRecord(of key: String?, orDeleted: Bool = false) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_by_bank
              WHERE bank_transaction = ? AND (deleted_at IS NULL OR ?))
            """
        return try number(sql, [key, orDeleted]) == 1
    }

    /// Records a transaction of a bank.
    /// - Returns: whether there is a transaction that was not there before.
    fileprivate func record(ofBank row: BankRow, again: Bool) throws -> Bool {
        // The deleted record may have another id than the row: it was entered by hand, or recorded under another key.
        guard try !hasRecord(of: row.transaction.bankTransaction, orDeleted: !again) else { return false }
        var transaction = row.record
        // A row of a bank must not hold up the others.
        guard (try? transaction.checkShape()) != nil else { return false }
        if transaction.category == nil, transaction.split == nil, transaction.kind != .transfer {
            transaction.category = try usualCategory(of: transaction)
        }
        guard try record(transaction, again: again) else { return false }
        if let schedule = row.ruled?.schedule {
            try note(transaction.id, on: transaction.date, isPaymentOfSchedule: schedule)
        }
        return true
    }

    /// The category that is set for the payee, or else that of its last transaction of the same kind, if the category is live
    /// and fits.
    private func usualCategory(of transaction: Transaction) throws -> EntityID? {
        guard !transaction.payee.isEmpty else { return nil }
        let key = transaction.payee.nameKey
        let chosen = try payeeDefaults().first { $0.name.nameKey == key }?.category
        if let chosen, try isLiveCategory(chosen, for: transaction.kind) { return chosen }
        let condition = SQLPiece("+kind = ? AND split IS NULL", [transaction.kind.rawValue])
        let found = try newest(1, ofPayee: transaction.payee, selecting: ("category", 1), where: condition) {
            $0.optionalID(0)
        }
        guard let last = found.first ?? nil, try isLiveCategory(last, for: transaction.kind) else {
            return nil
        }
        return last
    }
}

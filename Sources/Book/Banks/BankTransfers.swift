// Transfers between two accounts of banks, which report their sides as spending and as income.
import GRDB
public import Ledger
import Storage

/// Perhaps the other side of a transfer with a row of a bank: it has the opposite amount on another account in the
/// same currency within three days.
public struct BankCounterpart: Hashable, Sendable {
    /// The id of an open, booked row, or of a transaction.
    public let id: EntityID
    /// The account of this side. It is not the account of the row.
    public let account: EntityID
    /// Within three days of the row.
    public let date: CivilDate
    /// Whether it is in the book already as spending or as income, recorded from its bank or entered by hand in place of a
    /// row. Otherwise it is a row.
    public let isRecorded: Bool
}

/// The other sides of the open, booked rows of banks.
public struct BankCounterparts: Sendable {
    private var sides: [EntityID: BankCounterpart] = [:]

    /// The other side of the nearest day; nil if there is none.
    public subscript(row: BankRow) -> BankCounterpart? { sides[row.transaction.id] }

    fileprivate init(_ rows: BankRows, _ db: BookDatabase, _ lookups: Lookups) throws {
        let open = rows.open.filter { !$0.isPending }
        guard let newest = open.first?.date, let oldest = open.last?.date else { return }
        var others: [Money: [BankCounterpart]] = [:]
        for row in open {
            let other = BankCounterpart(id: row.id, account: row.account, date: row.date, isRecorded: false)
            others[rows.all[row.place].reported.money, default: []].append(other)
        }
        let accounts = lookups.accounts.map(\.account).filter { !$0.isClosed }
        let currencies = Dictionary(
            accounts.map { ($0.id, $0.currency) },
            uniquingKeysWith: { first, _ in first }
        )
        let sql = """
            SELECT id, account, date, iif(kind = 'income', account_minor, -account_minor)
            FROM transactions INDEXED BY transactions_by_date
            WHERE deleted_at IS NULL AND date BETWEEN ? AND ? AND kind <> 'transfer'
              AND (bank_transaction IS NOT NULL OR id IN (SELECT value FROM json_each(?)))
            """
        let most = BankRows.mostDaysApart
        let days = (oldest.adding(days: -most).dayNumber, newest.adding(days: most).dayNumber)
        let entered = SQLPiece.json(rows.enteredTransactions.sorted())
        try db.forEach(sql, [days.0, days.1, entered]) { row in
            let account = try row.id(1)
            guard let currency = currencies[account] else { return }
            let other = BankCounterpart(
                id: try row.id(0),
                account: account,
                date: row.date(2),
                isRecorded: true
            )
            others[Money(minor: row.int64(3), currency: currency), default: []].append(other)
        }
        for row in open {
            let money = rows.all[row.place].reported.money
            func distance(_ other: BankCounterpart) -> Int {
                abs(Int(other.date.dayNumber) - Int(row.date.dayNumber))
            }
            func order(_ other: BankCounterpart) -> (Int, Int, EntityID) {
                (distance(other), other.isRecorded ? 1 : 0, other.id)
            }
            sides[row.id] = others[Money(minor: -money.minor, currency: money.currency)]?
                .filter { $0.account != row.account && distance($0) <= most }.min { order($0) < order($1) }
        }
    }
}

extension Book {
    /// The other sides of rows. They are sought once for the same rows.
    public func bankCounterparts(of rows: BankRows) throws(BookError) -> BankCounterparts {
        if let known = rows.counterparts.withLock({ $0 }) { return known }
        let made = try reading { db, lookups in try BankCounterparts(rows, db, lookups) }
        rows.counterparts.withLock { $0 = made }
        return made
    }

    /// Records two rows, of which each is the other side of the other one, as a transfer. It has the user's writing on the
    /// side that the money leaves, and that on the other one where there is none (`TransferLosses`).
    /// - Returns: the number of the change in the history; nil if it is recorded already.
    /// - Throws: the errors of recording a transaction.
    public func recordTransfer(_ one: BankRow, _ other: BankRow) throws(BookError) -> Int64? {
        let (out, arrival) = one.reported.money.minor < 0 ? (one, other) : (other, one)
        var made = out.transaction
        (made.kind, made.category) = (.transfer, nil)
        (made.toAccount, made.toMinor) = (arrival.transaction.account, arrival.transaction.accountMinor)
        if made.note.isEmpty { made.note = arrival.transaction.note }
        if made.tags.isEmpty { made.tags = arrival.transaction.tags }
        let transfer = made
        try transfer.checkShape()
        return try changeAsUser { db in
            for row in [out, arrival] where try db.hasRecord(of: row.transaction.bankTransaction) {
                return nil
            }
            return try db.record(transfer, again: true) ? try db.presentChange() : nil
        }
    }

    /// Makes a transaction that is in the book as spending or as income a transfer, of which a row is the other side. It has
    /// the writing that it had, and that on the row where there was none, but no category and no parts (`TransferLosses`).
    /// - Returns: the number of the change in the history; nil if the two are no such sides any more.
    /// - Throws: the errors of changing a transaction.
    public func recordTransfer(_ row: BankRow, besideRecord id: EntityID) throws(BookError) -> Int64? {
        let side = row.transaction
        return try changeAsUser { db -> Int64? in
            guard let (record, isDeleted) = try db.storedTransaction(id), !isDeleted,
                record.kind == (side.kind == .income ? .expense : .income), record.account != side.account,
                record.accountMinor == side.accountMinor, try !db.hasRecord(of: side.bankTransaction)
            else { return nil }
            // The transfer remains the record of its own side.
            var transfer = record
            (transfer.kind, transfer.category, transfer.split) = (.transfer, nil, nil)
            transfer.amount = Money(minor: record.accountMinor, currency: row.reported.money.currency)
            if record.kind == .expense {
                (transfer.toAccount, transfer.toMinor) = (side.account, side.accountMinor)
            } else {
                (transfer.account, transfer.date) = (side.account, side.date)
                (transfer.toAccount, transfer.toMinor) = (record.account, record.accountMinor)
            }
            if record.note.isEmpty { transfer.note = side.note }
            if record.tags.isEmpty { transfer.tags = side.tags }
            let (_, fields) = try db.edited(transfer, nil)
            try db.patch(fields, Transaction.entityKind, id)
            return try db.presentChange()
        }
    }
}

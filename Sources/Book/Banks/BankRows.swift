// The transactions of banks as rows beside the rows of the book, with the user's writing on them.
import GRDB
public import Ledger
import Storage
import Synchronization

/// A transaction of a bank as a row of the book.
public struct BankRow: Hashable, Sendable {
    /// Whether the row is listed and counted.
    public enum State: Hashable, Sendable {
        /// It is listed and counted.
        case open
        /// The user has hidden it.
        case hidden
        /// This transaction is the record of it, or of the other side of the same transfer.
        case recorded(EntityID)
        /// This transaction, which was entered otherwise, has the same amount on the same account within three days. It
        /// counts in place of the row.
        case entered(EntityID)
    }

    /// The row as it is listed and counted, with the user's writing and with the values that rules have set.
    public let transaction: Transaction
    /// The result of the rules; nil if none has set a value.
    public let ruled: RuledBankRow?
    /// The transaction as the bank has reported it.
    public let reported: BankTransaction
    /// Whether the row is listed and counted.
    public let state: State
}

/// The result of the rules for a row of a bank.
public struct RuledBankRow: Hashable, Sendable {
    /// The transaction that records the row. Other than the row, it can have parts or be a transfer.
    public let record: Transaction
    /// The schedule of which it is the payment; nil for none.
    public let schedule: EntityID?
    /// The rules by the values that they have set.
    public let setBy: [RuleEffect: EntityID]
}

extension BankRow {
    /// The transaction that records the row.
    public var record: Transaction { ruled?.record ?? transaction }
}

/// The rows of all accounts that are joined to a bank. Only open rows are listed and counted.
public final class BankRows: Sendable {
    /// The rows, the newest first.
    public let all: [BankRow]
    private let places: [EntityID: Int]
    private let followed: [EntityID: EntityID]
    /// The open rows, the newest first.
    let open: [OpenBankRow]
    /// The booked rows that are in the balances of banks and not in the book, the newest first. They include hidden
    /// rows.
    let booked: [OpenBankRow]
    /// The accounts that this device can read, in the currencies in which their banks report them.
    let accounts: Set<EntityID>
    /// The balances of accounts whose banks report one.
    let balances: [EntityID: BankBalance]
    /// The unknown balances, of accounts at banks that this device cannot read, or that report the balances in another
    /// currency.
    let unknown: [EntityID: UnknownBalance]
    private let charges: [Charge]
    /// The texts in which a search finds words, made by the first search.
    private let texts = Mutex<BankRowTexts?>(nil)
    /// The other sides of the open rows; nil until they are asked for.
    let counterparts = Mutex<BankCounterparts?>(nil)

    /// The most days between a transaction of a bank and the same one as the user has entered it, and between the two sides
    /// of a transfer.
    static var mostDaysApart: Int { 3 }

    /// The row that is recorded under an id; nil if there is none.
    public subscript(id: EntityID) -> BankRow? { places[id].map { all[$0] } }

    /// The same for an id that a page had before the bank named the transaction anew.
    public func row(everUnder id: EntityID) -> BankRow? { self[id] ?? followed[id].flatMap { self[$0] } }

    /// Whether this device can read the bank of any account.
    public var areReported: Bool { !accounts.isEmpty }

    /// The accounts whose balances are unknown. Only their recorded transactions are counted.
    public var unknownAccounts: Set<EntityID> { Set(unknown.keys) }

    /// The marks of the open rows among some transactions.
    public func marks(of transactions: [Transaction]) -> [EntityID: BankMark] {
        var marks: [EntityID: BankMark] = [:]
        for transaction in transactions {
            guard let row = self[transaction.id], row.state == .open else { continue }
            marks[transaction.id] = row.reported.isPending ? .pending : .booked
        }
        return marks
    }

    /// The charges of the open rows in a range of months, in no particular order.
    func charges(in months: ClosedRange<YearMonth>) -> [Charge] {
        charges.filter { months.contains($0.month) }
    }

    /// The open row as a row of the book.
    func transaction(_ row: OpenBankRow) -> Transaction { all[row.place].transaction }

    /// The texts of the open rows, which are folded once.
    func searchTexts(_ db: BookDatabase) throws -> BankRowTexts {
        if let known = texts.withLock({ $0 }) { return known }
        let made = try BankRowTexts(open.map(transaction), try db.searchTokenizer())
        texts.withLock { $0 = made }
        return made
    }

    init(_ reports: BankReports, _ db: BookDatabase, _ lookups: Lookups, _ rules: RuleSet) throws {
        var accounts: [BankAccountKey: Account] = [:]
        for account in lookups.accounts.map(\.account) where !account.isClosed {
            if let key = account.bank.key, accounts[key] == nil { accounts[key] = account }
        }
        var readable: [BankAccountKey: Account] = [:]
        var unknown: [EntityID: UnknownBalance] = [:]
        for (key, account) in accounts {
            let currencies = reports.currencies[key] ?? []
            if !reports.accounts.contains(key) {
                let removed = account.bank.connection.flatMap { reports.removed[$0] }
                unknown[account.id] = UnknownBalance(since: removed ?? account.bank.syncedAt)
            } else if let other = currencies.min(), !currencies.contains(account.currency) {
                // The user has changed the currency of the account.
                unknown[account.id] = UnknownBalance(bankCurrency: other)
            } else {
                readable[key] = account
            }
        }
        self.accounts = Set(readable.values.map(\.id))
        self.unknown = unknown
        followed = reports.followed
        balances = Dictionary(
            readable.compactMap { key, account in reports.balances[key].map { (account.id, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        let rows = reports.rows.compactMap { row -> (row: BankReports.Row, account: Account)? in
            guard let account = readable[row.account], account.currency == row.reported.money.currency
            else { return nil }
            return (row, account)
        }
        let notes = try rows.isEmpty ? [:] : db.bankNotes()
        let records = try rows.isEmpty ? [:] : db.records(of: Set(rows.map { $0.row.account }))
        let unrecorded = rows.filter { row, _ in records[row.key.description] == nil }
        var firstDays: [BankAccountKey: CivilDate] = [:]
        // The newest is the first.
        for (row, _) in rows { firstDays[row.account] = row.reported.date }
        let kinds = Dictionary(
            lookups.choices.categories.map { ($0.id, $0.kind) },
            uniquingKeysWith: { first, _ in first }
        )
        var runner = RuleRunner(rules, db.ruleReferences(lookups))
        var ruled: [EntityID: RuleResult] = [:]
        if !rules.isEmpty {
            for (row, account) in unrecorded {
                let note = notes[row.key.description]
                let result = runner.run(row.ruleRow(row.transaction(on: account, note, kinds), note))
                if !result.setBy.isEmpty { ruled[row.id] = result }
            }
        }
        func isHidden(_ row: BankReports.Row) -> Bool {
            notes[row.key.description]?.isHidden == true || ruled[row.id]?.isHidden == true
        }
        let found = try db.entered(
            unrecorded,
            besides: Set(rows.map { $0.row.key.description }),
            since: firstDays,
            isHidden: isHidden
        )
        all = rows.map { row, account in
            let state: BankRow.State =
                if let record = records[row.key.description] {
                    .recorded(record)
                } else if isHidden(row) {
                    .hidden
                } else {
                    found[row.id]?.state(of: row.reported) ?? .open
                }
            let written = row.transaction(on: account, notes[row.key.description], kinds)
            let result = ruled[row.id]
            return BankRow(
                transaction: result.map { $0.listed(in: written) } ?? written,
                ruled: result.map { RuledBankRow($0) },
                reported: row.reported,
                state: state
            )
        }
        places = Dictionary(
            all.enumerated().map { ($1.transaction.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var (open, booked): ([OpenBankRow], [OpenBankRow]) = ([], [])
        for (place, row) in all.enumerated() where row.state == .open || row.state == .hidden {
            let counted = OpenBankRow(row, at: place, isRefund: lookups.isRefund(row.transaction))
            if row.state == .open { open.append(counted) }
            if !row.reported.isPending, found[row.transaction.id] == nil { booked.append(counted) }
        }
        (self.open, self.booked) = (open, booked)
        charges = self.open.charges
    }
}

extension BankReports.Row {
    /// The transaction that records the row, with the user's writing on it.
    /// - Parameter kinds: the kinds of the live categories.
    fileprivate func transaction(on account: Account, _ note: BankNote?, _ kinds: [EntityID: CategoryKind])
        -> Transaction
    {
        let minor = Int64(clamping: reported.money.minor.magnitude)
        let isExpense = reported.money.minor < 0
        // Income with a category of spending is a refund.
        let category = note?.category.flatMap { id in
            kinds[id].flatMap { isExpense && $0 != .expense ? nil : id }
        }
        return Transaction(
            id: id,
            kind: isExpense ? .expense : .income,
            date: reported.date,
            amount: Money(minor: minor, currency: reported.money.currency),
            account: account.id,
            accountMinor: minor,
            category: category,
            payee: note.flatMap { $0.payee.isEmpty ? nil : $0.payee } ?? payee,
            note: note?.note ?? "",
            tags: note?.tags ?? [],
            bankTransaction: key.description
        )
    }
}

extension Book {
    /// The rows of banks beside this book. They are compared with the book once after each change of it.
    public func bankRows(of reports: BankReports) throws(BookError) -> BankRows {
        if let known = reports.merged(in: lookups) { return known }
        let version = lookups.current.version
        let rows = try reading { db, lookups in try BankRows(reports, db, lookups, ruleSet(db)) }
        reports.keep(rows, of: version, in: lookups)
        return rows
    }
}

extension BookDatabase {
    /// The notes by the texts of their transactions; that with the least id, as for `bankNote(of:)`.
    fileprivate func bankNotes() throws -> [String: BankNote] {
        var notes: [String: BankNote] = [:]
        try forEach("SELECT \(BankNote.columns) FROM bank_notes WHERE deleted_at IS NULL ORDER BY id DESC") {
            let note = try BankNote($0)
            notes[note.transaction.description] = note
        }
        return notes
    }

    /// The live records of the transactions of accounts, by the texts of their keys.
    fileprivate func records(of accounts: Set<BankAccountKey>) throws -> [String: EntityID] {
        var records: [String: EntityID] = [:]
        // A space is before all characters of an identifier.
        let sql = """
            SELECT bank_transaction, id FROM transactions INDEXED BY transactions_by_bank
            WHERE bank_transaction > ? AND bank_transaction < ? AND deleted_at IS NULL
            """
        for account in accounts {
            try forEach(sql, ["\(account) ", "\(account)!"]) { records[$0.text(0)] = try $0.id(1) }
        }
        return records
    }

    /// The transactions that look like rows of the bank, and are records of no other row of their account, by the ids of
    /// the rows. Each belongs to one row of an account; see `BankPairing`.
    /// - Parameter reported: the keys of all rows. A record with another key is perhaps the record of a row that the
    ///   bank has renamed, unless the record is older than the report.
    fileprivate func entered(
        _ rows: [(row: BankReports.Row, account: Account)],
        besides reported: Set<String>,
        since firstDays: [BankAccountKey: CivilDate],
        isHidden: (BankReports.Row) -> Bool
    ) throws -> [EntityID: EnteredTransaction] {
        guard let oldest = rows.last?.row.reported.date else { return [:] }
        let first = oldest.adding(days: -BankRows.mostDaysApart).dayNumber
        var found: [AccountChange: [EnteredTransaction]] = [:]
        // A transfer carries the key of one of its sides, and can still be the transaction of the other one.
        let sql = """
            SELECT id, date, iif(kind = 'income', account_minor, -account_minor), kind, bank_transaction
            FROM transactions INDEXED BY transactions_by_account
            WHERE deleted_at IS NULL AND account = ? AND date >= ?
            UNION ALL
            SELECT id, date, to_minor, kind, bank_transaction
            FROM transactions INDEXED BY transactions_by_to_account
            WHERE deleted_at IS NULL AND to_account = ? AND date >= ?
            """
        let keys = Dictionary(
            rows.map { ($0.account.id, $0.row.account) },
            uniquingKeysWith: { key, _ in key }
        )
        for (account, key) in keys {
            let side: [(any DatabaseValueConvertible)?] = [account.column, first]
            try forEach(sql, StatementArguments(side + side)) { row in
                let date = row.date(1)
                var confirmation = EnteredTransaction.Confirmation.always
                if let text = row.optionalText(4) {
                    if BankTransactionKey(text: text).account == key.description {
                        guard !reported.contains(text), date >= firstDays[key] ?? date else { return }
                        confirmation = .unlessSameDay
                    } else if try row.kind(3) == .transfer {
                        confirmation = .never
                    }
                }
                found[AccountChange(account: account, minor: row.int64(2)), default: []]
                    .append(EnteredTransaction(id: try row.id(0), date: date, confirmation: confirmation))
            }
        }
        let perhaps = try perhapsEntered()
        guard !found.isEmpty || !perhaps.isEmpty else { return [:] }
        let answers = try bankAnswers()
        var candidates: [AccountChange: [BankPairingRow]] = [:]
        for (row, account) in rows {
            let change = AccountChange(account: account.id, minor: row.reported.money.minor)
            let candidate = BankPairingRow(id: row.id, date: row.reported.date, isHidden: isHidden(row))
            if found[change] != nil { candidates[change, default: []].append(candidate) }
        }
        var entered: [EntityID: EnteredTransaction] = [:]
        for (change, rows) in candidates {
            let entries = (found[change] ?? []).sorted { $0.confirmation < $1.confirmation }
            entered.merge(BankPairing(rows, entries, but: answers).pairs) { first, _ in first }
        }
        let taken = Set(entered.values.map(\.id))
        for (row, _) in rows where entered[row.id] == nil {
            if let other = perhaps[row.id], !taken.contains(other.id) { entered[row.id] = other }
        }
        let scheduled = try scheduledPayments(
            like: rows.filter { entered[$0.row.id] == nil && !isHidden($0.row) },
            since: first,
            besides: Set(entered.values.map(\.id))
        )
        return entered.merging(scheduled) { known, _ in known }
    }
}

/// A transaction of the book that looks like a row of a bank.
struct EnteredTransaction {
    /// The days on which the user decides whether it is the row.
    enum Confirmation: Int, Comparable {
        /// It is a transfer that is connected to the row of its other side.
        case never
        /// It is a record that the bank reports under another identifier, or not any more.
        case unlessSameDay
        case always

        static func < (one: Confirmation, other: Confirmation) -> Bool { one.rawValue < other.rawValue }
    }

    let id: EntityID
    let date: CivilDate
    let confirmation: Confirmation

    fileprivate func state(of row: BankTransaction) -> BankRow.State {
        switch confirmation {
        case .never: .recorded(id)
        case .unlessSameDay: row.date == date ? .recorded(id) : .entered(id)
        case .always: .entered(id)
        }
    }
}

/// A change of an account, by which rows of banks and transactions are compared.
private struct AccountChange: Hashable {
    let account: EntityID
    let minor: Int64
}

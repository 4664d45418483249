// Transactions that a bank reports under other identifiers than before: the one rule by which they are found, and the
// notes and records that follow them.
import GRDB
public import Ledger
import Storage
import SyncCore

/// The transactions of an account that its bank now reports under other identifiers: pending transactions that it has
/// booked or renamed, and booked transactions if it renames all of them.
///
/// A successor has the same amount. The successor of a pending transaction is at most a week away. It has the same
/// words if possible, or else it is booked and has the same first word, and it is of the nearest day. A successor that
/// is still pending has the same words. A transaction with the same amount alone, or with the same words alone, such as
/// with a tip or for a tank that was filled, is a successor if neither it nor the pending transaction has a rival. The
/// successor of a booked transaction is booked, has the same words, and is at most three days away. A transaction that
/// is older than the report has no successor.
public struct BankSuccessors: Hashable, Sendable {
    /// The present transactions by the former identifiers.
    public private(set) var byFormerID: [String: BankTransaction] = [:]
    /// The transactions that were pending and are booked now, with their present identifiers.
    public private(set) var booked: Set<BankTransactionKey> = []

    /// The transactions that are not reported any more, although they are not too old for the report.
    static func vanished(_ before: [BankTransaction], _ now: [BankTransaction]) -> [BankTransaction] {
        let (ids, first) = (Set(now.map(\.id)), now.map(\.date).min())
        return before.filter { row in
            !ids.contains(row.id) && (row.isPending || first.map { $0 <= row.date } ?? false)
        }
    }

    /// Whether a new report can differ from the last one by more than new transactions.
    /// - Parameters:
    ///   - before: the transactions of the last report, and pending transactions of earlier reports.
    ///   - now: the transactions of the present report.
    public static func arePossible(before: [BankTransaction], now: [BankTransaction]) -> Bool {
        before.contains(where: \.isPending) || !vanished(before, now).isEmpty
    }

    /// - Parameters:
    ///   - before: as for `arePossible`.
    ///   - isWritten: whether the book has a note or a record of a transaction. These find their successors first.
    init(
        of account: BankAccountKey,
        before: [BankTransaction],
        now: [BankTransaction],
        isWritten: (BankTransaction) throws -> Bool = { _ in false }
    ) rethrows {
        let pending = Set(before.filter(\.isPending).map(\.id))
        booked = Set(
            now.filter { !$0.isPending && pending.contains($0.id) }
                .map { BankTransactionKey(account, id: $0.id) }
        )
        let vanished = Self.vanished(before, now)
        let known = Set(before.map(\.id))
        var others: [Place: [BankTransaction]] = [:]
        for row in now where !known.contains(row.id) { others[Place(row), default: []].append(row) }
        guard !vanished.isEmpty, !others.isEmpty else { return }
        let written = Set(try vanished.filter(isWritten).map(\.id))
        for ofWritten in [true, false] {
            let rows = vanished.filter { written.contains($0.id) == ofWritten }
            for rule in Rule.inOrder {
                for distance in 0...Rule.mostDays {
                    for row in rows where byFormerID[row.id] == nil && rule.isFor(row, distance) {
                        for days in distance == 0 ? [0] : [-distance, distance]
                        where byFormerID[row.id] == nil {
                            let place = Place(row, days)
                            guard let index = others[place]?.firstIndex(where: { rule.admits($0, for: row) })
                            else { continue }
                            byFormerID[row.id] = others[place]?.remove(at: index)
                        }
                    }
                }
            }
        }
        // Where only the amount or only the words are the same, it must be clear which one it is.
        for (isAlike, mayBePending) in [(BankTransaction.hasAmount, false), (BankTransaction.hasWords, true)]
        {
            for row in vanished where row.isPending && byFormerID[row.id] == nil {
                let places = others.flatMap { place, rows in
                    rows.indices.filter { index in
                        isAlike(row)(rows[index]) && (mayBePending || !rows[index].isPending)
                    }
                    .map { (place, $0) }
                }
                let rivals = vanished.filter { $0.isPending && byFormerID[$0.id] == nil && isAlike(row)($0) }
                guard places.count == 1, rivals.count == 1, let (place, index) = places.first else {
                    continue
                }
                byFormerID[row.id] = others[place]?.remove(at: index)
            }
        }
        for (id, successor) in byFormerID where pending.contains(id) && !successor.isPending {
            booked.insert(BankTransactionKey(account, id: successor.id))
        }
    }
}

extension BankTransaction {
    /// Whether another one can be the same with other words.
    fileprivate func hasAmount(_ other: BankTransaction) -> Bool {
        other.money == money && isNear(other)
    }

    /// Whether another one can be the same with another amount.
    fileprivate func hasWords(_ other: BankTransaction) -> Bool {
        other.description == description && other.money.currency == money.currency
            && (other.money.minor < 0) == (money.minor < 0) && isNear(other)
    }

    private func isNear(_ other: BankTransaction) -> Bool {
        abs(other.date.dayNumber - date.dayNumber) <= Rule.mostDays
    }

    /// The letters and digits before the first other character, in lower case.
    fileprivate var firstWord: String {
        String(description.prefix { $0.isLetter || $0.isNumber }).lowercased()
    }
}

/// An amount on a day.
private struct Place: Hashable {
    let money: Money
    let day: Int32

    init(_ row: BankTransaction, _ days: Int = 0) {
        (money, day) = (row.money, row.date.adding(days: days).dayNumber)
    }
}

/// A degree of likeness of two transactions with the same amount.
private struct Rule {
    enum Words { case same, sameFirst }

    let words: Words
    let isPending: Bool
    static let mostDays = 7
    /// The greatest distance of two booked transactions: a bank that names them anew seldom changes their days.
    private static let mostDaysOfBooked = 3

    static let inOrder = [
        Rule(words: .same, isPending: false), Rule(words: .same, isPending: true),
        Rule(words: .sameFirst, isPending: false),
    ]

    /// Whether the rule is used for a former transaction.
    func isFor(_ row: BankTransaction, _ distance: Int) -> Bool {
        row.isPending || words == .same && !isPending && distance <= Self.mostDaysOfBooked
    }

    func admits(_ other: BankTransaction, for row: BankTransaction) -> Bool {
        guard other.isPending == isPending else { return false }
        switch words {
        case .same: return other.description == row.description
        case .sameFirst: return other.firstWord == row.firstWord
        }
    }
}

extension Book {
    /// Moves the user's notes, and the keys of records, from transactions that the bank now reports under other ids.
    /// - Parameters:
    ///   - before: the transactions of the last report, and pending transactions of earlier reports.
    ///   - now: the transactions of the present report.
    @discardableResult
    public func followBank(_ account: BankAccountKey, before: [BankTransaction], now: [BankTransaction])
        throws(BookError) -> BankSuccessors
    {
        func key(_ id: String) -> BankTransactionKey { BankTransactionKey(account, id: id) }
        let (successors, written) = try reading { db in
            var written: [String] = []
            let successors = try BankSuccessors(of: account, before: before, now: now) { row in
                guard try db.hasWriting(on: key(row.id)) else { return false }
                written.append(row.id)
                return true
            }
            return (successors, written)
        }
        let changed = before.filter { row in
            successors.byFormerID[row.id].map { $0.money != row.money } ?? false
        }
        if !changed.isEmpty { try noteChanged(changed, successors, of: account, before) }
        let moves = written.compactMap { id in successors.byFormerID[id].map { (key(id), key($0.id)) } }
        guard !moves.isEmpty else { return successors }
        try changeAsUser { db in
            for (former, present) in moves { try db.moveWriting(from: former, to: present) }
            for row in changed {
                guard let successor = successors.byFormerID[row.id] else { continue }
                try db.changeAmount(of: key(successor.id), from: row.money, to: successor.money)
            }
        }
        return successors
    }

    /// Notes which transactions that count in place of pending rows are perhaps their successors with other amounts.
    private func noteChanged(
        _ changed: [BankTransaction],
        _ successors: BankSuccessors,
        of account: BankAccountKey,
        _ before: [BankTransaction]
    ) throws(BookError) {
        let rows = try bankRows(of: BankReports([account: before]))
        let pairs = changed.compactMap { row -> (EntityID, EntityID)? in
            guard let successor = successors.byFormerID[row.id],
                case .entered(let id) = rows[BankTransactionKey(account, id: row.id).rowID]?.state
            else { return nil }
            return (id, BankTransactionKey(account, id: successor.id).rowID)
        }
        guard !pairs.isEmpty else { return }
        try lookups.changing { () throws(BookError) in
            try updateLocalState { db in for (id, row) in pairs { try db.notePerhaps(id, is: row) } }
        }
    }
}

extension BookDatabase {
    /// Whether there is a note on a transaction, or a record of it, also a deleted one.
    fileprivate func hasWriting(on key: BankTransactionKey) throws -> Bool {
        try bankNote(of: key) != nil || hasRecord(of: key.description, orDeleted: true)
    }

    /// Gives the record of a transaction the amount that the bank has booked, if the record had the amount that was
    /// reported before: the user has said that the two are the same.
    fileprivate func changeAmount(of key: BankTransactionKey, from former: Money, to present: Money) throws {
        let sql = """
            SELECT id FROM transactions INDEXED BY transactions_by_bank
            WHERE bank_transaction = ? AND deleted_at IS NULL ORDER BY id LIMIT 1
            """
        guard let id = try first(sql, [key.description], { try $0.id(0) }),
            let (record, _) = try storedTransaction(id),
            record.accountMinor == Int64(clamping: former.minor.magnitude)
        else { return }
        try setBookedAmount(present, of: id)
    }

    /// Gives a transaction the amount that a bank has booked. One in another currency, one with parts, and a transfer stay
    /// as they are.
    func setBookedAmount(_ money: Money, of id: EntityID) throws {
        guard var changed = try storedTransaction(id)?.0, changed.amount.currency == money.currency,
            changed.split == nil, changed.kind == (money.minor < 0 ? .expense : .income)
        else { return }
        changed.accountMinor = Int64(clamping: money.minor.magnitude)
        changed.amount.minor = changed.accountMinor
        let (_, fields) = try edited(changed, nil)
        if !fields.isEmpty { try patch(fields, Transaction.entityKind, id) }
    }

    /// Moves the note and the record of a transaction to another key, unless that has its own.
    fileprivate func moveWriting(from former: BankTransactionKey, to key: BankTransactionKey) throws {
        if let note = try bankNote(of: former), try bankNote(of: key) == nil {
            try patch(["bankTransaction": .text(key.description)], BankNote.entityKind, note.id)
        }
        // A deleted record moves as well, because the transaction is not recorded again by itself.
        guard try !hasRecord(of: key.description, orDeleted: true) else { return }
        try change(
            "UPDATE transactions SET bank_transaction = ? WHERE bank_transaction = ?",
            [key.description, former.description]
        )
    }
}

// What the book remembers of payees: to suggest them, and to fill in what they were last for.
import GRDB
public import Ledger
import Storage

/// A payee of late, and what it was last for.
public struct PayeeUse: Hashable, Sendable {
    /// As it was written.
    public let payee: String
    /// A live category, or nil.
    public let category: EntityID?
}

extension Book {
    /// The payees of the newest transactions with their last categories, newest first; kept in memory between two
    /// changes.
    public func recentPayeeUses() throws(BookError) -> [PayeeUse] {
        try payees.value { () throws(BookError) in
            var uses: [PayeeUse] = []
            for payee in try recentPayees(limit: 30) {
                uses.append(PayeeUse(payee: payee, category: try lastCategory(forPayee: payee)))
            }
            return uses
        }
    }

    /// Payees that begin so, the most used first. Case does not matter.
    public func suggestions(payee prefix: String, limit: Int = 8) throws(BookError) -> [PayeeSuggestion] {
        // SQLite folds ASCII only. For other letters the usual ways of writing a word are looked up as well.
        let lower = prefix.lowercased()
        let variants = Set([
            prefix, lower, prefix.uppercased(), lower.prefix(1).uppercased() + lower.dropFirst(),
        ])
        guard !prefix.isEmpty, !prefix.utf8.contains(0), limit > 0 else { return [] }
        return try reading { db in
            let sql = """
                SELECT payee, count FROM payee_months INDEXED BY payees
                WHERE month = 0 AND payee >= ? COLLATE NOCASE AND payee < ? COLLATE NOCASE AND count > 0
                """
            var counts: [String: Int] = [:]
            for variant in variants {
                var found: [String: Int] = [:]
                try db.forEach(sql, [variant, variant + "\u{10FFFF}"]) { row in
                    let payee = row.text(0)
                    found[payee] = (found[payee] ?? 0).addingClamped(row.int(1))
                }
                counts.merge(found) { first, _ in first }
            }
            return try counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map {
                payee,
                count in
                PayeeSuggestion(
                    payee: payee,
                    category: try db.lastCategory(ofPayee: payee),
                    account: try db.lastAccount(ofPayee: payee),
                    count: count
                )
            }
        }
    }

    /// The live category of the newest transaction with exactly this payee that has one; nil where none has.
    /// - Parameter kind: looks at transactions of this kind only.
    public func lastCategory(
        forPayee payee: String,
        kind: TransactionKind? = nil
    ) throws(BookError) -> EntityID? {
        guard !payee.isEmpty, !payee.utf8.contains(0) else { return nil }
        return try reading { db in try db.lastCategory(ofPayee: payee, kind: kind) }
    }

    /// The payees of the newest transactions, each once, newest first.
    public func recentPayees(limit: Int = 50) throws(BookError) -> [String] {
        try reading { db in
            // A few times as many rows as names: enough where payees repeat, and never the whole book.
            let sql = """
                SELECT payee FROM transactions INDEXED BY transactions_by_date
                WHERE deleted_at IS NULL ORDER BY date DESC, id DESC LIMIT ?
                """
            var seen: Set<String> = []
            var payees: [String] = []
            try db.forEachWhile(sql, [min(max(limit, 0), 1_000) * 5]) { row in
                let payee = row.text(0)
                if !payee.isEmpty, seen.insert(payee).inserted { payees.append(payee) }
                return payees.count < limit
            }
            return payees
        }
    }
}

extension Database {
    fileprivate func lastCategory(ofPayee payee: String, kind: Ledger.TransactionKind? = nil) throws
        -> EntityID?
    {
        let sql = """
            SELECT t.category FROM transactions t INDEXED BY transactions_by_payee
            CROSS JOIN categories c ON c.id = t.category AND c.deleted_at IS NULL
            WHERE t.payee = ? AND t.payee <> '' AND t.deleted_at IS NULL AND (? IS NULL OR t.kind = ?)
            ORDER BY t.date DESC, t.id DESC LIMIT 1
            """
        return try first(sql, [payee, kind?.rawValue, kind?.rawValue]) { try $0.id(0) }
    }

    fileprivate func lastAccount(ofPayee payee: String) throws -> EntityID? {
        let sql = """
            SELECT account FROM transactions INDEXED BY transactions_by_payee
            WHERE payee = ? AND payee <> '' AND deleted_at IS NULL ORDER BY date DESC, id DESC LIMIT 1
            """
        return try first(sql, [payee]) { try $0.id(0) }
    }
}

// Payees of earlier transactions: to suggest them, and to fill in their last category.
import Encoding
import GRDB
public import Ledger
import Storage

/// A payee of a recent transaction and its last category.
public struct PayeeUse: Hashable, Sendable {
    /// The payee's name as the user entered it.
    public let payee: String
    /// A live category, or nil.
    public let category: EntityID?
}

extension Book {
    /// The payees of the newest transactions with their last categories, newest first; cached between two
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

    /// The live category of the newest categorised transaction of this payee, in any spelling; nil if there is none.
    /// - Parameter kind: the kind of transactions that are considered; nil for all.
    public func lastCategory(
        forPayee payee: String,
        kind: TransactionKind? = nil
    ) throws(BookError) -> EntityID? {
        guard !payee.isEmpty, !payee.utf8.contains(0) else { return nil }
        return try reading { db in try db.lastCategory(ofPayee: payee, kind: kind) }
    }

    /// The distinct payees of the newest transactions, newest first.
    func recentPayees(limit: Int = 50) throws(BookError) -> [String] {
        try reading { db in
            // Five rows are read for each payee: enough if payees repeat, and never the whole book.
            let sql = """
                SELECT payee FROM transactions INDEXED BY transactions_by_date
                WHERE deleted_at IS NULL ORDER BY date DESC, id DESC LIMIT ?
                """
            var seen: Set<String> = []
            var payees: [String] = []
            try db.forEachWhile(sql, [min(max(limit, 0), 1_000) * 5]) { row in
                let payee = row.text(0)
                if !payee.isEmpty, seen.insert(payee.nameKey).inserted { payees.append(payee) }
                return payees.count < limit
            }
            return payees
        }
    }
}

extension BookDatabase {
    fileprivate func lastCategory(ofPayee payee: String, kind: Ledger.TransactionKind? = nil) throws
        -> EntityID?
    {
        let condition = SQLPiece(
            """
            (? IS NULL OR kind = ?) AND category IN (SELECT id FROM categories WHERE deleted_at IS NULL)
            """,
            [kind?.rawValue, kind?.rawValue]
        )
        return try newest(1, ofPayee: payee, selecting: ("category", 1), where: condition) {
            try $0.id(0)
        }.first
    }
}

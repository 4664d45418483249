// Payees of earlier transactions: to suggest them, and to fill in their usual category.
import Encoding
import GRDB
public import Ledger
import Storage

/// A payee of a recent transaction with what a new one begins with.
public struct PayeeUse: Hashable, Sendable {
    /// The payee's name as the user entered it.
    public let payee: String
    /// A live category, or nil.
    public let category: EntityID?
    /// The note that is set for the payee; empty for none.
    public let note: String
}

extension Book {
    /// The payees of the newest transactions with their usual categories and notes, newest first; cached between two
    /// changes.
    public func recentPayeeUses() throws(BookError) -> [PayeeUse] {
        try payees.value { () throws(BookError) in
            var uses: [PayeeUse] = []
            let recent = try recentPayees(limit: 30)
            try reading { db in
                let defaults = try db.payeeDefaults()
                for payee in recent {
                    let category = try db.usualCategory(ofPayee: payee, among: defaults)
                    let note = defaults.first { $0.name.nameKey == payee.nameKey }?.note ?? ""
                    uses.append(PayeeUse(payee: payee, category: category, note: note))
                }
            }
            return uses
        }
    }

    /// The live category, not an archived one, that a new transaction of this payee, in any spelling, gets: the one that is
    /// set for the payee, or else the last one. Nil if there is none.
    /// - Parameter kind: the kind of the new transaction, which the category fits; nil for any.
    public func usualCategory(ofPayee payee: String, kind: TransactionKind? = nil) throws(BookError)
        -> EntityID?
    {
        guard !payee.isEmpty, !payee.utf8.contains(0) else { return nil }
        return try reading { db in
            try db.usualCategory(ofPayee: payee, kind: kind, among: db.payeeDefaults())
        }
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
    /// - Parameter defaults: what is set for payees.
    fileprivate func usualCategory(
        ofPayee payee: String,
        kind: Ledger.TransactionKind? = nil,
        among defaults: [PayeeDefault]
    ) throws -> EntityID? {
        let chosen = defaults.first { $0.name.nameKey == payee.nameKey }?.category
        if let chosen, try isLiveCategory(chosen, for: kind ?? .income), try isOffered(chosen) { return chosen }
        return try lastCategory(ofPayee: payee, kind: kind)
    }

    /// The ids of the categories that forms offer: those that are live, and not archived themselves or by their parent.
    private static let offeredCategories = """
        SELECT c.id FROM categories c LEFT JOIN categories p ON p.id = c.parent
        WHERE c.deleted_at IS NULL AND c.archived IS NOT 1 AND p.archived IS NOT 1
        """

    private func isOffered(_ category: EntityID) throws -> Bool {
        try number("SELECT ? IN (\(Self.offeredCategories))", [category.column]) == 1
    }

    fileprivate func lastCategory(ofPayee payee: String, kind: Ledger.TransactionKind? = nil) throws
        -> EntityID?
    {
        let condition = SQLPiece(
            """
            (? IS NULL OR kind = ?) AND category IN (\(Self.offeredCategories))
            """,
            [kind?.rawValue, kind?.rawValue]
        )
        return try newest(1, ofPayee: payee, selecting: ("category", 1), where: condition) {
            try $0.id(0)
        }.first
    }
}

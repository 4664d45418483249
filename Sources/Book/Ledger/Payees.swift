// Payees of earlier transactions: to suggest them, and to fill in their usual category.
import Encoding
import GRDB
public import Ledger
import Storage

/// A payee with what a new transaction is filled in with.
public struct PayeeUse: Hashable, Sendable {
    /// The payee's name as the user entered it.
    public let payee: String
    /// The live category that was set for the payee, else that of the newest categorised transaction; nil for neither.
    public let category: EntityID?
    /// The note that was set for the payee; may be empty.
    public let note: String
    /// The newest transaction of the payee. Its accounts may be closed or deleted.
    public let latest: Transaction

    /// Does not check that the transaction is one of the payee.
    public init(payee: String, category: EntityID?, note: String = "", latest: Transaction) {
        self.payee = payee
        self.category = category
        self.note = note
        self.latest = latest
    }
}

extension Book {
    /// The payees of the newest transactions with their usual categories and notes, newest first; cached between two
    /// changes.
    public func recentPayeeUses() throws(BookError) -> [PayeeUse] {
        try payees.value { () throws(BookError) in
            let recent = try recentPayees(limit: 30)
            return try reading { db in try db.uses(ofPayees: recent) }
        }
    }

    /// The use of a payee, in any spelling; nil for one that the book does not have.
    public func payeeUse(of payee: String) throws(BookError) -> PayeeUse? {
        guard !payee.isEmpty, !payee.utf8.contains(0) else { return nil }
        return try reading { db in try db.uses(ofPayees: [payee]).first }
    }

    /// The payees whose names contain all words of a text in any form of its letters; see `PayeeNames`.
    public func payeeUses(matching text: String, limit: Int = 8) throws(BookError) -> [PayeeUse] {
        let names = try payeeNames.value { () throws(BookError) in
            try reading { db, lookups in try PayeeNames(db, spellings: lookups.payees.names(db)) }
        }
        let found = names.matching(text, limit: limit)
        return try reading { db in try db.uses(ofPayees: found) }
    }

    /// The live category, not an archived one, that a new transaction of this payee, in any spelling, gets: the one that is
    /// set for the payee, or else the last one. Nil if there is none.
    /// - Parameter kind: the kind of the new transaction, which the category fits; nil for any.
    public func usualCategory(ofPayee payee: String, kind: TransactionKind? = nil) throws(BookError)
        -> EntityID?
    {
        guard kind != .transfer, !payee.isEmpty, !payee.utf8.contains(0) else { return nil }
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
        if let chosen, try isLiveCategory(chosen, for: kind ?? .income), try isOffered(chosen) {
            return chosen
        }
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

    /// The uses of those of the payees that the book has.
    fileprivate func uses(ofPayees payees: [String]) throws -> [PayeeUse] {
        let defaults = try payeeDefaults()
        let columns = (Transaction.columns, Transaction.columnCount)
        return try payees.compactMap { payee in
            let newest = try newest(1, ofPayee: payee, selecting: columns, where: SQLPiece("TRUE", [])) {
                try Transaction($0)
            }
            guard let latest = newest.first else { return nil }
            return PayeeUse(
                payee: latest.payee,
                category: try usualCategory(ofPayee: payee, among: defaults),
                note: defaults.first { $0.name.nameKey == payee.nameKey }?.note ?? "",
                latest: latest
            )
        }
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

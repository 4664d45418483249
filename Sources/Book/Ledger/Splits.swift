// The categories of the parts of split transactions, and the amounts that count of such transactions.
import GRDB
import Ledger
import Storage
import SyncCore

/// One of the two amounts of a transaction.
enum CountedAmount {
    /// In the currency of the transaction.
    case paid
    /// The change of the account, in its currency.
    case account

    /// The column of `transactions`.
    fileprivate var whole: String { self == .paid ? "amount_minor" : "account_minor" }
    /// The column of `split_shares`.
    fileprivate var share: String { self == .paid ? "minor" : "account_minor" }
}

extension BookDatabase {
    /// Moves the parts of one category to another one, or to none.
    /// - Returns: the number of changed transactions.
    func moveParts(of source: EntityID, to target: EntityID?) throws -> Int {
        let sql = """
            SELECT id, split FROM transactions INDEXED BY transactions_split
            WHERE split IS NOT NULL AND deleted_at IS NULL AND instr(split, ?) > 0 ORDER BY seq
            """
        let found = try all(sql, [source.column]) { (try $0.id(0), Split(text: $0.text(1))) }
        var count = 0
        for (id, split) in found where split.parts.contains(where: { $0.category == source }) {
            let moved = split.categories { $0 == source ? target : $0 }
            count += try change("UPDATE transactions SET split = ? WHERE id = ?", [moved.text, id.column])
        }
        return count
    }

    /// The same parts, without the categories that are not live.
    func withoutDeletedCategories(_ split: Split) throws -> Split {
        var live: [EntityID: Bool] = [:]
        for category in split.parts.compactMap(\.category) where live[category] == nil {
            live[category] = try isLive(Category.entityKind, category)
        }
        return split.categories { category in category.flatMap { live[$0] == true ? $0 : nil } }
    }

    /// The same parts, with the copies of restored categories in the place of deleted ones.
    func withCopies(_ split: Split) throws -> Split {
        var copies: [EntityID: EntityID] = [:]
        for category in Set(split.parts.compactMap(\.category)) {
            copies[category] = try living(category, Category.entityKind)
        }
        return split.categories { category in category.map { copies[$0] ?? $0 } }
    }

    /// An expression for what counts of a row of `transactions`: its amount, or the sum of the shares that pass.
    /// - Parameters:
    ///   - condition: a condition on the category of a share, as `s.category IN (…)`; nil if all pass.
    ///   - amount: the amount that was paid, or the amount of the account.
    static func counted(_ condition: String?, _ amount: CountedAmount = .paid) -> String {
        guard let condition else { return amount.whole }
        return "CASE WHEN split IS NULL THEN \(amount.whole) ELSE \(shareSum(condition, amount)) END"
    }

    /// An expression for the refunds in a row of `transactions`: the income with a spending category.
    ///
    /// The parameters are as for `counted`.
    static func refunded(_ condition: String? = nil, _ amount: CountedAmount = .paid) -> String {
        let isOfSpending = "s.\(isOfSpending)"
        return """
            CASE WHEN kind <> 'income' THEN 0
              WHEN split IS NULL THEN iif(\(Self.isOfSpending), \(amount.whole), 0)
              ELSE \(shareSum([isOfSpending, condition].compactMap(\.self).joined(separator: " AND "), amount)) END
            """
    }

    private static func shareSum(_ condition: String, _ amount: CountedAmount) -> String {
        """
        (SELECT ifnull(sum(s.\(amount.share)), 0) FROM split_shares s INDEXED BY split_shares_by_seq
          WHERE s.seq = transactions.seq AND \(condition))
        """
    }

    /// A condition on a row of `transactions`: its category, or the category of a part, passes.
    /// - Parameters:
    ///   - condition: a condition that begins with `category`.
    ///   - shareCondition: the same for a share, if it is another one.
    static func hasShare(_ condition: String, orShare shareCondition: String? = nil) -> String {
        """
        CASE WHEN split IS NULL THEN +\(condition) ELSE EXISTS (
          SELECT 1 FROM split_shares s INDEXED BY split_shares_by_seq
          WHERE s.seq = transactions.seq AND s.\(shareCondition ?? condition)) END
        """
    }
}

extension Split {
    /// The same parts with other categories.
    fileprivate func categories(_ change: (EntityID?) -> EntityID?) -> Split {
        guard case .parts(let parts) = self else { return self }
        return .parts(
            parts.map { SplitPart(category: change($0.category), minor: $0.minor, note: $0.note) }
        )
    }
}

// A rule on the transactions that exist: the changes that it would make, and making them as a single step of the history.
import GRDB
public import Ledger
import Storage

/// The transactions that a rule would change.
public struct RulePreview: Hashable, Sendable {
    /// One transaction before and after.
    public struct Row: Hashable, Sendable {
        /// As it is stored.
        public let before: Transaction
        /// With the rule as the one that has set its values.
        public let after: Transaction
    }

    /// The first of them, the newest first.
    public internal(set) var rows: [Row] = []
    /// The number of transactions that would be changed.
    public internal(set) var count = 0
    /// The number of transactions that match, also of those that have the values already.
    public internal(set) var matchCount = 0
    /// The number of open rows of banks that match.
    public internal(set) var bankCount = 0
    /// Whether a regular expression of the rule is too costly for some row.
    public internal(set) var isTooCostly = false

    init() {}
}

extension Book {
    /// The transactions and the rows of banks that a rule would change. The rule need not be stored or on.
    /// - Parameters:
    ///   - bank: the rows of banks, whose words a rule compares too; nil if there are none.
    ///   - most: the greatest number of rows that are listed.
    public func preview(_ rule: Rule, beside bank: BankRows? = nil, most: Int = 50) throws(BookError)
        -> RulePreview
    {
        let rows = bank?.all ?? []
        return try reading { db, lookups in
            var preview = RulePreview()
            var trial = RuleTrial(rule, db.ruleReferences(lookups), rows)
            try db.forEach(RuleTrial.all) { row in
                let before = try Transaction(row)
                guard let after = trial.run(before) else { return }
                preview.count += 1
                if preview.rows.count < most { preview.rows.append(.init(before: before, after: after)) }
            }
            preview.matchCount = trial.matchCount
            for row in rows where row.state == .open {
                if trial.matches(row) { preview.bankCount += 1 }
            }
            preview.isTooCostly = trial.isTooCostly
            return preview
        }
    }

    /// Changes the transactions that match a rule, as one step of the history. Splits keep their parts, unless the rule
    /// makes parts. Only transactions that it still changes are changed.
    /// - Parameters:
    ///   - rule: its id is noted on the transactions.
    ///   - ids: the transactions that the user has confirmed; nil for all.
    ///   - bank: as for the preview.
    /// - Throws: `selectionTooLarge` for more than `TransactionSelection.limit`; the errors of changing a transaction,
    ///   after which nothing was changed.
    public func apply(_ rule: Rule, to ids: [EntityID]? = nil, beside bank: BankRows? = nil) throws(BookError)
        -> BulkResult
    {
        guard ids?.count ?? 0 <= TransactionSelection.limit else { throw .selectionTooLarge }
        let rows = bank?.all ?? []
        return try changeAsUser { db in
            var result = BulkResult()
            var trial = RuleTrial(rule, db.ruleReferences(try Lookups(db)), rows)
            var changed: [Transaction] = []
            func test(_ before: Transaction) throws {
                guard let after = trial.run(before) else { return result.unchangedCount += 1 }
                guard changed.count < TransactionSelection.limit else { throw BookError.selectionTooLarge }
                changed.append(after)
            }
            if let ids {
                let unique = Set(ids)
                var found = 0
                for id in unique.sorted() {
                    guard let (stored, isDeleted) = try db.storedTransaction(id), !isDeleted else { continue }
                    found += 1
                    try test(stored)
                }
                if found < unique.count { result.leftOut[.deleted] = unique.count - found }
            } else {
                try db.forEach(RuleTrial.all) { try test(Transaction($0)) }
                result.unchangedCount = trial.matchCount - changed.count
            }
            for transaction in changed {
                let edit = try db.edit(transaction, nil, isByRule: true)
                if edit.change == nil { result.unchangedCount += 1 } else { result.changedCount += 1 }
            }
            if result.changedCount > 0 { result.change = try db.presentChange() }
            return result
        }
    }
}

/// One rule that is tried on transactions.
private struct RuleTrial {
    /// All live transactions, the newest first.
    static let all = """
        SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_date
        WHERE deleted_at IS NULL ORDER BY date DESC, id DESC
        """

    private let id: EntityID
    private var runner: RuleRunner
    private var words: [String: [String]] = [:]
    private(set) var matchCount = 0
    private(set) var isTooCostly = false

    init(_ rule: Rule, _ references: RuleReferences, _ bank: [BankRow]) {
        var rule = rule
        rule.isEnabled = true
        id = rule.id
        runner = RuleRunner(RuleSet([rule], Book.patterns), references)
        for row in bank {
            guard let key = row.transaction.bankTransaction else { continue }
            words[key] = row.reported.words
        }
    }

    /// The transaction with the values of the rule; nil if it does not match or has them already.
    mutating func run(_ transaction: Transaction) -> Transaction? {
        let texts = transaction.bankTransaction.flatMap { words[$0] } ?? []
        // A transaction of the book cannot be hidden.
        let result = runner.run(RuleRow(transaction, bankTexts: texts, typed: [.hide, .schedule]))
        if !result.tooCostly.isEmpty { isTooCostly = true }
        guard !result.matched.isEmpty else { return nil }
        matchCount += 1
        guard !result.setBy.isEmpty else { return nil }
        var changed = result.transaction
        changed.rule = id
        return changed
    }

    mutating func matches(_ row: BankRow) -> Bool {
        let result = runner.run(RuleRow(row.transaction, bankTexts: row.reported.words))
        if !result.tooCostly.isEmpty { isTooCostly = true }
        return !result.matched.isEmpty
    }
}

extension BankTransaction {
    /// The words of the bank in which rules look for texts.
    var words: [String] { [description] + (counterparty.map { [$0] } ?? []) }
}

// Transactions without a category, by payee, and their category: a single step of the history.
import Encoding
import GRDB
public import Ledger
import Storage

extension Book {
    /// The number of live expenses and income without a category; cached between two changes.
    public func uncategorizedCount() throws(BookError) -> Int { try current(\.uncategorizedCount) }

    /// The payees of live expenses and income without a category, those of most transactions first. Transactions without a
    /// payee are a group of their own.
    public func uncategorizedPayees() throws(BookError) -> [UncategorizedPayee] {
        try reading { db, lookups in
            try db.uncategorizedPayees(lookups, spellings: lookups.payees.names(db))
        }
    }

    /// The live expenses and income of a payee without a category, the newest first.
    /// - Parameters:
    ///   - payee: in any spelling; empty for those without a payee.
    ///   - most: the greatest number of rows.
    public func uncategorized(ofPayee payee: String, most: Int) throws(BookError) -> [Transaction] {
        try reading { db, lookups in
            Array(try db.uncategorized(ofPayee: payee, lookups, most: most).prefix(most))
        }
    }

    /// Gives all expenses and income of a payee that have no category the same one, as one change. An expense that cannot
    /// have it is left out, and counted.
    /// - Parameters:
    ///   - payee: in any spelling; empty for those without a payee.
    ///   - always: the id of a rule that gives the category to new rows of the payee as well; nil for no rule.
    /// - Throws: `selectionTooLarge`, `unknownCategory`; after which nothing was changed.
    public func categorize(_ payee: String, as category: Ledger.Category, always: EntityID? = nil)
        throws(BookError) -> BulkResult
    {
        let most = TransactionSelection.limit
        return try changeAsUser { db in
            let rows = try db.uncategorized(ofPayee: payee, Lookups(db), most: most)
            guard rows.count <= most else { throw BookError.selectionTooLarge }
            var result = BulkResult()
            try db.make(.category(category), of: rows, &result)
            if result.changedCount > 0 { result.change = try db.presentChange() }
            if let always, !payee.isEmpty, result.changedCount > 0 {
                let offer = RuleOffer(payee: payee, category: category.id, count: 0)
                let name = "\(payee) → \(category.name)".prefix(Rule.nameLimit)
                let rule = offer.rule(id: always, name: String(name))
                let isThere = try db.rules().contains {
                    ($0.match, $0.conditions, $0.effects) == (rule.match, rule.conditions, rule.effects)
                }
                try rule.checkShape()
                if !isThere { _ = try db.add(rule) }
            }
            return result
        }
    }
}

extension BookDatabase {
    /// The number of live expenses and income without a category.
    func uncategorizedCount() throws -> Int {
        // The sums count the parts of splits as well.
        try number(
            """
            SELECT ifnull(sum(count), 0) - (SELECT count(*) FROM split_shares WHERE category = '')
            FROM category_months WHERE month = 0 AND category = '' AND kind IN ('expense', 'income')
            """
        )
    }

    /// The category of a split is that of its parts.
    private static var isNoSplit: SQLPiece { SQLPiece("split IS NULL", []) }

    fileprivate func uncategorized(ofPayee payee: String, _ lookups: Lookups, most: Int) throws
        -> [Transaction]
    {
        var query = TransactionQuery()
        (query.category, query.payee, query.limit) = (.uncategorized, payee, most)
        let list = try TransactionList(self, lookups, query, most: TransactionSelection.limit)
        return try list.listed(list.streams, [Self.isNoSplit])
    }

    fileprivate func uncategorizedPayees(_ lookups: Lookups, spellings: [String: String]) throws
        -> [UncategorizedPayee]
    {
        var query = TransactionQuery()
        query.category = .uncategorized
        let list = try TransactionList(self, lookups, query)
        var payees: [String: UncategorizedPayee] = [:]
        for days in try list.spans() {
            let scan = list.scan(
                list.streams,
                selecting: "payee, kind, currency, amount_minor, date",
                within: TransactionList.between(days),
                [Self.isNoSplit]
            )
            // The sums of all transactions fit, so those of some do.
            let sql = """
                SELECT payee, currency, count(*), min(date), max(date),
                  sum(iif(kind = 'income', amount_minor, 0)), sum(iif(kind = 'expense', amount_minor, 0))
                FROM (\(scan.sql)) GROUP BY payee, currency
                """
            try forEach(sql, StatementArguments(scan.arguments)) { row in
                let name = spellings[row.text(0)] ?? row.text(0)
                let (first, last) = (row.date(3), row.date(4))
                var payee = payees[name] ?? UncategorizedPayee(name: name, first: first, last: last)
                payee.add(
                    CurrencyTotal(
                        currency: try row.currency(1),
                        incomeMinor: Int128(row.int64(5)),
                        expenseMinor: Int128(row.int64(6)),
                        count: row.int(2)
                    )
                )
                (payee.first, payee.last) = (min(payee.first, first), max(payee.last, last))
                payees[name] = payee
            }
        }
        return payees.values.sorted { one, other in
            (other.count, one.name.nameKey, one.name) < (one.count, other.name.nameKey, other.name)
        }
    }
}

extension UncategorizedPayee {
    fileprivate mutating func add(_ total: CurrencyTotal) {
        count += total.count
        guard let known = totals.firstIndex(where: { $0.currency == total.currency }) else {
            totals.append(total)
            totals.sort { $0.currency.rawValue < $1.currency.rawValue }
            return
        }
        totals[known].count += total.count
        totals[known].incomeMinor += total.incomeMinor
        totals[known].expenseMinor += total.expenseMinor
    }
}

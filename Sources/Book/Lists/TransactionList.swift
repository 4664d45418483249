// The list of transactions: keyset pagination, with the totals of the page's days and of all matches.
import GRDB
public import Ledger
import Storage

extension Book {
    /// A page of the list with all values that it shows, as one consistent read.
    ///
    /// An index finds the rows from the end of the previous page on, and totals come from maintained sums:
    /// the cost does not depend on the size of the book. Three kinds of queries add up their matches: a search,
    /// a filter by account and category together, and one by the accounts for daily use.
    ///
    /// `text` finds words by their beginnings in payee, note, tags and the names of categories (and their
    /// parents) and accounts (of both ends), without regard to what `searchForm` folds, symbols and emoji, and
    /// amounts as a form would read them. All words must be found. Words of scripts without spaces are found
    /// inside others too. A page has at most 500 rows.
    ///
    /// An order by amount sorts all matches anew for each page, in time that is proportional to their number.
    /// - Parameters:
    ///   - base: nil for totals in the currencies in which the transactions were paid. Otherwise amounts that are known
    ///     in this currency count in it, and all others in the currency of their account, so that the totals can be
    ///     converted into the totals of the overview.
    ///   - bank: the rows of banks that are listed and counted among the rows of the book.
    ///   - today: the day up to which the totals are, of a query that begins by then. All rows are listed.
    public func transactions(
        _ query: TransactionQuery,
        knownIn base: CurrencyCode? = nil,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture
    ) throws(BookError) -> TransactionsView {
        try reading { db, lookups in
            TransactionsView(
                page: try TransactionList(db, lookups, query, knownIn: base, beside: bank, through: today)
                    .page(),
                choices: lookups.choices,
                counts: lookups.counts
            )
        }
    }
}

extension BookDatabase {
    /// The account of the transaction that was created last. It may be closed if that was long ago.
    func lastAccount() throws -> EntityID? {
        // Deleted transactions are skipped, but only up to a limit.
        let newest = """
            SELECT account FROM (SELECT id, account, deleted_at FROM transactions ORDER BY id DESC LIMIT 100)
            WHERE deleted_at IS NULL AND account NOT IN (SELECT id FROM accounts WHERE closed = 1)
            ORDER BY id DESC LIMIT 1
            """
        if let account = try first(newest, [], { try $0.id(0) }) { return account }
        let latest = """
            SELECT account FROM transactions INDEXED BY transactions_by_date WHERE deleted_at IS NULL
            ORDER BY date DESC, id DESC LIMIT 1
            """
        return try first(latest) { try $0.id(0) }
    }
}

/// The evaluation of one query.
struct TransactionList {
    let db: BookDatabase
    let query: TransactionQuery
    let search: Search
    /// The category of the filter and its children; nil if the filter names no category.
    let categories: [EntityID]?
    /// The spellings of the payee of the filter; nil if the filter names no payee.
    let payees: [String]?
    /// The accounts whose transfers the page adds up, with their currencies: the account of the filter, or the accounts
    /// for daily use.
    let accounts: [EntityID: CurrencyCode]
    /// The range of days, both ends included.
    let days: ClosedRange<Int32>
    let limit: Int
    let lookups: Lookups
    /// The currency in which amounts are preferred in totals; nil for the amounts that were paid, also if everything
    /// was paid in the preferred currency.
    let base: CurrencyCode?
    /// The currency that was asked for.
    let preferred: CurrencyCode?
    /// The rows of banks that are listed among the rows of the book; nil for none.
    let bank: BankRows?
    /// The days of the query that are to come, as far as there are transactions; nil if the totals are of all its days.
    let toCome: ClosedRange<CivilDate>?

    /// The parsed text of the query, with the filters that the search index has.
    enum Search: Equatable {
        case everything
        case nothing
        case plan(SearchPlan)

        init(_ query: TransactionQuery, names: BookChoices, _ db: BookDatabase) throws {
            self = .everything
            guard query.text != nil || !query.tags.isEmpty || query.amount != nil else { return }
            let tokenizer = try db.searchTokenizer()
            let filters = try query.indexedFilters(tokenizer)
            switch try SearchText(query.text, decimalSign: query.decimalSign, tokenizer) {
            case .everything where filters.isEmpty: break
            case .everything: self = .plan(try SearchPlan([], beside: filters, names: names, tokenizer))
            case .nothing: self = .nothing
            case .words(let words):
                self = .plan(try SearchPlan(words, beside: filters, names: names, tokenizer))
            }
        }
    }

    /// The position behind which the rows begin; nil for the first page.
    var after: TransactionCursor? { query.after.flatMap { query.sort.has($0) ? $0 : nil } }

    /// Whether the oldest rows come first.
    var isAscending: Bool { query.sort == TransactionSort(.date) }

    init(
        _ db: BookDatabase,
        _ lookups: Lookups,
        _ query: TransactionQuery,
        knownIn base: CurrencyCode? = nil,
        beside bank: BankRows? = nil,
        through today: CivilDate = .distantFuture,
        most: Int = 500
    ) throws {
        self.bank = bank
        let asked = query.days ?? CivilDate(dayNumber: .min)...CivilDate.distantFuture
        toCome = lookups.daysToCome(in: asked, after: today, beside: bank)
        preferred = base
        self.base = base.flatMap { lookups.isPaid(only: $0) ? nil : $0 }
        self.db = db
        self.lookups = lookups
        self.query = query
        search = try Search(query, names: lookups.choices, db)
        limit = min(max(query.limit, 1), most)
        days = asked.lowerBound.dayNumber...asked.upperBound.dayNumber
        categories =
            switch query.category {
            case .family(let id): lookups.family(of: id)
            case .alone(let id): [id]
            case .uncategorized, nil: nil
            }
        payees = try query.payee.map { $0.isEmpty ? [$0] : try db.spellings(of: $0) }
        let listed = lookups.accounts.map(\.account).filter {
            query.isOfDailyUse ? $0.type.isForDailyUse : $0.id == query.account
        }
        accounts = Dictionary(listed.map { ($0.id, $0.currency) }, uniquingKeysWith: { first, _ in first })
    }

    /// The rows of the book: up to one row more than the page shows.
    func rows() throws -> [Transaction] {
        switch search {
        case .nothing: []
        case _ where query.sort.key != .date: try sorted()
        case .everything: try listed(streams)
        case .plan(let plan): try found(by: plan)
        }
    }

    func page() throws -> TransactionPage {
        guard search != .nothing else { return TransactionPage(rows: [], days: [], totals: [], next: nil) }
        let bank = try bankMatches()
        var rows = merged(try rows(), with: bank)
        let hasMore = rows.count > limit
        if hasMore { rows.removeSubrange(limit...) }
        let next = hasMore ? rows.last.map(query.sort.cursor) : nil
        let isComplete = !hasMore && after == nil
        let later = try toCome.map { try totals(of: $0, rows, isComplete: isComplete, beside: bank) } ?? []
        let moved = try moved()
        var page = TransactionPage(
            rows: rows,
            days: query.sort.key == .date ? try dayTotals(rows, hasMore: hasMore, beside: bank) : [],
            totals: try totals(rows, isComplete: isComplete, beside: bank).without(later),
            moved: moved.soFar,
            next: next
        )
        (page.toCome, page.movedToCome) = (later, moved.toCome)
        for row in rows where row.split != nil {
            let minor = counted(row, of: row.amount).amount.minor
            if minor != row.amount.minor { page.partMinors[row.id] = minor }
        }
        page.withReceipts = try lookups.receiptMarks.among(rows.map(\.id), db)
        return page
    }

    /// The amount of a row that counts: the whole, or the shares that pass the filter by category, and the refunds
    /// among them.
    /// - Parameter whole: what was paid, or what the account was charged.
    func counted(_ row: Transaction, of whole: Money) -> (amount: Money, refundMinor: Int64) {
        var amount = whole
        guard row.split != nil else { return (amount, lookups.isRefund(row) ? amount.minor : 0) }
        let isPaid = amount.currency == row.amount.currency
        amount.minor = 0
        var refundMinor: Int64 = 0
        for share in row.shares {
            let isOfSpending = lookups.isOfSpending(share.category)
            if query.isSpending, row.kind == .income, !isOfSpending { continue }
            if let categories, share.category.map(categories.contains) != true { continue }
            if query.category == .uncategorized, share.category != nil { continue }
            let minor = isPaid ? share.minor : share.accountMinor
            amount.minor += minor
            if row.kind == .income, isOfSpending { refundMinor += minor }
        }
        return (amount, refundMinor)
    }

    /// The condition on the category of a share that passes the filters; nil if all pass.
    var shareCondition: String? {
        var conditions: [String] = []
        if let categories {
            let ids = categories.map { "'\($0)'" }.joined(separator: ", ")
            conditions.append("s.category IN (\(ids))")
        }
        if query.category == .uncategorized { conditions.append("s.category = ''") }
        if query.isSpending { conditions.append("(kind = 'expense' OR s.\(BookDatabase.isOfSpending))") }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    // MARK: Rows by index

    /// A range of an index over live transactions, in the order of the list.
    struct Stream {
        let index: String
        let key: String?
        let value: String?
        /// Whether the range is one of `split_shares`, which leads to the transactions.
        var isOfShares = false
    }

    /// The index ranges that contain all rows that pass the filters: one for each category or each end of the
    /// account, so that SQLite can merge them without sorting. Empty if no row can pass.
    var streams: [Stream] {
        // SQLite merges at most 500 ranges.
        if let payees, !query.isWithoutPayee, payees.count <= 200 { return payees.map(Stream.init(payee:)) }
        if let categories, categories.count <= 200 { return categories.flatMap(Stream.all(of:)) }
        if let account = query.account { return Stream.ends(of: account) }
        if let kind = query.kind { return [Stream(kind: kind)] }
        // No index selects transactions without a category or a payee, or refunds. These two at least exclude transfers.
        if query.category == .uncategorized || query.isSpending || query.isWithoutPayee {
            return [Stream(kind: .expense), Stream(kind: .income)]
        }
        return [Stream(index: "transactions_by_date", key: nil, value: nil)]
    }

    /// Up to one row more than the page shows, which tells whether there is a next page.
    func listed(_ streams: [Stream], _ conditions: [SQLPiece] = []) throws -> [Transaction] {
        var rows: [Transaction] = []
        rows.reserveCapacity(limit + 1)
        let order = isAscending ? "date, id" : "date DESC, id DESC"
        for days in try spans() where rows.count <= limit && !streams.isEmpty {
            guard let bounds = remaining(of: days) else { continue }
            let scan = scan(streams, selecting: Transaction.columns, within: bounds, conditions)
            try db.forEachWhile("\(scan.sql) ORDER BY \(order)", StatementArguments(scan.arguments)) {
                columns in
                let row = try Transaction(columns)
                // Two streams may contain the same row. It then comes twice in succession.
                if rows.last?.id != row.id { rows.append(row) }
                return rows.count <= limit
            }
        }
        return rows
    }

    /// The condition on the rows of some days that come after the previous page; nil if there are none.
    private func remaining(of days: ClosedRange<Int32>) -> SQLPiece? {
        if isAscending {
            var lower = (date: days.lowerBound, id: "")
            if let after, after.date.dayNumber >= lower.date {
                lower = (after.date.dayNumber, after.id.description)
            }
            guard lower.date <= days.upperBound else { return nil }
            return SQLPiece("date <= ? AND (date, id) > (?, ?)", [days.upperBound, lower.date, lower.id])
        }
        var upper = (date: days.upperBound + 1, id: "")
        if let after, after.date.dayNumber < upper.date {
            upper = (after.date.dayNumber, after.id.description)
        }
        guard upper.date >= days.lowerBound else { return nil }
        return SQLPiece("date >= ? AND (date, id) < (?, ?)", [days.lowerBound, upper.date, upper.id])
    }

    /// The ranges of days to read, in the order of the rows: the range of the query. For transactions without a category, only the
    /// months whose sums have such transactions.
    func spans() throws -> [ClosedRange<Int32>] {
        guard days.lowerBound <= days.upperBound else { return [] }
        guard query.category == .uncategorized else { return [days] }
        let sql = """
            SELECT DISTINCT month FROM category_months INDEXED BY category_months_by_category
            WHERE category = '' AND kind IN ('expense', 'income') AND count > 0 AND month <> 0
            ORDER BY month \(isAscending ? "" : "DESC")
            """
        return try db.all(sql) { $0.month(0) }.compactMap { month in
            let (first, last) = (month.firstDay.dayNumber, month.lastDay.dayNumber)
            return days.overlaps(first...last) ? days.clamped(to: first...last) : nil
        }
    }

    /// A query for the live rows of some streams that pass the filters and further conditions.
    func scan(
        _ streams: [Stream],
        selecting columns: String,
        within bounds: SQLPiece,
        _ conditions: [SQLPiece] = []
    ) -> SQLPiece {
        streams.map { stream in
            var piece: SQLPiece
            if stream.isOfShares, let category = stream.value {
                piece = Self.shares(of: category, selecting: columns, within: bounds)
            } else {
                piece = SQLPiece(
                    "SELECT \(columns) FROM transactions INDEXED BY \(stream.index) WHERE deleted_at IS NULL",
                    []
                )
                if let key = stream.key, let value = stream.value { piece.and("\(key) = ?", [value]) }
                if stream.key == "category" { piece.and("split IS NULL") }
                if stream.key == "payee" { piece.and("payee <> ''") }
                piece.and(bounds.sql, bounds.arguments)
            }
            addFilters(to: &piece, but: stream.key)
            for condition in conditions { piece.and(condition.sql, condition.arguments) }
            return piece
        }
        .joined(separator: " UNION ALL ")
    }

    /// A query for the split transactions of a category. Date and id are selected from the index that sorts them.
    private static func shares(of category: String, selecting columns: String, within bounds: SQLPiece)
        -> SQLPiece
    {
        let selected = columns.split(separator: ", ").map {
            ["date", "id"].contains($0) ? "of_\($0)" : String($0)
        }
        return SQLPiece(
            """
            SELECT \(selected.joined(separator: ", ")) FROM (
              SELECT seq AS of_seq, date AS of_date, id AS of_id FROM split_shares
              WHERE category = ? AND \(bounds.sql))
            CROSS JOIN transactions ON seq = of_seq WHERE deleted_at IS NULL
            """,
            [category] + bounds.arguments
        )
    }

    /// Adds the conditions of the filters. A unary plus prevents the planner from choosing another index.
    /// - Parameter key: the column that the stream already restricts.
    func addFilters(to piece: inout SQLPiece, but key: String? = nil) {
        if let kind = query.kind, key != "kind" { piece.and("+kind = ?", [kind.rawValue]) }
        if let payees, key != "payee" {
            piece.and("+payee IN (SELECT value FROM json_each(?))", [SQLPiece.json(payees)])
            // Transfers have none either, and are no row of a payee.
            if query.isWithoutPayee { piece.and("+kind <> 'transfer'") }
        }
        if let account = query.account {
            piece.and("(+account = ? OR +to_account = ?)", [account.description, account.description])
        }
        if query.isOfDailyUse {
            let ids = SQLPiece.json(Array(accounts.keys))
            let isOfThem = "IN (SELECT value FROM json_each(?))"
            piece.and("(+account \(isOfThem) OR +to_account \(isOfThem))", [ids, ids])
        }
        if let categories {
            let ids = SQLPiece.json(categories)
            piece.and(BookDatabase.hasShare("category IN (SELECT value FROM json_each(?))"), [ids, ids])
        }
        if query.category == .uncategorized {
            piece.and(
                "\(BookDatabase.hasShare("category IS NULL", orShare: "category = ''")) AND +kind <> 'transfer'"
            )
        }
        if query.isSpending {
            let isRefund = BookDatabase.hasShare(BookDatabase.isOfSpending)
            piece.and("(+kind = 'expense' OR (+kind = 'income' AND \(isRefund)))")
        }
        if query.isSpending, query.category != nil, let shareCondition {
            // One and the same part passes both filters.
            piece.and(
                """
                (split IS NULL OR EXISTS (
                  SELECT 1 FROM split_shares s INDEXED BY split_shares_by_seq
                  WHERE s.seq = transactions.seq AND \(shareCondition)))
                """
            )
        }
        addDetails(to: &piece)
        guard let counts = query.counts else { return }
        piece.and(counts.condition(on: "transactions"), [counts.currency.rawValue, counts.currency.rawValue])
    }

    static func between(_ days: ClosedRange<Int32>) -> SQLPiece {
        SQLPiece("date >= ? AND date <= ?", [days.lowerBound, days.upperBound])
    }
}

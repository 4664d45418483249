// The verification and the rebuilding of the sums that triggers maintain, and faster ways to add many transactions.
import GRDB
import Storage

enum Sums {
    /// The triggers that maintain the sums and the search index when a transaction is added.
    private static let insertTriggers = """
        'transactions_insert', 'transactions_search_insert', 'transactions_charged_insert',
        'transactions_payee_insert', 'transactions_split_insert', 'transactions_month_insert'
        """

    /// The names of the tables whose sums are wrong; empty if all are right.
    static func verify(_ db: Database) throws -> [String] {
        var wrong: [String] = []
        for table in tables {
            let held = "SELECT * FROM \(table.name) WHERE \(table.counting)"
            let sql = """
                SELECT EXISTS (SELECT * FROM (\(held)) EXCEPT SELECT * FROM (\(table.rows)))
                  OR EXISTS (SELECT * FROM (\(table.rows)) EXCEPT SELECT * FROM (\(held)))
                """
            if try Bool.fetchOne(db, sql: sql) ?? true { wrong.append(table.name) }
        }
        if try !searchIsComplete(db) { wrong.append("transactions_search") }
        let unnamed = """
            SELECT EXISTS (SELECT payee FROM payee_years WHERE year = 0 EXCEPT SELECT payee FROM payee_names)
            """
        if try Bool.fetchOne(db, sql: unnamed) ?? true { wrong.append("payee_names") }
        return wrong
    }

    /// Whether the index has each live transaction with its amounts, and no others.
    private static func searchIsComplete(_ db: Database) throws -> Bool {
        try db.execute(
            sql:
                "CREATE VIRTUAL TABLE temp.search_words USING fts5vocab (main, transactions_search, instance)"
        )
        defer { try? db.execute(sql: "DROP TABLE temp.search_words") }
        let held = "SELECT doc, term FROM temp.search_words WHERE term > char(57344) AND term < char(57345)"
        let rows = """
            SELECT number, value FROM transaction_amounts,
              json_each('["' || replace(ltrim(amounts), ' ', '","') || '"]')
            """
        let sql = """
            SELECT EXISTS (\(held) EXCEPT \(rows)) OR EXISTS (\(rows) EXCEPT \(held))
            """
        return try Bool.fetchOne(db, sql: sql) == false
    }

    /// Empties all sums and the search index and fills them from the transactions.
    static func rebuild(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM payee_names")
        // The sums of years are filled from the sums of months, and not by the triggers row by row.
        let triggers = try dropping(db, "tbl_name IN ('payee_months', 'charged_months')")
        for table in tables {
            try db.execute(sql: "DELETE FROM \(table.name)")
            for rows in table.filling ?? [table.rows] {
                try db.execute(sql: "INSERT INTO \(table.name) \(rows)")
            }
        }
        for trigger in triggers { try db.execute(sql: trigger) }
        try db.execute(sql: countChanges(of: "transactions"))
        try db.execute(sql: "INSERT INTO transactions_search (transactions_search) VALUES ('delete-all')")
        try db.execute(
            sql: """
                INSERT INTO transactions_search (rowid, words)
                SELECT number, words FROM transaction_words ORDER BY date, seq
                """
        )
    }

    /// Counts a change of each month of some transactions, so that no cached sum of theirs is used again.
    private static func countChanges(of transactions: String) -> String {
        """
        INSERT INTO month_changes SELECT DISTINCT month, 1 FROM \(transactions) WHERE true
        ON CONFLICT DO UPDATE SET changes = changes + 1
        """
    }

    /// Drops triggers, and returns the statements that create them again.
    /// - Parameter condition: a condition on `sqlite_schema`.
    private static func dropping(_ db: Database, _ condition: String) throws -> [String] {
        let triggers = try db.all(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND \(condition)"
        ) {
            (name: $0.text(0), sql: $0.text(1))
        }
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger.name)") }
        return triggers.map(\.sql)
    }

    /// Drops the triggers of the sums, runs `body`, which only adds transactions, and adds the new
    /// transactions to the sums.
    static func adding(_ db: Database, _ body: () throws -> Void) throws {
        let last = try db.number("SELECT ifnull(max(seq), 0) FROM transactions")
        let triggers = try dropping(db, "name IN (\(insertTriggers))")
        try body()
        for trigger in triggers { try db.execute(sql: trigger) }
        let new = "(SELECT * FROM transactions WHERE seq > \(last) AND deleted_at IS NULL)"
        let months = "(SELECT month AS of_month, * FROM \(new) UNION ALL SELECT 0, * FROM \(new))"
        let ends = """
            (SELECT of_month, account AS end, kind, currency, amount_minor,
               iif(kind = 'income', account_minor, -account_minor) AS delta FROM \(months)
             UNION ALL
             SELECT of_month, to_account, kind, currency, amount_minor, to_minor FROM \(months)
             WHERE to_account IS NOT NULL)
            """
        let newOnes = categorised(after: last)
        let categories = "(SELECT month AS of_month, * FROM \(newOnes) UNION ALL SELECT 0, * FROM \(newOnes))"
        let what = "kind, currency, count(*), sum(amount_minor)"
        let counted =
            "ON CONFLICT DO UPDATE SET count = count + excluded.count, minor = minor + excluded.minor"
        let countedCharges = "\(counted), account_minor = account_minor + excluded.account_minor"
        for sql in [
            "INSERT INTO split_shares \(split(after: last))",
            "INSERT INTO day_sums SELECT date, \(what) FROM \(new) GROUP BY date, kind, currency \(counted)",
            "INSERT INTO month_sums SELECT of_month, \(what) FROM \(months) GROUP BY of_month, kind, currency \(counted)",
            """
            INSERT INTO category_months SELECT of_month, category, \(what) FROM \(categories)
            GROUP BY of_month, category, kind, currency \(counted)
            """,
            "INSERT INTO payee_months \(payees(of: new)) \(countedCharges)",
            """
            INSERT INTO account_months SELECT of_month, end, \(what), sum(delta) FROM \(ends)
            GROUP BY of_month, end, kind, currency \(counted), delta_minor = delta_minor + excluded.delta_minor
            """,
            "INSERT INTO charged_months \(charges(of: newOnes)) \(countedCharges)",
            """
            INSERT INTO account_sums SELECT end, count(*), 0, sum(delta) FROM \(ends) WHERE of_month = 0 GROUP BY end
            ON CONFLICT DO UPDATE SET
              count = count + excluded.count, delta_minor = delta_minor + excluded.delta_minor
            """,
            """
            INSERT INTO transactions_search (rowid, words)
            SELECT number, words FROM transaction_words WHERE seq > \(last) ORDER BY date, seq
            """,
            countChanges(of: new),
        ] { try db.execute(sql: sql) }
    }

    /// Drops the triggers of the sums, runs `body`, which only adds transactions, and computes all sums once.
    /// - Parameters:
    ///   - cacheKilobytes: the size of the cache of pages during the call.
    ///   - withIndexes: whether the indexes stay. False drops them too and creates them again, sorted, which
    ///     is faster if most rows are new.
    static func suspended<Value>(
        _ db: Database,
        withIndexes: Bool,
        cacheKilobytes: Int = 65_536,
        _ body: () throws -> Value
    ) throws -> Value {
        try db.cachingPages(kilobytes: cacheKilobytes) { try rebuilding(db, withIndexes, body) }
    }

    private static func rebuilding<Value>(
        _ db: Database,
        _ withIndexes: Bool,
        _ body: () throws -> Value
    ) throws -> Value {
        let things = try db.all(
            """
            SELECT type, name, sql FROM sqlite_schema
            WHERE tbl_name = 'transactions' AND sql IS NOT NULL
              AND (name IN (\(insertTriggers)) OR (type = 'index' AND ?))
            """,
            [!withIndexes]
        ) { (type: $0.text(0), name: $0.text(1), sql: $0.text(2)) }
        for thing in things { try db.execute(sql: "DROP \(thing.type) \(thing.name)") }
        let value = try body()
        for thing in things { try db.execute(sql: thing.sql) }
        try rebuild(db)
        return value
    }
}

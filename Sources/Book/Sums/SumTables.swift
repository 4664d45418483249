// The tables of sums that triggers maintain, defined again as queries over the transactions.

/// A table of maintained sums and its expected content.
struct SumTable {
    let name: String
    /// A query for the expected rows, without rows whose count is zero.
    let rows: String
    /// Selects the rows of the table whose count is not zero.
    var counting = "count > 0"
    /// Queries that fill the empty table with the same rows, from a table before it if that is shorter.
    var filling: [String]?
}

extension Sums {
    /// Each live transaction, once with its month and once with month 0.
    static let months = """
        (SELECT month, kind, currency, amount_minor FROM transactions WHERE deleted_at IS NULL
         UNION ALL
         SELECT 0, kind, currency, amount_minor FROM transactions WHERE deleted_at IS NULL)
        """

    /// Each live transaction with its category, a split one once for each of its categories.
    /// - Parameter last: only transactions with a higher `seq`.
    static func categorised(after last: Int = 0) -> String {
        """
        (SELECT month, ifnull(category, '') AS category, kind, account, currency, amount_minor, account_minor
         FROM transactions WHERE deleted_at IS NULL AND split IS NULL AND seq > \(last)
         UNION ALL
         SELECT t.month, s.category, t.kind, t.account, t.currency, s.minor, s.account_minor
         FROM split_shares s CROSS JOIN transactions t ON t.seq = s.seq WHERE s.seq > \(last))
        """
    }

    /// The shares of the live transactions with a split, from the texts of their parts.
    static func split(after last: Int = 0) -> String {
        SplitSQL.shares(
            of:
                "(SELECT * FROM transactions WHERE split IS NOT NULL AND deleted_at IS NULL AND seq > \(last))"
        )
    }

    /// Each account of each live transaction.
    static let ends = """
        (SELECT month, account, kind, currency, amount_minor,
           iif(kind = 'income', account_minor, -account_minor) AS delta
         FROM transactions WHERE deleted_at IS NULL
         UNION ALL
         SELECT month, to_account, kind, currency, amount_minor, to_minor
         FROM transactions WHERE deleted_at IS NULL AND to_account IS NOT NULL)
        """

    static let tables = [
        SumTable(
            name: "day_sums",
            rows: """
                SELECT date, kind, currency, count(*), sum(amount_minor)
                FROM transactions WHERE deleted_at IS NULL GROUP BY 1, 2, 3
                """
        ),
        SumTable(name: "split_shares", rows: split(), counting: "true"),
        SumTable(
            name: "category_months",
            rows: """
                SELECT month, category, kind, currency, count(*), sum(amount_minor)
                FROM (SELECT month, category, kind, currency, amount_minor FROM \(categorised()) UNION ALL
                      SELECT 0, category, kind, currency, amount_minor FROM \(categorised()))
                GROUP BY 1, 2, 3, 4
                """,
            filling: [
                """
                SELECT month, category, kind, currency, count(*), sum(amount_minor)
                FROM \(categorised()) GROUP BY 1, 2, 3, 4
                """,
                """
                SELECT 0, category, kind, currency, sum(count), sum(minor)
                FROM category_months GROUP BY 2, 3, 4
                """,
            ]
        ),
        SumTable(name: "payee_months", rows: payees(of: "transactions")),
        SumTable(
            name: "payee_years",
            rows: """
                SELECT month / 12, \(payeeCharges) FROM transactions WHERE \(hasPayee) GROUP BY 1, 2, 3, 4, 5
                UNION ALL
                SELECT 0, \(payeeCharges) FROM transactions WHERE \(hasPayee) GROUP BY 2, 3, 4, 5
                """,
            filling: [years("payee", of: "payee_months"), allYears("payee", of: "payee_years")]
        ),
        SumTable(
            name: "month_sums",
            rows: "SELECT month, kind, currency, count(*), sum(amount_minor) FROM \(months) GROUP BY 1, 2, 3",
            filling: [
                """
                SELECT month, kind, currency, count(*), sum(amount_minor)
                FROM transactions WHERE deleted_at IS NULL GROUP BY 1, 2, 3
                """,
                "SELECT 0, kind, currency, sum(count), sum(minor) FROM month_sums GROUP BY 2, 3",
            ]
        ),
        SumTable(
            name: "account_months",
            rows: """
                SELECT month, account, kind, currency, count(*), sum(amount_minor), sum(delta)
                FROM (SELECT * FROM \(ends) UNION ALL
                      SELECT 0, account, kind, currency, amount_minor, delta FROM \(ends))
                GROUP BY 1, 2, 3, 4
                """,
            filling: [
                """
                SELECT month, account, kind, currency, count(*), sum(amount_minor), sum(delta)
                FROM \(ends) GROUP BY 1, 2, 3, 4
                """,
                """
                SELECT 0, account, kind, currency, sum(count), sum(minor), sum(delta_minor)
                FROM account_months GROUP BY 2, 3, 4
                """,
            ]
        ),
        SumTable(
            name: "account_sums",
            rows: """
                SELECT a.id, count(e.account), a.opening_minor, ifnull(sum(e.delta), 0)
                FROM accounts a LEFT JOIN \(ends) e ON e.account = a.id GROUP BY a.id
                """,
            counting: "true",
            filling: [
                """
                SELECT a.id, ifnull(sum(m.count), 0), a.opening_minor, ifnull(sum(m.delta_minor), 0)
                FROM accounts a LEFT JOIN account_months m ON m.account = a.id AND m.month = 0 GROUP BY a.id
                """
            ]
        ),
        SumTable(name: "charged_months", rows: charges(of: categorised())),
        SumTable(
            name: "charged_years",
            rows: "\(charges("month / 12", of: categorised())) UNION ALL \(charges("0", of: categorised()))",
            filling: [years("category", of: "charged_months"), allYears("category", of: "charged_years")]
        ),
    ]

    static func charges(_ period: String = "month", of source: String) -> String {
        """
        SELECT \(period), category, kind, account, currency, count(*), sum(amount_minor), sum(account_minor)
        FROM \(source) WHERE kind <> 'transfer' GROUP BY 1, 2, 3, 4, 5
        """
    }

    private static let hasPayee = "deleted_at IS NULL AND kind <> 'transfer' AND payee <> ''"
    private static let payeeCharges =
        "payee, kind, account, currency, count(*), sum(amount_minor), sum(account_minor)"

    static func payees(of source: String) -> String {
        "SELECT month, \(payeeCharges) FROM \(source) WHERE \(hasPayee) GROUP BY 1, 2, 3, 4, 5"
    }

    private static func years(_ subject: String, of months: String) -> String {
        """
        SELECT month / 12, \(subject), kind, account, currency, sum(count), sum(minor), sum(account_minor)
        FROM \(months) WHERE count > 0 GROUP BY 1, 2, 3, 4, 5
        """
    }

    private static func allYears(_ subject: String, of years: String) -> String {
        """
        SELECT 0, \(subject), kind, account, currency, sum(count), sum(minor), sum(account_minor)
        FROM \(years) GROUP BY 2, 3, 4, 5
        """
    }
}

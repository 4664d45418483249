// The payees of a book, and other names for them.
import Encoding
import GRDB
public import Ledger
import Storage

extension Book {
    /// All payees of live expenses and income, by name.
    /// - Parameter months: the months of the sums.
    public func payees(sumsOf months: ClosedRange<YearMonth>) throws(BookError) -> [PayeeSummary] {
        try reading { db, lookups in try db.payees(sumsOf: months, names: lookups.payees.names(db)) }
    }

    /// Income less spending of a payee, in any spelling, by month and currency; only months in which something was paid.
    public func payeeMonths(_ payee: String, in months: ClosedRange<YearMonth>) throws(BookError)
        -> [YearMonth: [CurrencyCode: Int128]]
    {
        try reading { db in
            var sums: [YearMonth: [CurrencyCode: Int128]] = [:]
            let sql = """
                SELECT month, currency, sum(iif(kind = 'income', minor, -minor)) FROM payee_months
                WHERE month BETWEEN ? AND ? AND payee IN (SELECT value FROM json_each(?)) GROUP BY month, currency
                """
            let spellings = SQLPiece.json(try db.spellings(of: payee))
            try db.forEach(sql, [months.lowerBound.index, months.upperBound.index, spellings]) { row in
                sums[row.month(0), default: [:]][try row.currency(1)] = Int128(row.int64(2))
            }
            return sums
        }
    }

    /// The effect of `rename`, without it.
    public func planRenaming(_ payees: [String], to name: String) throws(BookError) -> PayeeRenaming {
        try reading { db in try db.planRenaming(payees, to: name) }
    }

    /// Gives all live transactions and schedules of some payees, in any spelling, one name, as one change.
    /// - Throws: `invalid(.payee)` for an empty name, and one of more than 200 characters.
    public func rename(_ payees: [String], to name: String) throws(BookError) -> PayeeRenaming {
        guard !name.isEmpty, name.isStorable(upTo: 200) else { throw .invalid(.payee) }
        return try changeAsUser { db in
            var plan = try db.planRenaming(payees, to: name)
            for spelling in try db.otherSpellings(of: payees, than: name) {
                for table in ["transactions", "schedules"] {
                    let sql = "UPDATE \(table) SET payee = ? WHERE payee = ? AND deleted_at IS NULL"
                    try db.change(sql, [name.inNormalForm, spelling])
                }
            }
            if plan.transactionCount + plan.scheduleCount > 0 { plan.change = try db.presentChange() }
            return plan
        }
    }
}

extension BookDatabase {
    fileprivate func payees(sumsOf months: ClosedRange<YearMonth>, names: [String: String]) throws
        -> [PayeeSummary]
    {
        let newest = """
            (SELECT date FROM transactions INDEXED BY transactions_by_payee
             WHERE deleted_at IS NULL AND payee <> '' AND payee = payee_years.payee ORDER BY date DESC LIMIT 1)
            """
        var all: [String: PayeeSummary] = [:]
        try forEach(
            "SELECT payee, sum(count), \(newest) FROM payee_years WHERE year = 0 GROUP BY payee HAVING sum(count) > 0"
        ) { row in
            let name = names[row.text(0)] ?? row.text(0)
            var summary = all[name] ?? PayeeSummary(name: name, count: 0)
            summary.count += row.int(1)
            if !row.isNull(2) { summary.lastDay = max(summary.lastDay ?? row.date(2), row.date(2)) }
            all[name] = summary
        }
        let sums = """
            SELECT payee, currency, sum(iif(kind = 'income', minor, -minor)) FROM payee_months
            WHERE month BETWEEN ? AND ? GROUP BY payee, currency
            """
        try forEach(sums, [months.lowerBound.index, months.upperBound.index]) { row in
            let name = names[row.text(0)] ?? row.text(0)
            all[name]?.sums[try row.currency(1), default: 0] += Int128(row.int64(2))
        }
        return all.values.sorted { ($0.name.nameKey, $0.name) < ($1.name.nameKey, $1.name) }
    }

    fileprivate func planRenaming(_ payees: [String], to name: String) throws -> PayeeRenaming {
        let spellings = SQLPiece.json(try otherSpellings(of: payees, than: name))
        func count(_ table: String) throws -> Int {
            try number(
                """
                SELECT count(*) FROM \(table)
                WHERE deleted_at IS NULL AND payee <> '' AND payee IN (SELECT value FROM json_each(?))
                """,
                [spellings]
            )
        }
        return PayeeRenaming(
            transactionCount: try count("transactions"),
            scheduleCount: try count("schedules")
        )
    }

    fileprivate func otherSpellings(of payees: [String], than name: String) throws -> [String] {
        var found: Set<String> = []
        for payee in payees where !payee.isEmpty {
            found.formUnion(try spellings(of: payee))
            // A schedule may have a spelling that no transaction has.
            found.formUnion(
                try all("SELECT DISTINCT payee FROM schedules WHERE deleted_at IS NULL") { $0.text(0) }
                    .filter { $0.nameKey == payee.nameKey }
            )
        }
        return found.filter { !$0.utf8.elementsEqual(name.inNormalForm.utf8) }.sorted()
    }
}

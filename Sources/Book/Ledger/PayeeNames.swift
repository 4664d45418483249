// The payees of a book, and other names for them.
import Encoding
import GRDB
public import Ledger
import Storage

extension Book {
    /// The payees of live expenses and income, by name.
    /// - Parameters:
    ///   - name: a payee in any spelling, to find only this one; nil for all.
    ///   - today: the last day that counts as one of use.
    public func payees(named name: String? = nil, through today: CivilDate) throws(BookError)
        -> [PayeeSummary]
    {
        try reading { db, lookups in
            try db.payees(named: name, through: today, spellings: lookups.payees.names(db))
        }
    }

    /// The effect of `rename`, without it.
    public func planRenaming(_ payees: [String], to name: String) throws(BookError) -> PayeeRenaming {
        try reading { db in try db.planRenaming(payees, to: name) }
    }

    /// Gives all live transactions and schedules of some payees, in any spelling, one name, as one change. The category and
    /// the note that are set for the payees come along, unless the name has its own.
    /// - Parameter always: makes the ids of rules, which give the payees that name from now on too; nil for no rule.
    /// - Throws: `invalid(.payee)` for an empty name, and one of more than 200 characters.
    public func rename(_ payees: [String], to name: String, always: (() -> EntityID)? = nil) throws(BookError)
        -> PayeeRenaming
    {
        guard !name.isEmpty, name.isStorable(upTo: 200) else { throw .invalid(.payee) }
        let rules = always.map { Rule.renaming(payees, to: name, $0) } ?? []
        let now = clock()
        return try changeAsUser { db in
            var plan = try db.planRenaming(payees, to: name)
            for spelling in try db.otherSpellings(of: payees, than: name) {
                for table in ["transactions", "schedules"] {
                    let sql = "UPDATE \(table) SET payee = ? WHERE payee = ? AND deleted_at IS NULL"
                    try db.change(sql, [name.inNormalForm, spelling])
                }
            }
            let present = try db.rules()
            let new = rules.filter { rule in
                !present.contains {
                    ($0.match, $0.conditions, $0.effects) == (rule.match, rule.conditions, rule.effects)
                }
            }
            for rule in new {
                try rule.checkShape()
                _ = try db.add(rule)
            }
            let hasMoved = try db.moveDefaults(of: payees, to: name, now)
            if hasMoved || plan.transactionCount + plan.scheduleCount + new.count > 0 {
                plan.change = try db.presentChange()
            }
            return plan
        }
    }
}

extension Rule {
    /// The rules that give payees another name: one for as many payees as a rule has conditions.
    fileprivate static func renaming(_ payees: [String], to name: String, _ id: () -> EntityID) -> [Rule] {
        var rest = payees.filter { !$0.isEmpty && $0.isStorable(upTo: RuleCondition.textLimit) }[...]
        var rules: [Rule] = []
        while !rest.isEmpty {
            let conditions = rest.prefix(mostConditions).map { RuleCondition(.payee, .equals, .text($0)) }
            rest = rest.dropFirst(mostConditions)
            rules.append(
                Rule(
                    id: id(),
                    name: String(name.prefix(nameLimit)),
                    match: .any,
                    conditions: conditions,
                    effects: RuleEffects(payee: name)
                )
            )
        }
        return rules
    }
}

extension BookDatabase {
    fileprivate func payees(named name: String?, through today: CivilDate, spellings: [String: String]) throws
        -> [PayeeSummary]
    {
        let isOfThem = name == nil ? "" : "AND payee IN (SELECT value FROM json_each(?))"
        let sql = """
            SELECT payee, sum(count), (
              SELECT date FROM transactions INDEXED BY transactions_by_payee
              WHERE deleted_at IS NULL AND payee <> '' AND payee = payee_years.payee AND date <= ?
              ORDER BY date DESC LIMIT 1)
            FROM payee_years WHERE year = 0 \(isOfThem) GROUP BY payee HAVING sum(count) > 0
            """
        let wanted = try name.map { [SQLPiece.json(try self.spellings(of: $0))] } ?? []
        var all: [String: PayeeSummary] = [:]
        try forEach(sql, StatementArguments([today.dayNumber as any DatabaseValueConvertible] + wanted)) {
            row in
            let name = spellings[row.text(0)] ?? row.text(0)
            var summary = all[name] ?? PayeeSummary(name: name, count: 0)
            summary.count += row.int(1)
            if !row.isNull(2) { summary.lastDay = max(summary.lastDay ?? row.date(2), row.date(2)) }
            all[name] = summary
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

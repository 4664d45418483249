// What the user chose, and the rows that a new book starts with.
import GRDB
public import Ledger
import Storage

extension Book {
    /// What was chosen; what never was is nil.
    public func preferences() throws(BookError) -> Preferences {
        try current { $0.preferences }
    }

    /// Replaces what was chosen, and with it budgets whose limits follow the base currency: all or nothing.
    /// - Throws: `invalid`; for the budgets as `change(_:)`.
    public func set(_ preferences: Preferences, changing budgets: [Budget] = []) throws(BookError) {
        guard preferences.locale?.isStorable(upTo: 100) ?? true else { throw .invalid(.locale) }
        guard preferences.timeZone?.isStorable(upTo: 100) ?? true else { throw .invalid(.timeZone) }
        guard preferences.secondaryCurrencies?.count ?? 0 <= 400 else { throw .invalid(.secondaryCurrencies) }
        try changing { db in
            for budget in budgets { try db.replace(budget) }
            // What is chosen before the book is begun belongs to its beginning.
            if try db.number("SELECT EXISTS (SELECT 1 FROM owner)") == 1 {
                try db.set(preferences)
            } else {
                try db.unlisted { try db.set(preferences) }
            }
        }
    }

    /// Writes the defaults of a new book as one change. What is there already under its id stays as it is, also
    /// where it was changed or deleted since: running it again changes nothing.
    /// - Parameter owner: whose book it is; one that is somebody's already stays theirs.
    /// - Throws: `invalid`; `unknownCategory`, `categoryKind`, `categoryNesting` for a parent.
    public func seed(categories: [Ledger.Category], accounts: [Account], for owner: EntityID)
        throws(BookError)
    {
        for category in categories { try category.checkShape() }
        for account in accounts { try account.checkShape() }
        let now = clock()
        try changing { db in
            let own = "INSERT INTO owner (only_row, id) VALUES (1, ?) ON CONFLICT DO NOTHING"
            try db.change(own, [owner.column])
            var counts: [String: Int] = [:]
            try db.unlisted {
                // Parents first, in whatever order they were listed.
                let parents = categories.filter { $0.parent == nil }
                for category in parents + categories.filter({ $0.parent != nil })
                where try db.isDeleted(category.id, in: "categories") == nil {
                    _ = try db.add(category)
                    counts["category", default: 0] += 1
                }
                for account in accounts where try db.isDeleted(account.id, in: "accounts") == nil {
                    _ = try db.add(account)
                    counts["account", default: 0] += 1
                }
            }
            try db.note(.begin, counts, now)
        }
    }
}

extension Database {
    fileprivate func set(_ preferences: Preferences) throws {
        try change(
            """
            INSERT INTO preferences (
              id, base_currency, secondary_currencies, week_start, conflict_policy, theme, locale, time_zone
            ) VALUES ('00000000000000000000000000', ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
              base_currency = excluded.base_currency,
              secondary_currencies = excluded.secondary_currencies,
              week_start = excluded.week_start,
              conflict_policy = excluded.conflict_policy,
              theme = excluded.theme,
              locale = excluded.locale,
              time_zone = excluded.time_zone
            """,
            [
                preferences.baseCurrency?.rawValue,
                preferences.secondaryCurrencies?.map(\.rawValue).joined(separator: ","),
                preferences.weekStart?.rawValue,
                preferences.conflictPolicy?.rawValue,
                preferences.theme?.rawValue,
                preferences.locale,
                preferences.timeZone,
            ]
        )
    }

    func preferences() throws -> Preferences {
        let sql = """
            SELECT base_currency, secondary_currencies, week_start, conflict_policy, theme, locale, time_zone
            FROM preferences
            """
        var preferences = Preferences()
        try forEach(sql) { row in
            preferences.baseCurrency = row.optionalText(0).flatMap { CurrencyCode($0) }
            preferences.secondaryCurrencies = row.optionalText(1).map { list in
                list.split(separator: ",").compactMap { CurrencyCode($0) }
            }
            preferences.weekStart = row.optionalText(2).flatMap(WeekStart.init(rawValue:))
            preferences.conflictPolicy = row.optionalText(3).flatMap(ConflictPolicy.init(rawValue:))
            preferences.theme = row.optionalText(4).flatMap(Theme.init(rawValue:))
            preferences.locale = row.optionalText(5)
            preferences.timeZone = row.optionalText(6)
        }
        return preferences
    }
}

// The user's preferences, and the first rows of a new book.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Book {
    /// The preferences that the user has chosen; nil for a preference that was never chosen.
    public func preferences() throws(BookError) -> Preferences {
        try current { $0.preferences }
    }

    /// Writes preferences together with budgets whose limits follow the base currency, in one transaction.
    /// - Parameter version: the values that the form showed; nil to write every value.
    /// - Throws: `invalid`; for the budgets as `change(_:)`.
    @discardableResult
    public func set(
        _ preferences: Preferences,
        shown version: EntityVersion? = nil,
        changing budgets: [Budget] = []
    ) throws(BookError) -> Edit {
        try preferences.checkShape()
        return try changeAsUser { db in
            for budget in budgets { _ = try db.edit(budget, nil) }
            // Preferences that are chosen before the book is seeded are part of its beginning.
            guard try db.number("SELECT EXISTS (SELECT 1 FROM owner)") == 1 else {
                return try db.asBeginning { try db.set(preferences, version) }
            }
            return try db.set(preferences, version)
        }
    }

    /// Writes the defaults of a new book as one change. A row whose id exists already stays as it is, even if
    /// it was changed or deleted since, so that a repeated call changes nothing.
    /// - Parameter owner: the owner of the book. A book that has an owner keeps it.
    /// - Throws: `invalid`; `unknownCategory`, `categoryKind`, `categoryNesting` for a parent.
    public func seed(categories: [Ledger.Category], accounts: [Account], for owner: EntityID)
        throws(BookError)
    {
        for category in categories { try category.checkShape() }
        for account in accounts { try account.checkShape() }
        let now = clock()
        try changeAsUser { db in
            let own = "INSERT INTO owner (only_row, id) VALUES (1, ?) ON CONFLICT DO NOTHING"
            try db.change(own, [owner.column])
            var counts: [String: Int] = [:]
            try db.asBeginning {
                // Parents come first, whatever their order in the list.
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

extension Preferences {
    /// The columns that `BookDatabase.preferences` selects, in order.
    static let columns = SyncedEntity.preferences.columns

    /// The values of the columns, for binding.
    var values: [(any DatabaseValueConvertible)?] {
        [
            baseCurrency?.rawValue, secondaryCurrencies?.map(\.rawValue).joined(separator: ","),
            weekStart?.rawValue, conflictPolicy?.rawValue, theme?.rawValue, locale, timeZone,
        ]
    }

    /// Checks that texts and lists are within their limits.
    public func checkShape() throws(BookError) {
        guard locale?.isStorable(upTo: 100) ?? true else { throw .invalid(.locale) }
        guard timeZone?.isStorable(upTo: 100) ?? true else { throw .invalid(.timeZone) }
        guard secondaryCurrencies?.count ?? 0 <= 400 else { throw .invalid(.secondaryCurrencies) }
    }
}

extension BookDatabase {
    fileprivate func set(_ preferences: Preferences, _ version: EntityVersion?) throws -> Edit {
        let isThere = try row(Preferences.entityKind, preferences.id.description) != nil
        if isThere { return try edit(preferences, version) }
        let chosen = preferences.fields.all.filter {
            $0.value != .null && version?.showed($0.value, in: $0.name) != true
        }
        guard !chosen.isEmpty, let table = schema.table(Preferences.entityKind) else { return Edit() }
        let values = table.fields.map { field in
            chosen.first { $0.name == field.name }?.value.column ?? .null
        }
        try change(table.insert, StatementArguments([preferences.id.column.databaseValue] + values))
        return Edit(change: try first("SELECT tx FROM sync") { $0.int64(0) })
    }

    func preferences() throws -> Preferences {
        var preferences = Preferences()
        try forEach("SELECT \(Preferences.columns) FROM preferences") { row in
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

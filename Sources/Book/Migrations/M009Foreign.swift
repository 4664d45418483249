// The ninth schema of a book: what a newer version wrote comes to life once this one knows it.
import GRDB
import Storage

/// Of a row whose kind is known, `foreign_rows` holds only the fields that are not: the others would be out of date with
/// the next change that is made here. A row that does not fit is kept whole.
let foreignMigration = Migration(number: 9, name: "foreign rows") { db in
    // The kinds and fields that this book could store when it was opened last.
    try db.execute(sql: "ALTER TABLE sync ADD COLUMN known TEXT NOT NULL DEFAULT ''")
    let known = [
        "account": ["name", "type", "currency", "opening"],
        "category": ["name", "kind", "icon", "color", "parent"],
        "budget": ["category", "limit", "currency", "from", "rollover"],
        "preferences": [
            "baseCurrency", "secondaryCurrencies", "weekStart", "conflictPolicy", "theme", "locale",
            "timeZone",
        ],
        "conflict": [
            "kind", "entity", "field", "kept", "lost", "keptBy", "lostBy", "keptName", "lostName", "at",
            "held", "choice",
        ],
        "transaction": [
            "kind", "date", "amount", "currency", "account", "accountAmount", "toAccount", "toAmount",
            "category", "payee",
            "note", "tags",
        ],
    ]
    // Marked for coming again: they have not, or are not known to be deleted.
    try db.execute(sql: "DELETE FROM foreign_rows WHERE is_deleted = 1")
    try db.execute(
        sql: "DELETE FROM deviations WHERE (kind, id) IN (SELECT kind, id FROM foreign_rows)"
    )
    let tables = [
        "account": "accounts", "category": "categories", "budget": "budgets", "preferences": "preferences",
        "conflict": "conflicts", "transaction": "transactions",
    ]
    for (kind, table) in tables {
        // A later change may have fitted: the present row counts, and the next comparison with the cloud tells.
        try db.execute(
            sql: """
                DELETE FROM foreign_rows WHERE kind = ? AND problem IS NOT NULL AND id IN (SELECT id FROM \(table))
                """,
            arguments: [kind]
        )
    }
    for (kind, fields) in known {
        let paths = fields.map { "'$.\($0)'" }.joined(separator: ", ")
        try db.execute(
            sql: """
                UPDATE foreign_rows SET fields = json_remove(fields, \(paths)) WHERE kind = ? AND problem IS NULL
                """,
            arguments: [kind]
        )
        try db.execute(
            sql: "DELETE FROM foreign_rows WHERE kind = ? AND problem IS NULL AND fields = '{}'",
            arguments: [kind]
        )
    }
}

// The schemas of a book, from the first one on.
import Storage

extension Migration {
    /// All migrations of a book, in order.
    static let book = [firstMigration, secondMigration]
}

private let secondMigration = Migration(
    number: 26,
    name: "one form of text",
    since: "0.1.0",
    sql: OneFormOfText.sql
)

// The schemas of the cloud, from the first one on.
import Storage

extension Migration {
    /// All migrations of the cloud, in order.
    static let cloud = [firstMigration, secondMigration, thirdMigration]
}

private let secondMigration = Migration(
    number: 18,
    name: "one form of text",
    since: "0.1.0",
    sql: TextForm.sql
)

/// Rows tell which of them were changed together.
private let thirdMigration = Migration(
    number: 19,
    name: "steps of changes",
    since: "0.2.0",
    // The number of the last change in the book of the replica that wrote last; 0 if it is not known.
    sql: "ALTER TABLE entities ADD COLUMN last_tx INTEGER NOT NULL DEFAULT 0;"
)

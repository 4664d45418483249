// The schemas of the cloud, from the first one on.
import Storage

extension Migration {
    /// All migrations of the cloud, in order.
    static let cloud = [firstMigration, secondMigration]
}

private let secondMigration = Migration(
    number: 18,
    name: "one form of text",
    since: "0.1.0",
    sql: TextForm.sql
)

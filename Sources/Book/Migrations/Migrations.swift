// The schemas of a book, from the first one on.
import Storage

extension Migration {
    /// All migrations of a book, in order.
    static let book = [firstMigration]
}

// The schemas of the cloud, from the first one on.
import Storage

extension Migration {
    /// All migrations of the cloud, in order.
    static let cloud = [firstMigration]
}

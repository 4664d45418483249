// The schemas of the device store, from the first one on.
import Storage

extension Migration {
    /// All migrations of the device store, in order.
    static let deviceStore = [firstMigration]
}

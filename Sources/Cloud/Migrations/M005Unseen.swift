// The fifth schema of the cloud: the version of a field may name the writer of an unseen value that it
// replaced.
import Storage

/// No table changes: `entities.versions` may contain `note 12 3 7` instead of `note 12 3`, which earlier
/// programs consider damaged. The new number prevents that they open the file.
let cloudUnseenMigration = Migration(number: 5, name: "unseen", since: "0.1.0", sql: "")

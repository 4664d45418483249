// The fifth schema of the cloud: a field's version may say whose value it was written over without having been seen.
import Storage

/// No table changes: `entities.versions` holds `note 12 3 7` where `note 12 3` stood, which earlier programs take for
/// damage. So they must not open the file.
let cloudUnseenMigration = Migration(number: 5, name: "unseen", since: "0.1.0", sql: "")

// The sixth schema of the cloud: when an account's subscription ended.
import Storage

/// The moment at which the cloud first met an account without premium whose entitlement does not say since when, in UTC
/// seconds; nothing while there is premium.
let cloudEndingsMigration = Migration(
    number: 6,
    name: "endings",
    since: "0.1.0",
    sql: "ALTER TABLE sync_accounts ADD COLUMN ended_at INTEGER"
)

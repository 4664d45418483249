// The sixth schema of the cloud: the end of an account's subscription.
import Storage

/// The time, in UTC seconds, of the first request of an account without premium whose entitlement does not
/// state its end; NULL while there is premium.
let cloudEndingsMigration = Migration(
    number: 6,
    name: "endings",
    since: "0.1.0",
    sql: "ALTER TABLE sync_accounts ADD COLUMN ended_at INTEGER"
)

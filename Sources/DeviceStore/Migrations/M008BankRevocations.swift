// The eighth schema of the device store: consents that have to be ended at the provider.
import Storage

/// The accesses that are used once more, to end their consents. `access` is sealed with a key of the device; it outlives
/// the connection and the device, until the provider has answered. `at` is in UTC seconds.
let bankRevocationsMigration = Migration(
    number: 8,
    name: "bank revocations",
    since: "0.1.0",
    sql: """
        CREATE TABLE bank_revocations (
          access               BLOB    NOT NULL PRIMARY KEY,
          device               TEXT    NOT NULL CHECK (length(device) = 26),
          connection           TEXT    NOT NULL CHECK (length(connection) = 26),
          provider             TEXT    NOT NULL CHECK (length(provider) BETWEEN 1 AND 100),
          at                   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
)

// The twelfth schema of the cloud: the exchange rates of every day, and the requests for new rates.
import Storage

/// A row of `rate_days` is the set of one day. `rates` has lines of a currency and its published digits
/// (`USD 1.1172`): 1 unit of `base` = so many units of the currency. A set is always read and replaced as a
/// whole, and the whole history has 7,000 days with 30 rates each. `version` is the digest of
/// `RatesVersion`.
///
/// `rate_feed` has one row once rates were requested. `entity_tag` and `last_modified` belong to `address`.
/// Days are numbers of days since 1970-01-01, and times are UTC seconds.
let cloudRatesMigration = Migration(
    number: 12,
    name: "rates",
    since: "0.1.0",
    sql: """
        CREATE TABLE rate_days (
          day       INTEGER NOT NULL PRIMARY KEY CHECK (day BETWEEN -719162 AND 2932896),
          source    TEXT    NOT NULL CHECK (length(source) BETWEEN 1 AND 100),
          base      TEXT    NOT NULL CHECK (base GLOB '[A-Z][A-Z][A-Z]'),
          rates     TEXT    NOT NULL CHECK (length(rates) BETWEEN 5 AND 40000),
          version   TEXT    NOT NULL CHECK (length(version) BETWEEN 1 AND 100),
          origin    TEXT    NOT NULL CHECK (origin IN ('bundled', 'feed', 'file')),
          stored_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE implausible_rates (
          day       INTEGER NOT NULL CHECK (day BETWEEN -719162 AND 2932896),
          currency  TEXT    NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          rate      TEXT    NOT NULL CHECK (length(rate) BETWEEN 1 AND 32),
          earlier   TEXT    NOT NULL CHECK (length(earlier) BETWEEN 1 AND 32),
          stored_at INTEGER NOT NULL,
          PRIMARY KEY (day, currency, rate)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE rate_feed (
          only_row      INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          attempted_at  INTEGER NOT NULL,
          succeeded_at  INTEGER,
          failures      INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
          not_before    INTEGER,
          address       TEXT    CHECK (length(address) BETWEEN 1 AND 2000),
          entity_tag    TEXT    CHECK (length(entity_tag) BETWEEN 1 AND 300),
          last_modified TEXT    CHECK (length(last_modified) BETWEEN 1 AND 300)
        ) STRICT;
        """
)

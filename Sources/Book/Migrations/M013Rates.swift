// The thirteenth schema of a book: the latest exchange rates, kept for times without the cloud.
import Storage

/// One set of rates, not synced: each row repeats the day, the source and the base currency of the set. `rate` has the
/// published digits: 1 unit of `base` = `rate` units of `currency`.
let ratesMigration = Migration(
    number: 13,
    name: "rates",
    since: "0.1.0",
    sql: """
        CREATE TABLE rates (
          currency TEXT    NOT NULL PRIMARY KEY CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
          rate     TEXT    NOT NULL CHECK (length(rate) BETWEEN 1 AND 32),
          day      INTEGER NOT NULL CHECK (day BETWEEN -719162 AND 2932896),
          source   TEXT    NOT NULL CHECK (length(source) BETWEEN 1 AND 100),
          base     TEXT    NOT NULL CHECK (base GLOB '[A-Z][A-Z][A-Z]')
        ) STRICT, WITHOUT ROWID;
        """
)

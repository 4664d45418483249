// The sixteenth schema of a book: the exchange rates of many days, for reports by the rates of each day.
import Storage

/// Not synced. `rate_history` has one row once a history was received: its version, and the range that was asked for,
/// with the currencies separated by spaces. Source and base currency are absent if the history has no days.
///
/// A row of `rate_days` has lines of a currency and its published digits (`USD 1.1172`). The history is always replaced
/// as a whole.
let rateHistoryMigration = Migration(
    number: 16,
    name: "rate history",
    since: "0.1.0",
    sql: """
        CREATE TABLE rate_history (
          only_row   INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
          version    TEXT    NOT NULL CHECK (length(version) <= 100),
          from_day   INTEGER NOT NULL CHECK (from_day BETWEEN -719162 AND 2932896),
          currencies TEXT    NOT NULL CHECK (length(currencies) <= 2000),
          source     TEXT    CHECK (length(source) BETWEEN 1 AND 100),
          base       TEXT    CHECK (base GLOB '[A-Z][A-Z][A-Z]')
        ) STRICT;

        CREATE TABLE rate_days (
          day   INTEGER NOT NULL PRIMARY KEY CHECK (day BETWEEN -719162 AND 2932896),
          rates TEXT    NOT NULL CHECK (length(rates) <= 40000)
        ) STRICT;
        """
)

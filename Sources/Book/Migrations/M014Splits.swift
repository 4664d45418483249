// The fourteenth schema of a book: transactions over several categories.
import Storage

/// `split` is the text of a `Split`, or null. `split_shares` holds what each live transaction with a split counts in
/// each of its categories: the shares that `Transaction.shares` computes, added up by category; `''` stands for
/// "without a category". From there they go to `category_months` and `charged_months`, in place of the whole. A
/// transaction without a split has no row there, and its sums are maintained as before.
let splitsMigration = Migration(
    number: 14,
    name: "splits",
    since: "0.1.0",
    sql: ([splitTables, replacedTriggers] + splitTriggers + categoryTriggers + chargeTriggers + searchTriggers)
        .joined(separator: ";\n")
)

private let splitTables = """
    ALTER TABLE transactions ADD COLUMN split TEXT CHECK (length(split) <= 110000) CHECK (split IS NULL OR kind <> 'transfer');
    CREATE INDEX transactions_split ON transactions (seq) WHERE split IS NOT NULL;
    DROP TRIGGER transactions_record_update;
    CREATE TRIGGER transactions_record_update AFTER UPDATE OF kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, note, tags, split ON transactions
      WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (NEW.kind IS NOT OLD.kind OR NEW.date IS NOT OLD.date OR NEW.amount_minor IS NOT OLD.amount_minor OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.split IS NOT OLD.split)
        AND (SELECT is_recording FROM sync) BEGIN
      INSERT INTO history (tx, at, action, kind, id, before, after)
        SELECT tx, now, 'patch', 'transaction', NEW.id, json_remove(json_object('kind', OLD.kind, 'date', OLD.date, 'amount', OLD.amount_minor, 'currency', OLD.currency, 'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account, 'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note, 'tags', OLD.tags, 'split', OLD.split), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.split IS OLD.split, '$.split', '$.""')), json_remove(json_object('kind', NEW.kind, 'date', NEW.date, 'amount', NEW.amount_minor, 'currency', NEW.currency, 'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account, 'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note, 'tags', NEW.tags, 'split', NEW.split), iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'), iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'), iif(NEW.currency IS OLD.currency, '$.currency', '$.""'), iif(NEW.account IS OLD.account, '$.account', '$.""'), iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'), iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'), iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'), iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'), iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'), iif(NEW.split IS OLD.split, '$.split', '$.""')) FROM sync;
    END;
    CREATE TABLE split_shares (
      category      TEXT    NOT NULL,
      date          INTEGER NOT NULL,
      id            TEXT    NOT NULL,
      seq           INTEGER NOT NULL,
      minor         INTEGER NOT NULL CHECK (minor > 0),
      account_minor INTEGER NOT NULL CHECK (account_minor >= 0),
      PRIMARY KEY (category, date, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX split_shares_by_seq ON split_shares (seq)
    """

private let replacedTriggers = [
    "transactions_insert", "transactions_update_out", "transactions_update_in", "transactions_delete",
    "transactions_charged_insert", "transactions_charged_update_out", "transactions_charged_update_in",
    "transactions_charged_delete", "transactions_search_insert", "transactions_search_update_out",
    "transactions_search_update_in", "transactions_search_delete",
].map { "DROP TRIGGER \($0)" }.joined(separator: ";\n")

// MARK: The shares of a split

private let splitTriggers: [String] = [
    """
    CREATE TRIGGER transactions_split_insert AFTER INSERT ON transactions
      WHEN NEW.split IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    \(sharesAdded)
    END
    """,
    """
    CREATE TRIGGER transactions_split_update_out BEFORE UPDATE OF \(shared) ON transactions
      WHEN OLD.split IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
    \(sharesRemoved)
    END
    """,
    """
    CREATE TRIGGER transactions_split_update_in AFTER UPDATE OF \(shared) ON transactions
      WHEN NEW.split IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
    \(sharesAdded)
    END
    """,
    """
    CREATE TRIGGER transactions_split_delete BEFORE DELETE ON transactions
      WHEN OLD.split IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
    \(sharesRemoved)
    END
    """,
]

private let shared = "kind, date, amount_minor, currency, account, account_minor, category, split, deleted_at"

private let sharesAdded = """
      INSERT INTO split_shares
        \(splitShares(of: "(SELECT NEW.seq AS seq, NEW.id AS id, NEW.date AS date, NEW.category AS category, NEW.amount_minor AS amount_minor, NEW.account_minor AS account_minor, NEW.split AS split)"));
      INSERT INTO category_months
        SELECT 0, category, NEW.kind, NEW.currency, 1, minor FROM split_shares WHERE seq = NEW.seq
        UNION ALL
        SELECT NEW.month, category, NEW.kind, NEW.currency, 1, minor FROM split_shares WHERE seq = NEW.seq
        ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor;
      INSERT INTO charged_months
        SELECT NEW.month, category, NEW.kind, NEW.account, NEW.currency, 1, minor, account_minor
        FROM split_shares WHERE seq = NEW.seq
        ON CONFLICT DO UPDATE SET
          count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
    """

private let sharesRemoved = """
      UPDATE category_months SET count = count - 1, minor = category_months.minor - s.minor
        FROM (SELECT category AS of, minor FROM split_shares WHERE seq = OLD.seq) s
        WHERE month IN (0, OLD.month) AND category = s.of AND kind = OLD.kind AND currency = OLD.currency;
      UPDATE charged_months
        SET count = count - 1, minor = charged_months.minor - s.minor, account_minor = account_minor - s.charged
        FROM (SELECT category AS of, minor, account_minor AS charged FROM split_shares WHERE seq = OLD.seq) s
        WHERE month = OLD.month AND category = s.of AND kind = OLD.kind AND account = OLD.account
          AND currency = OLD.currency;
      DELETE FROM split_shares WHERE seq = OLD.seq;
    """

/// A query for the rows of `split_shares` of some transactions.
///
/// From the inside: `part` is the amount of a part, or 0 if the part cannot be read; `assigned` is the sum of all
/// parts, or null if one cannot be read or the sum exceeds the amount; `listed` is a list that always adds up to the
/// amount; `upto` is the sum of the parts up to one. The sums of halves cannot overflow. The last step divides the
/// change of the account as `ShareRule` does.
private func splitShares(of source: String) -> String {
    """
    SELECT category, date, id, seq, sum(minor), sum(account_minor) FROM (
          SELECT category, date, id, seq, minor,
            CASE WHEN whole = charged THEN minor ELSE
              charged / (whole >> shift) * (upto >> shift)
              + charged % (whole >> shift) * (upto >> shift) / (whole >> shift)
              - charged / (whole >> shift) * (upto - minor >> shift)
              - charged % (whole >> shift) * (upto - minor >> shift) / (whole >> shift) END AS account_minor
          FROM (
            SELECT s.date, s.id, s.seq, s.amount_minor AS whole, s.account_minor AS charged,
              CASE WHEN s.amount_minor <= 3037000499 OR s.account_minor <= 9223372036854775807 / s.amount_minor THEN 0
                ELSE 4 * length(printf('%x', s.amount_minor)) - 31 END AS shift,
              ifnull(p.value ->> 0, '') AS category, p.value ->> 1 AS minor,
              sum(p.value ->> 1) OVER (PARTITION BY s.seq ORDER BY p.key) AS upto
            FROM (
              SELECT seq, id, date, amount_minor, account_minor,
                CASE WHEN assigned IS NULL THEN json_array(json_array(category, amount_minor, ''))
                  WHEN assigned < amount_minor
                    THEN json_insert(split, '$[#]', json_array(NULL, amount_minor - assigned, ''))
                  ELSE split END AS listed
              FROM (
                SELECT *, (
                  SELECT CASE WHEN min(part) > 0
                      AND (sum(part >> 32) + (sum(part & 4294967295) >> 32), sum(part & 4294967295) & 4294967295)
                        <= (amount_minor >> 32, amount_minor & 4294967295)
                    THEN (sum(part >> 32) << 32) + sum(part & 4294967295) END
                  FROM (SELECT \(partAmount) AS part FROM json_each(\(readableList)))
                ) AS assigned FROM \(source)
              )
            ) s, json_each(s.listed) p
          )
        ) GROUP BY seq, category
    """
}

/// The split, or an empty list if it is no JSON or no list.
private let readableList = """
    CASE WHEN json_valid(split) THEN CASE json_type(split) WHEN 'array' THEN split ELSE '[]' END ELSE '[]' END
    """

/// The amount of an element of the list; 0 if it has not the form that `Split` reads.
private let partAmount = """
    CASE WHEN type = 'array' THEN
      CASE WHEN json_array_length(value) = 3 AND json_type(value, '$[1]') = 'integer'
          AND json_type(value, '$[2]') = 'text'
          AND (json_type(value, '$[0]') = 'null'
            OR json_type(value, '$[0]') = 'text' AND length(value ->> 0) = 26 AND (value ->> 0) < '8'
              AND (value ->> 0) NOT GLOB '*[^0-9a-hjkmnp-tv-z]*')
        THEN CASE typeof(value ->> 1) WHEN 'integer' THEN max(value ->> 1, 0) ELSE 0 END ELSE 0 END ELSE 0 END
    """

// MARK: The sums of the first schema: a split is left out of the sums by category

private let categoryTriggers: [String] = [
    """
    CREATE TRIGGER transactions_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
    \(added("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_update_out BEFORE UPDATE OF \(summed) ON transactions
      WHEN OLD.deleted_at IS NULL BEGIN
    \(removed("OLD"))
    END
    """,
    """
    CREATE TRIGGER transactions_update_in AFTER UPDATE OF \(summed) ON transactions
      WHEN NEW.deleted_at IS NULL BEGIN
    \(added("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
    \(removed("OLD"))
    END
    """,
]

private let summed = """
    kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, split, deleted_at
    """

private func added(_ row: String) -> String {
    let delta = "CASE \(row).kind WHEN 'income' THEN \(row).account_minor ELSE -\(row).account_minor END"
    let what = "\(row).kind, \(row).currency, 1, \(row).amount_minor"
    let count = "ON CONFLICT DO UPDATE SET count = count + 1, minor = minor + excluded.minor"
    return """
          INSERT INTO day_sums VALUES (\(row).date, \(what))
            \(count);
          INSERT INTO month_sums VALUES (0, \(what)), (\(row).month, \(what))
            \(count);
          INSERT INTO category_months
            SELECT 0, ifnull(\(row).category, ''), \(what) WHERE \(row).split IS NULL
            UNION ALL
            SELECT \(row).month, ifnull(\(row).category, ''), \(what) WHERE \(row).split IS NULL
            \(count);
          INSERT INTO payee_months VALUES (0, \(row).payee, \(what)), (\(row).month, \(row).payee, \(what))
            \(count);
          INSERT INTO account_months
            VALUES (0, \(row).account, \(what), \(delta)), (\(row).month, \(row).account, \(what), \(delta))
            \(count), delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_months
            SELECT 0, \(row).to_account, \(what), \(row).to_minor WHERE \(row).to_account IS NOT NULL
            UNION ALL
            SELECT \(row).month, \(row).to_account, \(what), \(row).to_minor WHERE \(row).to_account IS NOT NULL
            \(count), delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums VALUES (\(row).account, 1, 0, \(delta))
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
          INSERT INTO account_sums
            SELECT \(row).to_account, 1, 0, \(row).to_minor WHERE \(row).to_account IS NOT NULL
            ON CONFLICT DO UPDATE SET count = count + 1, delta_minor = delta_minor + excluded.delta_minor;
        """
}

private func removed(_ row: String) -> String {
    let delta = "CASE \(row).kind WHEN 'income' THEN \(row).account_minor ELSE -\(row).account_minor END"
    let months = "month IN (0, \(row).month)"
    let same = "kind = \(row).kind AND currency = \(row).currency"
    let count = "count = count - 1, minor = minor - \(row).amount_minor"
    return """
          UPDATE day_sums SET \(count) WHERE date = \(row).date AND \(same);
          UPDATE month_sums SET \(count) WHERE \(months) AND \(same);
          UPDATE category_months SET \(count)
            WHERE \(row).split IS NULL AND \(months) AND category = ifnull(\(row).category, '') AND \(same);
          UPDATE payee_months SET \(count) WHERE \(months) AND payee = \(row).payee AND \(same);
          UPDATE account_months SET \(count), delta_minor = delta_minor - \(delta)
            WHERE \(months) AND account = \(row).account AND \(same);
          UPDATE account_months SET \(count), delta_minor = delta_minor - \(row).to_minor
            WHERE \(months) AND account = \(row).to_account AND \(same);
          UPDATE account_sums SET count = count - 1, delta_minor = delta_minor - \(delta)
            WHERE account = \(row).account;
          UPDATE account_sums SET count = count - 1, delta_minor = delta_minor - \(row).to_minor
            WHERE account = \(row).to_account;
        """
}

private let chargeTriggers: [String] = [
    """
    CREATE TRIGGER transactions_charged_insert AFTER INSERT ON transactions
      WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.split IS NULL BEGIN
    \(charged)
    END
    """,
    """
    CREATE TRIGGER transactions_charged_update_out BEFORE UPDATE OF \(shared) ON transactions
      WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.split IS NULL BEGIN
    \(uncharged)
    END
    """,
    """
    CREATE TRIGGER transactions_charged_update_in AFTER UPDATE OF \(shared) ON transactions
      WHEN NEW.deleted_at IS NULL AND NEW.kind <> 'transfer' AND NEW.split IS NULL BEGIN
    \(charged)
    END
    """,
    """
    CREATE TRIGGER transactions_charged_delete BEFORE DELETE ON transactions
      WHEN OLD.deleted_at IS NULL AND OLD.kind <> 'transfer' AND OLD.split IS NULL BEGIN
    \(uncharged)
    END
    """,
]

private let charged = """
      INSERT INTO charged_months
        VALUES (NEW.month, ifnull(NEW.category, ''), NEW.kind, NEW.account, NEW.currency, 1, NEW.amount_minor, NEW.account_minor)
        ON CONFLICT DO UPDATE SET
          count = count + 1, minor = minor + excluded.minor, account_minor = account_minor + excluded.account_minor;
    """

private let uncharged = """
      UPDATE charged_months
        SET count = count - 1, minor = minor - OLD.amount_minor, account_minor = account_minor - OLD.account_minor
        WHERE month = OLD.month AND category = ifnull(OLD.category, '') AND kind = OLD.kind
          AND account = OLD.account AND currency = OLD.currency;
    """

// MARK: The search index: the notes of the parts are found too

private let searchTriggers: [String] = [
    """
    CREATE TRIGGER transactions_search_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
    \(searchAdded("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_search_update_out BEFORE UPDATE OF \(searched) ON transactions
      WHEN OLD.deleted_at IS NULL BEGIN
    \(searchRemoved("OLD"))
    END
    """,
    """
    CREATE TRIGGER transactions_search_update_in AFTER UPDATE OF \(searched) ON transactions
      WHEN NEW.deleted_at IS NULL BEGIN
    \(searchAdded("NEW"))
    END
    """,
    """
    CREATE TRIGGER transactions_search_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
    \(searchRemoved("OLD"))
    END
    """,
]

private let searched = "date, payee, note, tags, amount_minor, split, deleted_at"

private func searchAdded(_ row: String) -> String {
    """
      INSERT INTO transactions_search (rowid, words)
        VALUES (\(searchNumber(row)), \(searchWords(row)));
    """
}

private func searchRemoved(_ row: String) -> String {
    """
      INSERT INTO transactions_search (transactions_search, rowid, words)
        VALUES ('delete', \(searchNumber(row)), \(searchWords(row)));
    """
}

private func searchNumber(_ row: String) -> String { "(\(row).date + 719162 << 40) | \(row).seq" }

private func searchWords(_ row: String) -> String {
    """
    \(row).payee || ' ' || \(row).note || ' ' || \(row).tags || \(partNotes(row)) || ' ' || char(57344) || \(row).amount_minor
    """
}

/// The notes of the parts, each after a space; an empty text without a split, or if it cannot be read.
private func partNotes(_ row: String) -> String {
    """
    CASE WHEN \(row).split IS NULL OR NOT json_valid(\(row).split) THEN '' ELSE ifnull((SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(\(row).split) WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'), '') END
    """
}

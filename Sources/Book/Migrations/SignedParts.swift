// A part of a split may be below zero: the tables of the sums by category accept it, and their triggers divide it.

enum SignedParts {
    /// The tables anew, whose content is derived from the transactions, with their triggers; and the triggers of the
    /// transactions that compute shares, as `SplitSQL.shares` does. The triggers that remove a transaction from the sums
    /// stay.
    ///
    /// In the table of years, the differences are computed first: each is what one statement has added to a month, which
    /// fits.
    static let sql = """
        DROP TRIGGER transactions_split_insert;
        DROP TRIGGER transactions_split_update_in;
        DROP TABLE category_months;
        DROP TABLE charged_months;
        DROP TABLE charged_years;
        DROP TABLE split_shares;

        CREATE TABLE category_months (
          month         INTEGER NOT NULL,
          category      TEXT    NOT NULL,
          kind          TEXT    NOT NULL,
          currency      TEXT    NOT NULL,
          count         INTEGER NOT NULL CHECK (count >= 0),
          minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor > -9223372036854775808),
          PRIMARY KEY (month, category, kind, currency)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX category_months_by_category ON category_months (category, kind, currency, month);

        CREATE TABLE charged_months (
          month         INTEGER NOT NULL,
          category      TEXT    NOT NULL,
          kind          TEXT    NOT NULL,
          account       TEXT    NOT NULL,
          currency      TEXT    NOT NULL,
          count         INTEGER NOT NULL CHECK (count >= 0),
          minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor > -9223372036854775808),
          account_minor INTEGER NOT NULL CONSTRAINT overflow CHECK (account_minor > -9223372036854775808),
          PRIMARY KEY (month, category, kind, account, currency)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX charged_months_by_category ON charged_months (category, kind, month);

        CREATE TABLE charged_years (
          year          INTEGER NOT NULL,
          category      TEXT    NOT NULL,
          kind          TEXT    NOT NULL,
          account       TEXT    NOT NULL,
          currency      TEXT    NOT NULL,
          count         INTEGER NOT NULL CHECK (count >= 0),
          minor         INTEGER NOT NULL CONSTRAINT overflow CHECK (minor > -9223372036854775808),
          account_minor INTEGER NOT NULL CONSTRAINT overflow CHECK (account_minor > -9223372036854775808),
          PRIMARY KEY (year, category, kind, account, currency)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE split_shares (
          category      TEXT    NOT NULL,
          date          INTEGER NOT NULL,
          id            TEXT    NOT NULL,
          seq           INTEGER NOT NULL,
          minor         INTEGER NOT NULL,
          account_minor INTEGER NOT NULL,
          PRIMARY KEY (category, date, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX split_shares_by_seq ON split_shares (seq);

        INSERT INTO split_shares
          SELECT category, date, id, seq, sum(minor), sum(account_minor) FROM (
                SELECT category, date, id, seq, minor,
                  CASE WHEN whole = charged THEN minor ELSE
                    upto / whole * charged + charged / (whole >> shift) * (upto % whole >> shift)
                    + charged % (whole >> shift) * (upto % whole >> shift) / (whole >> shift)
                    - (upto - minor) / whole * charged - charged / (whole >> shift) * ((upto - minor) % whole >> shift)
                    - charged % (whole >> shift) * ((upto - minor) % whole >> shift) / (whole >> shift) END AS account_minor
                FROM (
                  SELECT s.date, s.id, s.seq, s.amount_minor AS whole, s.account_minor AS charged,
                    CASE WHEN s.amount_minor <= 3037000499 OR s.account_minor <= 9223372036854775807 / s.amount_minor THEN 0
                      ELSE 4 * length(printf('%x', s.amount_minor)) - 31 END AS shift,
                    ifnull(p.value ->> 0, '') AS category, p.value ->> 1 AS minor,
                    sum(p.value ->> 1) OVER (PARTITION BY s.seq ORDER BY (p.value ->> 1) < 0, p.key) AS upto
                  FROM (
                    SELECT seq, id, date, amount_minor, account_minor,
                      CASE WHEN assigned IS NULL THEN json_array(json_array(category, amount_minor, ''))
                        WHEN assigned < amount_minor
                          THEN json_insert(split, '$[#]', json_array(NULL, amount_minor - assigned, ''))
                        ELSE split END AS listed
                    FROM (
                      SELECT *, (
                        SELECT CASE WHEN is_readable
                            AND (high, low) <= (amount_minor >> 32, amount_minor & 4294967295)
                            AND (back_high, back_low)
                              >= (amount_minor - 9223372036854775807 >> 32, amount_minor - 9223372036854775807 & 4294967295)
                            AND (least > 0
                              OR (amount_minor - (back_high << 32 | back_low)) / amount_minor
                                < 9223372036854775807 / account_minor)
                          THEN high << 32 | low END
                        FROM (
                          SELECT min(part <> 0) AS is_readable, min(part) AS least,
                            sum(part >> 32) + (sum(part & 4294967295) >> 32) AS high,
                            sum(part & 4294967295) & 4294967295 AS low,
                            sum(back >> 32) + (sum(back & 4294967295) >> 32) AS back_high,
                            sum(back & 4294967295) & 4294967295 AS back_low
                          FROM (
                            SELECT part, min(part, 0) AS back
                            FROM (
                              SELECT CASE WHEN type = 'array' THEN
                                CASE WHEN json_array_length(value) = 3 AND json_type(value, '$[1]') = 'integer'
                                    AND json_type(value, '$[2]') = 'text'
                                    AND (json_type(value, '$[0]') = 'null'
                                      OR json_type(value, '$[0]') = 'text' AND length(value ->> 0) = 26 AND (value ->> 0) < '8'
                                        AND (value ->> 0) NOT GLOB '*[^0-9a-hjkmnp-tv-z]*')
                                  THEN CASE WHEN typeof(value ->> 1) = 'integer' AND (value ->> 1) > -9223372036854775808
                                    THEN value ->> 1 ELSE 0 END ELSE 0 END ELSE 0 END AS part
                              FROM json_each(
                                CASE WHEN json_valid(split) THEN CASE json_type(split) WHEN 'array' THEN split ELSE '[]' END
                                  ELSE '[]' END
                              )
                            )
                          )
                        )
                      ) AS assigned FROM (SELECT * FROM transactions WHERE split IS NOT NULL AND deleted_at IS NULL)
                    )
                  ) s, json_each(s.listed) p
                )
              ) GROUP BY seq, category;
        INSERT INTO category_months
          SELECT month, category, kind, currency, count(*), sum(amount_minor) FROM (
            SELECT month, ifnull(category, '') AS category, kind, account, currency, amount_minor, account_minor
            FROM transactions WHERE deleted_at IS NULL AND split IS NULL
            UNION ALL
            SELECT t.month, s.category, t.kind, t.account, t.currency, s.minor, s.account_minor
            FROM split_shares s CROSS JOIN transactions t ON t.seq = s.seq
          ) GROUP BY 1, 2, 3, 4;
        INSERT INTO category_months
          SELECT 0, category, kind, currency, sum(count), sum(minor) FROM category_months GROUP BY 2, 3, 4;
        INSERT INTO charged_months
          SELECT month, category, kind, account, currency, count(*), sum(amount_minor), sum(account_minor) FROM (
            SELECT month, ifnull(category, '') AS category, kind, account, currency, amount_minor, account_minor
            FROM transactions WHERE deleted_at IS NULL AND split IS NULL
            UNION ALL
            SELECT t.month, s.category, t.kind, t.account, t.currency, s.minor, s.account_minor
            FROM split_shares s CROSS JOIN transactions t ON t.seq = s.seq
          )
          WHERE kind <> 'transfer' GROUP BY 1, 2, 3, 4, 5;
        INSERT INTO charged_years
          SELECT month / 12, category, kind, account, currency, sum(count), sum(minor), sum(account_minor)
          FROM charged_months GROUP BY 1, 2, 3, 4, 5;
        INSERT INTO charged_years
          SELECT 0, category, kind, account, currency, sum(count), sum(minor), sum(account_minor)
          FROM charged_years GROUP BY 2, 3, 4, 5;

        CREATE TRIGGER charged_months_insert AFTER INSERT ON charged_months BEGIN
          INSERT INTO charged_years
            VALUES
              (0, NEW.category, NEW.kind, NEW.account, NEW.currency, NEW.count, NEW.minor, NEW.account_minor),
              (NEW.month / 12, NEW.category, NEW.kind, NEW.account, NEW.currency, NEW.count, NEW.minor, NEW.account_minor)
            ON CONFLICT DO UPDATE SET
              count = count + excluded.count, minor = minor + excluded.minor,
              account_minor = account_minor + excluded.account_minor;
        END;
        CREATE TRIGGER charged_months_update AFTER UPDATE OF count, minor, account_minor ON charged_months BEGIN
          UPDATE charged_years
            SET count = count + (NEW.count - OLD.count), minor = minor + (NEW.minor - OLD.minor),
              account_minor = account_minor + (NEW.account_minor - OLD.account_minor)
            WHERE year IN (0, NEW.month / 12) AND category = NEW.category AND kind = NEW.kind AND account = NEW.account
              AND currency = NEW.currency;
        END;

        CREATE TRIGGER transactions_split_insert AFTER INSERT ON transactions
          WHEN NEW.split IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
          INSERT INTO split_shares
            SELECT category, date, id, seq, sum(minor), sum(account_minor) FROM (
                  SELECT category, date, id, seq, minor,
                    CASE WHEN whole = charged THEN minor ELSE
                      upto / whole * charged + charged / (whole >> shift) * (upto % whole >> shift)
                      + charged % (whole >> shift) * (upto % whole >> shift) / (whole >> shift)
                      - (upto - minor) / whole * charged - charged / (whole >> shift) * ((upto - minor) % whole >> shift)
                      - charged % (whole >> shift) * ((upto - minor) % whole >> shift) / (whole >> shift) END AS account_minor
                  FROM (
                    SELECT s.date, s.id, s.seq, s.amount_minor AS whole, s.account_minor AS charged,
                      CASE WHEN s.amount_minor <= 3037000499 OR s.account_minor <= 9223372036854775807 / s.amount_minor THEN 0
                        ELSE 4 * length(printf('%x', s.amount_minor)) - 31 END AS shift,
                      ifnull(p.value ->> 0, '') AS category, p.value ->> 1 AS minor,
                      sum(p.value ->> 1) OVER (PARTITION BY s.seq ORDER BY (p.value ->> 1) < 0, p.key) AS upto
                    FROM (
                      SELECT seq, id, date, amount_minor, account_minor,
                        CASE WHEN assigned IS NULL THEN json_array(json_array(category, amount_minor, ''))
                          WHEN assigned < amount_minor
                            THEN json_insert(split, '$[#]', json_array(NULL, amount_minor - assigned, ''))
                          ELSE split END AS listed
                      FROM (
                        SELECT *, (
                          SELECT CASE WHEN is_readable
                              AND (high, low) <= (amount_minor >> 32, amount_minor & 4294967295)
                              AND (back_high, back_low)
                                >= (amount_minor - 9223372036854775807 >> 32, amount_minor - 9223372036854775807 & 4294967295)
                              AND (least > 0
                                OR (amount_minor - (back_high << 32 | back_low)) / amount_minor
                                  < 9223372036854775807 / account_minor)
                            THEN high << 32 | low END
                          FROM (
                            SELECT min(part <> 0) AS is_readable, min(part) AS least,
                              sum(part >> 32) + (sum(part & 4294967295) >> 32) AS high,
                              sum(part & 4294967295) & 4294967295 AS low,
                              sum(back >> 32) + (sum(back & 4294967295) >> 32) AS back_high,
                              sum(back & 4294967295) & 4294967295 AS back_low
                            FROM (
                              SELECT part, min(part, 0) AS back
                              FROM (
                                SELECT CASE WHEN type = 'array' THEN
                                  CASE WHEN json_array_length(value) = 3 AND json_type(value, '$[1]') = 'integer'
                                      AND json_type(value, '$[2]') = 'text'
                                      AND (json_type(value, '$[0]') = 'null'
                                        OR json_type(value, '$[0]') = 'text' AND length(value ->> 0) = 26 AND (value ->> 0) < '8'
                                          AND (value ->> 0) NOT GLOB '*[^0-9a-hjkmnp-tv-z]*')
                                    THEN CASE WHEN typeof(value ->> 1) = 'integer' AND (value ->> 1) > -9223372036854775808
                                      THEN value ->> 1 ELSE 0 END ELSE 0 END ELSE 0 END AS part
                                FROM json_each(
                                  CASE WHEN json_valid(split) THEN CASE json_type(split) WHEN 'array' THEN split ELSE '[]' END
                                    ELSE '[]' END
                                )
                              )
                            )
                          )
                        ) AS assigned FROM (
                          SELECT NEW.seq AS seq, NEW.id AS id, NEW.date AS date, NEW.category AS category,
                            NEW.amount_minor AS amount_minor, NEW.account_minor AS account_minor, NEW.split AS split
                        )
                      )
                    ) s, json_each(s.listed) p
                  )
                ) GROUP BY seq, category;
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
        END;

        CREATE TRIGGER transactions_split_update_in AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, category, split, deleted_at
          ON transactions WHEN NEW.split IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
          INSERT INTO split_shares
            SELECT category, date, id, seq, sum(minor), sum(account_minor) FROM (
                  SELECT category, date, id, seq, minor,
                    CASE WHEN whole = charged THEN minor ELSE
                      upto / whole * charged + charged / (whole >> shift) * (upto % whole >> shift)
                      + charged % (whole >> shift) * (upto % whole >> shift) / (whole >> shift)
                      - (upto - minor) / whole * charged - charged / (whole >> shift) * ((upto - minor) % whole >> shift)
                      - charged % (whole >> shift) * ((upto - minor) % whole >> shift) / (whole >> shift) END AS account_minor
                  FROM (
                    SELECT s.date, s.id, s.seq, s.amount_minor AS whole, s.account_minor AS charged,
                      CASE WHEN s.amount_minor <= 3037000499 OR s.account_minor <= 9223372036854775807 / s.amount_minor THEN 0
                        ELSE 4 * length(printf('%x', s.amount_minor)) - 31 END AS shift,
                      ifnull(p.value ->> 0, '') AS category, p.value ->> 1 AS minor,
                      sum(p.value ->> 1) OVER (PARTITION BY s.seq ORDER BY (p.value ->> 1) < 0, p.key) AS upto
                    FROM (
                      SELECT seq, id, date, amount_minor, account_minor,
                        CASE WHEN assigned IS NULL THEN json_array(json_array(category, amount_minor, ''))
                          WHEN assigned < amount_minor
                            THEN json_insert(split, '$[#]', json_array(NULL, amount_minor - assigned, ''))
                          ELSE split END AS listed
                      FROM (
                        SELECT *, (
                          SELECT CASE WHEN is_readable
                              AND (high, low) <= (amount_minor >> 32, amount_minor & 4294967295)
                              AND (back_high, back_low)
                                >= (amount_minor - 9223372036854775807 >> 32, amount_minor - 9223372036854775807 & 4294967295)
                              AND (least > 0
                                OR (amount_minor - (back_high << 32 | back_low)) / amount_minor
                                  < 9223372036854775807 / account_minor)
                            THEN high << 32 | low END
                          FROM (
                            SELECT min(part <> 0) AS is_readable, min(part) AS least,
                              sum(part >> 32) + (sum(part & 4294967295) >> 32) AS high,
                              sum(part & 4294967295) & 4294967295 AS low,
                              sum(back >> 32) + (sum(back & 4294967295) >> 32) AS back_high,
                              sum(back & 4294967295) & 4294967295 AS back_low
                            FROM (
                              SELECT part, min(part, 0) AS back
                              FROM (
                                SELECT CASE WHEN type = 'array' THEN
                                  CASE WHEN json_array_length(value) = 3 AND json_type(value, '$[1]') = 'integer'
                                      AND json_type(value, '$[2]') = 'text'
                                      AND (json_type(value, '$[0]') = 'null'
                                        OR json_type(value, '$[0]') = 'text' AND length(value ->> 0) = 26 AND (value ->> 0) < '8'
                                          AND (value ->> 0) NOT GLOB '*[^0-9a-hjkmnp-tv-z]*')
                                    THEN CASE WHEN typeof(value ->> 1) = 'integer' AND (value ->> 1) > -9223372036854775808
                                      THEN value ->> 1 ELSE 0 END ELSE 0 END ELSE 0 END AS part
                                FROM json_each(
                                  CASE WHEN json_valid(split) THEN CASE json_type(split) WHEN 'array' THEN split ELSE '[]' END
                                    ELSE '[]' END
                                )
                              )
                            )
                          )
                        ) AS assigned FROM (
                          SELECT NEW.seq AS seq, NEW.id AS id, NEW.date AS date, NEW.category AS category,
                            NEW.amount_minor AS amount_minor, NEW.account_minor AS account_minor, NEW.split AS split
                        )
                      )
                    ) s, json_each(s.listed) p
                  )
                ) GROUP BY seq, category;
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
        END;

        """
}

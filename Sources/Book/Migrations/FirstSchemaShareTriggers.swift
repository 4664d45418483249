// The triggers of the first schema of a book that divide transactions among the categories of their parts.

extension FirstSchema {
    /// From the inside of the query for the shares: `part` is the amount of a part, or 0 if the part cannot be read; `assigned`
    /// is the sum of all parts, or null if one cannot be read or the sum exceeds the amount; `listed` is a list that always
    /// adds up to the amount; `upto` is the sum of the parts up to one. The sums of halves cannot overflow. The last step
    /// divides the change of the account as `ShareRule` does.
    static let shareTriggers = """
        CREATE TRIGGER transactions_split_insert AFTER INSERT ON transactions
          WHEN NEW.split IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
          INSERT INTO split_shares
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
                      FROM (
                        SELECT CASE WHEN type = 'array' THEN
                          CASE WHEN json_array_length(value) = 3 AND json_type(value, '$[1]') = 'integer'
                              AND json_type(value, '$[2]') = 'text'
                              AND (json_type(value, '$[0]') = 'null'
                                OR json_type(value, '$[0]') = 'text' AND length(value ->> 0) = 26 AND (value ->> 0) < '8'
                                  AND (value ->> 0) NOT GLOB '*[^0-9a-hjkmnp-tv-z]*')
                            THEN CASE typeof(value ->> 1) WHEN 'integer' THEN max(value ->> 1, 0) ELSE 0 END
                            ELSE 0 END
                          ELSE 0 END AS part
                        FROM json_each(
                          CASE WHEN json_valid(split)
                            THEN CASE json_type(split) WHEN 'array' THEN split ELSE '[]' END
                            ELSE '[]' END
                        )
                      )
                    ) AS assigned
                    FROM (
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

        CREATE TRIGGER transactions_split_update_out BEFORE UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, category, split, deleted_at
          ON transactions WHEN OLD.split IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
          UPDATE category_months SET count = count - 1, minor = category_months.minor - s.minor
            FROM (SELECT category AS of, minor FROM split_shares WHERE seq = OLD.seq) s
            WHERE month IN (0, OLD.month) AND category = s.of AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE charged_months
            SET count = count - 1, minor = charged_months.minor - s.minor, account_minor = account_minor - s.charged
            FROM (SELECT category AS of, minor, account_minor AS charged FROM split_shares WHERE seq = OLD.seq) s
            WHERE month = OLD.month AND category = s.of AND kind = OLD.kind AND account = OLD.account
              AND currency = OLD.currency;
          DELETE FROM split_shares WHERE seq = OLD.seq;
        END;

        CREATE TRIGGER transactions_split_update_in AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, category, split, deleted_at
          ON transactions WHEN NEW.split IS NOT NULL AND NEW.deleted_at IS NULL BEGIN
          INSERT INTO split_shares
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
                      FROM (
                        SELECT CASE WHEN type = 'array' THEN
                          CASE WHEN json_array_length(value) = 3 AND json_type(value, '$[1]') = 'integer'
                              AND json_type(value, '$[2]') = 'text'
                              AND (json_type(value, '$[0]') = 'null'
                                OR json_type(value, '$[0]') = 'text' AND length(value ->> 0) = 26 AND (value ->> 0) < '8'
                                  AND (value ->> 0) NOT GLOB '*[^0-9a-hjkmnp-tv-z]*')
                            THEN CASE typeof(value ->> 1) WHEN 'integer' THEN max(value ->> 1, 0) ELSE 0 END
                            ELSE 0 END
                          ELSE 0 END AS part
                        FROM json_each(
                          CASE WHEN json_valid(split)
                            THEN CASE json_type(split) WHEN 'array' THEN split ELSE '[]' END
                            ELSE '[]' END
                        )
                      )
                    ) AS assigned
                    FROM (
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

        CREATE TRIGGER transactions_split_delete BEFORE DELETE ON transactions
          WHEN OLD.split IS NOT NULL AND OLD.deleted_at IS NULL BEGIN
          UPDATE category_months SET count = count - 1, minor = category_months.minor - s.minor
            FROM (SELECT category AS of, minor FROM split_shares WHERE seq = OLD.seq) s
            WHERE month IN (0, OLD.month) AND category = s.of AND kind = OLD.kind AND currency = OLD.currency;
          UPDATE charged_months
            SET count = count - 1, minor = charged_months.minor - s.minor, account_minor = account_minor - s.charged
            FROM (SELECT category AS of, minor, account_minor AS charged FROM split_shares WHERE seq = OLD.seq) s
            WHERE month = OLD.month AND category = s.of AND kind = OLD.kind AND account = OLD.account
              AND currency = OLD.currency;
          DELETE FROM split_shares WHERE seq = OLD.seq;
        END;
        """
}

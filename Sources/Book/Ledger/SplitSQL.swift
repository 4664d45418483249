// The parts of split transactions, computed in SQL.

/// The same queries as in the triggers of the schema.
enum SplitSQL {
    /// A query for the rows of `split_shares` of some transactions, as the triggers of the schema compute them.
    ///
    /// From the inside: `part` is the amount of a part, or 0 if the part cannot be read, and `back` is that of a part below
    /// zero; `assigned` is the sum of all parts, or null if one cannot be read, the sum exceeds the amount, or a sum or a
    /// share does not fit; `listed` is a list that always adds up to the amount; `upto` is the sum of the parts up to one,
    /// with the parts below zero at the end. The sums of halves cannot overflow. The last step divides the change of the
    /// account as `ShareRule` does.
    static func shares(of source: String) -> String {
        """
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
                          FROM (SELECT \(partAmount) AS part FROM json_each(\(readableList)))
                        )
                      )
                    ) AS assigned FROM \(source)
                  )
                ) s, json_each(s.listed) p
              )
            ) GROUP BY seq, category
        """
    }

    /// The split, or an empty list if it is no JSON or no list.
    private static let readableList = """
        CASE WHEN json_valid(split) THEN CASE json_type(split) WHEN 'array' THEN split ELSE '[]' END ELSE '[]' END
        """

    /// The amount of an element of the list; 0 if it has not the form that `Split` reads.
    private static let partAmount = """
        CASE WHEN type = 'array' THEN
          CASE WHEN json_array_length(value) = 3 AND json_type(value, '$[1]') = 'integer'
              AND json_type(value, '$[2]') = 'text'
              AND (json_type(value, '$[0]') = 'null'
                OR json_type(value, '$[0]') = 'text' AND length(value ->> 0) = 26 AND (value ->> 0) < '8'
                  AND (value ->> 0) NOT GLOB '*[^0-9a-hjkmnp-tv-z]*')
            THEN CASE WHEN typeof(value ->> 1) = 'integer' AND (value ->> 1) > -9223372036854775808 THEN value ->> 1
              ELSE 0 END ELSE 0 END ELSE 0 END
        """
}

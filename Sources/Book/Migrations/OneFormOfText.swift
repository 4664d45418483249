// Payees with what their spellings have in common, and a search index of folded texts.

/// Statements of the second schema.
enum OneFormOfText {
    static let sql = payees + search

    /// A payee stays here when its last transaction is gone. The sums of all years have each payee once.
    private static let payees = """
        CREATE TABLE payee_names (
          payee TEXT NOT NULL PRIMARY KEY,
          key   TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX payee_names_by_key ON payee_names (key);
        CREATE TRIGGER payee_years_name AFTER INSERT ON payee_years WHEN NEW.year = 0 BEGIN
          INSERT INTO payee_names (payee, key) VALUES (NEW.payee, name_key_1(NEW.payee)) ON CONFLICT DO NOTHING;
        END;
        INSERT INTO payee_names (payee, key)
          SELECT DISTINCT payee, name_key_1(payee) FROM payee_years WHERE year = 0;

        """

    /// The index holds words as `search_words_1` folds them, and amounts in ten-thousandths of their currency, so that one
    /// number means one value in each currency.
    private static let search = """
        DROP TRIGGER transactions_search_insert;
        DROP TRIGGER transactions_search_update_out;
        DROP TRIGGER transactions_search_update_in;
        DROP TRIGGER transactions_search_delete;

        CREATE TRIGGER transactions_search_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (rowid, words) VALUES ((NEW.date + 719162 << 40) | NEW.seq, \(words("NEW")));
        END;

        CREATE TRIGGER transactions_search_update_out BEFORE UPDATE OF
            date, payee, note, tags, amount_minor, currency, split, deleted_at
          ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            VALUES ('delete', (OLD.date + 719162 << 40) | OLD.seq, \(words("OLD")));
        END;

        CREATE TRIGGER transactions_search_update_in AFTER UPDATE OF
            date, payee, note, tags, amount_minor, currency, split, deleted_at
          ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (rowid, words) VALUES ((NEW.date + 719162 << 40) | NEW.seq, \(words("NEW")));
        END;

        CREATE TRIGGER transactions_search_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            VALUES ('delete', (OLD.date + 719162 << 40) | OLD.seq, \(words("OLD")));
        END;

        INSERT INTO transactions_search (transactions_search) VALUES ('delete-all');
        INSERT INTO transactions_search (rowid, words)
          SELECT (date + 719162 << 40) | seq, \(words("transactions")) FROM transactions
          WHERE deleted_at IS NULL ORDER BY date, seq;
        """

    /// What the index holds of a row, as text of this schema.
    private static func words(_ row: String) -> String {
        """
        search_words_1(\(row).payee || ' ' || \(row).note || ' ' || \(row).tags || CASE
                WHEN \(row).split IS NULL OR NOT json_valid(\(row).split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(\(row).split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END) || ' ' || char(57344) || \(row).amount_minor || CASE
                WHEN \(row).currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                  'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
                WHEN \(row).currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
                WHEN \(row).currency = 'CLF' THEN '' ELSE '00' END
        """
    }
}

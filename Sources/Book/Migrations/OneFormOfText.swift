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
          INSERT INTO transactions_search (rowid, words)
            VALUES (
              (NEW.date + 719162 << 40) | NEW.seq,
              search_words_1(NEW.payee || ' ' || NEW.note || ' ' || NEW.tags || CASE
                WHEN NEW.split IS NULL OR NOT json_valid(NEW.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(NEW.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END) || ' ' || char(57344) || NEW.amount_minor || CASE
                WHEN NEW.currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                  'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
                WHEN NEW.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
                WHEN NEW.currency = 'CLF' THEN '' ELSE '00' END
            );
        END;

        CREATE TRIGGER transactions_search_update_out BEFORE UPDATE OF
            date, payee, note, tags, amount_minor, currency, split, deleted_at
          ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            VALUES (
              'delete', (OLD.date + 719162 << 40) | OLD.seq,
              search_words_1(OLD.payee || ' ' || OLD.note || ' ' || OLD.tags || CASE
                WHEN OLD.split IS NULL OR NOT json_valid(OLD.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(OLD.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END) || ' ' || char(57344) || OLD.amount_minor || CASE
                WHEN OLD.currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                  'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
                WHEN OLD.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
                WHEN OLD.currency = 'CLF' THEN '' ELSE '00' END
            );
        END;

        CREATE TRIGGER transactions_search_update_in AFTER UPDATE OF
            date, payee, note, tags, amount_minor, currency, split, deleted_at
          ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (rowid, words)
            VALUES (
              (NEW.date + 719162 << 40) | NEW.seq,
              search_words_1(NEW.payee || ' ' || NEW.note || ' ' || NEW.tags || CASE
                WHEN NEW.split IS NULL OR NOT json_valid(NEW.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(NEW.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END) || ' ' || char(57344) || NEW.amount_minor || CASE
                WHEN NEW.currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                  'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
                WHEN NEW.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
                WHEN NEW.currency = 'CLF' THEN '' ELSE '00' END
            );
        END;

        CREATE TRIGGER transactions_search_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            VALUES (
              'delete', (OLD.date + 719162 << 40) | OLD.seq,
              search_words_1(OLD.payee || ' ' || OLD.note || ' ' || OLD.tags || CASE
                WHEN OLD.split IS NULL OR NOT json_valid(OLD.split) THEN ''
                ELSE ifnull((
                  SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(OLD.split)
                  WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
                ), '') END) || ' ' || char(57344) || OLD.amount_minor || CASE
                WHEN OLD.currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                  'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
                WHEN OLD.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
                WHEN OLD.currency = 'CLF' THEN '' ELSE '00' END
            );
        END;

        INSERT INTO transactions_search (transactions_search) VALUES ('delete-all');
        INSERT INTO transactions_search (rowid, words)
          SELECT
            (date + 719162 << 40) | seq,
            search_words_1(transactions.payee || ' ' || transactions.note || ' ' || transactions.tags || CASE
              WHEN transactions.split IS NULL OR NOT json_valid(transactions.split) THEN ''
              ELSE ifnull((
                SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(transactions.split)
                WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
              ), '') END) || ' ' || char(57344) || transactions.amount_minor || CASE
              WHEN transactions.currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
              WHEN transactions.currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
              WHEN transactions.currency = 'CLF' THEN '' ELSE '00' END
          FROM transactions WHERE deleted_at IS NULL ORDER BY date, seq;
        """
}

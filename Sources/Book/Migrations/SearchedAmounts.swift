// A search index with all amounts that a transaction shows.

/// The index has the amount of a transaction, what its account was charged, what arrived, and the parts of a split.
enum SearchedAmounts {
    static let sql = views + triggers

    /// The words that the index has of each live transaction: its texts, and its amounts in ten-thousandths of their currency, each
    /// behind a space and the mark of amounts. An amount on an account counts if it is another one. The sign of a part
    /// is left out, as that of an expense.
    ///
    /// The first view has no function of the book's own, so that connections without them can read it.
    private static let views = """
        CREATE VIEW account_scales (id, currency, zeros) AS
          SELECT id, currency, CASE
            WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
              'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
            WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
            WHEN currency = 'CLF' THEN '' ELSE '00' END
          FROM accounts;

        CREATE VIEW transaction_amounts (seq, date, number, texts, amounts) AS
          SELECT
            seq, date, (date + 719162 << 40) | seq,
            payee || ' ' || note || ' ' || tags || CASE
              WHEN split IS NULL OR NOT json_valid(split) THEN ''
              ELSE ifnull((
                SELECT group_concat(' ' || (value ->> 2), '') FROM json_each(split)
                WHERE CASE type WHEN 'array' THEN json_type(value, '$[2]') END = 'text'
              ), '') END,
            ' ' || char(57344) || amount_minor || zeros
            || ifnull((
              SELECT ' ' || char(57344) || t.account_minor || a.zeros FROM account_scales a
              WHERE a.id = t.account AND (a.currency, t.account_minor) <> (t.currency, t.amount_minor)
            ), '')
            || CASE WHEN to_account IS NULL THEN '' ELSE ifnull((
              SELECT ' ' || char(57344) || t.to_minor || a.zeros FROM account_scales a
              WHERE a.id = t.to_account AND (a.currency, t.to_minor) <> (t.currency, t.amount_minor)
            ), '') END
            || CASE
              WHEN split IS NULL OR NOT json_valid(split) THEN ''
              ELSE ifnull((
                SELECT group_concat(' ' || char(57344) || ltrim(value ->> 1, '-') || zeros, '') FROM json_each(split)
                WHERE CASE type WHEN 'array' THEN json_type(value, '$[1]') = 'integer'
                  AND typeof(value ->> 1) = 'integer' END
              ), '') END
          FROM (
            SELECT *, CASE
              WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
                'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN '0000'
              WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN '0'
              WHEN currency = 'CLF' THEN '' ELSE '00' END AS zeros
            FROM transactions
          ) t
          WHERE deleted_at IS NULL;

        CREATE VIEW transaction_words (seq, date, number, words) AS
          SELECT seq, date, number, search_words_1(texts) || amounts FROM transaction_amounts;

        """

    /// The words of a transaction are removed from the index as they were added: SQLite does not keep them there. Those of
    /// all transactions of an account change with its currency.
    private static let triggers = """
        DROP TRIGGER transactions_search_insert;
        DROP TRIGGER transactions_search_update_out;
        DROP TRIGGER transactions_search_update_in;
        DROP TRIGGER transactions_search_delete;

        CREATE TRIGGER transactions_search_insert AFTER INSERT ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (rowid, words)
            SELECT number, words FROM transaction_words WHERE seq = NEW.seq;
        END;
        CREATE TRIGGER transactions_search_update_out BEFORE UPDATE OF
            date, payee, note, tags, amount_minor, currency, account, account_minor, to_account, to_minor, split, deleted_at
          ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            SELECT 'delete', number, words FROM transaction_words WHERE seq = OLD.seq;
        END;
        CREATE TRIGGER transactions_search_update_in AFTER UPDATE OF
            date, payee, note, tags, amount_minor, currency, account, account_minor, to_account, to_minor, split, deleted_at
          ON transactions WHEN NEW.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (rowid, words)
            SELECT number, words FROM transaction_words WHERE seq = NEW.seq;
        END;
        CREATE TRIGGER transactions_search_delete BEFORE DELETE ON transactions WHEN OLD.deleted_at IS NULL BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            SELECT 'delete', number, words FROM transaction_words WHERE seq = OLD.seq;
        END;

        CREATE TRIGGER accounts_search_update_out BEFORE UPDATE OF currency ON accounts
          WHEN NEW.currency <> OLD.currency BEGIN
          INSERT INTO transactions_search (transactions_search, rowid, words)
            SELECT 'delete', number, words FROM transaction_words WHERE seq IN (
              SELECT seq FROM transactions WHERE deleted_at IS NULL AND account = OLD.id
              UNION ALL
              SELECT seq FROM transactions WHERE deleted_at IS NULL AND to_account = OLD.id
            );
        END;
        CREATE TRIGGER accounts_search_update_in AFTER UPDATE OF currency ON accounts
          WHEN NEW.currency <> OLD.currency BEGIN
          INSERT INTO transactions_search (rowid, words)
            SELECT number, words FROM transaction_words WHERE seq IN (
              SELECT seq FROM transactions WHERE deleted_at IS NULL AND account = NEW.id
              UNION ALL
              SELECT seq FROM transactions WHERE deleted_at IS NULL AND to_account = NEW.id
            );
        END;

        INSERT INTO transactions_search (transactions_search) VALUES ('delete-all');
        INSERT INTO transactions_search (rowid, words)
          SELECT number, words FROM transaction_words ORDER BY date, seq;
        """
}

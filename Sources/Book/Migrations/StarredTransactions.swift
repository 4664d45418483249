// A transaction can be starred, as a template for others.

/// Statements of the schema that marks templates.
enum StarredTransactions {
    /// Adds columns and tables, and replaces the triggers that name the columns.
    static let sql = """
        ALTER TABLE transactions ADD COLUMN starred INTEGER CHECK (starred IN (0, 1));
        CREATE INDEX transactions_starred ON transactions (date, id) WHERE starred = 1 AND deleted_at IS NULL;
        DROP TRIGGER transactions_record_update;
        CREATE TRIGGER transactions_record_update AFTER UPDATE OF
            kind, date, amount_minor, currency, account, account_minor, to_account, to_minor, category, payee, note,
            tags, split, bank_transaction, occurrence, starred
          ON transactions
          WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL AND (
              NEW.kind IS NOT OLD.kind OR NEW.date IS NOT OLD.date OR NEW.amount_minor IS NOT OLD.amount_minor
              OR NEW.currency IS NOT OLD.currency OR NEW.account IS NOT OLD.account
              OR NEW.account_minor IS NOT OLD.account_minor OR NEW.to_account IS NOT OLD.to_account
              OR NEW.to_minor IS NOT OLD.to_minor OR NEW.category IS NOT OLD.category OR NEW.payee IS NOT OLD.payee
              OR NEW.note IS NOT OLD.note OR NEW.tags IS NOT OLD.tags OR NEW.split IS NOT OLD.split
              OR NEW.bank_transaction IS NOT OLD.bank_transaction OR NEW.occurrence IS NOT OLD.occurrence
              OR NEW.starred IS NOT OLD.starred
            )
            AND (SELECT is_recording FROM sync) BEGIN
          INSERT INTO history (tx, at, action, kind, id, before, after)
            SELECT tx, now, 'patch', 'transaction', NEW.id,
              json_remove(
                json_object(
                  'kind', OLD.kind, 'date', OLD.date, 'amount', OLD.amount_minor, 'currency', OLD.currency,
                  'account', OLD.account, 'accountAmount', OLD.account_minor, 'toAccount', OLD.to_account,
                  'toAmount', OLD.to_minor, 'category', OLD.category, 'payee', OLD.payee, 'note', OLD.note,
                  'tags', OLD.tags, 'split', OLD.split, 'bankTransaction', OLD.bank_transaction,
                  'occurrence', OLD.occurrence, 'starred', OLD.starred
                ),
                iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'),
                iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.account IS OLD.account, '$.account', '$.""'),
                iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'),
                iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'),
                iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.split IS OLD.split, '$.split', '$.""'),
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'),
                iif(NEW.occurrence IS OLD.occurrence, '$.occurrence', '$.""'),
                iif(NEW.starred IS OLD.starred, '$.starred', '$.""')
              ),
              json_remove(
                json_object(
                  'kind', NEW.kind, 'date', NEW.date, 'amount', NEW.amount_minor, 'currency', NEW.currency,
                  'account', NEW.account, 'accountAmount', NEW.account_minor, 'toAccount', NEW.to_account,
                  'toAmount', NEW.to_minor, 'category', NEW.category, 'payee', NEW.payee, 'note', NEW.note,
                  'tags', NEW.tags, 'split', NEW.split, 'bankTransaction', NEW.bank_transaction,
                  'occurrence', NEW.occurrence, 'starred', NEW.starred
                ),
                iif(NEW.kind IS OLD.kind, '$.kind', '$.""'), iif(NEW.date IS OLD.date, '$.date', '$.""'),
                iif(NEW.amount_minor IS OLD.amount_minor, '$.amount', '$.""'),
                iif(NEW.currency IS OLD.currency, '$.currency', '$.""'),
                iif(NEW.account IS OLD.account, '$.account', '$.""'),
                iif(NEW.account_minor IS OLD.account_minor, '$.accountAmount', '$.""'),
                iif(NEW.to_account IS OLD.to_account, '$.toAccount', '$.""'),
                iif(NEW.to_minor IS OLD.to_minor, '$.toAmount', '$.""'),
                iif(NEW.category IS OLD.category, '$.category', '$.""'), iif(NEW.payee IS OLD.payee, '$.payee', '$.""'),
                iif(NEW.note IS OLD.note, '$.note', '$.""'), iif(NEW.tags IS OLD.tags, '$.tags', '$.""'),
                iif(NEW.split IS OLD.split, '$.split', '$.""'),
                iif(NEW.bank_transaction IS OLD.bank_transaction, '$.bankTransaction', '$.""'),
                iif(NEW.occurrence IS OLD.occurrence, '$.occurrence', '$.""'),
                iif(NEW.starred IS OLD.starred, '$.starred', '$.""')
              )
            FROM sync;
        END;
        """
}

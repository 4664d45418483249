// The ninth schema of a book: rows and fields of a newer version are adopted once this version supports them.
import Storage

/// For a row of a known kind, `foreign_rows` holds only the unknown fields: copies of the known fields would
/// be out of date after the next change on this device. A row that does not fit is stored as a whole.
let foreignMigration = Migration(
    number: 9,
    name: "foreign rows",
    since: "0.1.0",
    sql: """
        -- The kinds and fields that this book could store when it was opened last.
        ALTER TABLE sync ADD COLUMN known TEXT NOT NULL DEFAULT '';
        -- Marked for coming again: they have not, or are not known to be deleted.
        DELETE FROM foreign_rows WHERE is_deleted = 1;
        DELETE FROM deviations WHERE (kind, id) IN (SELECT kind, id FROM foreign_rows);
        -- A later change may have fitted: the present row counts, and the next comparison with the cloud tells.
        DELETE FROM foreign_rows WHERE kind = 'conflict' AND problem IS NOT NULL AND id IN (SELECT id FROM conflicts);
        DELETE FROM foreign_rows WHERE kind = 'category' AND problem IS NOT NULL AND id IN (SELECT id FROM categories);
        DELETE FROM foreign_rows WHERE kind = 'budget' AND problem IS NOT NULL AND id IN (SELECT id FROM budgets);
        DELETE FROM foreign_rows WHERE kind = 'transaction' AND problem IS NOT NULL AND id IN (SELECT id FROM transactions);
        DELETE FROM foreign_rows WHERE kind = 'preferences' AND problem IS NOT NULL AND id IN (SELECT id FROM preferences);
        DELETE FROM foreign_rows WHERE kind = 'account' AND problem IS NOT NULL AND id IN (SELECT id FROM accounts);
        UPDATE foreign_rows SET fields = json_remove(fields, '$.name', '$.type', '$.currency', '$.opening') WHERE kind = 'account' AND problem IS NULL;
        DELETE FROM foreign_rows WHERE kind = 'account' AND problem IS NULL AND fields = '{}';
        UPDATE foreign_rows SET fields = json_remove(fields, '$.name', '$.kind', '$.icon', '$.color', '$.parent') WHERE kind = 'category' AND problem IS NULL;
        DELETE FROM foreign_rows WHERE kind = 'category' AND problem IS NULL AND fields = '{}';
        UPDATE foreign_rows SET fields = json_remove(fields, '$.category', '$.limit', '$.currency', '$.from', '$.rollover') WHERE kind = 'budget' AND problem IS NULL;
        DELETE FROM foreign_rows WHERE kind = 'budget' AND problem IS NULL AND fields = '{}';
        UPDATE foreign_rows SET fields = json_remove(fields, '$.baseCurrency', '$.secondaryCurrencies', '$.weekStart', '$.conflictPolicy', '$.theme', '$.locale', '$.timeZone') WHERE kind = 'preferences' AND problem IS NULL;
        DELETE FROM foreign_rows WHERE kind = 'preferences' AND problem IS NULL AND fields = '{}';
        UPDATE foreign_rows SET fields = json_remove(fields, '$.kind', '$.date', '$.amount', '$.currency', '$.account', '$.accountAmount', '$.toAccount', '$.toAmount', '$.category', '$.payee', '$.note', '$.tags') WHERE kind = 'transaction' AND problem IS NULL;
        DELETE FROM foreign_rows WHERE kind = 'transaction' AND problem IS NULL AND fields = '{}';
        UPDATE foreign_rows SET fields = json_remove(fields, '$.kind', '$.entity', '$.field', '$.kept', '$.lost', '$.keptBy', '$.lostBy', '$.keptName', '$.lostName', '$.at', '$.held', '$.choice') WHERE kind = 'conflict' AND problem IS NULL;
        DELETE FROM foreign_rows WHERE kind = 'conflict' AND problem IS NULL AND fields = '{}';
        """
)

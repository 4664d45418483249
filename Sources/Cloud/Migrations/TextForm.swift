// Accounts whose rows have texts in the one form in which texts are stored.

/// Statements of the second schema.
enum TextForm {
    /// `text_form` is the number of the form that the texts of an account's live rows have, 0 if earlier versions may have
    /// stored some of them in another one. See `SyncService.textForm`.
    static let sql = """
        ALTER TABLE sync_accounts ADD COLUMN text_form INTEGER NOT NULL DEFAULT 0;
        UPDATE sync_accounts SET text_form = 1
          WHERE NOT EXISTS (SELECT 1 FROM entities WHERE account = sync_accounts.number);
        """
}

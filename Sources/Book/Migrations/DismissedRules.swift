// Offers of rules that the user has refused.

/// Statements of the schema that remembers refused offers. They are not synced: an offer is made from the history of one
/// device.
enum DismissedRules {
    /// Adds the table. `payee` is a key, in which the spellings of a payee are equal.
    static let sql = """
        CREATE TABLE dismissed_rules (
          payee    TEXT NOT NULL,
          category TEXT NOT NULL CHECK (length(category) = 26),
          PRIMARY KEY (payee, category)
        ) STRICT, WITHOUT ROWID;
        """
}

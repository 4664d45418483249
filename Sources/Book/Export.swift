// The whole book, row by row, for files that are written elsewhere; and a copy of the file itself.
import GRDB
public import Ledger
import Storage

/// One live row of a book.
public enum ExportItem: Hashable, Sendable {
    case preferences(Preferences)
    case account(Account)
    case category(Ledger.Category)
    case budget(Budget)
    case transaction(Transaction)
}

extension Book {
    /// Hands every live row to `visit`, of one moment: preferences, then accounts, categories, budgets, each by
    /// id, then transactions by date and id, oldest first.
    ///
    /// It reads over a connection of its own: pages and changes go on meanwhile, however slow `visit` is.
    /// - Throws: `BookError`, or what `visit` throws, as `failed`.
    public func export(_ visit: (ExportItem) throws -> Void) throws(BookError) {
        do {
            let reader = try DatabaseFile.openForReading(at: path)
            defer { try? reader.close() }
            try reader.read { db in
                try visit(.preferences(db.preferences()))
                for account in try db.accounts() { try visit(.account(account)) }
                for category in try db.categories().sorted(by: { $0.id < $1.id }) {
                    try visit(.category(category))
                }
                let budgets = "SELECT \(Budget.columns) FROM budgets WHERE deleted_at IS NULL ORDER BY id"
                try db.forEach(budgets) { try visit(.budget(Budget($0))) }
                let transactions = """
                    SELECT \(Transaction.columns) FROM transactions INDEXED BY transactions_by_date
                    WHERE deleted_at IS NULL ORDER BY date, id
                    """
                try db.forEach(transactions) { try visit(.transaction(Transaction($0))) }
            }
        } catch {
            throw BookError(error)
        }
    }

    /// Writes a consistent, compact copy of the book to a new file, while the book is in use.
    /// - Throws: `failed` where the file exists already; `diskFull`, `readOnly`.
    public func backup(to target: String) throws(BookError) {
        try store.backup(to: target)
    }
}

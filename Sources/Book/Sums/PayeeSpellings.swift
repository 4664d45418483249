// The spellings of a payee. All of them are one payee: see `nameKey`.
import Encoding
import GRDB
import Ledger
import Storage
import Synchronization

extension BookDatabase {
    /// The spellings of a payee in the transactions of the book, deleted ones among them; the given one if there is none.
    /// - Parameter payee: in any spelling.
    func spellings(of payee: String) throws -> [String] {
        let found = try all("SELECT payee FROM payee_names WHERE key = ?", [payee.nameKey]) { $0.text(0) }
        return found.isEmpty ? [payee] : found
    }

    /// The newest live transactions of a payee, in any spelling, the newest first.
    /// - Parameter condition: a further condition on `transactions`.
    func newest<Value>(
        _ limit: Int,
        ofPayee payee: String,
        selecting columns: (names: String, count: Int32),
        where condition: SQLPiece,
        _ read: (Columns) throws -> Value
    ) throws -> [Value] {
        let sql = """
            SELECT \(columns.names), date, id FROM transactions INDEXED BY transactions_by_payee
            WHERE deleted_at IS NULL AND payee <> '' AND payee = ? AND \(condition.sql)
            ORDER BY date DESC, id DESC LIMIT \(limit)
            """
        var found: [(date: Int32, id: String, value: Value)] = []
        for spelling in try spellings(of: payee) {
            found += try all(sql, StatementArguments([spelling] + condition.arguments)) {
                ($0.date(columns.count).dayNumber, $0.text(columns.count + 1), try read($0))
            }
        }
        return found.sorted { ($0.date, $0.id) > ($1.date, $1.id) }.prefix(limit).map(\.value)
    }
}

/// The names under which pages show payees with more than one spelling: the one that most transactions have. Cached
/// between two changes.
final class PayeeSpellings: Sendable {
    private struct Known {
        /// The name of each spelling that is not the name itself.
        var names: [String: String] = [:]
        /// The names of payees that only banks have reported so far, by key.
        var reported: [String: String] = [:]
    }

    private let known = Mutex<Known?>(nil)

    /// The name of each spelling in the book that has another name than itself.
    func names(_ db: BookDatabase) throws -> [String: String] {
        if let known = known.withLock({ $0 }) { return known.names }
        let sql = """
            SELECT key, payee, (SELECT sum(count) FROM payee_years y WHERE y.year = 0 AND y.payee = n.payee)
            FROM payee_names n WHERE key IN (SELECT key FROM payee_names GROUP BY key HAVING count(*) > 1)
            """
        let found = try db.all(sql) { (key: $0.text(0), payee: $0.text(1), count: $0.int64(2)) }
        var fresh = Known()
        for spellings in Dictionary(grouping: found, by: \.key).values {
            let most = spellings.max { ($0.count, $1.payee) < ($1.count, $0.payee) }
            for spelling in spellings where spelling.payee != most?.payee {
                fresh.names[spelling.payee] = most?.payee
            }
        }
        known.withLock { if $0 == nil { $0 = fresh } }
        return fresh.names
    }

    /// The name of a payee that a bank has reported: the book's, if the book has this payee.
    func name(ofReported payee: String, _ db: BookDatabase) throws -> String {
        let names = try names(db)
        let key = payee.nameKey
        if let name = known.withLock({ $0?.reported[key] }) { return name }
        let first = try db.first("SELECT payee FROM payee_names WHERE key = ? LIMIT 1", [key]) { $0.text(0) }
        let name = first.map { names[$0] ?? $0 } ?? payee
        known.withLock { $0?.reported[key] = name }
        return name
    }
}

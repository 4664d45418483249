// A transaction as the book stores it: its columns, how it is read back, and what it must satisfy.
import GRDB
public import Ledger
import Storage
import SyncCore

extension Transaction {
    /// The columns that `init(_:)` reads, in its order.
    static let columns = "id, \(SyncedEntity.transaction.columns)"
    /// How many they are.
    static let columnCount = Int32(SyncedEntity.transaction.fields.count + 1)
    /// Stores a row of `columns` whose id is free.
    static let insert = """
        INSERT INTO transactions (\(columns)) VALUES (\(SyncedEntity.transaction.marks)) ON CONFLICT (id) DO NOTHING
        """

    /// The current row of a statement that selects `columns` first.
    init(_ row: Columns) throws {
        self.init(
            id: try row.id(0),
            kind: try row.kind(1),
            date: row.date(2),
            amount: Money(minor: row.int64(3), currency: try row.currency(4)),
            account: try row.id(5),
            accountMinor: row.int64(6),
            toAccount: row.optionalID(7),
            toMinor: row.isNull(8) ? nil : row.int64(8),
            category: row.optionalID(9),
            payee: row.text(10),
            note: row.text(11),
            tags: Self.tags(row.text(12))
        )
    }

    /// The values of `columns` without the id, to be bound.
    var values: [(any DatabaseValueConvertible)?] {
        [
            kind.rawValue, date.dayNumber, amount.minor, amount.currency.rawValue, account.column,
            accountMinor,
            toAccount.column, toMinor, category.column, payee, note, tags.joined(separator: ","),
        ]
    }

    private static func tags(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: ",").map(String.init)
    }

    /// What can be told once the account's currency is known.
    func checkAmount(onAccountIn currency: String) throws(BookError) {
        let isSame = currency == amount.currency.rawValue
        guard isSame || kind != .transfer else { throw .invalid(.currency) }
        guard !isSame || accountMinor == amount.minor else { throw .invalid(.accountAmount) }
    }

    /// Amounts above zero, two accounts for a transfer and one for all else, texts within their limits.
    public func checkShape() throws(BookError) {
        guard amount.minor > 0 else { throw .invalid(.amount) }
        guard accountMinor > 0 else { throw .invalid(.accountAmount) }
        if kind == .transfer {
            guard let toAccount, toAccount != account else { throw .invalid(.toAccount) }
            guard let toMinor, toMinor > 0 else { throw .invalid(.toAmount) }
            guard category == nil else { throw .invalid(.category) }
        } else {
            guard toAccount == nil else { throw .invalid(.toAccount) }
            guard toMinor == nil else { throw .invalid(.toAmount) }
        }
        guard payee.isStorable(upTo: 200) else { throw .invalid(.payee) }
        guard note.isStorable(upTo: 2_000) else { throw .invalid(.note) }
        guard tags.count <= 20, Set(tags).count == tags.count,
            tags.allSatisfy({ !$0.isEmpty && $0.isStorable(upTo: 40) && !$0.utf8.contains(UInt8(ascii: ",")) }
            )
        else { throw .invalid(.tags) }
    }
}

extension String {
    /// Whether the text has at most so many characters and none that SQLite would cut it at. The schema allows
    /// five code points for each, so that composed characters fit and piles of marks do not.
    func isStorable(upTo limit: Int) -> Bool {
        var copy = self
        return copy.withUTF8 { bytes in !bytes.contains(0) }
            && (utf8.count <= limit || (count <= limit && unicodeScalars.count <= limit * 5))
    }
}

// A transaction as the book stores it: its columns, its decoding, and its constraints.
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

extension Transaction {
    /// The columns that `init(_:)` decodes, in order.
    static let columns = "id, \(SyncedEntity.transaction.columns)"
    /// The number of `columns`.
    static let columnCount = Int32(SyncedEntity.transaction.fields.count + 1)
    /// Inserts a row of `columns` unless its id exists.
    static let insert = """
        INSERT INTO transactions (\(columns)) VALUES (\(SyncedEntity.transaction.marks)) ON CONFLICT (id) DO NOTHING
        """

    /// Decodes the current row of a statement that selects `columns` first.
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
            tags: Self.tags(row.text(12)),
            split: row.optionalText(13).map(Split.init(text:)),
            bankTransaction: row.optionalText(14),
            occurrence: row.optionalText(15),
            isStarred: row.int64(16) == 1,
            rule: row.optionalID(17)
        )
    }

    /// The values of `columns` without the id, for binding.
    var values: [(any DatabaseValueConvertible)?] {
        scheduledValues + [
            split?.text.inNormalForm, bankTransaction, occurrence, isStarred ? Int64(1) : nil,
            rule.column,
        ]
    }

    /// The first of the values: those that a schedule has too.
    var scheduledValues: [(any DatabaseValueConvertible)?] {
        [
            kind.rawValue, date.dayNumber, amount.minor, amount.currency.rawValue, account.column,
            accountMinor,
            toAccount.column, toMinor, category.column, payee.inNormalForm, note.inNormalForm,
            tags.joined(separator: ",").inNormalForm,
        ]
    }

    static func tags(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: ",").map(String.init)
    }

    /// Checks the constraints that depend on the currency of the account.
    func checkAmount(onAccountIn currency: String) throws(BookError) {
        let isSame = currency == amount.currency.rawValue
        guard isSame || kind != .transfer else { throw .invalid(.currency) }
        guard !isSame || accountMinor == amount.minor else { throw .invalid(.accountAmount) }
    }

    /// Checks that amounts are above zero, that a transfer has two accounts and other kinds one, and that
    /// texts are within their limits.
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
        guard Self.areStorable(tags) else { throw .invalid(.tags) }
        guard split == nil || kind != .transfer else { throw .invalid(.split) }
    }

    /// Whether tags are few and short, have no commas, and differ.
    static func areStorable(_ tags: [String]) -> Bool {
        tags.count <= 20 && Set(tags).count == tags.count
            && tags.allSatisfy {
                !$0.isEmpty && $0.isStorable(upTo: 40) && !$0.utf8.contains(UInt8(ascii: ","))
            }
    }

    /// Checks a split that a user has entered or changed: the number of the parts, their amounts and notes, that they
    /// add up to the amount, and that the transaction has no category of its own. Parts that cannot be read are left
    /// as they are.
    /// - Parameter before: the transaction before the change; nil for a new one.
    func checkSplit(before: Transaction?) throws(BookError) {
        guard case .parts(let parts)? = split else { return }
        if let before, before.split == split, before.amount == amount, before.category == category { return }
        guard category == nil, Split.counts.contains(parts.count),
            parts.allSatisfy({ $0.minor != 0 && $0.note.isStorable(upTo: 200) }), splitBalance == .exact
        else { throw .invalid(.split) }
    }
}

extension String {
    /// Whether the text has at most a number of characters and no NUL, at which SQLite would truncate it. The
    /// schema allows five code points for each character, which suffices for composed characters but not for
    /// long sequences of combining marks.
    func isStorable(upTo limit: Int) -> Bool {
        var copy = self
        return copy.withUTF8 { bytes in !bytes.contains(0) }
            && (utf8.count <= limit || (count <= limit && unicodeScalars.count <= limit * 5))
    }
}

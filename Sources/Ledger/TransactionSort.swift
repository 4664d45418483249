// The order of a list of transactions, and a position in it.

import Encoding

/// The order of a list of transactions. Rows of equal amounts or payees are sorted by day, the newest first. Its text form is
/// `date`, `amount` or `payee`, with `-` before it for a descending order.
public struct TransactionSort: Hashable, Sendable, CustomStringConvertible {
    /// The value that decides.
    public enum Key: String, CaseIterable, Sendable {
        case date
        /// The number of units of whatever currency was paid.
        case amount
        /// The name without regard to case and white space. Rows without a payee are last in both directions.
        case payee
    }

    /// The value that decides before the day.
    public var key: Key
    /// Whether the newest, the greatest or the last come first.
    public var isDescending: Bool

    /// The order of a list for which no other was chosen.
    public static let newestFirst = TransactionSort(.date, isDescending: true)

    /// Ascending unless said otherwise.
    public init(_ key: Key, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }

    /// Parses the text form; nil for other text.
    public init?(_ text: some StringProtocol) {
        let isDescending = text.hasPrefix("-")
        guard let key = Key(rawValue: String(isDescending ? text.dropFirst() : text[...])) else { return nil }
        self.init(key, isDescending: isDescending)
    }

    /// The text form.
    public var description: String { (isDescending ? "-" : "") + key.rawValue }

    /// The position behind a row.
    public func cursor(after row: Transaction) -> TransactionCursor {
        var cursor = TransactionCursor(date: row.date, id: row.id)
        switch key {
        case .date: break
        case .amount: cursor.value = .amount(row.amount.comparable)
        case .payee: cursor.value = .payee(row.payee.nameKey)
        }
        return cursor
    }

    /// Whether a position is one of this order.
    public func has(_ cursor: TransactionCursor) -> Bool {
        switch (key, cursor.value) {
        case (.date, nil), (.amount, .amount?), (.payee, .payee?): true
        default: false
        }
    }

    /// Whether one position comes before another one.
    package func precedes(_ one: TransactionCursor, _ other: TransactionCursor) -> Bool {
        switch (one.value, other.value) {
        case (.amount(let amount)?, .amount(let next)?) where amount != next:
            return (amount > next) == isDescending
        case (.payee(let payee)?, .payee(let next)?) where payee != next:
            if payee.isEmpty || next.isEmpty { return next.isEmpty }
            return (payee > next) == isDescending
        case (nil, nil) where !isDescending:
            return (one.date, one.id) < (other.date, other.id)
        default: return (one.date, one.id) > (other.date, other.id)
        }
    }
}

extension Money {
    /// The number of ten-thousandths of a unit, by which amounts of all currencies are sorted.
    package var comparable: Int128 {
        (currency.decimals..<4).reduce(Int128(minor)) { value, _ in value * 10 }
    }
}

/// A position in the list of transactions: behind a row, in whichever order. Its text form is `YYYY-MM-DD.ID`, with a dot and
/// the value that decides behind it in an order that is not by day.
public struct TransactionCursor: Hashable, Sendable, CustomStringConvertible {
    /// The value of a row that decides before its day.
    public enum Value: Hashable, Sendable {
        /// In ten-thousandths of a unit of whatever currency.
        case amount(Int128)
        /// The payee without regard to case and white space; empty for none.
        case payee(String)
    }

    /// The day of the row.
    public var date: CivilDate
    /// The row.
    public var id: EntityID
    /// Nil in an order by day.
    public var value: Value?

    /// The position after a row in an order by day.
    public init(date: CivilDate, id: EntityID) {
        self.date = date
        self.id = id
    }

    /// Parses the text form; nil for other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let date = CivilDate(iso: parts[0]), let id = EntityID(parts[1]) else {
            return nil
        }
        self.init(date: date, id: id)
        guard parts.count > 2 else { return }
        switch parts[2].first {
        case Self.amount:
            guard let amount = Int128(parts[2].dropFirst()), amount >= 0 else { return nil }
            value = .amount(amount)
        case Self.payee: value = .payee(String(parts[2].dropFirst()))
        default: return nil
        }
    }

    /// The text form.
    public var description: String {
        switch value {
        case nil: "\(date).\(id)"
        case .amount(let amount): "\(date).\(id).\(Self.amount)\(amount)"
        case .payee(let payee): "\(date).\(id).\(Self.payee)\(payee)"
        }
    }

    private static let amount: Character = "a"
    private static let payee: Character = "p"
}

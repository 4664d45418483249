// A payee with the number of its transactions.

import Encoding

/// A payee, in all its spellings, with the number of its transactions.
public struct PayeeSummary: Hashable, Sendable {
    /// The spelling that most transactions have.
    public let name: String
    /// The number of expenses and income.
    public var count: Int
    /// The day of the newest transaction that is not to come; nil if there is none.
    public var lastDay: CivilDate?

    /// Does not check that the name is one of the book.
    public init(name: String, count: Int, lastDay: CivilDate? = nil) {
        self.name = name
        self.count = count
        self.lastDay = lastDay
    }

    /// The part that is the same in the names that one shop has on statements: its letters and digits, without numbers at the
    /// end. Empty for a name of symbols only.
    public var likeness: String {
        var words = name.nameKey.split { !$0.isLetter && !$0.isNumber }
        while words.count > 1, words.last?.allSatisfy(\.isNumber) == true { words.removeLast() }
        return words.joined()
    }
}

/// The effect of giving one name to the transactions and schedules of several payees.
public struct PayeeRenaming: Hashable, Sendable {
    /// The number of transactions that get another name.
    public let transactionCount: Int
    /// The number of schedules that do.
    public let scheduleCount: Int
    /// The number of the change in the history, by which it can be undone; nil if nothing was changed yet.
    public var change: Int64?

    /// The numbers of rows, and of the change.
    public init(transactionCount: Int, scheduleCount: Int, change: Int64? = nil) {
        self.transactionCount = transactionCount
        self.scheduleCount = scheduleCount
        self.change = change
    }
}

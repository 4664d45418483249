// What a book answers when a page asks: values that are read, never stored.

/// An account with what is on it now.
public struct AccountBalance: Hashable, Sendable {
    /// The account.
    public var account: Account
    /// Opening balance plus transactions, in minor units of the account's currency.
    public var balanceMinor: Int64
    /// How many live transactions touch it.
    public var transactionCount: Int

    /// An account and its balance.
    public init(account: Account, balanceMinor: Int64, transactionCount: Int) {
        self.account = account
        self.balanceMinor = balanceMinor
        self.transactionCount = transactionCount
    }
}

/// A category with how often it is used.
public struct CategoryUse: Hashable, Sendable {
    /// The category.
    public var category: Category
    /// How many live transactions carry it.
    public var transactionCount: Int

    /// A category and its use.
    public init(category: Category, transactionCount: Int) {
        self.category = category
        self.transactionCount = transactionCount
    }
}

/// Income and spending of a span in one currency. Transfers are in neither.
public struct CurrencyTotal: Hashable, Sendable {
    /// The currency of the transactions.
    public var currency: CurrencyCode
    /// The sum of income, in minor units.
    public var incomeMinor: Int64
    /// The sum of expenses as a positive number of minor units.
    public var expenseMinor: Int64
    /// How many transactions, transfers included.
    public var count: Int

    /// A total.
    public init(currency: CurrencyCode, incomeMinor: Int64, expenseMinor: Int64, count: Int) {
        self.currency = currency
        self.incomeMinor = incomeMinor
        self.expenseMinor = expenseMinor
        self.count = count
    }
}

/// The totals of one day.
public struct DayTotal: Hashable, Sendable {
    /// The day.
    public var date: CivilDate
    /// By currency, alphabetically.
    public var totals: [CurrencyTotal]

    /// A day's totals.
    public init(date: CivilDate, totals: [CurrencyTotal]) {
        self.date = date
        self.totals = totals
    }
}

/// Which transactions a list shows. Nil means: not limited by it.
public struct TransactionQuery: Hashable, Sendable {
    /// One month.
    public var month: YearMonth?
    /// On this account, at either end.
    public var account: EntityID?
    /// With a category, or without any.
    public var category: CategoryFilter?
    /// Found in payee, note, tags, amount, or the names of category and accounts; every word must be found.
    public var text: String?
    /// Only of this kind.
    public var kind: TransactionKind?
    /// The last row of the page before: rows after it in the list's order (newest first).
    public var after: TransactionCursor?
    /// How many rows at most.
    public var limit = 50

    /// Everything.
    public init() {}
}

/// Which categories a list shows. Written `none`, or as the category's id.
public enum CategoryFilter: Hashable, Sendable, CustomStringConvertible {
    /// Expenses and income without a category. Transfers never have one and are not meant.
    case uncategorized
    /// This category and its children.
    case family(EntityID)

    /// Reads the written form; nil for anything else.
    public init?(_ text: some StringProtocol) {
        if text == Self.none {
            self = .uncategorized
        } else if let id = EntityID(text) {
            self = .family(id)
        } else {
            return nil
        }
    }

    /// The written form.
    public var description: String {
        switch self {
        case .uncategorized: Self.none
        case .family(let id): id.description
        }
    }

    private static let none = "none"
}

/// A place in the list of transactions, which runs by date and id, newest first. Written `YYYY-MM-DD.ID`.
public struct TransactionCursor: Hashable, Sendable, CustomStringConvertible {
    /// The day of the row.
    public var date: CivilDate
    /// The row.
    public var id: EntityID

    /// A place behind the given row.
    public init(date: CivilDate, id: EntityID) {
        self.date = date
        self.id = id
    }

    /// Reads the written form; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CivilDate(iso: parts[0]), let id = EntityID(parts[1]) else {
            return nil
        }
        self.init(date: date, id: id)
    }

    /// The written form.
    public var description: String { "\(date).\(id)" }
}

/// One page of a list of transactions.
public struct TransactionPage: Sendable {
    /// The rows, newest first.
    public var rows: [Transaction]
    /// The totals of each day that a row of the page lies on: of the whole day as filtered, though a day may
    /// go on over the page's end.
    public var days: [DayTotal]
    /// By currency, of all that the query finds, not only of this page.
    public var totals: [CurrencyTotal]
    /// Where the next page begins, if there is one.
    public var next: TransactionCursor?

    /// A page.
    public init(rows: [Transaction], days: [DayTotal], totals: [CurrencyTotal], next: TransactionCursor?) {
        self.rows = rows
        self.days = days
        self.totals = totals
        self.next = next
    }
}

/// A budget as it stands in one month.
public struct BudgetStatus: Hashable, Sendable {
    /// The budget.
    public var budget: Budget
    /// What earlier months left over (positive) or overspent (negative), in minor units; 0 without rollover.
    public var carriedMinor: Int64
    /// What was spent in the month, as a positive number of minor units of the limit's currency.
    public var spentMinor: Int64
    /// Expenses of the month that are in other currencies and so are not in `spentMinor`.
    public var leftOutCount: Int

    /// A budget's standing.
    public init(budget: Budget, carriedMinor: Int64, spentMinor: Int64, leftOutCount: Int) {
        self.budget = budget
        self.carriedMinor = carriedMinor
        self.spentMinor = spentMinor
        self.leftOutCount = leftOutCount
    }

    /// Limit plus what was carried over.
    public var availableMinor: Int64 { budget.limit.minor.addingClamped(carriedMinor) }
}

/// What a report is grouped by.
public enum ReportGroup: String, CaseIterable, Sendable {
    case category, month, account, payee
}

/// One line of a report.
public struct ReportRow: Hashable, Sendable {
    /// What the line is for. `category(nil)` is "without a category".
    public enum Key: Hashable, Sendable {
        case category(EntityID?)
        case month(YearMonth)
        case account(EntityID)
        case payee(String)
    }

    /// What the line is for.
    public var key: Key
    /// Income and spending in one currency.
    public var total: CurrencyTotal

    /// A line.
    public init(key: Key, total: CurrencyTotal) {
        self.key = key
        self.total = total
    }
}

/// The sum of all accounts in one currency at the end of a month.
public struct NetWorthPoint: Hashable, Sendable {
    /// The month.
    public var month: YearMonth
    /// The currency of the accounts.
    public var currency: CurrencyCode
    /// Their balances added up, in minor units.
    public var balanceMinor: Int64

    /// A point.
    public init(month: YearMonth, currency: CurrencyCode, balanceMinor: Int64) {
        self.month = month
        self.currency = currency
        self.balanceMinor = balanceMinor
    }
}

/// How many live rows a book holds.
public struct BookCounts: Hashable, Sendable {
    /// Transactions.
    public var transactions = 0
    /// Accounts.
    public var accounts = 0
    /// Categories.
    public var categories = 0
    /// Budgets.
    public var budgets = 0

    /// Nothing.
    public init() {}
}

extension FixedWidthInteger where Self: SignedInteger {
    /// A sum that stays at the ends of the range instead of trapping: for showing only, never for storing.
    @inlinable
    public func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// A difference that stays at the ends of the range instead of trapping: for showing only, never for storing.
    @inlinable
    public func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}

// Results of queries on a book: values that are read and never stored.

/// An account with its current balance.
public struct AccountBalance: Hashable, Sendable {
    /// The account as stored.
    public var account: Account
    /// Opening balance plus transactions, in minor units of the account's currency.
    public var balanceMinor: Int64
    /// The number of live transactions of the account.
    public var transactionCount: Int

    /// The balance is in minor units of the account's currency.
    public init(account: Account, balanceMinor: Int64, transactionCount: Int) {
        self.account = account
        self.balanceMinor = balanceMinor
        self.transactionCount = transactionCount
    }
}

/// A category with the number of its transactions.
public struct CategoryUse: Hashable, Sendable {
    /// The category as stored.
    public var category: Category
    /// The number of live transactions with the category.
    public var transactionCount: Int
    /// The number of those that are refunds.
    public var refundCount: Int

    /// Counts live transactions only.
    public init(category: Category, transactionCount: Int, refundCount: Int = 0) {
        self.category = category
        self.transactionCount = transactionCount
        self.refundCount = refundCount
    }
}

/// Income and spending of a period in one currency, without transfers.
public struct CurrencyTotal: Hashable, Sendable {
    /// The currency of the transactions.
    public var currency: CurrencyCode
    /// The sum of income, in minor units.
    public var incomeMinor: Int64
    /// The sum of expenses as a positive number of minor units.
    public var expenseMinor: Int64
    /// The number of transactions, transfers included.
    public var count: Int

    /// Both sums are positive numbers of minor units.
    public init(currency: CurrencyCode, incomeMinor: Int64, expenseMinor: Int64, count: Int) {
        self.currency = currency
        self.incomeMinor = incomeMinor
        self.expenseMinor = expenseMinor
        self.count = count
    }
}

/// The totals of one day.
public struct DayTotal: Hashable, Sendable {
    /// All transactions of this day that pass the filter count, also those on other pages.
    public var date: CivilDate
    /// By currency, alphabetically.
    public var totals: [CurrencyTotal]

    /// The totals are sorted by currency.
    public init(date: CivilDate, totals: [CurrencyTotal]) {
        self.date = date
        self.totals = totals
    }
}

/// The filters of a list of transactions. Nil means no limit.
public struct TransactionQuery: Hashable, Sendable {
    /// Only of these days, both ends included.
    public var days: ClosedRange<CivilDate>?
    /// Transactions of this account, at either end.
    public var account: EntityID?
    /// Only transactions of the accounts for daily use, at either end. Amounts then count as if `isAsCharged`.
    public var isOfDailyUse = false
    /// Amounts count in totals as the accounts were charged, in the currencies of the accounts.
    public var isAsCharged = false
    /// Transactions with a category, or without any.
    public var category: CategoryFilter?
    /// Transactions with exactly this payee, which is not empty.
    public var payee: String?
    /// Words to find in payee, note, tags, amount, or the names of category and accounts; all words must
    /// match.
    public var text: String?
    /// Only of this kind.
    public var kind: TransactionKind?
    /// Only spending: expenses, and income that refunds some.
    public var isSpending = false
    /// Only transactions that count, or do not count, in a currency without a rate.
    public var counts: CountFilter?
    /// The last row of the previous page: the next rows follow it in the list's order (newest first).
    public var after: TransactionCursor?
    /// The greatest number of rows.
    public var limit = 50

    /// No filter.
    public init() {}

    /// The month whose days these are; nil for other days. Setting it sets the days.
    public var month: YearMonth? {
        get { months.flatMap { $0.lowerBound == $0.upperBound ? $0.lowerBound : nil } }
        set { days = newValue.map { $0.firstDay...$0.lastDay } }
    }

    /// The months whose days these are; nil if the days begin or end within a month. Setting it sets the days.
    public var months: ClosedRange<YearMonth>? {
        get {
            guard let days else { return nil }
            let months = days.lowerBound.yearMonth...days.upperBound.yearMonth
            return days == months.lowerBound.firstDay...months.upperBound.lastDay ? months : nil
        }
        set { days = newValue.map { $0.lowerBound.firstDay...$0.upperBound.lastDay } }
    }
}

/// A filter by category. Its text form is `none`, the category's id, or `only-` and the id.
public enum CategoryFilter: Hashable, Sendable, CustomStringConvertible {
    /// Expenses and income without a category. Transfers never have one and do not match.
    case uncategorized
    /// A category and its children.
    case family(EntityID)
    /// A category without its children.
    case alone(EntityID)

    /// Parses the text form; nil for other text.
    public init?(_ text: some StringProtocol) {
        if text == Self.none {
            self = .uncategorized
        } else if let id = EntityID(text) {
            self = .family(id)
        } else if text.hasPrefix(Self.only), let id = EntityID(text.dropFirst(Self.only.count)) {
            self = .alone(id)
        } else {
            return nil
        }
    }

    /// The text form.
    public var description: String {
        switch self {
        case .uncategorized: Self.none
        case .family(let id): id.description
        case .alone(let id): Self.only + id.description
        }
    }

    private static let none = "none"
    private static let only = "only-"
}

/// A filter by the currencies of a transaction and its account. Its text form is a code, or `not-` and a code.
public enum CountFilter: Hashable, Sendable, CustomStringConvertible {
    /// Paid in the currency, or charged to an account in it.
    case known(CurrencyCode)
    /// All others.
    case leftOut(CurrencyCode)

    /// Parses the text form; nil for other text.
    public init?(_ text: some StringProtocol) {
        let isLeftOut = text.hasPrefix(Self.not)
        guard let code = CurrencyCode(isLeftOut ? text.dropFirst(Self.not.count) : text[...]) else {
            return nil
        }
        self = isLeftOut ? .leftOut(code) : .known(code)
    }

    /// The text form.
    public var description: String {
        switch self {
        case .known(let code): code.rawValue
        case .leftOut(let code): Self.not + code.rawValue
        }
    }

    private static let not = "not-"
}

/// A position in the list of transactions, which is sorted by date and id, newest first. Its text form is
/// `YYYY-MM-DD.ID`.
public struct TransactionCursor: Hashable, Sendable, CustomStringConvertible {
    /// The day of the row.
    public var date: CivilDate
    /// The row.
    public var id: EntityID

    /// The position after a row.
    public init(date: CivilDate, id: EntityID) {
        self.date = date
        self.id = id
    }

    /// Parses the text form; nil for other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CivilDate(iso: parts[0]), let id = EntityID(parts[1]) else {
            return nil
        }
        self.init(date: date, id: id)
    }

    /// The text form.
    public var description: String { "\(date).\(id)" }
}

/// One page of a list of transactions.
public struct TransactionPage: Sendable {
    /// The rows, newest first.
    public var rows: [Transaction]
    /// The totals of each day on the page: of all rows of the day that match the filters, even if some are on
    /// the next page.
    public var days: [DayTotal]
    /// The totals of all pages of the query, by currency.
    public var totals: [CurrencyTotal]
    /// The sum of the transfers to the accounts of the filter, less those from them, by currency of the accounts.
    /// Empty without such a filter, with a search, and if the other filters exclude transfers.
    public var moved: [Money]
    /// The position of the next page, if there is one.
    public var next: TransactionCursor?
    /// The amounts of the parts that pass a filter by category, in minor units, for split rows of which some do not.
    public var partMinors: [EntityID: Int64] = [:]

    /// The rows are in the order of the list.
    public init(
        rows: [Transaction],
        days: [DayTotal],
        totals: [CurrencyTotal],
        moved: [Money] = [],
        next: TransactionCursor?
    ) {
        self.rows = rows
        self.days = days
        self.totals = totals
        self.moved = moved
        self.next = next
    }
}

/// The use of a budget in one month.
public struct BudgetStatus: Hashable, Sendable {
    /// The budget in effect, with the carry-over and the pace that hold in it.
    public var budget: Budget
    /// The amount that earlier months left over (positive) or overspent (negative), in minor units; 0 without
    /// rollover.
    public var carriedMinor: Int64
    /// The spending of the month less refunds, in minor units of the limit's currency; below zero if more came back.
    public var spentMinor: Int64
    /// The number of expenses and refunds of the month on accounts in other currencies, which `spentMinor` omits.
    public var leftOutCount: Int
    /// The number of those that `spentMinor` includes, converted.
    public var convertedCount: Int
    /// The way of spending that was chosen, or derived from earlier months.
    public var pace: BudgetPace

    /// Amounts are in minor units of the limit's currency.
    public init(
        budget: Budget,
        carriedMinor: Int64,
        spentMinor: Int64,
        leftOutCount: Int,
        convertedCount: Int = 0,
        pace: BudgetPace = .spread
    ) {
        self.budget = budget
        self.carriedMinor = carriedMinor
        self.spentMinor = spentMinor
        self.leftOutCount = leftOutCount
        self.convertedCount = convertedCount
        self.pace = pace
    }

    /// The limit plus the amount carried over.
    public var availableMinor: Int64 { budget.limit.minor.addingClamped(carriedMinor) }
    /// The amount to compare the spending with in words: the limit alone if earlier months have overspent, which is
    /// said apart.
    public var shownLimitMinor: Int64 { carriedMinor < 0 ? budget.limit.minor : availableMinor }
}

/// Transactions with the same subject make one row of a report.
public enum ReportGroup: String, CaseIterable, Sendable {
    case category, month, account, payee
}

/// One line of a report.
public struct ReportRow: Hashable, Sendable {
    /// The subject of the line. `category(nil)` groups transactions without a category.
    public enum Key: Hashable, Sendable {
        case category(EntityID?)
        case month(YearMonth)
        case account(EntityID)
        case payee(String)
    }

    /// The subject of the line.
    public var key: Key
    /// Income and spending in one currency.
    public var total: CurrencyTotal
    /// The value of the total in the base currency, if it was converted by the rates of the days.
    public var value: CurrencyTotal?

    /// A line with its total in one currency; a subject with several currencies has several lines.
    public init(key: Key, total: CurrencyTotal, value: CurrencyTotal? = nil) {
        self.key = key
        self.total = total
        self.value = value
    }
}

/// The sum of all accounts in one currency at the end of a month.
public struct NetWorthPoint: Hashable, Sendable {
    /// The month at whose end the balances are summed.
    public var month: YearMonth
    /// The currency of the accounts.
    public var currency: CurrencyCode
    /// The sum of their balances, in minor units.
    public var balanceMinor: Int64
    /// The sum of the balances below zero, in minor units; never above zero.
    public var debtMinor: Int64

    /// The balance and the debts are in minor units of the currency.
    public init(month: YearMonth, currency: CurrencyCode, balanceMinor: Int64, debtMinor: Int64) {
        self.month = month
        self.currency = currency
        self.balanceMinor = balanceMinor
        self.debtMinor = debtMinor
    }

    /// The sum of the balances above zero, in minor units.
    public var assetMinor: Int64 { balanceMinor.subtractingClamped(debtMinor) }
}

/// The balances of an account before a range of months and at its end.
public struct AccountWorth: Hashable, Sendable {
    /// Open or closed.
    public var account: EntityID
    /// That of both balances.
    public var currency: CurrencyCode
    /// The balance before the first day, in minor units.
    public var beforeMinor: Int64
    /// The balance at the end of the last day, in minor units.
    public var afterMinor: Int64

    /// The balances are in minor units of the currency.
    public init(account: EntityID, currency: CurrencyCode, beforeMinor: Int64, afterMinor: Int64) {
        self.account = account
        self.currency = currency
        self.beforeMinor = beforeMinor
        self.afterMinor = afterMinor
    }
}

/// The cash flow of the accounts for daily use in a month, in one currency of accounts.
public struct CashFlow: Hashable, Sendable {
    /// The calendar month in which the money moved.
    public var month: YearMonth
    /// The currency of the accounts.
    public var currency: CurrencyCode
    /// Income, in minor units.
    public var incomeMinor: Int64 = 0
    /// Spending less refunds, in minor units.
    public var expenseMinor: Int64 = 0
    /// The transfers to these accounts less those from them, in minor units. Those among them cancel each other out.
    public var movedMinor: Int64 = 0
    /// The balance of the accounts at the end of the month, in minor units.
    public var endMinor: Int64 = 0

    /// A month without any flow.
    public init(month: YearMonth, currency: CurrencyCode) {
        self.month = month
        self.currency = currency
    }

    /// The balance of the accounts before the month, in minor units. Accounts count with their opening balances in all
    /// months.
    public var startMinor: Int64 {
        endMinor.subtractingClamped(incomeMinor).addingClamped(expenseMinor).subtractingClamped(movedMinor)
    }

    /// Adds amounts in minor units.
    public mutating func add(income: Int64, expense: Int64, moved: Int64) {
        incomeMinor = incomeMinor.addingClamped(income)
        expenseMinor = expenseMinor.addingClamped(expense)
        movedMinor = movedMinor.addingClamped(moved)
    }
}

/// The numbers of live rows in a book.
public struct BookCounts: Hashable, Sendable {
    /// The number of live transactions.
    public var transactions = 0
    /// The number of live accounts.
    public var accounts = 0
    /// The number of live categories.
    public var categories = 0
    /// The number of categories with a live budget. A limit that has changed is a further row of the same budget.
    public var budgets = 0
    /// The number of live schedules.
    public var schedules = 0

    /// The counts of an empty book.
    public init() {}
}

extension FixedWidthInteger where Self: SignedInteger {
    /// A sum that stays at the limits of the range instead of trapping: for display only, never for storage.
    @inlinable
    public func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// A difference that stays at the limits of the range instead of trapping: for display only, never for
    /// storage.
    @inlinable
    public func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}

// The lines of reports, and the points of their charts.

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
    public var balanceMinor: Int128
    /// The sum of the balances below zero, in minor units; never above zero.
    public var debtMinor: Int128

    /// The balance and the debts are in minor units of the currency.
    public init(month: YearMonth, currency: CurrencyCode, balanceMinor: Int128, debtMinor: Int128) {
        self.month = month
        self.currency = currency
        self.balanceMinor = balanceMinor
        self.debtMinor = debtMinor
    }

    /// The sum of the balances above zero, in minor units.
    public var assetMinor: Int128 { balanceMinor - debtMinor }
}

/// The balances of an account before a range of months and at its end.
public struct AccountWorth: Hashable, Sendable {
    /// Open or closed.
    public var account: EntityID
    /// That of both balances.
    public var currency: CurrencyCode
    /// The balance before the first day, in minor units.
    public var beforeMinor: Int128
    /// The balance at the end of the last day, in minor units.
    public var afterMinor: Int128
    /// The opening balance, if it counts from a day of the range on, in minor units; otherwise 0.
    public var openedMinor: Int128
    /// Set if both balances are unknown: the amounts then come from the transactions of the book.
    public var unknown: UnknownBalance?

    /// The balances are in minor units of the currency.
    public init(
        account: EntityID,
        currency: CurrencyCode,
        beforeMinor: Int128,
        afterMinor: Int128,
        openedMinor: Int128 = 0,
        unknown: UnknownBalance? = nil
    ) {
        self.account = account
        self.currency = currency
        self.beforeMinor = beforeMinor
        self.afterMinor = afterMinor
        self.openedMinor = openedMinor
        self.unknown = unknown
    }
}

/// The cash flow of the accounts for daily use in a month, in one currency of accounts.
public struct CashFlow: Hashable, Sendable {
    /// The calendar month in which the money moved.
    public var month: YearMonth
    /// The currency of the accounts.
    public var currency: CurrencyCode
    /// Income, in minor units.
    public var incomeMinor: Int128 = 0
    /// Spending less refunds, in minor units.
    public var expenseMinor: Int128 = 0
    /// The transfers to these accounts less the transfers from these accounts, in minor units. Transfers between these
    /// accounts cancel each other out.
    public var movedMinor: Int128 = 0
    /// The opening balances of days of the month, in minor units.
    public var openedMinor: Int128 = 0
    /// The balance of the accounts at the end of the month, in minor units, without accounts with unknown balances.
    public var endMinor: Int128 = 0
    /// The number of accounts whose balances are unknown. Income, spending and transfers contain theirs.
    public var unknownCount = 0
    /// Income less spending and plus transfers of the accounts whose balances are unknown, in minor units.
    public var unknownChangeMinor: Int128 = 0
    /// Whether no account has a known balance, so that `startMinor` and `endMinor` are none.
    public var isBalanceUnknown = false

    /// A month without any flow.
    public init(month: YearMonth, currency: CurrencyCode) {
        self.month = month
        self.currency = currency
    }

    /// The balance of the accounts before the month, in minor units. Opening balances without a day count in all months.
    public var startMinor: Int128 {
        endMinor - incomeMinor + expenseMinor - movedMinor - openedMinor + unknownChangeMinor
    }

    /// Adds amounts in minor units.
    /// - Parameter isUnknown: whether they are of an account whose balance is unknown.
    public mutating func add(income: Int128, expense: Int128, moved: Int128, isUnknown: Bool = false) {
        incomeMinor += income
        expenseMinor += expense
        movedMinor += moved
        if isUnknown { unknownChangeMinor += income - expense + moved }
    }
}

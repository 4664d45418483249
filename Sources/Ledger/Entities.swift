// The entities of the ledger as they are stored: account, category, transaction, budget, preferences.

/// The kind of an account.
public enum AccountType: String, CaseIterable, Sendable {
    case cash, bank, card, savings, investment, loan

    /// Money for daily use, as against what is put aside or owed.
    public var isForDailyUse: Bool {
        switch self {
        case .cash, .bank, .card: true
        case .savings, .investment, .loan: false
        }
    }
}

/// A place where money is kept.
public struct Account: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// 1 to 80 characters.
    public var name: String
    /// The kind, for its symbol and group.
    public var type: AccountType
    /// The currency of the balance.
    public var currency: CurrencyCode
    /// The balance before the first transaction, in minor units of `currency`; may be negative.
    public var openingMinor: Int64
    /// The first day for which the opening balance counts; nil if it is older than all transactions.
    public var openingDay: CivilDate?
    /// A closed account keeps its transactions. It accepts no new transactions, and forms do not offer it.
    public var isClosed: Bool
    /// The account at a bank that this account is joined to.
    public var bank: AccountBank
    /// The place in lists, compared byte by byte: accounts without one follow those with one, the oldest first.
    public var position: String?

    /// Does not check the length of the name.
    public init(
        id: EntityID,
        name: String,
        type: AccountType,
        currency: CurrencyCode,
        openingMinor: Int64,
        openingDay: CivilDate? = nil,
        isClosed: Bool = false,
        bank: AccountBank = AccountBank(),
        position: String? = nil
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.currency = currency
        self.openingMinor = openingMinor
        self.openingDay = openingDay
        self.isClosed = isClosed
        self.bank = bank
        self.position = position
    }
}

/// The direction of the money that a category is for.
public enum CategoryKind: String, CaseIterable, Sendable {
    case expense, income
}

/// A purpose that money is spent on, or a source of income.
public struct Category: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// 1 to 80 characters.
    public var name: String
    /// Expense or income.
    public var kind: CategoryKind
    /// The name of a symbol of the sprite, such as `basket`.
    public var icon: String
    /// The name of a colour token, such as `basil`.
    public var color: String
    /// The category above, which is of the same kind and has no parent itself.
    public var parent: EntityID?
    /// The place in lists, compared byte by byte: categories without one follow those with one, by name.
    public var position: String?
    /// An archived category keeps its transactions, and forms do not offer it.
    public var isArchived: Bool

    /// Does not check the length of the name.
    public init(
        id: EntityID,
        name: String,
        kind: CategoryKind,
        icon: String,
        color: String,
        parent: EntityID?,
        position: String? = nil,
        isArchived: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.icon = icon
        self.color = color
        self.parent = parent
        self.position = position
        self.isArchived = isArchived
    }
}

/// The direction of a transaction.
public enum TransactionKind: String, CaseIterable, Sendable {
    case expense, income, transfer
}

/// One movement of money.
public struct Transaction: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// Expense, income or transfer.
    public var kind: TransactionKind
    /// The day for which the transaction counts.
    public var date: CivilDate
    /// The amount paid, received or moved, above zero. For a transfer, in the currency of `account`.
    public var amount: Money
    /// The account that the money leaves (expense, transfer) or enters (income).
    public var account: EntityID
    /// The change of `account`, above zero, in minor units of the account's own currency: equal to `amount`
    /// if the currencies are equal.
    public var accountMinor: Int64
    /// The destination of a transfer.
    public var toAccount: EntityID?
    /// The amount that arrives at the destination, above zero, in minor units of that account's currency.
    public var toMinor: Int64?
    /// Nil for transfers; optional otherwise. Income with a spending category is a refund, which reduces the spending
    /// of the category.
    public var category: EntityID?
    /// The other party of the payment; up to 200 characters, may be empty.
    public var payee: String
    /// Up to 2,000 characters, may be empty.
    public var note: String
    /// Up to 20 tags of 1 to 40 characters without commas, in the order typed, none twice.
    public var tags: [String]
    /// The parts over several categories; nil if the transaction is not split. Then `category` is nil. Transfers are
    /// never split. The parts of income may have spending categories, like a refund.
    public var split: Split?
    /// The text of the `BankTransactionKey` of which this is the record; nil for a transaction that was not reported by
    /// a bank.
    public var bankTransaction: String?
    /// The text of the `OccurrenceKey` for which it is the payment, recorded by a schedule or entered otherwise; nil for
    /// none. Rows of older versions that schedules have recorded have none either: their ids say it.
    public var occurrence: String?
    /// Whether the user has starred it: it is a template for others.
    public var isStarred: Bool
    /// The rule that set its category, payee, note or tags; nil if none did. The rule may be gone.
    public var rule: EntityID?

    /// Does not check lengths, signs and currencies.
    public init(
        id: EntityID,
        kind: TransactionKind,
        date: CivilDate,
        amount: Money,
        account: EntityID,
        accountMinor: Int64,
        toAccount: EntityID? = nil,
        toMinor: Int64? = nil,
        category: EntityID? = nil,
        payee: String = "",
        note: String = "",
        tags: [String] = [],
        split: Split? = nil,
        bankTransaction: String? = nil,
        occurrence: String? = nil,
        isStarred: Bool = false,
        rule: EntityID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.date = date
        self.amount = amount
        self.account = account
        self.accountMinor = accountMinor
        self.toAccount = toAccount
        self.toMinor = toMinor
        self.category = category
        self.payee = payee
        self.note = note
        self.tags = tags
        self.split = split
        self.bankTransaction = bankTransaction
        self.occurrence = occurrence
        self.isStarred = isStarred
        self.rule = rule
    }
}

/// The way in which the money of a budget is spent.
public enum BudgetPace: String, CaseIterable, Sendable {
    /// A little every day: the spending is compared with the day of the month.
    case spread
    /// In one payment, such as a rent: it is never too early.
    case once
}

/// A monthly limit in the base currency.
///
/// Of the budgets of one category, that with the latest first month up to a month holds in the month. A limit that
/// changes is a further budget of the category.
public struct Budget: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// The category that is limited, with its children; nil for all spending.
    public var category: EntityID?
    /// The limit of a month, above zero.
    public var limit: Money
    /// The first month of the limit.
    public var from: YearMonth
    /// Whether the remainder, or the overspending, carries over into the next month.
    public var rollover: Bool
    /// The last month of the limit; nil for no end. After it the category has no budget until a later one begins.
    public var until: YearMonth?
    /// The first month whose remainder carries over, if that is earlier than `from`: the limit has changed since. If it
    /// is later, the month in which carry-over was switched on (`rollover`) or off (not `rollover`).
    public var carryFrom: YearMonth?
    /// The way of spending that the user chose; nil to derive it from earlier months.
    public var pace: BudgetPace?

    /// Does not check the limit.
    public init(
        id: EntityID,
        category: EntityID?,
        limit: Money,
        from: YearMonth,
        rollover: Bool,
        until: YearMonth? = nil,
        carryFrom: YearMonth? = nil,
        pace: BudgetPace? = nil
    ) {
        self.id = id
        self.category = category
        self.limit = limit
        self.from = from
        self.rollover = rollover
        self.until = until
        self.carryFrom = carryFrom
        self.pace = pace
    }

    /// Whether the budget has not ended before a month.
    public func isOpen(in month: YearMonth) -> Bool { until.map { month <= $0 } ?? true }
}

/// The first day of a week.
public enum WeekStart: String, CaseIterable, Sendable {
    case monday, sunday

    /// The Monday or Sunday on or before a day.
    public func firstDay(ofWeekWith day: CivilDate) -> CivilDate {
        switch self {
        case .monday: day.adding(days: 1 - day.weekday)
        case .sunday: day.adding(days: -(day.weekday % 7))
        }
    }
}

/// The colour scheme; `system` follows the browser's setting.
public enum Theme: String, CaseIterable, Sendable {
    case system, light, dark
}

/// The treatment of a guarded field that several devices changed.
public enum ConflictPolicy: String, CaseIterable, Sendable {
    case newest, ask
}

/// The preferences that a user chose. Nil means not chosen: read them through `resolved`.
public struct Preferences: Hashable, Sendable {
    /// The currency of budgets and totals.
    public var baseCurrency: CurrencyCode?
    /// Other currencies that the user often needs.
    public var secondaryCurrencies: [CurrencyCode]?
    /// Monday or Sunday.
    public var weekStart: WeekStart?
    /// The treatment of a guarded field that two devices changed.
    public var conflictPolicy: ConflictPolicy?
    /// The colour scheme.
    public var theme: Theme?
    /// A locale such as `de-DE`, for amounts and dates.
    public var locale: String?
    /// A name of the IANA time zone database, such as `Europe/Sofia`.
    public var timeZone: String?

    /// All preferences are nil.
    public init() {}
}

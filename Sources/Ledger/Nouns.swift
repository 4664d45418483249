// The nouns of the ledger as they are stored: an account, a category, a transaction, a budget, preferences.

/// What kind of place an account is.
public enum AccountType: String, CaseIterable, Sendable {
    case cash, bank, card, savings, investment, loan
}

/// A place where money is.
public struct Account: Hashable, Sendable, Identifiable {
    /// Its identity.
    public var id: EntityID
    /// 1 to 80 characters.
    public var name: String
    /// Its kind.
    public var type: AccountType
    /// The currency that its balance is kept in.
    public var currency: CurrencyCode
    /// What was there before the first transaction, in minor units of `currency`; may be negative.
    public var openingMinor: Int64

    /// An account.
    public init(id: EntityID, name: String, type: AccountType, currency: CurrencyCode, openingMinor: Int64) {
        self.id = id
        self.name = name
        self.type = type
        self.currency = currency
        self.openingMinor = openingMinor
    }
}

/// The direction that a category is for.
public enum CategoryKind: String, CaseIterable, Sendable {
    case expense, income
}

/// What money is spent on or comes from.
public struct Category: Hashable, Sendable, Identifiable {
    /// Its identity.
    public var id: EntityID
    /// 1 to 80 characters.
    public var name: String
    /// Expense or income.
    public var kind: CategoryKind
    /// The name of a symbol of the sprite, such as `basket`.
    public var icon: String
    /// The name of a colour token, such as `basil`.
    public var color: String
    /// The category above, which has none above itself and is of the same kind.
    public var parent: EntityID?

    /// A category.
    public init(
        id: EntityID,
        name: String,
        kind: CategoryKind,
        icon: String,
        color: String,
        parent: EntityID?
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.icon = icon
        self.color = color
        self.parent = parent
    }
}

/// What a transaction does.
public enum TransactionKind: String, CaseIterable, Sendable {
    case expense, income, transfer
}

/// One movement of money.
public struct Transaction: Hashable, Sendable, Identifiable {
    /// Its identity.
    public var id: EntityID
    /// Expense, income or transfer.
    public var kind: TransactionKind
    /// The day that it counts for.
    public var date: CivilDate
    /// What was paid, received or moved, above zero. For a transfer in the currency of `account`.
    public var amount: Money
    /// The account that the money leaves (expense, transfer) or enters (income).
    public var account: EntityID
    /// What `account` lost or gained, above zero, in minor units of the account's own currency: the same as
    /// `amount` where the currencies are the same.
    public var accountMinor: Int64
    /// Where a transfer goes.
    public var toAccount: EntityID?
    /// What arrives there, above zero, in minor units of that account's currency.
    public var toMinor: Int64?
    /// Never on a transfer; may be empty.
    public var category: EntityID?
    /// Who was paid or who paid; up to 200 characters, may be empty.
    public var payee: String
    /// Up to 2,000 characters, may be empty.
    public var note: String
    /// Up to 20 tags of 1 to 40 characters without commas, in the order typed, none twice.
    public var tags: [String]

    /// A transaction.
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
        tags: [String] = []
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
    }
}

/// A monthly limit in the base currency.
public struct Budget: Hashable, Sendable, Identifiable {
    /// Its identity.
    public var id: EntityID
    /// What it limits; nil: all spending. A parent's budget covers its children too.
    public var category: EntityID?
    /// The limit of a month, above zero.
    public var limit: Money
    /// The first month that it holds for.
    public var from: YearMonth
    /// Whether what is left, or was overspent, carries over into the next month.
    public var rollover: Bool

    /// A budget.
    public init(id: EntityID, category: EntityID?, limit: Money, from: YearMonth, rollover: Bool) {
        self.id = id
        self.category = category
        self.limit = limit
        self.from = from
        self.rollover = rollover
    }
}

/// The first day of a week.
public enum WeekStart: String, CaseIterable, Sendable {
    case monday, sunday
}

/// Light, dark, or what the system says.
public enum Theme: String, CaseIterable, Sendable {
    case system, light, dark
}

/// How an overwritten guarded field is treated when devices disagree.
public enum ConflictPolicy: String, CaseIterable, Sendable {
    case newest, ask
}

/// What a user chose. Nil means never set: read it through `resolved`.
public struct Preferences: Hashable, Sendable {
    /// The currency of budgets and totals.
    public var baseCurrency: CurrencyCode?
    /// Other currencies often used.
    public var secondaryCurrencies: [CurrencyCode]?
    /// Monday or Sunday.
    public var weekStart: WeekStart?
    /// What happens where two devices changed the same guarded field.
    public var conflictPolicy: ConflictPolicy?
    /// Light or dark.
    public var theme: Theme?
    /// A locale such as `de-DE`, for amounts and dates.
    public var locale: String?
    /// A name of the IANA time zone database, such as `Europe/Sofia`.
    public var timeZone: String?

    /// Nothing chosen.
    public init() {}
}

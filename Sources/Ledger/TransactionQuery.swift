// A list of transactions: its filters, its pages, and their totals.

/// The filters of a list of transactions. Nil means no limit.
public struct TransactionQuery: Hashable, Sendable {
    /// Only of these days, both ends included.
    public var days: ClosedRange<CivilDate>? { didSet { period = nil } }
    /// The name of the days, if they were chosen relative to today; see `setPeriod(_:on:)`. Setting other days removes it.
    public private(set) var period: DayPeriod?
    /// Transactions of this account, at either end.
    public var account: EntityID?
    /// Only transactions of the accounts for daily use, at either end. Amounts then count as if `isAsCharged`.
    public var isOfDailyUse = false
    /// Amounts count in totals as the accounts were charged, in the currencies of the accounts.
    public var isAsCharged = false
    /// Transactions with a category, or without any.
    public var category: CategoryFilter?
    /// Transactions with this payee, in any spelling. Empty: expenses and income without a payee.
    public var payee: String?
    /// Whether only transactions without a payee match.
    public var isWithoutPayee: Bool { payee == "" }
    /// Only transactions of which this many units were paid, in whatever currency.
    public var amount: AmountFilter?
    /// Only transactions with all of these tags, in any spelling.
    public var tags: [String] = []
    /// Only transactions with receipts.
    public var isWithReceipt = false
    /// Only transactions of banks, recorded ones among them.
    public var isFromBank = false
    /// Whether one of the filters by which no sums are maintained, and which no index has, is set.
    public var isOfDetails: Bool { amount != nil || !tags.isEmpty || isWithReceipt || isFromBank }
    /// Words to find in payee, note, tags, amount, or the names of category and accounts; all words must
    /// match.
    public var text: String?
    /// The decimal sign with which amounts among the words are written.
    public var decimalSign: Character = "."
    /// Only of this kind.
    public var kind: TransactionKind?
    /// Only spending: expenses, and income that refunds some.
    public var isSpending = false
    /// Only transactions that count, or do not count, in a currency without a rate.
    public var counts: CountFilter?
    /// The order of the rows.
    public var sort = TransactionSort.newestFirst
    /// The last row of the previous page: the next rows follow it in the order. A position of another order is ignored.
    public var after: TransactionCursor?
    /// The greatest number of rows.
    public var limit = 50

    /// No filter.
    public init() {}

    /// Limits the days to a period, which keeps its name.
    public mutating func setPeriod(_ period: DayPeriod, on today: CivilDate) {
        days = period.days(on: today)
        self.period = period
    }

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

/// One page of a list of transactions.
public struct TransactionPage: Sendable {
    /// The rows, in the order of the query.
    public var rows: [Transaction]
    /// The totals of each day on the page: of all rows of the day that match the filters, even if some are on
    /// the next page.
    public var days: [DayTotal]
    /// The totals of all pages of the query, by currency: up to the day through which they were asked for, if the query
    /// begins by that day.
    public var totals: [CurrencyTotal]
    /// The totals of the days after that day; empty for a query that begins after it.
    public var toCome: [CurrencyTotal] = []
    /// The sum of the transfers to the accounts of the filter, less the transfers from these accounts, by currency
    /// of the accounts. Empty without such a filter, with a search, and if the other filters exclude transfers. Up to the
    /// same day as `totals`.
    public var moved: [MoneySum]
    /// The same of the days after that day.
    public var movedToCome: [MoneySum] = []
    /// The position of the next page, if there is one.
    public var next: TransactionCursor?
    /// The amounts of the parts that pass a filter by category, in minor units, for split rows of which some do not.
    public var partMinors: [EntityID: Int64] = [:]
    /// The rows that have receipts.
    public var withReceipts: Set<EntityID> = []

    /// The rows are in the order of the list.
    public init(
        rows: [Transaction],
        days: [DayTotal],
        totals: [CurrencyTotal],
        moved: [MoneySum] = [],
        next: TransactionCursor?
    ) {
        self.rows = rows
        self.days = days
        self.totals = totals
        self.moved = moved
        self.next = next
    }
}

// The values that every page shows besides its own rows, cached between two changes.
import GRDB
public import Ledger
import Storage

/// Names, counts and the last account: small values that almost every page needs and that only a change can
/// alter.
///
/// A change of rows empties the cache, so the values are never older than the last change. The file of the
/// book has no other writer (see `DataFolder`).
struct Lookups: Sendable {
    let accounts: [AccountBalance]
    let choices: BookChoices
    let counts: BookCounts
    let totals: [CurrencyTotal]
    /// The currencies of all accounts, including deleted accounts.
    private let accountCurrencies: [EntityID: CurrencyCode]
    /// The categories of spending, including deleted categories.
    private let spendingCategories: Set<EntityID>
    let preferences: Preferences
    /// All live schedules, oldest first.
    let schedules: [Schedule]
    /// All saved views, by name.
    let views: [SavedView]
    /// The number of undecided conflicts.
    let toReview: Int
    /// The number of losses that the user has not decided about.
    let lost: Int
    /// The number of expenses and income without a category.
    let uncategorizedCount: Int
    /// The day of the last transaction, or of an opening balance after it; nil without any.
    let lastDay: CivilDate?
    /// The changes of accounts after a day, which pages fill.
    let later = LaterChanges()
    /// The marks of transactions with receipts, which lists fill.
    let receiptMarks = ReceiptMarks()
    /// The names of payees with several spellings, which reports fill.
    let payees = PayeeSpellings()
    /// The report of the rules, which their page fills.
    let rules = KnownRuleReport()
    /// The corrections that offers of rules are made of.
    let offers = KnownCorrections()

    init(_ db: BookDatabase) throws {
        accounts = try db.accountBalances()
        counts = try db.counts()
        totals = try db.totals("SELECT kind, currency, count, minor FROM month_sums WHERE month = 0") {
            try db.refunds($0)
        }
        accountCurrencies = try Self.currencies(db)
        spendingCategories = Set(
            try db.all("SELECT id FROM categories WHERE kind = 'expense'") { try $0.id(0) }
        )
        preferences = try db.preferences()
        schedules = try db.schedules()
        views = try db.savedViews()
        toReview = try db.openConflicts(200).count
        lost = try db.losses().count
        uncategorizedCount = try db.uncategorizedCount()
        let newest = """
            SELECT date FROM transactions INDEXED BY transactions_by_date WHERE deleted_at IS NULL
            ORDER BY date DESC, id DESC LIMIT 1
            """
        lastDay =
            ([try db.first(newest) { $0.date(0) }] + accounts.map(\.account.openingDay))
            .compactMap(\.self).max()
        choices = BookChoices(
            accounts: accounts.map(\.account),
            categories: try db.categories(),
            lastAccount: try db.lastAccount(),
            deletedSpending: Set(
                try db.all("SELECT id FROM categories WHERE kind = 'expense' AND deleted_at IS NOT NULL") {
                    try $0.id(0)
                }
            )
        )
    }

    /// The currencies of all accounts, including deleted accounts.
    static func currencies(_ db: BookDatabase) throws -> [EntityID: CurrencyCode] {
        Dictionary(
            try db.all("SELECT id, currency FROM accounts") { (try $0.id(0), try $0.currency(1)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether a transaction without parts is income that reduces the spending of its category.
    func isRefund(_ transaction: Transaction) -> Bool {
        transaction.kind == .income && isOfSpending(transaction.category)
    }

    /// Whether a category is one of spending.
    func isOfSpending(_ category: EntityID?) -> Bool {
        category.map(spendingCategories.contains) ?? false
    }

    /// Whether every transaction was paid in a currency, so that its amounts are known in it as they are.
    func isPaid(only currency: CurrencyCode) -> Bool { totals.allSatisfy { $0.currency == currency } }

    /// The amount of a transaction in a currency if it is known in it, and otherwise what its account was charged;
    /// see `Charge.known(in:)`. Nil, and a transfer: the amount of the transaction.
    func known(_ transaction: Transaction, in base: CurrencyCode?) -> Money {
        guard let base, transaction.kind != .transfer, transaction.amount.currency != base,
            let currency = accountCurrencies[transaction.account]
        else { return transaction.amount }
        return Money(minor: transaction.accountMinor, currency: currency)
    }

    /// The change of the account of a transaction, in its currency; the amount of a transfer.
    func charged(_ transaction: Transaction) -> Money {
        guard transaction.kind != .transfer, let currency = accountCurrencies[transaction.account] else {
            return transaction.amount
        }
        return Money(minor: transaction.accountMinor, currency: currency)
    }

    /// The amount that counts of charges; see `Charge.known(in:)`. Nil: the amount that was paid.
    /// - Parameter account: read only if the amount is not known as it was paid.
    func known(
        _ paid: Money,
        charged: Int64,
        to account: @autoclosure () throws -> EntityID,
        in base: CurrencyCode?
    ) rethrows -> Money {
        guard let base, paid.currency != base, let currency = accountCurrencies[try account()] else {
            return paid
        }
        return Money(minor: charged, currency: currency)
    }

    /// The currencies of all accounts, including deleted accounts.
    var currenciesOfAccounts: Set<CurrencyCode> { Set(accountCurrencies.values) }

    /// The ids of the category and its children.
    func family(of category: EntityID) -> [EntityID] {
        [category] + choices.categories.lazy.filter { $0.parent == category && $0.id != category }.map(\.id)
    }
}

extension Book {
    /// The accounts and categories that forms offer; cached between two changes.
    public func choices() throws(BookError) -> BookChoices {
        try current { $0.choices }
    }
}

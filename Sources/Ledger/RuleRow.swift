// A row that rules look at, and what they make of it.

/// A transaction that rules look at.
public struct RuleRow: Sendable {
    /// As it is without rules.
    public var transaction: Transaction
    /// The bank's own words; none for a transaction that no bank has reported.
    public var bankTexts: [String]
    /// The values that a person has written. No rule changes them.
    public var typed: Set<RuleEffect>

    /// A row without a person's writing unless stated otherwise.
    public init(_ transaction: Transaction, bankTexts: [String] = [], typed: Set<RuleEffect> = []) {
        self.transaction = transaction
        self.bankTexts = bankTexts
        self.typed = typed
    }
}

/// The result of the rules for a row.
public struct RuleResult: Hashable, Sendable {
    /// The transaction with the values that rules have set.
    public var transaction: Transaction
    /// Whether a rule hides the row.
    public var isHidden = false
    /// The schedule of which the row is the payment.
    public var schedule: EntityID?
    /// The rules that set the values that the row has now. A value that the row had already was not set.
    public var setBy: [RuleEffect: EntityID] = [:]
    /// The rules whose conditions held, in order.
    public var matched: [EntityID] = []
    /// The rules with a regular expression that reached the limit on its work. They have not matched.
    public var tooCostly: [EntityID] = []

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The rule by which an entry is explained: that which has set the category or the parts, otherwise that of another
    /// value; nil if none has set any.
    public var rule: EntityID? {
        let order: [RuleEffect] = [.split, .category, .transfer, .payee, .schedule, .note, .tags, .hide]
        return order.lazy.compactMap { setBy[$0] }.first
    }
}

/// The rows to which effects refer.
public struct RuleReferences: Sendable {
    /// The kinds of the live categories.
    public var categories: [EntityID: CategoryKind]
    /// The currencies of the open accounts.
    public var accounts: [EntityID: CurrencyCode]
    /// The live schedules.
    public var schedules: Set<EntityID>

    /// All rows to which effects can refer.
    public init(
        categories: [EntityID: CategoryKind],
        accounts: [EntityID: CurrencyCode],
        schedules: Set<EntityID> = []
    ) {
        self.categories = categories
        self.accounts = accounts
        self.schedules = schedules
    }
}

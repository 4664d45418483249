// The effect of making two categories one.

/// The changes by a merge of a category into another one.
public struct CategoryMerge: Hashable, Sendable {
    /// The category that is deleted.
    public var source: Category
    /// The category that has everything afterwards.
    public var target: Category
    /// The number of transactions with the category, parts of transactions among them.
    public var transactionCount = 0
    /// The number of live schedules with the category.
    public var scheduleCount = 0
    /// The number of notes on transactions of banks with the category.
    public var bankNoteCount = 0
    /// The number of payees whose usual category it is.
    public var payeeCount = 0
    /// The number of rules that name the category.
    public var ruleCount = 0
    /// The number of saved views that name the category.
    public var viewCount = 0
    /// The categories below it, by name.
    public var children: [Category] = []
    /// The category that the children are below afterwards: the target, or the category above the target.
    public var newParent: EntityID
    /// The fate of its budgets; nil if the category has none.
    public var budgets: Budgets?
    /// The number of the change in the history; nil before the merge.
    public var change: Int64?

    /// The fate of the budgets of the category.
    public enum Budgets: Hashable, Sendable {
        /// The target has none, and gets them.
        case moved
        /// In months with a limit of both, the limit is the sum. The limits are those of the present month, if both have
        /// one in it, in one currency.
        case added(Money?, Money?)
        /// In months with a limit of both, the limit of the target stays: it is for the category already, as one above it,
        /// or in another currency.
        case kept
    }

    /// Counts nothing yet.
    public init(source: Category, target: Category) {
        self.source = source
        self.target = target
        newParent = target.parent ?? target.id
    }
}

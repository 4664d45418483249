// The effects of rules.

/// The values that a rule sets on the rows that match.
public struct RuleEffects: Hashable, Sendable {
    /// The name in place of the payee; nil to keep it.
    public var payee: String?
    /// The category; nil to keep it. It is not set on transfers, nor on split transactions.
    public var category: EntityID?
    /// The note in place of the note; nil to keep it.
    public var note: String?
    /// Tags that are added behind the others.
    public var tags: [String]
    /// The parts of a split, in place of category and parts; empty to keep them.
    public var split: [RuleSplitPart]
    /// The account on the other side of the transfer that the row becomes; nil to keep the kind.
    public var transfer: EntityID?
    /// Whether a row of a bank is neither shown nor counted.
    public var hides: Bool
    /// The schedule of which the row is the payment; nil for none.
    public var schedule: EntityID?

    /// Nothing is set unless stated otherwise.
    public init(
        payee: String? = nil,
        category: EntityID? = nil,
        note: String? = nil,
        tags: [String] = [],
        split: [RuleSplitPart] = [],
        transfer: EntityID? = nil,
        hides: Bool = false,
        schedule: EntityID? = nil
    ) {
        self.payee = payee
        self.category = category
        self.note = note
        self.tags = tags
        self.split = split
        self.transfer = transfer
        self.hides = hides
        self.schedule = schedule
    }

    /// Whether nothing is set.
    public var isEmpty: Bool { self == RuleEffects() }

    /// The kinds of effects that a matching row gets.
    public var kinds: Set<RuleEffect> {
        var kinds: Set<RuleEffect> = []
        if payee != nil { kinds.insert(.payee) }
        if category != nil { kinds.insert(.category) }
        if note != nil { kinds.insert(.note) }
        if !tags.isEmpty { kinds.insert(.tags) }
        if !split.isEmpty { kinds.insert(.split) }
        if transfer != nil { kinds.insert(.transfer) }
        if hides { kinds.insert(.hide) }
        if schedule != nil { kinds.insert(.schedule) }
        return kinds
    }
}

/// The kinds of effects, with the names by which errors and entries refer to them.
public enum RuleEffect: String, CaseIterable, Sendable {
    case payee, category, note, tags, split, transfer, hide, schedule
}

/// A part of the split that a rule makes.
public struct RuleSplitPart: Hashable, Sendable {
    /// Nil for a part without a category.
    public var category: EntityID?
    /// The amounts of all parts are subtracted before percentages are computed.
    public var share: RuleShare

    /// A part with a share that is not checked.
    public init(category: EntityID?, share: RuleShare) {
        self.category = category
        self.share = share
    }
}

/// The size of a part.
public enum RuleShare: Hashable, Sendable {
    /// In ten-thousandths of the currency of the row; above zero.
    case amount(Int64)
    /// Hundredths of a percent of what the amounts of the other parts leave: 4,000 is 40 %.
    case percent(Int)
}

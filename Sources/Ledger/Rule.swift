// A rule of the user: what matches, and what is done to the rows that match.

/// Whether all conditions of a rule must hold, or one of them.
public enum RuleMatch: String, CaseIterable, Sendable {
    case all, any
}

/// A rule for transactions: if its conditions hold, its effects are applied.
///
/// Rules run in the order of their positions, each once for a row. A rule sees the values that earlier rules have set, and
/// the last rule that sets a field wins.
public struct Rule: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// 1 to 80 characters.
    public var name: String
    /// The place in the order of rules, a key of `FractionalIndex`; nil for a rule behind those with one.
    public var position: String?
    /// A rule that is off does not run.
    public var isEnabled: Bool
    /// The meaning of several conditions.
    public var match: RuleMatch
    /// At least one.
    public var conditions: [RuleCondition]
    /// At least one of its values is set.
    public var effects: RuleEffects
    /// The stored texts that this version cannot read, because a newer version has written them. They are stored unchanged,
    /// and the rule does not run.
    public var foreign: ForeignRuleTexts

    /// The greatest number of conditions.
    public static let mostConditions = 20
    /// The greatest number of characters of a name.
    public static let nameLimit = 80

    /// Does not check its values.
    public init(
        id: EntityID,
        name: String,
        position: String? = nil,
        isEnabled: Bool = true,
        match: RuleMatch = .all,
        conditions: [RuleCondition],
        effects: RuleEffects,
        foreign: ForeignRuleTexts = ForeignRuleTexts()
    ) {
        self.id = id
        self.name = name
        self.position = position
        self.isEnabled = isEnabled
        self.match = match
        self.conditions = conditions
        self.effects = effects
        self.foreign = foreign
    }

    /// Whether this version understands the whole rule. Otherwise the rule does not run here, and only its name, its order
    /// and whether it is on can be changed.
    public var isUnderstood: Bool { foreign == ForeignRuleTexts() }

    /// Whether the rule runs on this device.
    public var runs: Bool { isEnabled && isUnderstood && !conditions.isEmpty && !effects.isEmpty }
}

/// The texts of a rule of a newer version, as they are stored; nil for texts that this version reads.
public struct ForeignRuleTexts: Hashable, Sendable {
    /// With a field, a test or a value that is not known.
    public var conditions: String?
    /// With an effect that is not known.
    public var effects: String?

    /// No texts.
    public init() {}
}

extension Rule {
    /// The accounts to which conditions and effects refer.
    public var accounts: Set<EntityID> {
        let tested = conditions.compactMap { condition in
            if case .account(let id) = condition.value { id } else { nil }
        }
        return Set(tested + [effects.transfer].compactMap(\.self))
    }

    /// The categories to which the effects refer.
    public var categories: Set<EntityID> {
        Set(([effects.category] + effects.split.map(\.category)).compactMap(\.self))
    }
}

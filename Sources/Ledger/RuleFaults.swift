// The faults of a rule, each at the field of the form that it concerns.

/// A place in the form of a rule, and the reason why it cannot be stored.
public struct RuleFault: Error, Hashable, Sendable {
    /// A field of the form.
    public enum Place: Hashable, Sendable {
        case name
        /// The conditions as a whole.
        case conditions
        /// One condition, by its index in the form.
        case condition(Int)
        /// The effects as a whole.
        case effects
        case effect(RuleEffect)
        /// One part of the split, by its index in the form.
        case part(Int)
    }

    /// A cause that the form says beside the field.
    public enum Reason: Hashable, Sendable {
        /// There is no value.
        case missing
        /// The text has more characters.
        case tooLong(Int)
        /// There are more of them.
        case tooMany(Int)
        /// A split needs so many parts.
        case tooFew(Int)
        /// The field has no such test.
        case unfitTest
        /// The form has sent something that it does not offer.
        case unknown
        case amount(AmountError)
        /// A range needs two amounts, such as `10..20`.
        case noRange
        /// The lower end of a range is above the upper one.
        case reversedRange
        /// A share is neither an amount nor a percentage above 0 up to 100.
        case share
        /// The percentages add up to more than 100.
        case tooManyPercent
        /// The regular expression is refused.
        case pattern(PatternFault)
        /// The effect cannot be combined with another one.
        case contradicts(RuleEffect)
    }

    /// The field.
    public let place: Place
    /// Why it is refused.
    public let reason: Reason

    /// A fault of a field.
    public init(_ place: Place, _ reason: Reason) {
        self.place = place
        self.reason = reason
    }
}

/// All faults of a rule, in the order of the form.
public struct RuleFaults: Error, Hashable, Sendable {
    /// At least one.
    public let all: [RuleFault]

    /// The faults, of which there is at least one.
    public init(_ all: [RuleFault]) { self.all = all }
}

extension Rule {
    /// The faults of the rule, apart from references to rows that are gone.
    /// - Parameter patterns: compiles regular expressions.
    public func faults(_ patterns: some PatternCompiling) -> [RuleFault] {
        var faults: [RuleFault] = []
        let name = name.count
        if self.name.isEmpty { faults.append(RuleFault(.name, .missing)) }
        if name > Self.nameLimit { faults.append(RuleFault(.name, .tooLong(Self.nameLimit))) }
        guard isUnderstood else { return faults }
        if conditions.isEmpty { faults.append(RuleFault(.conditions, .missing)) }
        if conditions.count > Self.mostConditions {
            faults.append(RuleFault(.conditions, .tooMany(Self.mostConditions)))
        }
        for (index, condition) in conditions.enumerated() {
            if let reason = condition.fault(patterns) { faults.append(RuleFault(.condition(index), reason)) }
        }
        return faults + effects.faults
    }
}

extension RuleCondition {
    /// The reason why the condition cannot be stored; nil if it can.
    func fault(_ patterns: some PatternCompiling) -> RuleFault.Reason? {
        guard field.tests.contains(test) else { return .unfitTest }
        if case .amount(let amount) = value, amount.low > amount.high { return .reversedRange }
        guard isWellFormed else { return .unknown }
        guard case .text(let text) = value else { return nil }
        guard !text.isEmpty else { return .missing }
        let limit = test == .matches ? Self.patternLimit : Self.textLimit
        guard text.count <= limit, text.utf8.count <= 5 * limit else { return .tooLong(limit) }
        guard let pattern else { return nil }
        do throws(PatternFault) {
            _ = try patterns.compile(pattern)
        } catch {
            return .pattern(error)
        }
        return nil
    }
}

extension RuleEffects {
    /// The greatest numbers of characters and of tags, as on a transaction.
    private static let limits = (payee: 200, note: 2_000, tag: 40, tags: 20)

    /// The reasons why the effects cannot be stored.
    var faults: [RuleFault] {
        guard !isEmpty else { return [RuleFault(.effects, .missing)] }
        var faults: [RuleFault] = []
        func check(_ effect: RuleEffect, _ isRefused: Bool, _ reason: RuleFault.Reason) {
            if isRefused { faults.append(RuleFault(.effect(effect), reason)) }
        }
        check(.payee, payee?.isEmpty == true, .missing)
        check(.payee, (payee?.count ?? 0) > Self.limits.payee, .tooLong(Self.limits.payee))
        check(.category, category != nil && !split.isEmpty, .contradicts(.split))
        check(.note, (note?.count ?? 0) > Self.limits.note, .tooLong(Self.limits.note))
        check(.tags, tags.count > Self.limits.tags, .tooMany(Self.limits.tags))
        check(.tags, tags.contains { $0.count > Self.limits.tag }, .tooLong(Self.limits.tag))
        check(.split, split.count == 1, .tooFew(Split.counts.lowerBound))
        check(.split, split.count > Split.counts.upperBound, .tooMany(Split.counts.upperBound))
        check(.split, percentSum > 10_000, .tooManyPercent)
        check(.transfer, transfer != nil && category != nil, .contradicts(.category))
        check(.transfer, transfer != nil && !split.isEmpty, .contradicts(.split))
        return faults
    }

    private var percentSum: Int {
        split.reduce(0) { sum, part in
            if case .percent(let percent) = part.share { sum + percent } else { sum }
        }
    }
}

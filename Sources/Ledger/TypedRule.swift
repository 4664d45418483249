// A rule as the fields of its form: what was typed, and the rule that it means.

import Encoding

/// The texts of the form of a rule.
public struct TypedRule: Hashable, Sendable {
    /// The texts of one condition.
    public struct Condition: Hashable, Sendable {
        /// The raw value of a `RuleField`.
        public var field: String
        /// The raw value of a `RuleTest`.
        public var test: String
        /// A text, an amount, an id, a kind or a code. A condition without a value is no condition.
        public var value: String

        /// Texts as they were sent.
        public init(field: String, test: String, value: String) {
            (self.field, self.test, self.value) = (field, test, value)
        }
    }

    /// The texts of one part of a split.
    public struct Part: Hashable, Sendable {
        /// An id; empty for none.
        public var category: String
        /// An amount or a percentage. A part without a share and a category is no part.
        public var share: String

        /// Texts as they were sent.
        public init(category: String, share: String) { (self.category, self.share) = (category, share) }
    }

    /// Without white space around it.
    public var name = ""
    /// False for a rule that is kept and does not run.
    public var isEnabled = true
    /// The raw value of a `RuleMatch`; anything else means `all`.
    public var match = RuleMatch.all.rawValue
    /// In the order of the form.
    public var conditions: [Condition] = []
    /// Empty to keep the payee.
    public var payee = ""
    /// An id; empty to keep the category.
    public var category = ""
    /// Empty to keep the note.
    public var note = ""
    /// Tags that are added, each once.
    public var tags: [String] = []
    /// The id of the other account of a transfer; empty for none.
    public var account = ""
    /// Whether a row of a bank is hidden.
    public var hides = false
    /// The id of a schedule; empty for none.
    public var schedule = ""
    /// In the order of the form.
    public var parts: [Part] = []

    /// An empty form.
    public init() {}

    /// The form of a rule.
    public init(_ rule: Rule, decimalSign: Character) {
        name = rule.name
        isEnabled = rule.isEnabled
        match = rule.match.rawValue
        conditions = rule.conditions.map { condition in
            let value =
                switch condition.value {
                case .text(let text): text
                case .account(let id): "\(id)"
                case .kind(let kind): kind.rawValue
                case .currency(let code): code.rawValue
                case .amount(let amount): amount.text(condition.test, decimalSign: decimalSign)
                }
            return Condition(field: condition.field.rawValue, test: condition.test.rawValue, value: value)
        }
        let effects = rule.effects
        payee = effects.payee ?? ""
        category = effects.category.map { "\($0)" } ?? ""
        note = effects.note ?? ""
        tags = effects.tags
        account = effects.transfer.map { "\($0)" } ?? ""
        hides = effects.hides
        schedule = effects.schedule.map { "\($0)" } ?? ""
        parts = effects.split.map { part in
            Part(
                category: part.category.map { "\($0)" } ?? "",
                share: part.share.text(decimalSign: decimalSign)
            )
        }
    }

    /// The rule that was typed, with its id and its position.
    /// - Parameters:
    ///   - amounts: parses the amounts in the user's locale.
    ///   - patterns: compiles the regular expressions.
    /// - Throws: all faults, each at its field.
    public func rule(
        id: EntityID,
        position: String?,
        _ amounts: AmountParser,
        _ patterns: some PatternCompiling
    ) throws(RuleFaults) -> Rule {
        var faults: [RuleFault] = []
        var places: [Int] = []
        var read: [RuleCondition] = []
        for (index, typed) in conditions.enumerated() where !typed.value.isEmpty {
            do throws(RuleFault.Reason) {
                read.append(try typed.condition(amounts))
                places.append(index)
            } catch {
                faults.append(RuleFault(.condition(index), error))
            }
        }
        let hasBrokenConditions = !faults.isEmpty
        var effects = RuleEffects(
            payee: payee.isEmpty ? nil : payee,
            note: note.isEmpty ? nil : note,
            tags: tags,
            hides: hides
        )
        func parsed(_ text: String, _ place: RuleFault.Place) -> EntityID? {
            guard !text.isEmpty else { return nil }
            let id = EntityID(text)
            if id == nil { faults.append(RuleFault(place, .unknown)) }
            return id
        }
        effects.category = parsed(category, .effect(.category))
        effects.transfer = parsed(account, .effect(.transfer))
        effects.schedule = parsed(schedule, .effect(.schedule))
        for (index, part) in parts.enumerated() where part != Part(category: "", share: "") {
            let category = parsed(part.category, .part(index))
            do throws(RuleFault.Reason) {
                guard !part.share.isEmpty else { throw .missing }
                effects.split.append(
                    RuleSplitPart(category: category, share: try amounts.ruleShare(part.share))
                )
            } catch {
                faults.append(RuleFault(.part(index), error))
            }
        }
        let rule = Rule(
            id: id,
            name: name,
            position: position,
            isEnabled: isEnabled,
            match: RuleMatch(rawValue: match) ?? .all,
            conditions: read,
            effects: effects
        )
        let hasBrokenEffects = faults.contains { $0.isOfEffects }
        for fault in rule.faults(patterns) {
            switch fault.place {
            // A condition or an effect that cannot be read is not missing.
            case .conditions where fault.reason == .missing && hasBrokenConditions: continue
            case .effects where hasBrokenEffects: continue
            case .effect(.split) where hasBrokenEffects: continue
            case .condition(let index): faults.append(RuleFault(.condition(places[index]), fault.reason))
            default: faults.append(fault)
            }
        }
        guard faults.isEmpty else { throw RuleFaults(faults) }
        return rule
    }
}

extension TypedRule.Condition {
    fileprivate func condition(_ amounts: AmountParser) throws(RuleFault.Reason) -> RuleCondition {
        guard let field = RuleField(rawValue: field), let test = RuleTest(rawValue: test) else {
            throw .unknown
        }
        guard field.tests.contains(test) else { throw .unfitTest }
        let parsed: RuleValue? =
            switch field {
            case .text, .payee, .note, .tags: .text(value)
            case .amount: .amount(try amounts.ruleAmount(value, test))
            case .account: EntityID(value).map { .account($0) }
            case .kind: TransactionKind(rawValue: value).map { .kind($0) }
            case .currency: CurrencyCode(value.narrow).map { .currency($0) }
            }
        guard let parsed else { throw .unknown }
        return RuleCondition(field, test, parsed)
    }
}

extension RuleFault {
    fileprivate var isOfEffects: Bool {
        switch place {
        case .effect, .effects, .part: true
        case .name, .conditions, .condition: false
        }
    }
}

// The sentences about rules: when one matches, and its effects.

import Ledger
import SyncCore
import Texts

/// The words for rules, with the names of the entities that they refer to.
struct RuleWords: Sendable {
    let catalog: Catalog
    /// The schedules that a rule can name.
    let schedules: [Schedule]
    /// The decimal sign of the user's amounts.
    let decimalSign: Character

    /// `When the payee is LIDL: Groceries, tag food`.
    func sentence(_ rule: Rule) -> Text {
        guard rule.isUnderstood else { return Text("rules.not-understood") }
        return Text(
            "rules.sentence",
            ["conditions": .text(conditions(of: rule)), "effects": .text(effects(of: rule))]
        )
    }

    /// `the payee is LIDL and the account is Cash`.
    func conditions(of rule: Rule) -> Text {
        let joined = Text.joined(rule.conditions.map(words)) { first, next in
            let words: [String: Text.Argument] = ["first": .text(first), "next": .text(next)]
            return rule.match == .any ? Text("rules.or", words) : Text("rules.and", words)
        }
        return joined ?? Self.unknown
    }

    /// `Groceries, tag food`.
    func effects(of rule: Rule) -> Text {
        let joined = Text.joined(words(rule.effects)) {
            Text("rules.one-after-another", ["first": .text($0), "next": .text($1)])
        }
        return joined ?? Self.unknown
    }

    /// The words for conditions and effects that this version does not understand.
    private static let unknown = Text.verbatim("…")

    private func words(_ condition: RuleCondition) -> Text {
        let field = Text.Argument.text(Self.subject(condition.field))
        let value = Text.Argument.text(value(condition))
        let words = ["field": field, "value": value]
        switch condition.test {
        case .equals: return Text("rules.condition-is", words)
        case .contains: return Text("rules.condition-contains", words)
        case .begins: return Text("rules.condition-begins", words)
        case .ends: return Text("rules.condition-ends", words)
        case .matches: return Text("rules.condition-matches", words)
        case .less: return Text("rules.condition-less", words)
        case .more: return Text("rules.condition-more", words)
        case .between:
            guard case .amount(let amount) = condition.value else {
                return Text("rules.condition-is", words)
            }
            func end(_ value: Int64) -> Text.Argument {
                let end = RuleAmount(low: value, high: value, isSigned: amount.isSigned)
                return .string(end.text(.equals, decimalSign: decimalSign))
            }
            return Text(
                "rules.condition-between",
                ["field": field, "low": end(amount.low), "high": end(amount.high)]
            )
        }
    }

    private func value(_ condition: RuleCondition) -> Text {
        switch condition.value {
        case .text(let text): .verbatim(text.isolated)
        case .amount(let amount): .verbatim(amount.text(condition.test, decimalSign: decimalSign))
        case .account(let id): catalog.accountName(id).isolated
        case .kind(.expense): Text("rules.kind-expense")
        case .kind(.income): Text("rules.kind-income")
        case .kind(.transfer): Text("rules.kind-transfer")
        case .currency(let code): .verbatim(code.rawValue)
        }
    }

    private func words(_ effects: RuleEffects) -> [Text] {
        var words: [Text] = []
        if effects.category != nil { words.append(category(effects.category)) }
        if let payee = effects.payee {
            words.append(Text("rules.effect-payee", ["payee": .string(payee.isolated)]))
        }
        if !effects.tags.isEmpty {
            let tags = effects.tags.map(\.isolated).joined(separator: ", ")
            let count = effects.tags.count
            words.append(Text("rules.effect-tags", ["count": .count(count), "tags": .string(tags)]))
        }
        if let note = effects.note {
            words.append(Text("rules.effect-note", ["note": .string(note.isolated)]))
        }
        let parts = effects.split.map { part in
            let share = part.share.text(decimalSign: decimalSign)
            return Text("rules.part", ["category": .text(category(part.category)), "share": .string(share)])
        }
        let split = Text.joined(parts) {
            Text("rules.one-after-another", ["first": .text($0), "next": .text($1)])
        }
        if let split { words.append(Text("rules.effect-split", ["parts": .text(split)])) }
        if let account = effects.transfer {
            let name = catalog.accountName(account).isolated
            words.append(Text("rules.effect-transfer", ["account": .text(name)]))
        }
        if let schedule = effects.schedule {
            words.append(Text("rules.effect-schedule", ["schedule": .text(name(of: schedule))]))
        }
        if effects.hides { words.append(Text("rules.effect-hide")) }
        return words
    }

    private func category(_ id: EntityID?) -> Text {
        id != nil && catalog.category(id) == nil
            ? Text("categories.a-deleted-category") : catalog.categoryName(id).isolated
    }

    private func name(of schedule: EntityID) -> Text {
        schedules.first { $0.id == schedule }?.displayName(catalog).isolated
            ?? Text("rules.a-deleted-schedule")
    }

    /// The choices of a schedule in a form.
    var scheduleChoices: [Choice] {
        [Choice("", Text("rules.no-schedule"))]
            + schedules.map { Choice("\($0.id)", $0.displayName(catalog)) }
    }

    /// The name of a field within a sentence.
    private static func subject(_ field: RuleField) -> Text {
        switch field {
        case .text: Text("rules.the-text")
        case .payee: Text("rules.the-payee")
        case .amount: Text("rules.the-amount")
        case .account: Text("rules.the-account")
        case .note: Text("rules.the-note")
        case .tags: Text("rules.a-tag")
        case .kind: Text("rules.the-kind")
        case .currency: Text("rules.the-currency")
        }
    }

    /// The name of a field as a heading.
    static func heading(_ field: RuleField) -> Text {
        switch field {
        case .text: Text("rules.field-text")
        case .payee: Text("rules.field-payee")
        case .amount: Text("rules.field-amount")
        case .account: Text("rules.field-account")
        case .note: Text("rules.field-note")
        case .tags: Text("rules.field-tags")
        case .kind: Text("rules.field-kind")
        case .currency: Text("rules.field-currency")
        }
    }

    /// The words of a test in a list of choices.
    static func label(_ test: RuleTest) -> Text {
        switch test {
        case .equals: Text("rules.test-is")
        case .contains: Text("rules.test-contains")
        case .begins: Text("rules.test-begins")
        case .ends: Text("rules.test-ends")
        case .matches: Text("rules.test-matches")
        case .less: Text("rules.test-less")
        case .more: Text("rules.test-more")
        case .between: Text("rules.test-between")
        }
    }
}

extension ChangeWords {
    /// The conditions or the effects of a stored rule; nil for other fields.
    /// - Parameter text: the stored value of the field.
    func ruleWords(_ field: String, _ text: String, _ row: Fields) -> Text? {
        guard ["conditions", "effects"].contains(field) else { return nil }
        let rule = Rule(
            id: EntityID(high: 0, low: 0),
            name: "",
            position: nil,
            isEnabled: true,
            match: row.text("match").flatMap { RuleMatch(rawValue: $0) } ?? .all,
            conditions: field == "conditions" ? text : "[]",
            effects: field == "effects" ? text : "{}"
        )
        let sign = formats.plain(1, .eur).first { ",.٫".contains($0) }
        let words = RuleWords(catalog: catalog, schedules: schedules(), decimalSign: sign ?? ".")
        return field == "conditions" ? words.conditions(of: rule) : words.effects(of: rule)
    }
}

// The sentences about the faults of a rule, beside its fields.

import Ledger
import Texts

/// The reason why a field of a rule is refused, with the remedy.
enum RuleFaultWords {
    /// The fault of a condition or of the name.
    static func text(_ reason: RuleFault.Reason, field: RuleField? = nil) -> Text {
        switch reason {
        case .missing: field == nil ? Text("rules.enter-a-name") : Text("rules.enter-a-value")
        case .tooLong(let limit): Text("forms.keep-it-to-limit", ["limit": .count(limit)])
        case .unfitTest:
            field.map { Text("rules.test-does-not-fit", ["field": .text(RuleWords.heading($0))]) }
                ?? Text("rules.choose-what-it-looks-at")
        case .unknown: unknown(field)
        case .amount(let error): error.text
        case .noRange: Text("rules.enter-a-range")
        case .reversedRange: Text("rules.range-is-reversed")
        case .pattern(let fault):
            Text(
                "rules.pattern-is-refused",
                ["message": .string(fault.message), "count": .count(fault.position)]
            )
        case .tooMany, .tooFew, .share, .tooManyPercent, .contradicts: Text("rules.does-not-fit")
        }
    }

    private static func unknown(_ field: RuleField?) -> Text {
        switch field {
        case .account: Text("rules.no-such-account")
        case .kind: Text("rules.no-such-kind")
        case .currency: Text("rules.no-such-currency")
        case .text, .payee, .amount, .note, .tags, nil: Text("rules.choose-what-it-looks-at")
        }
    }

    /// The fault of all conditions together.
    static func ofConditions(_ reason: RuleFault.Reason) -> Text {
        if case .tooMany(let limit) = reason {
            return Text("rules.too-many-conditions", ["limit": .count(limit)])
        }
        return Text("rules.enter-a-condition")
    }

    /// The words below the field of a refused effect.
    static func text(_ reason: RuleFault.Reason, _ effect: RuleEffect) -> Text {
        switch (effect, reason) {
        case (.tags, .tooLong(let limit)): Text("forms.keep-each-tag-to-limit", ["limit": .count(limit)])
        case (.tags, .tooMany(let limit)): Text("transactions.too-many-tags", ["limit": .count(limit)])
        case (_, .tooLong(let limit)): Text("forms.keep-it-to-limit", ["limit": .count(limit)])
        case (.split, .tooFew): Text("rules.at-least-two-parts")
        case (.split, .tooMany(let limit)): Text("rules.too-many-parts", ["limit": .count(limit)])
        case (.split, .tooManyPercent): Text("rules.shares-exceed")
        case (.category, .contradicts): Text("rules.split-has-categories")
        case (.transfer, .contradicts(.category)): Text("rules.transfer-has-no-category")
        case (.transfer, .contradicts): Text("rules.transfer-is-not-split")
        case (.category, _): Text("forms.choose-a-category")
        case (.transfer, _): Text("transactions.choose-an-account")
        case (.schedule, _): Text("rules.choose-a-schedule")
        default: Text("rules.does-not-fit")
        }
    }

    /// The fault of a part of a split.
    static func ofPart(_ reason: RuleFault.Reason) -> Text {
        reason == .unknown ? Text("forms.choose-a-category") : Text("rules.enter-a-share")
    }
}

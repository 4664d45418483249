// The rules that concern one payee.

import Encoding

extension RuleSet {
    /// The rules that set a name as the payee, or of which a condition on the payee or the words of the bank holds for it.
    public func rules(ofPayee name: String) -> [Rule] {
        let (folded, key) = (FoldedText(name), name.nameKey)
        return zip(rules, compiled).compactMap { rule, compiled in
            if rule.effects.payee?.nameKey == key { return rule }
            let holds = compiled.conditions.contains { condition in
                switch condition {
                case .text(.payee, let test, let text), .text(.text, let test, let text):
                    folded.passes(test, text)
                case .pattern(.payee, let pattern), .pattern(.text, let pattern):
                    pattern.match(in: name) == .found
                default: false
                }
            }
            return holds ? rule : nil
        }
    }
}

// The addresses of rules, and of forms that are filled in for a new one.

import HTTPServer
import Ledger
import Links

extension Link {
    static let rules = Link(declared: "/rules")
    static let newRule = Link(declared: "/rules/new")
    static let rule = LinkTo<EntityID>("/rules/*")
    static let ruleDelete = LinkTo<EntityID>("/rules/*/delete")
    static let ruleRestore = LinkTo<EntityID>("/rules/*/restore")
    /// Turns a rule on or off.
    static let ruleSwitch = LinkTo<EntityID>("/rules/*/switch")
    static let rulesOrder = Link(declared: "/rules/order")
    static let rulesPreview = Link(declared: "/rules/preview")
    static let rulesApply = Link(declared: "/rules/apply")
    /// Answers the question whether a correction is to become a rule.
    static let ruleOffer = Link(declared: "/rules/offer")

    /// The form of a new rule for payees.
    static func newRule(payees: [String], category: EntityID? = nil) -> Link {
        let conditions = payees.flatMap { payee in
            [
                ("when_field", RuleField.payee.rawValue), ("when_test", RuleTest.equals.rawValue),
                ("when_value", payee),
            ]
        }
        return newRule.adding(
            query: [("match", payees.count > 1 ? RuleMatch.any.rawValue : RuleMatch.all.rawValue)]
                + conditions + (category.map { [("then_category", "\($0)")] } ?? [])
        )
    }

    /// The form of a rule for the payees of transactions, with the category that they share.
    /// - Returns: nil if they have no payee.
    static func newRule(like transactions: [Transaction]) -> Link? {
        var seen: Set<String> = []
        let payees = transactions.map(\.payee).filter { !$0.isEmpty && seen.insert($0.nameKey).inserted }
        guard !payees.isEmpty else { return nil }
        let categories = Set(transactions.map(\.category))
        return newRule(
            payees: Array(payees.prefix(Rule.mostConditions)),
            category: categories.count == 1 ? categories.first ?? nil : nil
        )
    }
}

// The actions of rules: their list, their order, and switching one on or off. Trying them is in `RulesPreview.swift`.

import Book
import HTTPServer
import Ledger
import Links
import Texts

extension Feature {
    static let rules = Feature(
        routes: [
            get(.rules, RulesShow.answer),
            get(.newRule, RuleNew.answer),
            post(.rulesOrder) { try OrderedList.rules.save($0) },
            post(.rulesPreview, RulesPreview.answer),
            post(.rulesApply, RulesApply.answer),
            post(.ruleOffer, RuleOfferAnswer.answer),
            post(to: Link.ruleSwitch, RuleSwitch.answer),
        ]
            + entities(RuleEntry.self, .rules, Link.rule),
        refills: refills(RuleEntry.self, .rules, Link.rule),
        pages: [RulesPage.self, RuleEditPage.self, RulePreviewPage.self],
        links: [
            "rules": .rules, "new_rule": .newRule, "rules_order": .rulesOrder,
            "rules_preview": .rulesPreview, "rule_offer": .ruleOffer,
        ]
    )
}

/// `GET /rules`: the rules in their order.
enum RulesShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let facts = try RuleFacts(context)
        let lines = facts.rules.map { rule in
            var line = facts.line(rule)
            line.canMove = facts.rules.count > 1
            return line
        }
        return context.page(RulesPage(chrome: context.chrome(), lines: lines))
    }
}

/// `GET /rules/new`: the form of a new rule. The query may have any of its fields.
enum RuleNew {
    static func answer(_ context: RequestContext) throws -> Response {
        let query = context.request.query
        var state = RuleForm.blank
        let given = FormState(query, RuleEntry.fields, lists: RuleEntry.lists)
        state.values.merge(given.values) { $1 }
        state.lists = given.lists
        state.back = context.originList
        return try RuleEntry.page(context, state, editing: nil, obstacle: nil, .ok)
    }
}

/// `POST /rules/ID/switch`: turns a rule on with `enabled` = `on`, and off without it.
enum RuleSwitch {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard var rule = try book.rule(id) else { return try EntityShow<RuleEntry>.gone(context, id) }
        rule.isEnabled = context.request.form.first("enabled") == "on"
        let name: [String: Text.Argument] = ["name": .string(rule.name.isolated)]
        let done = rule.isEnabled ? Text("rules.turned-on", name) : Text("rules.turned-off", name)
        let edit = try book.change(rule: rule)
        try EditToast.show(edit, of: Rule.entityKind, key: "rule-changed", done, context)
        return context.redirect(to: Link.rules.adding(fragment: "t\(id)"))
    }
}

// Parses the form of a rule into a valid value, or into errors by field.

import Book
import HTTPServer
import Ledger
import Links
import Texts

/// The parsed form of a rule.
struct RuleEntry: EntityEntry {
    var state: FormState
    var value: Rule?

    static let texts = EntityTexts(
        added: Text("rules.added"),
        changed: Text("rules.changed"),
        deleted: Text("rules.deleted"),
        restored: Text("rules.restored"),
        lost: Text("rules.cannot-come-back"),
        gone: Text("rules.was-deleted"),
        deletedMeanwhile: { Text("rules.deleted-meanwhile", ["place": $0]) }
    )
    static let fields = [
        "name", "enabled", "match", "then_payee", "then_category", "then_note", "then_tags", "then_account",
        "then_hide", "then_schedule",
    ]
    static let ticks: Set<String> = ["enabled", "then_hide"]
    static let lists = RuleForm.conditionFields + RuleForm.partFields
    static let pageLink = Link.rule
    static let deleteLink = Link.ruleDelete
    static let restoreLink = Link.ruleRestore

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        let (book, catalog) = (try context.book(), try context.catalog())
        let stored = try book.rule(id)
        self.state = state
        self.state.order = Self.order(state)
        guard stored?.isUnderstood != false else {
            value = stored.map { rename($0) }
            return
        }
        let typed = Self.typed(self.state, catalog)
        self.state.values["name"] = typed.name
        let amounts = try context.amounts()
        do throws(RuleFaults) {
            value = try typed.rule(id: id, position: stored?.position, amounts, Book.patterns)
        } catch {
            for fault in error.all { refuse(fault, typed) }
        }
        checkReferences(typed, stored, catalog, try book.schedules())
    }

    /// A rule of a newer version with another name, on or off.
    private mutating func rename(_ stored: Rule) -> Rule {
        var rule = stored
        rule.isEnabled = state["enabled"] == "on"
        let name = state.readLine("name", Rule.nameLimit)
        if !name.isEmpty { rule.name = name }
        return rule
    }

    /// The fields in the order of the page, those of rows with the numbers of their rows.
    private static func order(_ state: FormState) -> [String] {
        func rows(_ names: [String]) -> [String] {
            let count = names.map { state.lists[$0]?.count ?? 0 }.max() ?? 0
            return (0..<max(count, 1)).flatMap { index in names.map { "\($0)-\(index + 1)" } }
        }
        return rows(RuleForm.conditionFields)
            + ["then_category", "then_payee", "then_tags", "then_note", "then_account", "then_schedule"]
            + rows(RuleForm.partFields) + ["name"]
    }

    /// The texts of a form.
    static func typed(_ state: FormState, _ catalog: Catalog) -> TypedRule {
        func values(_ name: String) -> [String] { (state.lists[name] ?? []).map(\.asLine) }
        func row<Row>(_ names: [String], _ make: ([String]) -> Row) -> [Row] {
            let lists = names.map(values)
            return (0..<(lists.map(\.count).max() ?? 0)).map { index in
                make(lists.map { index < $0.count ? $0[index] : "" })
            }
        }
        var typed = TypedRule()
        typed.isEnabled = state["enabled"] == "on"
        typed.match = state["match"]
        typed.conditions = row(RuleForm.conditionFields) { texts in
            let isAccount = texts[0] == RuleField.account.rawValue
            let account = isAccount ? catalog.account(named: texts[2]) : nil
            return TypedRule.Condition(
                field: texts[0],
                test: texts[1],
                value: account.map { "\($0.id)" } ?? texts[2]
            )
        }
        typed.payee = state["then_payee"].asLine
        typed.category = state["then_category"]
        typed.note = state["then_note"].asParagraphs
        typed.tags = state["then_tags"].asTags
        typed.account = state["then_account"]
        typed.hides = state["then_hide"] == "on"
        typed.schedule = state["then_schedule"]
        typed.parts = row(RuleForm.partFields) { TypedRule.Part(category: $0[0], share: $0[1]) }
        typed.name = state["name"].asLine
        // Named after its first condition.
        if typed.name.isEmpty, let value = values("when_value").first(where: { !$0.isEmpty }) {
            typed.name = String(value.prefix(Rule.nameLimit))
        }
        return typed
    }

    /// Refuses rows that the rule names and the book does not have. Those that the rule had before may stay.
    private mutating func checkReferences(
        _ typed: TypedRule,
        _ stored: Rule?,
        _ catalog: Catalog,
        _ schedules: [Schedule]
    ) {
        let kept = stored?.categories ?? []
        func isUnknown(_ category: String) -> Bool {
            guard let id = EntityID(category) else { return false }
            return catalog.category(id) == nil && !kept.contains(id)
        }
        if isUnknown(typed.category) { refuse("then_category", Text("forms.choose-a-category")) }
        for (index, part) in typed.parts.enumerated() where isUnknown(part.category) {
            refuse("then_split_category-\(index + 1)", Text("forms.choose-a-category"))
        }
        if let id = EntityID(typed.account), catalog.account(id) == nil, stored?.effects.transfer != id {
            refuse("then_account", Text("transactions.choose-an-account"))
        }
        if let id = EntityID(typed.schedule), !schedules.contains(where: { $0.id == id }),
            stored?.effects.schedule != id
        {
            refuse("then_schedule", Text("rules.choose-a-schedule"))
        }
        let known = Set(stored?.conditions.map(\.value) ?? [])
        for (index, condition) in typed.conditions.enumerated()
        where condition.field == RuleField.account.rawValue {
            guard let id = EntityID(condition.value), catalog.account(id) == nil,
                !known.contains(.account(id))
            else { continue }
            refuse("when_value-\(index + 1)", Text("rules.no-such-account"))
        }
    }

    /// Shows a fault beside its field.
    private mutating func refuse(_ fault: RuleFault, _ typed: TypedRule) {
        switch fault.place {
        case .name: refuse("name", RuleFaultWords.text(fault.reason))
        case .conditions: refuse("when_value-1", RuleFaultWords.ofConditions(fault.reason))
        case .condition(let index):
            let field = RuleField(rawValue: typed.conditions[index].field)
            let isOfTest = fault.reason == .unfitTest || field == nil
            let text = RuleFaultWords.text(fault.reason, field: field)
            refuse("\(isOfTest ? "when_test" : "when_value")-\(index + 1)", text)
        case .effects: refuse("then_category", Text("rules.choose-an-effect"))
        case .effect(let effect):
            refuse(Self.field(of: effect), RuleFaultWords.text(fault.reason, effect))
        case .part(let index):
            refuse("then_split_share-\(index + 1)", RuleFaultWords.ofPart(fault.reason))
        }
    }

    private static func field(of effect: RuleEffect) -> String {
        switch effect {
        case .payee: "then_payee"
        case .category: "then_category"
        case .note: "then_note"
        case .tags: "then_tags"
        case .split: "then_split_share-1"
        case .transfer: "then_account"
        case .hide: "then_hide"
        case .schedule: "then_schedule"
        }
    }
}

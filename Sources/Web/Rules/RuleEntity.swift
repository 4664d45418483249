// The parts of adding, changing and deleting that only rules have.

import Book
import HTTPServer
import Ledger
import Links
import Texts

extension RuleEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Rule? { try book.rule(id) }

    static func state(of value: Rule, _ context: RequestContext) throws -> FormState {
        RuleForm.values(
            of: value,
            catalog: try context.catalog(),
            decimalSign: try context.decimalSign()
        )
    }

    static func refusal(_ error: BookError) -> (field: String, text: Text)? {
        switch error {
        case .unknownCategory: ("then_category", Text("forms.category-deleted-meanwhile"))
        case .unknownAccount: ("then_account", Text("transactions.account-deleted-meanwhile"))
        case .unknownSchedule: ("then_schedule", Text("rules.choose-a-schedule"))
        case .invalid: ("name", Text("rules.does-not-fit"))
        default: nil
        }
    }

    func save(_ value: Rule, shown version: EntityVersion?, to book: Book) throws(BookError) -> Edit {
        try book.change(rule: value, shown: version)
    }

    static func fillIn(_ state: inout FormState, _ form: FormFields) -> Bool {
        var isAsked = form.contains("edit")
        func rows(_ names: [String]) -> Int { names.map { state.lists[$0]?.count ?? 0 }.max() ?? 0 }
        if form.contains("more_conditions") {
            state.conditionRowCount = rows(RuleForm.conditionFields) + 1
            isAsked = true
        }
        if form.contains("more_parts") {
            state.partRowCount = rows(RuleForm.partFields) + 1
            isAsked = true
        }
        return isAsked
    }

    static func add(_ value: Rule, to book: Book) throws(BookError) { try book.add(value) }

    static func added(_ value: Rule, _ context: RequestContext) throws -> Response {
        try applyIfAsked(value, context)
        return context.redirect(to: context.list(of: value.id, or: .rules))
    }

    static func changed(_ value: Rule, from former: Rule, _ context: RequestContext) throws {
        try applyIfAsked(value, context)
    }

    /// The page with the rows that it changes can save a rule and change them at once.
    private static func applyIfAsked(_ rule: Rule, _ context: RequestContext) throws {
        guard context.request.form.first("apply") == "on" else { return }
        try RulesApply.apply(rule, context)
    }

    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link? {
        try book.deleteRule(id)
        return restoreLink(id)
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreRule(id)
    }

    static func list(around value: Rule?) -> Link { .rules }

    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Obstacle?,
        _ status: Status
    ) throws -> Response {
        let stored = try editing.flatMap { try context.book().rule($0) }
        let form = RuleForm(
            state: state,
            editing: editing,
            once: "\(context.newID())",
            isUnderstood: stored?.isUnderstood ?? true,
            words: try RuleFacts.words(context),
            currencies: try context.formats().usedCurrencies(try context.catalog()),
            payees: try context.payees()
        )
        return context.page(
            RuleEditPage(
                chrome: context.chrome(),
                form: form,
                line: try stored.map { try RuleFacts(context).line($0) }
            ),
            status
        )
    }
}

// Parses the form of a budget into a valid value, or into errors by field.

import Book
import HTTPServer
import Ledger
import Links
import Texts

/// The parsed form of a budget.
struct BudgetEntry: EntityEntry {
    var state: FormState
    var value: Budget?
    /// The months for which a change is meant.
    private var span = BudgetSpan.always

    static let texts = EntityTexts(
        added: Text("budgets.added"),
        changed: Text("budgets.changed"),
        deleted: Text("budgets.deleted"),
        restored: Text("budgets.restored"),
        lost: Text("budgets.cannot-come-back"),
        gone: Text("budgets.was-deleted"),
        deletedMeanwhile: { Text("budgets.deleted-meanwhile", ["place": $0]) }
    )
    static let fields = ["category", "limit", "from", "rollover", "pace", "since"]
    static let ticks: Set = ["rollover"]
    static let pageLink = Link.budget
    static let deleteLink = Link.budgetDelete
    static let restoreLink = Link.budgetRestore

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        self.state = state
        let stored = try context.book().budget(id)
        var category: EntityID?
        if let kept = stored?.category, state["category"] == "\(kept)" {
            category = kept
        } else if !state["category"].isEmpty {
            let chosen = EntityID(state["category"])
            let categories = try context.book().choices().categories
            category = categories.first { $0.id == chosen && $0.kind == .expense }?.id
            if category == nil { refuse("category", Text("budgets.choose-a-category-from-the-list")) }
        }
        let from = YearMonth(typed: state["from"])
        let present = try context.formats().today.yearMonth
        if let from {
            if from != stored?.from, from.isUnusual(in: present) {
                ask(aboutYear: from.year, of: "from", context)
            }
        } else {
            refuse("from", Text("forms.enter-a-month"))
        }
        if !["", "on"].contains(state["rollover"]) {
            refuse("rollover", Text("forms.tick-it-or-leave-it"))
        }
        let pace = BudgetPace(rawValue: state["pace"])
        if pace == nil, !state["pace"].isEmpty { refuse("pace", Text("budgets.choose-a-pace")) }
        switch state["since"] {
        case "beginning": break
        case "", "now": span = .from(present)
        default: refuse("since", Text("budgets.choose-since"))
        }
        // A budget that was set under another base currency keeps its own currency.
        let base = try stored?.limit.currency ?? context.preferences().baseCurrency
        guard let limit = try readLimit(context, base), let from, !self.state.isRefused else { return }
        value = Budget(
            id: id,
            category: category,
            limit: limit,
            from: from,
            rollover: state["rollover"] == "on",
            until: stored?.until,
            carryFrom: stored?.carryFrom,
            pace: pace
        )
    }

    static func fillIn(_ state: inout FormState, _ form: FormFields) -> Bool {
        guard let limit = form.first("suggested") else { return false }
        state.values["limit"] = limit
        return true
    }

    func save(_ value: Budget, shown version: EntityVersion?, to book: Book) throws(BookError) -> Edit {
        try book.change(value, shown: version, in: span)
    }

    private mutating func readLimit(_ context: RequestContext, _ base: CurrencyCode) throws -> Money? {
        do {
            let money = try context.amounts().parse(state["limit"], expecting: base).money
            if money.currency != base {
                refuse("limit", Text("budgets.kept-in", ["currency": "\(base)"]))
            } else if money.minor <= 0 {
                refuse("limit", Text("amounts.above-zero"))
            } else {
                return money
            }
        } catch let error as AmountError {
            refuse("limit", error.text)
        }
        return nil
    }
}

extension BudgetEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Budget? { try book.budget(id) }

    static func state(of value: Budget, _ context: RequestContext) throws -> FormState {
        BudgetForm.values(of: value, formats: try context.formats())
    }

    static func refusal(_ error: BookError) -> (field: String, text: Text)? {
        switch error {
        case .budgetExists:
            ("category", Text("budgets.there-is-one-already"))
        case .unknownCategory: ("category", Text("forms.category-deleted-meanwhile"))
        case .categoryKind: ("category", Text("budgets.choose-a-category"))
        case .invalid(.limit), .overflow: ("limit", Text("budgets.limit-cannot-be-kept"))
        default: nil
        }
    }

    static func add(_ value: Budget, to book: Book) throws(BookError) { try book.add(value) }

    static func added(_ value: Budget, _ context: RequestContext) -> Response {
        context.redirect(
            to: context.list(of: value.id, or: Link.budgets.adding(query: [("month", "\(value.from)")]))
        )
    }

    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link? {
        let change: Int64?
        switch form.extent {
        case .fromNow: change = try book.deleteBudget(id, in: .from(form.month))
        case .always: change = try book.deleteBudget(id, in: .always)
        case .oneLimit:
            try book.deleteBudget(id)
            return restoreLink(id)
        }
        return change.map { Link.historyUndo($0) }
    }

    static func undoOfAdding(_ id: EntityID) -> Link { deleteLink(id).adding(query: [("since", "only")]) }

    static func deleted(_ value: Budget?, _ form: DeletionForm, undo: Link?, _ context: RequestContext) throws
        -> Text
    {
        guard let value, undo != nil else { return Text("forms.nothing-was-changed") }
        guard form.extent == .fromNow, value.from < form.month else { return texts.deleted }
        let last = try context.formats().monthTitle(form.month.previous)
        return Text("budgets.ended-with", ["month": .string(last)])
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreBudget(id)
    }

    static func list(around value: Budget?) -> Link { .budgets }

    /// A change from a month on may have made another row, which the pages of that month and of later months show.
    static func row(of value: Budget, on list: Link, _ context: RequestContext) throws -> EntityID {
        let asked = list.text.split(separator: "month=").last.flatMap { YearMonth(iso: String($0.prefix(7))) }
        let month = try asked ?? context.formats().today.yearMonth
        return try context.book().budgets(like: value).last { $0.from <= month }?.id ?? value.id
    }
}

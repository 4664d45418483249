import Book
import Devices
import HTTPServer
import Ledger
import Pages

/// `GET /budgets`: how the budgets of a month stand, and the form that sets one.
enum BudgetsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        var month = try context.formats().today.yearMonth
        if let text = context.request.query.first("month"), !text.isEmpty {
            guard let asked = YearMonth(iso: text) else { throw Refusal.malformed }
            month = asked
        }
        return try page(context, month, nil, .ok)
    }

    static func page(_ context: RequestContext, _ month: YearMonth, _ refused: FormState?, _ status: Status)
        throws
        -> Response
    {
        let formats = try context.formats()
        let view = try context.book().budgets(month: month, base: formats.base)
        let catalog = context.catalog(view.choices)
        let form = BudgetForm(
            state: refused ?? BudgetForm.blank(month: month),
            editing: nil,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats
        )
        return context.page(
            BudgetsPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                month: month,
                statuses: view.statuses,
                upcoming: view.upcoming,
                leftOutCount: view.leftOutCount,
                form: form
            ),
            status
        )
    }
}

/// `POST /budgets`: sets one.
enum BudgetAdd {
    static func answer(_ context: RequestContext) throws -> Response {
        let book = try context.book()
        var entry = try BudgetEntry(context, id: context.onceID(), book.choices().categories)
        if let budget = entry.budget {
            do {
                try add(budget, to: book, otherwise: context.newID())
                return .seeOther(Routes.budgets.link + "?month=\(budget.from)")
            } catch {
                guard entry.refuse(error) else { throw error }
            }
        }
        let month = try YearMonth(iso: entry.state["from"]) ?? context.formats().today.yearMonth
        return try BudgetsShow.page(context, month, entry.state, .unprocessable)
    }

    /// A page that came back through the browser's history and was filled in anew adds another one.
    private static func add(_ budget: Budget, to book: Book, otherwise id: EntityID) throws(BookError) {
        do { try book.add(budget) } catch {
            guard case .idTaken = error else { throw error }
            var other = budget
            other.id = id
            try book.add(other)
        }
    }
}

/// `GET /budgets/ID`: the form that changes it.
enum BudgetShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let budget = try context.book().budget(id) else { throw Refusal.notFound }
        return try page(context, budget, BudgetForm.values(of: budget, formats: try context.formats()), .ok)
    }

    static func page(_ context: RequestContext, _ budget: Budget, _ state: FormState, _ status: Status) throws
        -> Response
    {
        let formats = try context.formats()
        let catalog = try context.catalog()
        let form = BudgetForm(
            state: state,
            editing: budget.id,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats
        )
        return context.page(
            BudgetEditPage(chrome: context.chrome(), budget: budget, catalog: catalog, form: form),
            status
        )
    }
}

/// `POST /budgets/ID`: changes it.
enum BudgetChange {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard let stored = try book.budget(id) else { throw Refusal.notFound }
        var entry = try BudgetEntry(context, id: id, book.choices().categories)
        if let budget = entry.budget {
            do {
                try book.change(budget)
                let device = try context.knownDevice()
                device.show(Device.Toast(key: "budget-changed", text: "Budget changed"))
                return .seeOther(Routes.budgets.link)
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try BudgetShow.page(context, stored, entry.state, .unprocessable)
    }
}

/// `POST /budgets/ID/delete`: with a way back on the next page.
enum BudgetDelete {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        try context.book().deleteBudget(id)
        let undo = Routes.budgetRestore.link(id)
        try context.knownDevice().show(
            Device.Toast(key: "budget-deleted", text: "Budget deleted", undo: undo)
        )
        return .seeOther(Routes.budgets.link)
    }
}

/// `POST /budgets/ID/restore`: takes a deletion back.
enum BudgetRestore {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        let book = try context.book()
        do {
            try book.restoreBudget(id)
            device.show(Device.Toast(key: "budget-restored", text: "Budget restored"))
        } catch {
            guard error.keepsItDeleted else { throw error }
            let text = "It cannot come back: another budget took its place, or its category is gone."
            device.show(Device.Toast(key: "budget-not-restored", text: text))
        }
        return .seeOther(Routes.budgets.link)
    }
}

/// What the form of a budget amounts to.
struct BudgetEntry {
    private(set) var state: FormState
    private(set) var budget: Budget?

    init(_ context: RequestContext, id: EntityID, _ categories: [Ledger.Category]) throws {
        let form = context.request.form
        let names = ["category", "limit", "from", "rollover"]
        state = FormState(form, names)
        var category: EntityID?
        if !state["category"].isEmpty {
            let chosen = EntityID(state["category"])
            category = categories.first { $0.id == chosen && $0.kind == .expense }?.id
            if category == nil { refuse("category", "Choose a category of spending from the list.") }
        }
        let from = YearMonth(iso: state["from"])
        if from == nil { refuse("from", "Enter a month such as 2026-03.") }
        if !["", "on"].contains(state["rollover"]) { refuse("rollover", "Tick it or leave it.") }
        let base = try context.preferences().baseCurrency
        guard let limit = try readLimit(context, base), let from, !state.isRefused else { return }
        budget = Budget(
            id: id,
            category: category,
            limit: limit,
            from: from,
            rollover: state["rollover"] == "on"
        )
    }

    mutating func refuse(_ field: String, _ error: String) {
        state.refuse(field, error)
        budget = nil
    }

    /// Puts a refusal of the book beside the field that it is about.
    mutating func refuse(_ error: BookError) -> Bool {
        switch error {
        case .budgetExists:
            refuse("category", "There is a budget for it from that month on already. Change that one.")
        case .unknownCategory:
            refuse("category", "This category was deleted in the meantime. Choose another.")
        case .categoryKind: refuse("category", "Choose a category of spending.")
        case .invalid(.limit), .overflow: refuse("limit", "This limit cannot be kept.")
        default: return false
        }
        return true
    }

    private mutating func readLimit(_ context: RequestContext, _ base: CurrencyCode) throws -> Money? {
        do {
            let money = try context.amounts().parse(state["limit"], expecting: base).money
            if money.currency != base {
                refuse("limit", "Budgets are kept in \(base).")
            } else if money.minor <= 0 {
                refuse("limit", "Enter an amount above zero.")
            } else {
                return money
            }
        } catch let error as AmountError {
            refuse("limit", error.description)
        }
        return nil
    }
}

// Every page once, made from the sample.

import Ledger
import Links
import Pages
import Templates
import Testing
import Texts

/// A page under a name, with its type hidden.
struct SamplePage: Sendable, CustomTestStringConvertible {
    let name: String
    let render: @Sendable (Renderer) throws -> String

    init<P: Page>(_ name: String, _ page: P) {
        self.name = name
        render = { try $0.render(page) }
    }

    var testDescription: String { name }
}

extension Sample {
    var pages: [SamplePage] {
        overviewPages + transactionPages + accountPages + registerPages + categoryPages + budgetPages
            + schedulePages + reportPages
            + ratesPages + settingsPages + onboardingPages + errorPages + accountSidePages + syncPages
            + historyPages
    }

    private var overviewPages: [SamplePage] {
        let full = OverviewPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            totals: totals,
            budgets: budgets,
            categories: byCategory,
            accounts: balances,
            latest: Array(transactions.prefix(5))
        )
        let empty = OverviewPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            totals: [],
            budgets: [],
            categories: [],
            accounts: balances,
            latest: []
        )
        let income = OverviewPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            totals: totals,
            budgets: [],
            categories: byCategory,
            accounts: balances,
            latest: Array(transactions.prefix(5))
        )
        return [
            SamplePage("overview", full), SamplePage("overview-empty", empty),
            SamplePage("overview-income", income),
        ]
    }

    private var payees: [PayeeHint] {
        transactions.filter { !$0.payee.isEmpty }
            .map { PayeeHint(payee: $0.payee, category: $0.category) }
    }

    private func transactionForm(
        _ state: FormState,
        editing: EntityID? = nil,
        quick: Bool = false,
        splitCaution: Text? = nil
    ) -> TransactionForm {
        TransactionForm(
            state: state,
            editing: editing,
            once: Self.once,
            catalog: catalog,
            formats: formats,
            payees: payees,
            hasParts: !quick,
            splitCaution: splitCaution,
            offersEveryCurrency: !quick
        )
    }

    private var transactionPages: [SamplePage] {
        let blank = TransactionForm.blank(account: Self.id(3), catalog: catalog, formats: formats)
        var query = TransactionQuery()
        query.month = formats.today.yearMonth
        let next = TransactionCursor(date: Self.date(2026, 11, 15), id: Self.id(101))
        let days = Dictionary(grouping: transactions, by: \.date).map { date, rows in
            let spent = rows.filter { $0.kind == .expense }.reduce(Int64(0)) { $0 + $1.amount.minor }
            let total = CurrencyTotal(
                currency: Self.eur,
                incomeMinor: 0,
                expenseMinor: spent,
                count: rows.count
            )
            return DayTotal(date: date, totals: [total])
        }
        let result = TransactionPage(rows: transactions, days: days, totals: totals, next: next)
        let nothing = TransactionPage(rows: [], days: [], totals: [], next: nil)
        func list(_ query: TransactionQuery, _ result: TransactionPage, isEmpty: Bool, chrome: Chrome)
            -> TransactionsPage
        {
            TransactionsPage(
                chrome: chrome,
                formats: formats,
                catalog: catalog,
                query: query,
                result: result,
                form: transactionForm(blank, quick: true),
                bookIsEmpty: isEmpty
            )
        }
        var searching = query
        searching.text = "nothing & nobody"
        searching.kind = .income
        var told = chrome
        told.toasts.append(
            ToastLine(
                key: "transaction-deleted",
                text: .verbatim("Transaction deleted"),
                undo: Link.transactionRestore(Self.id(110))
            )
        )
        told.notice = told.notice ?? Chrome.guestReminder(afterRecording: 40)
        let refused = FormState(
            values: blank.values.merging(["amount": "twelve", "date": "2026-02-31"]) { $1 },
            errors: [
                "amount": .verbatim("Type an amount such as 12.50."),
                "date": .verbatim("There is no such day."),
            ]
        )
        let first = transactions[0]
        let stored = TransactionForm.values(of: first, catalog: catalog, formats: formats)
        let transfer = TransactionForm.values(of: transactions[2], catalog: catalog, formats: formats)
        var split = first
        split.category = nil
        split.split = .parts([
            SplitPart(category: Self.id(10), minor: 1_200, note: first.note),
            SplitPart(category: Self.id(13), minor: 2_500, note: "soap & sponges"),
            SplitPart(category: nil, minor: 190),
        ])
        var over = split
        over.amount.minor = 100
        over.id = Self.id(201)
        var newer = split
        newer.split = .unreadable("[1]")
        newer.id = Self.id(202)
        var someParts = TransactionPage(rows: [split, over, newer], days: [], totals: totals, next: nil)
        someParts.partMinors = [first.id: 1_200]
        let parted = TransactionForm.values(of: split, catalog: catalog, formats: formats)
        var odd = parted
        odd.errors = [
            "split": .verbatim("€3.20 are not assigned yet."),
            "split_amount-2": .verbatim("Type an amount such as 12.50."),
        ]
        odd.lists["split_category"]?[2] = "gone"
        return [
            SamplePage("transactions-split", list(query, someParts, isEmpty: false, chrome: chrome)),
            SamplePage(
                "transaction-split",
                TransactionEditPage(
                    chrome: chrome,
                    form: transactionForm(
                        parted,
                        editing: first.id,
                        splitCaution: TransactionForm.splitCaution(over, formats: formats)
                    ),
                    editing: first.id
                )
            ),
            SamplePage(
                "transaction-split-refused",
                TransactionEditPage(chrome: chrome, form: transactionForm(odd), editing: nil)
            ),
            SamplePage("transactions", list(query, result, isEmpty: false, chrome: told)),
            SamplePage("transactions-empty", list(query, nothing, isEmpty: true, chrome: chrome)),
            SamplePage("transactions-none", list(searching, nothing, isEmpty: false, chrome: chrome)),
            SamplePage(
                "transaction-new",
                TransactionEditPage(chrome: chrome, form: transactionForm(blank), editing: nil)
            ),
            SamplePage(
                "transaction-refused",
                TransactionEditPage(chrome: chrome, form: transactionForm(refused), editing: nil)
            ),
            SamplePage(
                "transaction-edit",
                TransactionEditPage(
                    chrome: chrome,
                    form: transactionForm(stored, editing: first.id),
                    editing: first.id
                )
            ),
            SamplePage(
                "transaction-transfer",
                TransactionEditPage(
                    chrome: chrome,
                    form: transactionForm(transfer, editing: first.id),
                    editing: first.id
                )
            ),
        ]
    }

    private var accountPages: [SamplePage] {
        func form(_ state: FormState, _ id: EntityID?) -> AccountForm {
            AccountForm(state: state, editing: id, once: Self.once, catalog: catalog, formats: formats)
        }
        let blank = form(AccountForm.blank(formats: formats), nil)
        let card = balances[2]
        var all = balances
        all[4].account.isClosed = true
        let old = all[4]
        let closed = form(AccountForm.values(of: old.account, formats: formats), old.account.id)
        let edit = form(AccountForm.values(of: card.account, formats: formats), card.account.id)
        return [
            SamplePage(
                "accounts",
                AccountsPage(chrome: chrome, formats: formats, accounts: all, form: blank)
            ),
            SamplePage(
                "account-closed",
                AccountEditPage(chrome: chrome, formats: formats, account: old, form: closed)
            ),
            SamplePage(
                "accounts-empty",
                AccountsPage(chrome: chrome, formats: formats, accounts: [], form: blank)
            ),
            SamplePage(
                "account-edit",
                AccountEditPage(
                    chrome: chrome,
                    formats: formats,
                    account: card,
                    form: edit,
                    deleteError: .verbatim("This account is in use.")
                )
            ),
        ]
    }

    private var categoryPages: [SamplePage] {
        let blank = CategoryForm(state: CategoryForm.blank, editing: nil, once: Self.once, catalog: catalog)
        let refused = CategoryForm(
            state: FormState(
                values: ["kind": "expense"],
                errors: ["name": .verbatim("Give it a name."), "icon": .verbatim("Choose one.")]
            ),
            editing: nil,
            once: Self.once,
            catalog: catalog
        )
        var doubtful = CategoryForm.blank
        doubtful.values["name"] = hostile ?? "Groceries"
        doubtful.errors["name"] = .verbatim(
            "You already have a category called “\(hostile ?? "Groceries")”. Save it anyway?"
        )
        doubtful.confirmations["name"] = FieldConfirmation(name: "same_name", value: hostile ?? "Groceries")
        let asked = CategoryForm(state: doubtful, editing: nil, once: Self.once, catalog: catalog)
        let use = uses[2]
        let edit = CategoryForm(
            state: CategoryForm.values(of: use.category),
            editing: use.category.id,
            once: Self.once,
            catalog: catalog
        )
        return [
            SamplePage("categories", CategoriesPage(chrome: chrome, categories: uses, form: blank)),
            SamplePage("categories-refused", CategoriesPage(chrome: chrome, categories: [], form: refused)),
            SamplePage("categories-asked", CategoriesPage(chrome: chrome, categories: uses, form: asked)),
            SamplePage("category-edit", CategoryEditPage(chrome: chrome, category: use, form: edit)),
        ]
    }

    private var budgetPages: [SamplePage] {
        let month = formats.today.yearMonth
        let suggestions = [nil, Self.id(13)].compactMap {
            BudgetSuggestion(category: $0, spentMinor: 276_000, currency: Self.eur, monthCount: 3)
        }
        func form(
            _ state: FormState,
            _ id: EntityID?,
            _ history: BudgetForm.History = .init(hasBegun: true, guess: .once)
        ) -> BudgetForm {
            BudgetForm(
                state: state,
                editing: id,
                once: Self.once,
                catalog: catalog,
                formats: formats,
                history: id.map { _ in history },
                suggestions: suggestions
            )
        }
        let upcoming = [
            Budget(
                id: Self.id(205),
                category: Self.id(17),
                limit: Money(minor: 5_000, currency: Self.eur),
                from: month.next.next,
                rollover: false
            )
        ]
        func page(_ month: YearMonth, _ statuses: [BudgetStatus]) -> BudgetsPage {
            BudgetsPage(
                chrome: chrome,
                formats: formats,
                catalog: catalog,
                month: month,
                statuses: statuses,
                upcoming: upcoming,
                suggestions: suggestions,
                leftOutCount: 1,
                form: form(BudgetForm.blank(month: month), nil)
            )
        }
        let budget = budgets[1].budget
        return [
            SamplePage("budgets", page(month, budgets)), SamplePage("budgets-empty", page(month, [])),
            SamplePage("budgets-past", page(month.previous, budgets)),
            SamplePage(
                "budget-edit",
                BudgetEditPage(
                    chrome: chrome,
                    budget: budget,
                    catalog: catalog,
                    formats: formats,
                    form: form(BudgetForm.values(of: budget, formats: formats), budget.id)
                )
            ),
            SamplePage(
                "budget-ended",
                BudgetEditPage(
                    chrome: chrome,
                    budget: budget,
                    catalog: catalog,
                    formats: formats,
                    form: form(
                        BudgetForm.values(of: budget, formats: formats),
                        budget.id,
                        .init(hasBegun: true, ended: month.previous.previous, guess: .once)
                    )
                )
            ),
        ]
    }
}

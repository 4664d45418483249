// The categories, and the form of one.

import Book
import Ledger
import Texts

enum CategoryStories {
    static let all = pages + merges

    private static let pages: [Story] = [
        Story("categories-archived", .categories, "Two are archived, one with the category above it") {
            var uses = $0.uses
            uses[1].category.isArchived = true
            return $0.categories(uses)
        },
        Story("categories-used", .categories, "Without transactions, but not unused") {
            var uses = $0.uses
            uses[4].isReferred = true
            return $0.categories(uses)
        },
        Story("category-archived", .categories, "An archived category") {
            var use = $0.uses[2]
            use.category.isArchived = true
            return $0.edit(use)
        },
        Story("categories", .categories, "Spending with a subcategory, and income") {
            $0.categories($0.uses)
        },
        Story("categories-empty", .categories, "None yet") { $0.categories([]) },
        Story("categories-arriving", .categories, "Not all data is here yet") {
            $0.framed(.incomplete).categories($0.uses)
        },
        Story("categories-refused", .categories, "Refused: an error beside each field") {
            var state = FormState(values: ["kind": "expense"])
            state.errors = [
                "name": Text("categories.give-it-a-name"),
                "kind": Text("categories.choose-spending-or-income"),
                "icon": Text("categories.choose-a-picture"), "color": Text("categories.choose-a-colour"),
                "parent": Text("categories.choose-one-at-the-top"),
            ]
            return $0.categories($0.uses, state)
        },
        Story("categories-asked", .categories, "A name that there is already") {
            let name = $0.uses[0].category.name
            var state = CategoryForm.blank
            state.values["name"] = name
            state.errors["name"] = Text("categories.name-in-use", ["name": .string(name)])
            state.confirmations["name"] = FieldConfirmation(name: "same_name", value: name)
            return $0.categories($0.uses, state)
        },
        Story("categories-long", .categories, "Long names, and names from right to left") {
            let sample = $0.of(.longLived)
            return sample.categories(sample.uses)
        },
        Story("category-edit", .categories, "A subcategory with transactions") { $0.edit($0.uses[2]) },
        Story("category-unused", .categories, "A category that nothing uses") {
            $0.edit(CategoryUse(category: $0.uses[3].category, transactionCount: 0))
        },
        Story("category-has-children", .categories, "It could not be deleted: it has subcategories") {
            $0.edit(
                $0.uses[1],
                deleteError: Obstacle(
                    text: Text("categories.delete-its-subcategories-first"),
                    way: Way(.categories, Text("common.categories"))
                )
            )
        },
        Story("category-has-budget", .categories, "It could not be deleted: it has a budget") {
            $0.edit(
                $0.uses[0],
                deleteError: Obstacle(
                    text: Text("categories.delete-its-budget-first"),
                    way: Way(.budget(Sample.id(1)), Text("categories.its-budget"))
                )
            )
        },
        Story("category-had-budget", .categories, "It could not be deleted: it had a budget") {
            $0.edit(
                $0.uses[0],
                deleteError: Obstacle(
                    text: Text("categories.its-budget-has-ended"),
                    way: Way(.budget(Sample.id(1)), Text("categories.its-budget"))
                )
            )
        },
        Story("category-refused", .categories, "Refused: its kind cannot change, and it has subcategories") {
            var state = CategoryForm.values(of: $0.uses[1].category)
            state.errors = [
                "kind": Text("categories.its-kind-cannot-change"),
                "parent": Text("categories.it-has-subcategories"),
            ]
            return $0.edit($0.uses[1], state)
        },
        Story(
            "category-past-months",
            .categories,
            "Asked: past months of budgets change by moving"
        ) {
            let shifts = $0.shifts
            var state = CategoryForm.values(of: $0.uses[2].category)
            state.errors["parent"] = Text(
                "categories.changes-past-months",
                ["changes": .text(Text.pastMonths(shifts, $0.catalog, $0.formats) ?? .verbatim(""))]
            )
            state.confirmations["parent"] = FieldConfirmation(name: "past_months", value: "top")
            return $0.edit($0.uses[2], state)
        },
        Story("category-meanwhile", .categories, "It was changed while its page was open") {
            var state = CategoryForm.values(of: $0.uses[1].category)
            (state.seen, state.notice) = ("3", Text("forms.changed-meanwhile"))
            return $0.edit($0.uses[1], state)
        },
    ]

    private static let merges: [Story] = [
        Story("category-merge", .categories, "Merging: the choice") { $0.merge(FormState()) },
        Story("category-merge-refused", .categories, "Merging: the other one is inside it") {
            let name = Text.verbatim($0.uses[2].category.name)
            let error = Text("categories.target-is-inside-it", ["name": .text(name.isolated)])
            return $0.merge(FormState(errors: ["to": error]))
        },
        Story("category-merge-alone", .categories, "Merging: there is no other category") {
            $0.merge(FormState(), among: [])
        },
        Story("category-merge-plan", .categories, "Merging: the preview, with all that there can be") {
            var plan = CategoryMerge(source: $0.uses[1].category, target: $0.uses[0].category)
            (plan.transactionCount, plan.scheduleCount, plan.bankNoteCount) = (37, 2, 1)
            (plan.payeeCount, plan.ruleCount, plan.viewCount) = (1, 2, 1)
            plan.children = [$0.uses[2].category]
            plan.budgets = .added(
                Money(minor: 10_000, currency: Sample.eur),
                Money(minor: 30_000, currency: Sample.eur)
            )
            return $0.merge(FormState(), plan, pastMonths: Text.pastMonths($0.shifts, $0.catalog, $0.formats))
        },
        Story("category-merge-stale", .categories, "Merging: the numbers have changed, and its budget moves")
        {
            var state = FormState()
            state.notice = Text("categories.merge-has-changed")
            var plan = CategoryMerge(source: $0.uses[1].category, target: $0.uses[0].category)
            plan.budgets = .moved
            return $0.merge(state, plan)
        },
        Story("category-merge-budgets", .categories, "Merging: the budget of the category above it stays") {
            var plan = CategoryMerge(source: $0.uses[2].category, target: $0.uses[1].category)
            (plan.transactionCount, plan.budgets) = (1, .kept)
            return $0.merge(FormState(), plan)
        },
        Story("category-merge-months", .categories, "Merging: budgets without a month in common") {
            var plan = CategoryMerge(source: $0.uses[1].category, target: $0.uses[0].category)
            plan.budgets = .added(nil, nil)
            return $0.merge(FormState(), plan)
        },
    ]
}

extension Sample {
    private func form(_ state: FormState, _ id: EntityID?) -> CategoryForm {
        CategoryForm(state: state, editing: id, once: Self.once, catalog: catalog)
    }

    fileprivate func categories(_ uses: [CategoryUse], _ state: FormState = CategoryForm.blank)
        -> CategoriesPage
    {
        CategoriesPage(chrome: chrome, categories: uses, form: form(state, nil))
    }

    fileprivate func merge(
        _ state: FormState,
        _ plan: CategoryMerge? = nil,
        pastMonths: Text? = nil,
        among categories: [CategoryUse]? = nil
    ) -> CategoryMergePage {
        let shown = (categories ?? uses).map(\.category)
        return CategoryMergePage(
            chrome: chrome,
            formats: formats,
            catalog: Catalog(BookChoices(accounts: [], categories: shown)),
            category: plan?.source ?? uses[1].category,
            state: state,
            plan: plan,
            pastMonths: pastMonths
        )
    }

    /// Less in the budget of one category, and as much more in that of another one.
    fileprivate var shifts: [BudgetShift] {
        let (last, carries) = (formats.today.yearMonth.previous, true)
        return [(budgets[1], -1), (budgets[2], 1)].compactMap { status, sign in
            status.budget.category.map {
                BudgetShift(
                    category: $0,
                    months: last.previous...last,
                    spent: MoneySum(minor: 5_000 * sign, currency: Self.eur),
                    carriesOver: carries
                )
            }
        }
    }

    fileprivate func edit(
        _ use: CategoryUse,
        _ state: FormState? = nil,
        deleteError: Obstacle? = nil
    ) -> CategoryEditPage {
        CategoryEditPage(
            chrome: chrome,
            category: use,
            form: form(state ?? CategoryForm.values(of: use.category), use.category.id),
            deleteError: deleteError
        )
    }
}

// The budgets of a month, and the form of one.

import Ledger
import Texts

enum BudgetStories {
    static let all = months + forms

    private static let months: [Story] = [
        Story("budgets", .budgets, "Within, over, paid at once, carried over, owed, and suggestions") {
            $0.budgets()
        },
        Story("budgets-empty", .budgets, "None yet, with suggestions") { $0.budgets(statuses: []) },
        Story("budgets-none", .budgets, "None in a new book") {
            $0.budgets(statuses: [], upcoming: [], suggests: false, leftOut: 0)
        },
        Story("budgets-arriving", .budgets, "None, and not all data is here yet") {
            $0.framed(.incomplete).budgets(statuses: [], upcoming: [], leftOut: 0)
        },
        Story("budgets-past", .budgets, "An earlier month") { $0.budgets($0.lastMonth) },
        Story("budgets-later", .budgets, "A later month") {
            $0.budgets($0.formats.today.yearMonth.next, statuses: $0.budgets.map { $0.unspent })
        },
        Story("budgets-to-come", .budgets, "Expenses were entered for later days") {
            $0.budgets(statuses: $0.budgets.prefix(2).map(\.toCome))
        },
        Story("budgets-near", .budgets, "Faster than the month") { $0.budgets(statuses: [$0.spent(8_900)]) },
        Story("budgets-over", .budgets, "Over the limit") { $0.budgets(statuses: [$0.spent(12_345)]) },
        Story("budgets-due", .budgets, "A payment at once that is still due") {
            $0.budgets(statuses: [$0.budgets[4].unspent])
        },
        Story("budgets-refunded", .budgets, "More came back than was spent") {
            $0.budgets(statuses: [$0.spent(-2_000)])
        },
        Story("budgets-next-limit", .budgets, "Another limit begins later") {
            var later = $0.budgets[1].budget
            later.id = Sample.id(299)
            (later.limit.minor, later.from) = (45_000, $0.formats.today.yearMonth.next)
            return $0.budgets(upcoming: [later])
        },
        Story("budgets-fresh", .budgets, "Several currencies, converted") { $0.mixedBudgets(.fresh) },
        Story("budgets-guest", .budgets, "Several currencies of a guest") { $0.mixedBudgets(.guest) },
        Story("budgets-refused", .budgets, "Refused: an error beside each field") {
            var state = FormState(values: ["category": "gone", "limit": "-5", "from": "soon"])
            state.errors = [
                "category": Text("budgets.there-is-one-already"), "limit": Text("amounts.above-zero"),
                "from": Text("forms.enter-a-month"), "pace": Text("budgets.choose-a-pace"),
            ]
            return $0.budgets(state: state)
        },
        Story("budgets-asked", .budgets, "A year that is perhaps wrong") {
            var state = FormState(values: ["limit": "100.00", "from": "0026-11"])
            state.ask(aboutYear: 26, of: "from")
            return $0.budgets(state: state)
        },
        Story("budgets-long", .budgets, "Long names, names from right to left, and large amounts") {
            $0.of(.longLived).budgets()
        },
    ]

    private static let forms: [Story] = [
        Story("budget-edit", .budgets, "It has begun; its pace is derived: paid at once") {
            $0.edit(.init(hasBegun: true, guess: .once))
        },
        Story("budget-spread", .budgets, "It has begun; its pace is derived: spread over the month") {
            $0.edit(.init(hasBegun: true, guess: .spread))
        },
        Story("budget-pace", .budgets, "Its pace was chosen") {
            $0.edit(.init(hasBegun: true, guess: nil)) { $0.values["pace"] = BudgetPace.once.rawValue }
        },
        Story("budget-ended", .budgets, "It has ended") {
            $0.edit(.init(hasBegun: true, ended: $0.lastMonth.previous, guess: .once))
        },
        Story("budget-later", .budgets, "It begins later") { $0.edit(.init(hasBegun: false, guess: nil)) },
        Story("budget-second", .budgets, "A limit that begins later than another one") {
            $0.edit(.init(hasBegun: false, hasEarlierLimit: true, guess: nil))
        },
        Story("budget-currency", .budgets, "A budget in another currency than the base") {
            $0.edit(.init(hasBegun: true, guess: nil), currency: Sample.usd)
        },
        Story("budget-refused", .budgets, "Refused: the limit, and since when it holds") {
            $0.edit(.init(hasBegun: true, guess: nil)) {
                $0.values["limit"] = "1,000.00.00"
                $0.errors = ["limit": Text("amounts.unclear"), "since": Text("budgets.choose-since")]
            }
        },
        Story("budget-meanwhile", .budgets, "It was changed while its page was open") {
            $0.edit(.init(hasBegun: true, guess: nil)) {
                ($0.seen, $0.notice) = ("3", Text("forms.changed-meanwhile"))
            }
        },
    ]
}

extension BudgetStatus {
    fileprivate var unspent: BudgetStatus {
        var copy = self
        (copy.spentMinor, copy.carriedMinor, copy.leftOutCount) = (0, 0, 0)
        return copy
    }
}

extension Sample {
    /// The budget for health, 100.00 a month, after some spending.
    fileprivate func spent(_ minor: Int128) -> BudgetStatus {
        var status = budgets[5]
        (status.spentMinor, status.carriedMinor) = (minor, 0)
        return status
    }

    private var suggestions: [BudgetSuggestion] {
        [nil, Self.id(13)].compactMap {
            BudgetSuggestion(category: $0, spentMinor: 276_000, currency: Self.eur, monthCount: 3)
        }
    }

    private var upcoming: Budget {
        Budget(
            id: Self.id(205),
            category: Self.id(17),
            limit: Money(minor: 5_000, currency: Self.eur),
            from: formats.today.yearMonth.next.next,
            rollover: false
        )
    }

    /// - Parameters: the values that differ from the sample.
    fileprivate func budgets(
        _ month: YearMonth? = nil,
        statuses: [BudgetStatus]? = nil,
        upcoming later: [Budget]? = nil,
        suggests: Bool = true,
        leftOut: Int = 1,
        state: FormState? = nil
    ) -> BudgetsPage {
        let month = month ?? formats.today.yearMonth
        let suggestions = suggests ? suggestions : []
        return BudgetsPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            month: month,
            statuses: statuses ?? budgets,
            upcoming: later ?? [upcoming],
            suggestions: suggestions,
            leftOutCount: leftOut,
            form: BudgetForm(
                state: state ?? BudgetForm.blank(month: month),
                editing: nil,
                once: Self.once,
                catalog: catalog,
                formats: formats,
                suggestions: suggestions
            )
        )
    }

    fileprivate func edit(
        _ history: BudgetForm.History,
        currency: CurrencyCode? = nil,
        _ change: (inout FormState) -> Void = { _ in }
    ) -> BudgetEditPage {
        let budget = budgets[1].budget
        var state = BudgetForm.values(of: budget, formats: formats)
        change(&state)
        let form = BudgetForm(
            state: state,
            editing: budget.id,
            once: Self.once,
            catalog: catalog,
            formats: formats,
            currency: currency,
            history: history,
            suggestions: suggestions
        )
        return BudgetEditPage(chrome: chrome, budget: budget, catalog: catalog, formats: formats, form: form)
    }
}

// The overview.

import Ledger

enum OverviewStories {
    static let all = ofMonth + ofClouds + ofRates

    private static let ofMonth: [Story] = [
        Story("overview", .overview, "A month in the middle, with a budget for all spending") {
            $0.overview()
        },
        Story("overview-empty", .overview, "A new book") {
            $0.overview(totals: [], budgets: [], categories: [], latest: [])
        },
        Story("overview-empty-month", .overview, "A month without entries in a book that has some") {
            $0.overview(totals: [], budgets: [], categories: [], latest: [], bookIsEmpty: false)
        },
        Story("overview-income", .overview, "Without budgets: what is left of the income") {
            $0.overview(budgets: [])
        },
        Story("overview-more-spent", .overview, "Without budgets: more went out than came in") {
            $0.overview(totals: [$0.total(income: 100_000)], budgets: [])
        },
        Story("overview-no-income", .overview, "Without budgets and without income") {
            $0.overview(totals: [$0.total(income: 0)], budgets: [])
        },
        Story("overview-only-foreign", .overview, "Everything was spent in another currency than the base") {
            $0.overview(totals: [$0.totals[1]], budgets: [], categories: [])
        },
        Story("overview-over", .overview, "The budget for all spending is overspent") {
            $0.overview(budgets: $0.budgets(spent: 241_000))
        },
        Story("overview-owed", .overview, "Over the budget only because of earlier months") {
            $0.overview(budgets: $0.budgets(spent: 20_000, carried: -260_000))
        },
        Story("overview-past", .overview, "An earlier month") {
            $0.mixedOverview(.fresh, month: $0.lastMonth, budgets: $0.budgets)
        },
        Story("overview-past-over", .overview, "An earlier month that was overspent") {
            $0.overview(month: $0.lastMonth, budgets: $0.budgets(spent: 241_000))
        },
        Story("overview-past-empty", .overview, "An earlier month without anything") {
            $0.overview(
                month: $0.lastMonth,
                totals: [],
                budgets: [],
                categories: [],
                latest: [],
                bookIsEmpty: false
            )
        },
        Story("overview-to-come", .overview, "Income and expenses were entered for later days") {
            $0.overview(toCome: [.toCome], budgets: $0.budgets.map(\.toCome), accounts: $0.balancesToCome)
        },
        Story("overview-income-to-come", .overview, "The same without budgets") {
            $0.overview(toCome: [.toCome], budgets: [], accounts: $0.balancesToCome)
        },
        Story("overview-later", .overview, "A later month, for which something was entered") {
            $0.overview(month: $0.formats.today.yearMonth.next, budgets: [])
        },
        Story("overview-ahead", .overview, "With schedules: coming payments, and some that wait") {
            $0.overview(schedules: $0.schedules)
        },
        Story("overview-nothing-ahead", .overview, "With schedules: nothing more is coming in this month") {
            $0.overview(schedules: [$0.ofNextMonth])
        },
        Story("overview-review", .overview, "Conflicts and losses wait for a decision") { sample in
            sample.framed(.idle).with { $0.toReview = ToReview(conflicts: 2, losses: 1) }.overview()
        },
        Story("overview-long", .overview, "Long names, names from right to left, and large amounts") {
            let sample = $0.of(.longLived)
            return sample.overview(schedules: sample.schedules)
        },
    ]

    private static let ofClouds = Frame.allCases.map { frame in
        Story("overview-cloud-\(frame.rawValue)", .overview, "The cloud icon: \(frame.title)") {
            $0.framed(frame).overview()
        }
    }

    private static let ofRates = Sample.RatesState.allCases.map { state in
        Story("overview-rates-\(state)", .overview, "Several currencies: \(state.title)") {
            $0.mixedOverview(state)
        }
    }
}

extension Sample {
    var lastMonth: YearMonth { formats.today.yearMonth.previous }

    /// The total of the month in the base currency, with another income.
    fileprivate func total(income: Int128) -> CurrencyTotal {
        var total = totals[0]
        total.incomeMinor = income
        return total
    }

    /// The budgets, with another use of that for all spending.
    fileprivate func budgets(spent: Int128, carried: Int128 = 0) -> [BudgetStatus] {
        var budgets = budgets
        (budgets[0].spentMinor, budgets[0].carriedMinor) = (spent, carried)
        return budgets
    }

    /// - Parameters: the values that differ from the sample.
    func overview(
        month: YearMonth? = nil,
        totals: [CurrencyTotal]? = nil,
        toCome: [CurrencyTotal] = [],
        budgets: [BudgetStatus]? = nil,
        categories: [ReportRow]? = nil,
        accounts: [AccountBalance]? = nil,
        latest: [Transaction]? = nil,
        schedules: [Schedule] = [],
        bookIsEmpty: Bool? = nil
    ) -> OverviewPage {
        OverviewPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            month: month,
            totals: totals ?? self.totals,
            toCome: toCome,
            budgets: budgets ?? self.budgets,
            categories: categories ?? byCategory,
            accounts: accounts ?? balances,
            latest: latest ?? Array(transactions.prefix(5)),
            withReceipts: [transactions[0].id],
            schedules: schedules,
            bookIsEmpty: bookIsEmpty
        )
    }
}

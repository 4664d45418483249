// Pages with totals of several currencies, and the page of rates, in every state of the rates.

import Ledger

enum RateStories {
    static let all =
        Sample.RatesState.allCases.map { state in
            Story("rates-\(state)", .rates, "The page of rates: \(state.title)") { $0.ratesPage(state) }
        } + [
            Story("rates-other-base", .rates, "There is no rate of the base currency") { $0.ratesWithoutBase }
        ]
}

extension Sample {
    /// The states of the rates of a user.
    enum RatesState: String, CaseIterable, Sendable {
        /// Premium, with the rates of the day before, two days old, or without a cloud.
        case fresh, stale, offline
        /// Premium before the first rates, and without premium.
        case none, guest

        var title: String {
            switch self {
            case .fresh: "Premium with rates of the day before"
            case .stale: "Premium with rates that are two days old"
            case .offline: "Premium, and the cloud that sends the rates cannot be reached"
            case .none: "Premium before the first rates"
            case .guest: "a guest"
            }
        }
    }

    static let tables = try? CurrencyTable(
        tsv: "CHF\t2\tCHF\tFranc\nEUR\t2\t€\tEuro\nRUB\t2\tRUB\tRouble\nUSD\t2\t$\tDollar\n"
    )

    static let chf = CurrencyCode("CHF") ?? .eur
    static let rub = CurrencyCode("RUB") ?? .eur

    static var rates: ExchangeRates {
        ExchangeRates(
            day: date(2026, 11, 20),
            source: .europeanCentralBank,
            rates: [
                usd: ExchangeRate("1.0823") ?? .one, chf: ExchangeRate("0.9317") ?? .one,
            ]
        )
    }

    /// Formats with the rates in a state. The page is requested at noon of the 21st.
    func formats(_ state: RatesState) -> Formats {
        guard state != .none, state != .guest, let table = Self.tables else { return formats }
        // Published at 15:00 UTC of the 20th.
        let hours: Int64 = state == .stale ? 50 : 21
        let published = Int64(Self.rates.day.dayNumber) * 86_400 + 15 * 3_600
        let conversion = Conversion(
            CurrencyConverter(rates: Self.rates, currencies: table),
            now: published + hours * 3_600 + 59,
            isOffline: state == .offline
        )
        return Formats(
            base: Self.eur,
            secondary: [Self.usd],
            today: Self.today,
            style: formats.style,
            conversion: conversion
        )
    }

    private func chrome(_ state: RatesState) -> Chrome {
        let frame: Frame =
            switch state {
            case .fresh, .stale, .none: .idle
            case .offline: .offline
            case .guest: .guest
            }
        return framed(frame).chrome
    }

    /// Totals in the base currency, two with a rate and one without.
    private var mixedTotals: [CurrencyTotal] {
        totals + [
            CurrencyTotal(currency: Self.chf, incomeMinor: 90_001, expenseMinor: 1_299, count: 2),
            CurrencyTotal(currency: Self.rub, incomeMinor: 0, expenseMinor: 50_000, count: 1),
        ]
    }

    func mixedOverview(_ state: RatesState, month: YearMonth? = nil, budgets: [BudgetStatus] = [])
        -> OverviewPage
    {
        OverviewPage(
            chrome: chrome(state),
            formats: formats(state),
            catalog: catalog,
            month: month,
            totals: mixedTotals,
            budgets: budgets,
            categories: byCategory + mixedRows,
            accounts: balances,
            latest: Array(transactions.prefix(5))
        )
    }

    /// Spending on books and films in dollars and roubles.
    private var mixedRows: [ReportRow] {
        [(Self.usd, Int128(1_899)), (Self.rub, 50_000)].map { code, minor in
            ReportRow(
                key: .category(Self.id(17)),
                total: CurrencyTotal(currency: code, incomeMinor: 0, expenseMinor: minor, count: 1)
            )
        }
    }

    func mixedAccounts(_ state: RatesState) -> AccountsPage {
        var all = balances
        all[4].account.currency = Self.rub
        let form = AccountForm(
            state: AccountForm.blank(formats: formats),
            editing: nil,
            once: Self.once,
            catalog: catalog,
            formats: formats
        )
        return AccountsPage(
            chrome: chrome(state),
            formats: formats(state),
            accounts: all,
            form: form
        )
    }

    func mixedList(_ state: RatesState) -> TransactionsPage {
        var query = TransactionQuery()
        query.month = formats.today.yearMonth
        let formats = formats(state)
        return TransactionsPage(
            chrome: chrome(state),
            formats: formats,
            catalog: catalog,
            filters: ListFilters(query: query),
            result: TransactionPage(
                rows: transactions,
                days: [DayTotal(date: transactions[0].date, totals: mixedTotals)],
                totals: mixedTotals,
                next: nil
            ),
            form: quickForm(formats),
            bookIsEmpty: false
        )
    }

    func mixedReport(_ state: RatesState, _ group: ReportGroup) -> ReportsPage {
        let rows: [ReportRow]
        switch group {
        case .category, .payee: rows = byCategory + mixedRows
        case .account:
            rows = [(Self.eur, Int128(4_000)), (Self.usd, 1_899), (Self.rub, 50_000)].enumerated().map {
                ReportRow(
                    key: .account(Self.id(UInt64($0.offset + 1))),
                    total: CurrencyTotal(
                        currency: $0.element.0,
                        incomeMinor: 900,
                        expenseMinor: $0.element.1,
                        count: 4
                    )
                )
            }
        case .month:
            rows = byMonth.flatMap { row in
                [
                    row,
                    ReportRow(
                        key: row.key,
                        total: CurrencyTotal(
                            currency: Self.usd,
                            incomeMinor: 5_000,
                            expenseMinor: 1_899,
                            count: 3
                        )
                    ),
                ]
            }
        }
        let kind = ReportKind.allCases.first { $0.group == group } ?? .category
        return report(state, kind, .totals(rows))
    }

    /// The report of net worth, with dollars.
    func mixedWorth(_ state: RatesState) -> ReportsPage {
        let dollars = worth.map {
            NetWorthPoint(month: $0.month, currency: Self.usd, balanceMinor: 12_000, debtMinor: 0)
        }
        let held = AccountWorth(
            account: Self.id(2),
            currency: Self.usd,
            beforeMinor: 0,
            afterMinor: 12_000
        )
        return report(state, .worth, .worth(worth + dollars, [held]))
    }

    /// The report of months by the rates of each day, which are not there.
    var reportWithoutDayRates: ReportsPage {
        let rows = mixedRows.map { ReportRow(key: .month(formats.today.yearMonth), total: $0.total) }
        return report(.fresh, .month, .totals(rows), .missing)
    }

    /// The same with the rates of one day.
    var reportByDayRates: ReportsPage {
        let rows = mixedRows.map { ReportRow(key: .month(formats.today.yearMonth), total: $0.total) }
        let rates: DayRates =
            Self.tables.map {
                .of(DayConverter(RateHistory(version: "1", days: [Self.rates]), to: Self.eur, currencies: $0))
            } ?? .missing
        return report(.fresh, .month, .totals(rows), rates)
    }

    func report(
        _ state: RatesState,
        _ kind: ReportKind,
        _ content: ReportContent,
        _ dayRates: DayRates = .unused,
        toCome: ReportToCome? = nil,
        state typed: FormState = FormState(values: ["from": "2025-12", "to": "2026-11"])
    ) -> ReportsPage {
        ReportsPage(
            chrome: chrome(state),
            formats: formats(state),
            catalog: catalog,
            kind: kind,
            state: typed,
            content: content,
            dayRates: dayRates,
            toCome: toCome
        )
    }

    func mixedBudgets(_ state: RatesState) -> BudgetsPage {
        let formats = formats(state)
        let month = formats.today.yearMonth
        var statuses = budgets
        if formats.conversion != nil { (statuses[0].leftOutCount, statuses[0].convertedCount) = (1, 3) }
        return BudgetsPage(
            chrome: chrome(state),
            formats: formats,
            catalog: catalog,
            month: month,
            statuses: statuses,
            upcoming: [],
            leftOutCount: 1,
            form: BudgetForm(
                state: BudgetForm.blank(month: month),
                editing: nil,
                once: Self.once,
                catalog: catalog,
                formats: formats
            )
        )
    }

    func ratesPage(_ state: RatesState) -> RatesPage {
        RatesPage(
            chrome: chrome(state),
            formats: formats(state),
            catalog: catalog,
            rates: state == .none || state == .guest ? nil : Self.rates
        )
    }

    /// A book in roubles, which the published rates do not contain.
    fileprivate var ratesWithoutBase: RatesPage {
        RatesPage(
            chrome: chrome(.fresh),
            formats: Formats(base: Self.rub, secondary: [], today: Self.today, style: formats.style),
            catalog: catalog,
            rates: Self.rates
        )
    }
}

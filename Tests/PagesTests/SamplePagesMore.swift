// Reports, settings, onboarding and error pages of the sample.

import Ledger
import Links
import Pages
import Texts

extension Sample {
    var reportPages: [SamplePage] {
        func page(_ kind: ReportKind, _ content: ReportContent) -> ReportsPage {
            let state = FormState(values: ["from": "2025-12", "to": "2026-11"])
            return ReportsPage(
                chrome: chrome,
                formats: formats,
                catalog: catalog,
                kind: kind,
                state: state,
                content: content
            )
        }
        let payees = transactions.filter { $0.kind == .expense }.map { row in
            ReportRow(
                key: .payee(row.payee),
                total: CurrencyTotal(
                    currency: row.amount.currency,
                    incomeMinor: 0,
                    expenseMinor: row.amount.minor,
                    count: 1
                )
            )
        }
        let accounts = balances.map { entry in
            ReportRow(
                key: .account(entry.account.id),
                total: CurrencyTotal(
                    currency: entry.account.currency,
                    incomeMinor: 900,
                    expenseMinor: abs(entry.balanceMinor),
                    count: 4
                )
            )
        }
        return [
            SamplePage("reports", page(.category, .totals(byCategory))),
            SamplePage("reports-months", page(.month, .totals(byMonth))),
            SamplePage("reports-payees", page(.payee, .totals(payees))),
            SamplePage("reports-accounts", page(.account, .totals(accounts))),
            SamplePage("reports-cash-flow", page(.flow, .flow(flows))),
            SamplePage("reports-net-worth", page(.worth, .worth(worth, held))),
            SamplePage("reports-comparison", page(.comparison, .comparison(comparison))),
            SamplePage("reports-empty", page(.category, .totals([]))),
            SamplePage("reports-comparison-empty", page(.comparison, .comparison(nothing))),
        ]
    }

    private var flows: [CashFlow] {
        worth.enumerated().map { place, point in
            var flow = CashFlow(month: point.month, currency: point.currency)
            flow.add(
                income: 270_000,
                expense: 190_000 + Int64(place) * 3_100,
                moved: place % 3 == 0 ? -50_000 : 0
            )
            flow.endMinor = point.balanceMinor
            return flow
        }
    }

    private var held: [AccountWorth] {
        balances.map { entry in
            AccountWorth(
                account: entry.account.id,
                currency: entry.account.currency,
                beforeMinor: entry.balanceMinor - 4_200,
                afterMinor: entry.balanceMinor
            )
        }
    }

    /// The spending of this month, and of earlier months less by one euro for each.
    var comparison: SpendingComparison {
        SpendingComparison(of: formats.today.yearMonth, today: formats.today) { days in
            let months = Int64(formats.today.yearMonth.index - days.lowerBound.yearMonth.index)
            return months > 5
                ? []
                : byCategory.map { row in
                    var row = row
                    row.total.expenseMinor -= months * 100
                    return row
                }
        }
    }

    private var nothing: SpendingComparison {
        SpendingComparison(of: formats.today.yearMonth, today: formats.today) { _ in [] }
    }

    var settingsPages: [SamplePage] {
        let state = PreferencesForm.values(
            base: Self.eur,
            secondary: [Self.usd],
            weekStart: .monday,
            theme: .system,
            conflictPolicy: .newest,
            locale: "en-GB",
            timeZone: "Europe/Sofia"
        )
        let form = PreferencesForm(
            state: state,
            formats: formats,
            locales: [("en-GB", "English (United Kingdom)"), ("de-DE", "Deutsch (Deutschland)")],
            zones: ["Europe/Sofia", "UTC"]
        )
        let asking = PreferencesForm(
            state: FormState(
                values: state.values.merging(["base_currency": "USD"]) { $1 },
                errors: ["budgets": .verbatim("Choose what happens with the budgets.")]
            ),
            formats: formats,
            locales: [("en-GB", "English (United Kingdom)")],
            zones: [],
            budgetQuestion: .init(
                new: Self.usd,
                budgets: budgets.prefix(4).map {
                    .init(
                        $0.budget,
                        catalog: catalog,
                        kept: Money(minor: $0.budget.limit.minor, currency: Self.usd),
                        converted: Money(minor: $0.budget.limit.minor * 108 / 100, currency: Self.usd)
                    )
                },
                day: Self.date(2026, 11, 20)
            )
        )
        var free = chrome
        free.tier = .free
        free.cloud = .free
        var premium = chrome
        premium.tier = .premium
        premium.cloud = .offline(pending: 3)
        premium.sync = "offline"
        premium.pending = 3
        return [
            SamplePage("settings", SettingsPage(chrome: chrome, form: form, account: nil)),
            SamplePage("settings-asking", SettingsPage(chrome: chrome, form: asking, account: nil)),
            SamplePage("settings-free", SettingsPage(chrome: free, form: form, account: panel(syncs: nil))),
            SamplePage(
                "settings-premium",
                SettingsPage(chrome: premium, form: form, account: panel(syncs: true))
            ),
            SamplePage("help", HelpPage(chrome: chrome)),
            SamplePage(
                "status",
                StatusPage(
                    chrome: chrome,
                    state: "local_only",
                    device: "01m7yj5pdcbes0042j6jdhesbj",
                    transitions: [
                        TransitionLine(
                            at: "2026-11-21 10:00:00",
                            event: "INIT_COMPLETE",
                            from: "initializing",
                            to: "local_only"
                        )
                    ]
                )
            ),
        ]
    }

    var onboardingPages: [SamplePage] {
        let suggested = [Self.eur, Self.usd]
        let state = FormState(
            values: ["currency": "EUR", "week_start": "monday"],
            lists: ["currencies": ["USD"]]
        )
        let refused = FormState(errors: ["currency": .verbatim("Choose a currency from the list.")])
        return [
            SamplePage("welcome", WelcomePage(chrome: chrome, canSignIn: true)),
            SamplePage(
                "currency",
                CurrencyPage(chrome: chrome, formats: formats, state: state, suggested: suggested)
            ),
            SamplePage(
                "currency-refused",
                CurrencyPage(chrome: chrome, formats: formats, state: refused, suggested: suggested)
            ),
            SamplePage(
                "secondary",
                SecondaryPage(chrome: chrome, formats: formats, state: state, suggested: suggested)
            ),
            SamplePage("calendar", CalendarPage(chrome: chrome, state: state)),
        ]
    }

    var errorPages: [SamplePage] {
        let problems: [(String, ErrorPage.Problem)] = [
            ("400", .malformed), ("403", .expiredForm), ("404", .notFound), ("405", .wrongMethod),
            ("413", .tooLarge),
            ("500", .fault(reference: "7f3a-91c2")), ("507", .storageFull), ("read-only", .readOnly),
            ("full-book", .bookFull), ("too-fast", .tooFast), ("overloaded", .overloaded),
            ("other-host", .otherHost),
            ("damaged", .damagedBook(reference: "7f3a-91c2")),
            ("step", .step(.readOnly, reference: nil)),
        ]
        let fields = [("kind", "expense"), ("payee", "Bäckerei <Ost>"), ("note", "two\nlines")]
        let kept = PreservedForm(
            action: .transactions,
            csrf: "token",
            fields: fields,
            typed: fields.map { TypedField(name: $0.0, label: .verbatim($0.0), value: $0.1) },
            secrets: [("password", Text("account.password"))]
        )
        return problems.map { SamplePage("error-\($0.0)", ErrorPage(chrome: chrome, problem: $0.1)) }
            + [
                SamplePage("error-stale", StaleFormPage(chrome: chrome, kept: kept)),
                SamplePage("error-kept", ErrorPage(chrome: chrome, problem: .storageFull, kept: kept)),
                SamplePage(
                    "error-framed",
                    FramedErrorPage(ErrorPage(chrome: chrome, problem: .notFound))
                ),
            ]
    }
}

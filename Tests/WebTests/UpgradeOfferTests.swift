// The hint that Premium converts totals: on each page that shows an amount in another currency, and on no other.
import Ledger
import TestKit
import Testing

@testable import Web

@Suite struct OffersOfConvertedTotals {
    private let sample = Sample()
    private let renderer: Renderer

    init() throws { renderer = try Renderer() }

    /// A month of a book, and what its accounts have at the end of it.
    struct Book: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var totals: [CurrencyTotal] = []
        var balances: [MoneySum] = []
        /// The pages with an amount in another currency.
        var offering: Set<String> = []
    }

    private static let kinds = ReportKind.allCases.map(\.rawValue)
    private static let pages = Set(["overview", "transactions", "accounts", "schedules"] + kinds)

    private static func spent(_ code: CurrencyCode, _ expense: Int128, count: Int = 1) -> CurrencyTotal {
        CurrencyTotal(currency: code, incomeMinor: 0, expenseMinor: expense, count: count)
    }

    private static let euros = MoneySum(minor: -500, currency: .eur)

    static let books = [
        Book(testDescription: "only euros", totals: [spent(.eur, 500)], balances: [euros]),
        Book(
            testDescription: "only dollars",
            totals: [spent(.usd, 500)],
            balances: [MoneySum(minor: -500, currency: .usd)],
            offering: pages
        ),
        Book(
            testDescription: "both",
            totals: [spent(.eur, 500), spent(.usd, 500)],
            balances: [euros, MoneySum(minor: -500, currency: .usd)],
            offering: pages
        ),
        Book(
            testDescription: "an account in dollars without any",
            totals: [spent(.eur, 500)],
            balances: [euros, MoneySum(minor: 0, currency: .usd)]
        ),
        Book(
            testDescription: "a transfer of dollars",
            totals: [spent(.eur, 500), spent(.usd, 0)],
            balances: [euros, MoneySum(minor: 0, currency: .usd)]
        ),
        Book(
            testDescription: "dollars that were refunded",
            totals: [spent(.usd, 0, count: 2)],
            balances: [MoneySum(minor: 0, currency: .usd)]
        ),
        Book(
            testDescription: "dollars of earlier months",
            balances: [euros, MoneySum(minor: 700, currency: .usd)],
            offering: ["overview", "accounts", "flow", "worth"]
        ),
    ]

    @Test(arguments: books, [Tier.guest, .free, .premium])
    func areWhereAnAmountIsInAnotherCurrency(book: Book, tier: Tier) throws {
        let sample = sample.with { $0.tier = tier }
        func offers(_ page: some Page) throws -> [HTMLElement] {
            HTMLReader(try renderer.render(page)).all("p", ["data-upgrade": ""])
        }
        var found: [String: [HTMLElement]] = [
            "overview": try offers(overview(sample, book)),
            "transactions": try offers(list(sample, book)),
            "accounts": try offers(accounts(sample, book)),
            "schedules": try offers(schedules(sample, book)),
        ]
        for kind in ReportKind.allCases { found[kind.rawValue] = try offers(report(sample, book, kind)) }
        let offering = Set(found.filter { !$0.value.isEmpty }.keys)
        #expect(offering == (tier == .premium ? [] : book.offering))
        #expect(found.values.joined().allSatisfy { $0.text.hasSuffix("See Premium") })
        // For phones, and beside the list.
        if offering.contains("transactions") { #expect(found["transactions"]?.count == 2) }
    }

    private func held(_ book: Book) -> [AccountBalance] {
        zip(sample.balances, book.balances).map { entry, balance in
            var entry = entry
            (entry.account.currency, entry.balanceMinor) = (balance.currency, balance.minor)
            return entry
        }
    }

    private func overview(_ sample: Sample, _ book: Book) -> OverviewPage {
        OverviewPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            totals: book.totals,
            budgets: [],
            categories: [],
            accounts: held(book),
            latest: []
        )
    }

    private func list(_ sample: Sample, _ book: Book) -> TransactionsPage {
        let date = sample.transactions[0].date
        let rows = book.totals.isEmpty ? [] : Array(sample.transactions.prefix(1))
        return TransactionsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            filters: ListFilters(query: TransactionQuery()),
            result: TransactionPage(
                rows: rows,
                days: [DayTotal(date: date, totals: book.totals)],
                totals: book.totals,
                next: nil
            ),
            form: sample.quickForm(sample.formats),
            bookIsEmpty: false
        )
    }

    private func accounts(_ sample: Sample, _ book: Book) -> AccountsPage {
        AccountsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            accounts: held(book),
            form: AccountForm(
                state: AccountForm.blank(formats: sample.formats),
                editing: nil,
                once: Sample.once,
                catalog: sample.catalog,
                formats: sample.formats
            )
        )
    }

    private func schedules(_ sample: Sample, _ book: Book) -> SchedulesPage {
        SchedulesPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            view: SchedulesView(
                schedules: [sample.ofNextMonth],
                month: MonthSoFar(totals: book.totals, repaid: Repaid()),
                suggestions: [],
                choices: sample.catalog.source
            ),
            form: ScheduleForm(
                state: ScheduleForm.blank(account: nil, catalog: sample.catalog, formats: sample.formats),
                editing: nil,
                once: Sample.once,
                catalog: sample.catalog,
                formats: sample.formats,
                payees: sample.payees
            )
        )
    }

    private func report(_ sample: Sample, _ book: Book, _ kind: ReportKind) -> ReportsPage {
        let month = Sample.today.yearMonth
        func rows(_ key: ReportRow.Key) -> [ReportRow] { book.totals.map { ReportRow(key: key, total: $0) } }
        let content: ReportContent =
            switch kind {
            case .category: .totals(rows(.category(Sample.id(10))))
            case .payee: .totals(rows(.payee("Shop")))
            case .account: .totals(rows(.account(Sample.id(1))))
            case .month: .totals(rows(.month(month)))
            case .flow: .flow(flows(book, month))
            case .worth: .worth(points(book, month), [])
            case .comparison:
                .comparison(
                    SpendingComparison(of: month, today: Sample.today, since: month) { days in
                        days.contains(month.firstDay) ? rows(.category(Sample.id(10))) : []
                    }
                )
            }
        return ReportsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            kind: kind,
            state: FormState(values: ["from": "\(month)", "to": "\(month)"]),
            content: content
        )
    }

    private func flows(_ book: Book, _ month: YearMonth) -> [CashFlow] {
        book.balances.map { balance in
            var flow = CashFlow(month: month, currency: balance.currency)
            let total = book.totals.first { $0.currency == balance.currency }
            flow.add(income: 0, expense: total?.expenseMinor ?? 0, moved: 0)
            flow.endMinor = balance.minor
            return flow
        }
    }

    private func points(_ book: Book, _ month: YearMonth) -> [NetWorthPoint] {
        book.balances.map {
            NetWorthPoint(
                month: month,
                currency: $0.currency,
                balanceMinor: $0.minor,
                debtMinor: min(0, $0.minor)
            )
        }
    }

    /// Nothing in the base currency is not nothing at all.
    @Test(
        arguments: [
            ([], "Nothing spent so far. The month"),
            ([spent(.usd, 500)], "Nothing spent in EUR so far; spending in other currencies is below."),
            ([spent(.usd, 0, count: 2)], "Nothing spent so far. The month"),
            (
                [CurrencyTotal(currency: .usd, incomeMinor: 900, expenseMinor: 0, count: 1)],
                "Nothing spent so far."
            ),
            ([spent(.eur, 500), spent(.usd, 500)], "No income written down yet. The month"),
            (
                [
                    spent(.eur, 500),
                    CurrencyTotal(currency: .usd, incomeMinor: 900, expenseMinor: 0, count: 1),
                ],
                "No income in EUR so far; income in other currencies is below."
            ),
        ] as [([CurrencyTotal], String)]
    )
    func theOverviewSaysWhatIsInOtherCurrencies(totals: [CurrencyTotal], words: String) throws {
        let page = overview(sample, Book(testDescription: "", totals: totals))
        let html = HTMLReader(try renderer.render(page))
        let text = html.first("main")?.text ?? ""
        #expect(text.contains(words), "\(text)")
        // A currency without an amount has no line.
        let hasLine = totals.contains { $0.currency == .usd && $0.hasAmounts }
        #expect(text.contains("Also in USD") == hasLine)
    }

    @Test func aCurrencyOfTransfersAloneHasNoTotal() {
        let book = Book(testDescription: "", totals: [Self.spent(.eur, 500), Self.spent(.usd, 0)])
        let page = list(sample, book)
        #expect(page.totals.map(\.currency) == [.eur] && page.count == 2)
        let alone = list(sample, Book(testDescription: "", totals: [Self.spent(.usd, 0)]))
        #expect(alone.totals.isEmpty && alone.count == 1)
    }
}

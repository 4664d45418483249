// Sums that no amount can hold: words in the place of a number that would be wrong.
import Ledger
import TestKit
import Testing
import Texts

@testable import Web

@Suite struct PagesWithSumsThatAreTooLarge {
    private let sample = Sample()
    private let renderer: Renderer
    private let words = "too large to show"
    private let sentence = "The amounts are too large to add up."

    init() throws { renderer = try Renderer() }

    private func html(_ page: some Page) throws -> HTMLReader {
        let html = HTMLReader(try renderer.render(page))
        // Neither a limit of 64 bits nor a sign before the words.
        for wrong in ["92,233,720,368,547,758", "≈ \(words)", "+\(words)"] {
            #expect(!mainText(html).contains(wrong))
        }
        return html
    }

    private func account(_ place: Int, _ minor: Int128) -> AccountBalance {
        var account = sample.balances[place]
        account.balanceMinor = minor
        return account
    }

    private func accounts(_ minors: [Int128], _ formats: Formats) -> AccountsPage {
        AccountsPage(
            chrome: sample.chrome,
            formats: formats,
            accounts: minors.enumerated().map { account($0, $1) },
            form: AccountForm(
                state: AccountForm.blank(formats: formats),
                editing: nil,
                once: Sample.once,
                catalog: sample.catalog,
                formats: formats
            )
        )
    }

    private static let quadrillions: Int128 = 100_000_000_000_000_000

    /// Three accounts in euros, in quadrillions; nil for a sum that is too large.
    @Test(
        arguments: [
            ([40, 40, 40], nil), ([-40, -40, -40], nil), ([60, 60, -80], "4000000000000000000"),
            ([-60, -60, 80], "-4000000000000000000"), ([60, -80, 60], "4000000000000000000"),
            ([40, 40, 1], "8100000000000000000"),
        ] as [([Int128], String?)]
    )
    func accountsTogether(minors: [Int128], sum: String?) throws {
        for formats in [sample.formats, sample.formats(.fresh)] {
            let page = try html(accounts(minors.map { $0 * Self.quadrillions }, formats))
            let total = try #require(page.first("a", ["id": "in-EUR"]))
            #expect(total["data-amount"] == sum && total["data-currency"] == "EUR")
            #expect((total["data-too-large"] == nil) == (sum != nil))
            #expect(total.text.contains(words) == (sum == nil))
        }
    }

    /// A balance in dollars that alone exceeds an amount.
    @Test func aConvertedSumIsNotCalledOneWithoutARate() throws {
        var page = accounts([100, 0, 0, 1 << 64], sample.formats(.fresh))
        #expect(page.rates?.leftOut == nil)
        let total = try #require(try html(page).first("a", ["id": "in-EUR"]))
        #expect(total["data-too-large"] != nil && total["data-converted"] == nil)
        page = accounts([100, 0, 0, 1 << 64], sample.formats)
        let own = try #require(try html(page).first("a", ["id": "in-USD"]))
        #expect(own["data-too-large"] != nil && own.text == words)
    }

    private func overview(_ total: CurrencyTotal, _ budgets: [BudgetStatus] = []) -> OverviewPage {
        OverviewPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            totals: [total],
            budgets: budgets,
            categories: [ReportRow(key: .category(Sample.id(13)), total: total)],
            accounts: [],
            latest: []
        )
    }

    private func total(_ income: Int128, _ expense: Int128) -> CurrencyTotal {
        CurrencyTotal(currency: Sample.eur, incomeMinor: income, expenseMinor: expense, count: 3)
    }

    @Test(arguments: [1 << 64, -(1 << 64)] as [Int128]) func theOverview(huge: Int128) throws {
        let page = try html(overview(total(5, -huge)))
        #expect(page.first("a", ["id": "out"])?["data-too-large"] != nil)
        #expect(page.first("a", ["id": "in"])?["data-amount"] == "5")
        #expect(page.first("a", ["id": "left"])?["data-too-large"] != nil)
        let fitting = try html(overview(total(5, huge / 8)))
        #expect(fitting.all(nil, ["data-too-large": ""]).isEmpty)
        var status = sample.budgets[0]
        (status.spentMinor, status.carriedMinor) = (-huge, 0)
        let budget = try html(overview(total(5, 7), [status]))
        #expect(budget.first("a", ["id": "left"])?["data-too-large"] != nil)
        #expect(mainText(budget).contains(sentence))
    }

    @Test func aBudget() throws {
        var status = sample.budgets[1]
        status.spentMinor = 1 << 64
        let month = sample.formats.today.yearMonth
        let page = BudgetsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            month: month,
            statuses: [status],
            upcoming: [],
            leftOutCount: 0,
            form: BudgetForm(
                state: BudgetForm.blank(month: month),
                editing: nil,
                once: Sample.once,
                catalog: sample.catalog,
                formats: sample.formats,
                suggestions: []
            )
        )
        let read = try html(page)
        #expect(read.all("a", ["data-too-large": ""]).map(\.text) == [words])
        #expect(mainText(read).contains(sentence))
    }

    @Test func aListAndARegister() throws {
        let row = sample.transactions[0]
        let found = TransactionPage(
            rows: [row],
            days: [DayTotal(date: row.date, totals: [total(0, 1 << 64)])],
            totals: [total(1 << 65, 9)],
            moved: [MoneySum(minor: -(1 << 64), currency: Sample.eur)],
            next: nil
        )
        let list = try html(
            TransactionsPage(
                chrome: sample.chrome,
                formats: sample.formats,
                catalog: sample.catalog,
                filters: ListFilters(query: TransactionQuery()),
                result: found,
                form: sample.quickForm(sample.formats),
                bookIsEmpty: false
            )
        )
        // The sum of the list, the day, and the totals and transfers for phones and for desks.
        #expect(list.all(nil, ["data-too-large": ""]).map(\.text) == Array(repeating: words, count: 6))
        #expect(list.all(nil, ["data-amount": "-9"]).count == 2)
        var loan = account(2, -(1 << 63) - 7)
        loan.account.type = .loan
        let register = try html(
            AccountRegisterPage(
                chrome: sample.chrome,
                formats: sample.formats,
                catalog: sample.catalog,
                filters: ListFilters(),
                register: AccountRegister(
                    account: loan,
                    page: TransactionPage(rows: [row], days: [], totals: [], next: nil),
                    balancesMinor: [1 << 63],
                    beforeMinor: -(1 << 70),
                    choices: sample.catalog.source
                ),
                form: nil
            )
        )
        // The balance, that after the row, and that before it.
        #expect(register.all(nil, ["data-too-large": ""]).count == 3)
        #expect(mainText(register).contains(sentence))
    }

    @Test(arguments: [1 << 64, -(1 << 64)] as [Int128]) func whatIsToCome(huge: Int128) throws {
        let later = "what is to come is too large to show"
        for formats in [sample.formats, sample.formats(.fresh)] {
            var balance = account(0, 5)
            balance.toComeMinor = huge
            let page = AccountsPage(
                chrome: sample.chrome,
                formats: formats,
                accounts: [balance],
                form: accounts([], formats).form
            )
            let read = try html(page)
            // Beside the balance, and beside the sum.
            #expect(read.all(nil, ["data-too-large": ""]).map(\.text) == [later, later])
            #expect(read.all(nil, ["data-amount": "5"]).count == 2)
            let query = TransactionQuery.ofMonth(formats.today.yearMonth)
            let pair = ToComePair(total(huge, 7), isConverted: true, of: query, formats)
            #expect(pair.income?.text == Text("common.too-large-to-come") && pair.income?.rateDate == nil)
            #expect(pair.expense?.sum.minor == -7)
        }
    }

    @Test func whatIsLeftToSpend() throws {
        let income = 60 * Self.quadrillions
        let formats = sample.formats
        func left(_ repaid: [Int64]) -> LeftToSpend {
            let repaid = repaid.map { Money(minor: $0, currency: Sample.eur) }
            let month = MonthSoFar(totals: [total(2 * income, 0)], repaid: Repaid(soFar: repaid))
            return LeftToSpend(month, overall: nil, [], catalog: sample.catalog, formats: formats)
        }
        #expect(left([]).left.sum.minor == 2 * income)
        #expect(left([Int64(income), Int64(income) / 2]).left.sum.minor == income / 2)
    }

    private func report(_ kind: ReportKind, _ huge: Int128) -> ReportsPage {
        let month = sample.formats.today.yearMonth
        let (one, other) = (month.previous, month)
        func row(_ key: ReportRow.Key, _ minor: Int128) -> ReportRow {
            ReportRow(key: key, total: total(0, minor))
        }
        let content: ReportContent
        switch kind {
        case .category: content = .totals([row(.category(Sample.id(13)), huge)])
        case .payee: content = .totals([row(.payee("Lidl"), huge)])
        case .account: content = .totals([row(.account(Sample.id(1)), huge)])
        case .month: content = .totals([row(.month(one), huge), row(.month(other), 5)])
        case .flow:
            var flow = CashFlow(month: other, currency: Sample.eur)
            (flow.incomeMinor, flow.endMinor) = (huge, huge)
            content = .flow([CashFlow(month: one, currency: Sample.eur), flow])
        case .worth:
            let points = [(one, 0), (other, huge)].map { month, minor in
                NetWorthPoint(month: month, currency: Sample.eur, balanceMinor: minor, debtMinor: -huge / 4)
            }
            let account = AccountWorth(
                account: Sample.id(1),
                currency: Sample.eur,
                beforeMinor: 0,
                afterMinor: huge
            )
            content = .worth(points, [account])
        case .comparison:
            content = .comparison(
                SpendingComparison(of: month, today: sample.formats.today, since: one) { days in
                    [row(.category(Sample.id(13)), days.lowerBound.yearMonth == month ? huge : 100)]
                }
            )
        }
        return ReportsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            kind: kind,
            state: FormState(values: ["from": "\(one)", "to": "\(other)"]),
            content: content
        )
    }

    @Test(arguments: ReportKind.allCases) func reportsAndTheirFiles(kind: ReportKind) throws {
        let page = report(kind, 1 << 64)
        let read = try html(page)
        #expect(!read.all("td", ["data-too-large": ""]).isEmpty && mainText(read).contains(words))
        #expect(mainText(read).contains(sentence))
        let sheet = Sheet(.comma, sample.formats.style)
        let file = page.table(try Repository.texts()).map { sheet.line($0) }
        #expect(file.contains { $0.contains(",\(words),EUR") })
        #expect(!file.contains { $0.contains("92233720368547758") })
        let fitting = try html(report(kind, 1 << 62))
        #expect(!mainText(fitting).contains(words) && !mainText(fitting).contains(sentence))
    }
}

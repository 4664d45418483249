// Pages with balances that are unknown: words in their place, and sums without them.
import Ledger
import TestKit
import Testing

@testable import Web

@Suite struct PagesWithUnknownBalances {
    private let sample = Sample()
    private let renderer: Renderer
    private let without = "Without 1 account whose balance is unknown."
    private let recorded = "Of 1 account whose balance is unknown, only what is recorded counts."
    private let fileNote = "The file contains nothing that only your bank reports."

    init() throws { renderer = try Renderer() }

    private func html(_ page: some Page) throws -> HTMLReader {
        HTMLReader(try renderer.render(page))
    }

    private func unknown(_ place: Int, since seconds: Int64? = Sample.unknown.since) -> AccountBalance {
        var account = sample.balances[place]
        account.unknown = UnknownBalance(since: seconds)
        return account
    }

    private func accounts(_ accounts: [AccountBalance], _ formats: Formats? = nil) -> AccountsPage {
        let formats = formats ?? sample.formats
        return AccountsPage(
            chrome: sample.chrome,
            formats: formats,
            accounts: accounts,
            form: AccountForm(
                state: AccountForm.blank(formats: formats),
                editing: nil,
                once: Sample.once,
                catalog: sample.catalog,
                formats: formats
            )
        )
    }

    @Test func accountsHaveWordsInItsPlaceAndASumWithoutIt() throws {
        let page = try html(accounts([sample.balances[0], unknown(1)]))
        #expect(page.all(nil, ["data-unknown": ""]).map(\.text) == ["unknown since 21 Nov 2026"])
        #expect(Set(page.all(nil, ["data-amount": ""]).compactMap { $0["data-amount"] }) == ["8350"])
        #expect(mainText(page).contains(without))
        #expect(try !mainText(html(accounts(sample.balances))).contains("whose balance"))
        // Without any known balance there is no sum, not one of 0.
        let alone = try html(accounts([unknown(1, since: nil)]))
        #expect(alone.all(nil, ["data-unknown": ""]).map(\.text) == ["unknown"])
        #expect(alone.all(nil, ["data-amount": ""]).isEmpty && mainText(alone).contains(without))
        let premium = accounts([unknown(1)], sample.formats(.fresh))
        #expect(try html(premium).all(nil, ["data-amount": ""]).isEmpty)
    }

    @Test func theDayIsTheUsers() throws {
        let formats = Formats(
            base: .eur,
            secondary: [],
            today: Sample.today,
            style: sample.formats.style,
            day: { CivilDate(dayNumber: Int32(clamping: $0 / 86_400)).adding(days: 1) }
        )
        let page = try html(accounts([unknown(1)], formats))
        #expect(page.all(nil, ["data-unknown": ""]).map(\.text) == ["unknown since 22 Nov 2026"])
    }

    private func overview(_ accounts: [AccountBalance], month: YearMonth? = nil) -> OverviewPage {
        OverviewPage(
            chrome: sample.chrome,
            formats: sample.formats(.fresh),
            catalog: sample.catalog,
            month: month,
            totals: sample.totals,
            budgets: [],
            categories: [],
            accounts: accounts,
            latest: []
        )
    }

    /// A balance of a day before the last refresh is not unknown since that.
    @Test func theDayOfTheLastRefreshIsBesideLaterBalancesOnly() throws {
        let (present, since) = (Sample.today.yearMonth, "unknown since 21 Nov 2026")
        for (month, words) in [(present.previous, "unknown"), (present, since), (present.next, since)] {
            let page = try html(overview([unknown(1)], month: month))
            #expect(page.all(nil, ["data-unknown": ""]).map(\.text) == [words], "\(month)")
            let account = AccountWorth(
                account: Sample.id(2),
                currency: .eur,
                beforeMinor: 0,
                afterMinor: 0,
                unknown: Sample.unknown
            )
            let worth = try html(report(.worth, .worth([], [account]), month: month))
            let cells = worth.all("td", ["data-unknown": ""]).map(\.text)
            #expect(cells == ["unknown", words, "unknown"], "\(month)")
        }
    }

    @Test func theSumOfTheOverviewIsWithoutIt() throws {
        let page = try html(overview([sample.balances[0], unknown(1), sample.balances[3]]))
        // 83.50 and 120 dollars.
        #expect(page.all(nil, ["data-amount": "19437", "data-currency": "EUR"]).count == 1)
        #expect(page.all(nil, ["data-unknown": ""]).count == 1 && mainText(page).contains(without))
    }

    private func report(
        _ kind: ReportKind,
        _ content: ReportContent,
        month: YearMonth = Sample.today.yearMonth,
        unknownCount: Int = 0
    ) -> ReportsPage {
        ReportsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            kind: kind,
            state: FormState(values: ["from": "\(month)", "to": "\(month)"]),
            content: content,
            unknownCount: unknownCount
        )
    }

    private func file(_ report: ReportsPage) throws -> [[String]] {
        let sheet = Sheet(.comma, sample.formats.style)
        return try report.table(Repository.texts()).map { cells in
            cells.isEmpty ? [] : try #require(sheetRows(sheet.line(cells)).first)
        }
    }

    @Test func aNetWorthOfUnknownBalancesOnlyHasNoAmount() throws {
        let account = AccountWorth(
            account: Sample.id(2),
            currency: .eur,
            beforeMinor: 0,
            afterMinor: 0,
            unknown: Sample.unknown
        )
        let report = report(.worth, .worth([], [account]))
        let page = try html(report)
        #expect(page.all(nil, ["data-amount": ""]).isEmpty)
        let words = ["unknown", "unknown since 21 Nov 2026", "unknown"]
        #expect(page.all("td", ["data-unknown": ""]).map(\.text) == words)
        #expect(page.first("figcaption")?.text == "The balances of these accounts are unknown")
        #expect(mainText(page).contains(without))
        let row = ["Checking"] + words.flatMap { [$0, "EUR"] }
        #expect(try Array(file(report).suffix(2)) == [row, [without]])
    }

    /// A total that leaves an account out says so in each table of the file.
    @Test func theFileOfANetWorthNamesTheAccountsThatItsTotalsLeaveOut() throws {
        let month = Sample.today.yearMonth
        let point = NetWorthPoint(month: month, currency: .eur, balanceMinor: 700, debtMinor: 0)
        let accounts = [UnknownBalance?.none, Sample.unknown].enumerated().map { place, unknown in
            AccountWorth(
                account: Sample.id(UInt64(place) + 1),
                currency: .eur,
                beforeMinor: 700,
                afterMinor: 700,
                unknown: unknown
            )
        }
        let lines = try file(report(.worth, .worth([point], accounts), unknownCount: 1))
        try #require(lines.count == 8)
        #expect(lines[2] == [without] && lines[3].isEmpty && lines[7] == [without])
        // The total is the balance of the other account.
        #expect(lines[1][5] == lines[5][3])
        let known = try file(report(.worth, .worth([point], [accounts[0]])))
        #expect(known.count == 5 && !known.joined().contains(without))
    }

    /// Of an account whose bank is not read, the transactions that are not recorded are in no sum.
    @Test func incomeAndSpendingSayThatTheyCountRecordedTransactionsOnly() throws {
        let total = CurrencyTotal(currency: .eur, incomeMinor: 0, expenseMinor: 320, count: 1)
        let row = ReportRow(key: .month(Sample.today.yearMonth), total: total)
        for rows in [[row], []] {
            let report = report(.month, .totals(rows), unknownCount: 1)
            let page = try mainText(html(report))
            #expect(page.contains(recorded) && page.contains(fileNote) == !rows.isEmpty)
            #expect(try file(report).last == [recorded])
        }
        let known = report(.month, .totals([row]))
        #expect(try file(known).count == 2 && !mainText(html(known)).contains(fileNote))

        #expect(try mainText(html(overview([sample.balances[0], unknown(1)]))).contains(recorded))
        #expect(try !mainText(html(overview(sample.balances))).contains(recorded))
        for count in [0, 1] {
            let month = Sample.today.yearMonth
            let form = BudgetForm(
                state: BudgetForm.blank(month: month),
                editing: nil,
                once: Sample.once,
                catalog: sample.catalog,
                formats: sample.formats
            )
            let budgets = BudgetsPage(
                chrome: sample.chrome,
                formats: sample.formats,
                catalog: sample.catalog,
                month: month,
                statuses: sample.budgets,
                upcoming: [],
                leftOutCount: 0,
                unknownCount: count,
                form: form
            )
            #expect(try mainText(html(budgets)).contains(recorded) == (count > 0))
        }
    }

    @Test func aCashFlowOfUnknownBalancesOnlyHasNoneAtItsEnds() throws {
        var flow = CashFlow(month: Sample.today.yearMonth, currency: .eur)
        flow.add(income: 500, expense: 200, moved: 0, isUnknown: true)
        (flow.unknownCount, flow.isBalanceUnknown) = (1, true)
        let report = report(.flow, .flow([flow]), unknownCount: 1)
        let page = try html(report)
        #expect(page.all("td").map { $0["data-amount"] } == [nil, "500", "200", "0", nil])
        #expect(page.all("td", ["data-unknown": ""]).map(\.text) == ["unknown", "unknown"])
        #expect(page.first("figcaption")?.text == "The balances of these accounts are unknown")
        let explanation =
            without + " What came in, went out and was moved counts only what is recorded of it."
        #expect(mainText(page).contains(explanation) && mainText(page).contains(fileNote))
        // The beginning, what came in and went out, and the end do not add up without it.
        #expect(try file(report).last?.first?.hasSuffix(explanation) == true)
    }

    @Test func aLoanWhoseBalanceIsUnknownSaysNothingOfItsDebt() throws {
        var loan = unknown(4)
        (loan.account.type, loan.balanceMinor) = (.loan, -810_000)
        let page = try html(
            AccountRegisterPage(
                chrome: sample.chrome,
                formats: sample.formats,
                catalog: sample.catalog,
                filters: ListFilters(),
                register: AccountRegister(
                    account: loan,
                    page: TransactionPage(rows: [], days: [], totals: [], next: nil),
                    balancesMinor: [],
                    beforeMinor: nil,
                    choices: sample.catalog.source,
                    repayment: Repayment(changeMinor: 90_000, monthCount: 3)
                ),
                form: nil
            )
        )
        #expect(page.all(nil, ["data-unknown": ""]).count == 1 && !mainText(page).contains("owed"))
        #expect(page.all(nil, ["data-amount": ""]).isEmpty)
    }
}

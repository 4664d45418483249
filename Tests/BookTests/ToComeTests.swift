// Figures end today: what was entered for later days is beside them, and counts from its day on.
import GRDB
import Ledger
import Synchronization
import TestKit
import Testing

@testable import Book

/// Something that was entered for later days, and what of it is to come on the 21st.
private struct Later: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let rows: [Transaction]
    /// On the account of the example.
    var change: Int128 = 0
    /// In the present month.
    var income: Int128 = 0
    var spent: Int128 = 0
    /// Whether all of it is of tomorrow.
    var isOfTomorrow = true
}

private let laterCases: [Later] = {
    var split = Transaction.sample(60, .expense, "2026-11-22", 900)
    split.split = .parts([
        SplitPart(category: .number(11), minor: 600, note: ""),
        SplitPart(category: nil, minor: 300, note: ""),
    ])
    return [
        Later(testDescription: "nothing", rows: []),
        Later(
            testDescription: "an expense of tomorrow",
            rows: [.sample(60, .expense, "2026-11-22", 900, category: 11, payee: "Shop")],
            change: -900,
            spent: 900
        ),
        Later(
            testDescription: "a salary of January",
            rows: [.sample(60, .income, "2027-01-15", 300_000, category: 12, payee: "Work")],
            change: 300_000,
            isOfTomorrow: false
        ),
        Later(
            testDescription: "an expense of tomorrow and a salary of January",
            rows: [
                .sample(60, .expense, "2026-11-22", 900, category: 11, payee: "Shop"),
                .sample(61, .income, "2027-01-15", 300_000, category: 12, payee: "Work"),
            ],
            change: 299_100,
            spent: 900,
            isOfTomorrow: false
        ),
        Later(
            testDescription: "a transfer of tomorrow",
            rows: [.sample(60, .transfer, "2026-11-22", 500, to: 2, toMinor: 500)],
            change: -500
        ),
        Later(
            testDescription: "a refund of tomorrow",
            rows: [.sample(60, .income, "2026-11-22", 200, category: 11, payee: "Shop")],
            change: 200,
            spent: -200
        ),
        Later(testDescription: "a split of tomorrow", rows: [split], change: -900, spent: 900),
        Later(
            testDescription: "an expense of tomorrow in another currency",
            rows: [.sample(60, .expense, "2026-11-22", 1_000, .usd, accountMinor: 900, category: 11)],
            change: -900,
            spent: 900
        ),
    ]
}()

@Suite struct FiguresThatEndToday {
    private let folder = Scratch()
    private let today = day("2026-11-21")
    private let november = month("2026-11")

    /// 100.00, of which 10.00 were spent yesterday, and a budget for all spending.
    private func book(_ later: [Transaction]) throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1, opening: 10_000))
        try book.add(Account.sample(2))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12, .income))
        try book.add(Budget.sample(21, category: nil, limit: 5_000, from: "2026-11"))
        try book.record(.sample(50, .expense, "2026-11-20", 1_000, category: 11, payee: "Shop"))
        for row in later { try book.record(row) }
        return book
    }

    /// Everything on a day that says what the account holds.
    private func balances(_ book: Book, on today: CivilDate) throws -> [String: Int128] {
        let id = EntityID.number(1)
        func own(_ accounts: [AccountBalance]) -> Int128? {
            accounts.first { $0.account.id == id }?.balanceMinor
        }
        let month = today.yearMonth
        let others = try book.account(.number(2), through: today)?.balanceMinor ?? 0
        let sums = [
            "accounts": try own(book.balances(beside: nil, through: today)),
            "account": try book.account(id, through: today)?.balanceMinor,
            "overview": try own(book.overview(month: month, today: today, base: .eur).accounts),
            "register": try book.register(of: id, TransactionQuery(), through: today)?.account.balanceMinor,
            "move": try book.planMove(from: id, to: .number(2), through: today).source.balanceMinor,
            "worth by account": try book.accountWorth(from: month, to: month, through: today)
                .first { $0.account == id }?.afterMinor,
            // These two are of both accounts.
            "worth": try book.netWorth(from: month, to: month, through: today).first
                .map { $0.balanceMinor - others },
            "worth of years": try book.netWorth(from: month, to: month.next.next, through: today)
                .last { $0.month == month }.map { $0.balanceMinor - others },
            "flow": try book.cashFlow(from: month.previous, to: month, through: today).last
                .map { $0.endMinor - others },
        ]
        return sums.compactMapValues(\.self)
    }

    /// Everything on a day that says what was spent in its month.
    private func spending(_ book: Book, on today: CivilDate) throws -> [String: Int128] {
        let month = today.yearMonth
        func sum(_ totals: [CurrencyTotal]) -> Int128 { totals.reduce(0) { $0 + $1.expenseMinor } }
        func sum(_ rows: [ReportRow]) -> Int128 { sum(rows.map(\.total)) }
        var query = TransactionQuery()
        query.month = month
        let overview = try book.overview(month: month, today: today, base: .eur)
        let schedules = try book.schedules(on: today, base: .eur)
        let budgets = try book.budgets(month: month, current: month, base: .eur, through: today)
        var found = [
            "overview": sum(overview.totals), "where it went": sum(overview.spending),
            "budget of the overview": overview.budgets.first?.spentMinor ?? 0,
            "budget": budgets.statuses.first?.spentMinor ?? 0,
            "categories of budgets": sum(budgets.spending),
            "schedules": sum(schedules.month.totals), "left": schedules.overall?.spentMinor ?? 0,
            "list": sum(try book.transactions(query, knownIn: .eur, through: today).page.totals),
            "flow": try book.cashFlow(from: month, to: month, through: today).first?.expenseMinor ?? 0,
            "comparison": sum(
                try book.spending(of: month.firstDay...month.lastDay, knownIn: .eur, through: today)
            ),
        ]
        query.isSpending = true
        query.limit = 1
        found["list of spending"] =
            sum(try book.transactions(query, knownIn: .eur, through: today).page.totals)
        for group in ReportGroup.allCases where group != .payee {
            for last in [month, YearMonth(year: month.year, month: 12)] {
                let rows = try book.report(
                    from: month,
                    to: last,
                    group: group,
                    knownIn: .eur,
                    through: today
                )
                found["report by \(group) until \(last)"] = sum(rows)
            }
        }
        return found
    }

    @Test(arguments: laterCases)
    fileprivate func areThoseOfTodayOnAllPages(later: Later) throws {
        let book = try book(later.rows)
        let balances = try balances(book, on: today)
        #expect(balances.count == 9 && Set(balances.values) == [9_000], "\(balances)")
        let spending = try spending(book, on: today)
        #expect(spending.count > 15 && Set(spending.values) == [1_000], "\(spending)")
    }

    @Test(arguments: laterCases)
    fileprivate func haveBesideThemWhatIsToCome(later: Later) throws {
        let book = try book(later.rows)
        let overview = try book.overview(month: november, today: today, base: .eur)
        let shown = try book.balances(beside: nil, through: today)
        #expect(shown.first?.toComeMinor == later.change)
        #expect(overview.accounts == shown)
        #expect(try book.register(of: .number(1), TransactionQuery(), through: today)?.account == shown[0])
        #expect(try book.planMove(from: .number(1), to: .number(2), through: today).source == shown[0])
        var query = TransactionQuery()
        query.month = november
        let list = try book.transactions(query, knownIn: .eur, through: today).page
        #expect(list.rows.count == 1 + later.rows.count { $0.date.yearMonth == november }, "all are listed")
        for toCome in [overview.toCome, list.toCome, try book.schedules(on: today, base: .eur).month.toCome] {
            #expect(toCome.reduce(0) { $0 + $1.incomeMinor } == later.income)
            #expect(toCome.reduce(0) { $0 + $1.expenseMinor } == later.spent)
        }
        #expect(overview.budgets.map(\.toComeMinor) == [later.spent])
        #expect(overview.budgets.map(\.spentMinor) == [1_000])
        // The list of exactly the days to come has the same amounts.
        query.days = today.adding(days: 1)...november.lastDay
        let behind = try book.transactions(query, knownIn: .eur, through: today).page
        #expect(behind.toCome.isEmpty && behind.totals.map(\.expenseMinor).reduce(0, +) == later.spent)
        query.days = today.adding(days: 1)...CivilDate.distantFuture
        query.account = .number(1)
        let all = try book.transactions(query, through: today).page
        let change = all.totals.reduce(0) { $0 + $1.incomeMinor - $1.expenseMinor }
        let moved = all.moved.reduce(0) { $0 + $1.minor }
        let isForeign = later.rows.contains { $0.amount.currency != .eur }
        #expect(isForeign || change + moved == later.change)
    }

    /// Midnight is no change of the book.
    @Test(arguments: laterCases)
    fileprivate func countThemFromTheirDayOn(later: Later) throws {
        let book = try book(later.rows)
        _ = try (balances(book, on: today), spending(book, on: today))
        let tomorrow = today.adding(days: 1)
        let ofTomorrow = later.rows.filter { $0.date == tomorrow }
        let isJanuary = ofTomorrow.count < later.rows.count
        let change = later.change - (isJanuary ? 300_000 : 0)
        let balances = try balances(book, on: tomorrow)
        #expect(Set(balances.values) == [9_000 + change], "\(balances)")
        let spending = try spending(book, on: tomorrow)
        #expect(Set(spending.values) == [1_000 + later.spent], "\(spending)")
        let left = try book.account(.number(1), through: tomorrow)?.toComeMinor
        #expect(left == (isJanuary ? 300_000 : 0))
        // And back: another device of the user may be in a zone in which it is still today.
        #expect(try Set(self.balances(book, on: today).values) == [9_000])
    }

    /// A time that has not begun is of what was entered for it.
    @Test func areOfWhatWasEnteredWhereAllIsToCome() throws {
        let book = try book([
            .sample(60, .expense, "2026-11-22", 900, category: 11),
            .sample(61, .expense, "2026-12-03", 70, category: 11),
            .sample(62, .income, "2027-01-15", 300_000, category: 12),
        ])
        let december = november.next
        var query = TransactionQuery()
        query.month = december
        let list = try book.transactions(query, through: today).page
        #expect(list.totals.map(\.expenseMinor) == [70] && list.toCome.isEmpty)
        let overview = try book.overview(month: december, today: today, base: .eur)
        #expect(overview.totals.map(\.expenseMinor) == [70] && overview.toCome.isEmpty)
        #expect(overview.accounts.first?.balanceMinor == 8_030 && overview.accounts[0].toComeMinor == 0)
        let budgets = try book.budgets(month: december, current: november, base: .eur, through: today)
        #expect(budgets.statuses.map(\.spentMinor) == [70] && budgets.statuses[0].toComeMinor == 0)
        let rows = try book.report(from: december, to: december, group: .category, through: today)
        #expect(rows.map(\.total.expenseMinor) == [70])
        let worth = try book.netWorth(from: december, to: december.next, through: today)
        #expect(worth.map(\.balanceMinor) == [8_030, 308_030])
        // A month that is over does not change with the day either.
        let past = try book.netWorth(from: november.previous, to: november.previous, through: today)
        #expect(past.map(\.balanceMinor) == [10_000])
    }

    @Test func ofAReportWithTodayInItEndWithThePresentMonth() throws {
        let book = try book([.sample(60, .income, "2027-01-15", 300_000, category: 12)])
        let january = november.next.next
        let worth = try book.netWorth(from: november, to: january, through: today)
        #expect(worth.map(\.month) == [november])
        #expect(try book.cashFlow(from: november, to: january, through: today).map(\.month) == [november])
        let months = try book.report(from: november, to: january, group: .month, through: today)
        #expect(months.map(\.key) == [.month(november)])
        let before = try book.accountWorth(from: november, to: january, through: today)
        #expect(before.first { $0.account == .number(1) }?.beforeMinor == 10_000)
    }

    @Test func aPaymentToALoanIsNoneBeforeItsDay() throws {
        let book = try book([])
        var loan = Account.sample(3, opening: -100_000)
        loan.type = .loan
        try book.add(loan)
        try book.record(.sample(70, .transfer, "2026-10-28", 600, to: 3, toMinor: 600))
        try book.record(.sample(71, .transfer, "2026-11-28", 700, to: 3, toMinor: 700))
        for (day, isPaid, owed) in [("2026-11-21", false, Int128(-99_400)), ("2026-11-28", true, -98_700)] {
            let register = try book.register(
                of: .number(3),
                TransactionQuery(),
                current: november,
                through: CivilDate(iso: day) ?? today
            )
            #expect(register?.repayment?.isPaidThisMonth == isPaid, "\(day)")
            #expect(register?.account.balanceMinor == owed, "\(day)")
            #expect(register?.balancesMinor == [-98_700, -99_400], "a row has the balance of its day")
        }
    }

    @Test func aMoveSaysWhatOfItIsToCome() throws {
        let book = try book([
            .sample(60, .expense, "2026-11-22", 900), .sample(61, .transfer, "2026-11-23", 400, to: 2),
            .sample(62, .income, "2027-01-15", 300_000),
        ])
        let plan = try book.planMove(from: .number(1), to: .number(2), through: today)
        // The transfer stays.
        #expect(plan.sumMinor == 298_100 && plan.toComeMinor == 299_100 && plan.count == 3)
        #expect(plan.source.balanceMinor == 9_000 && plan.source.toComeMinor == 298_700)
        #expect(plan.target.balanceMinor == 0 && plan.target.toComeMinor == 400)
    }

    @Test func readLaterTransactionsOnceADay() throws {
        let book = try book([
            .sample(60, .expense, "2026-11-22", 900), .sample(61, .income, "2027-01-15", 300_000),
        ])
        _ = try book.accountBalances()
        #expect(try statements(book, on: today) == 2, "the rest of the month, and the months after it")
        #expect(try statements(book, on: today) == 0)
        #expect(try statements(book, on: today.adding(days: 1)) == 2)
        #expect(try statements(book, on: day("2027-01-15")) == 0, "nothing is later")
        try book.record(.sample(62, .expense, "2026-11-23", 10))
        _ = try book.accountBalances()
        #expect(try statements(book, on: today) == 2)
    }

    /// The statements for the balances of a day, without the frames of their transactions.
    private func statements(_ book: Book, on day: CivilDate) throws -> Int {
        let found = Mutex<[String]>([])
        let note: @Sendable (String) -> Void = { text in found.withLock { $0.append(text) } }
        try book.store.inDatabase { db in db.trace { note("\($0)") } }
        _ = try book.balances(beside: nil, through: day)
        try book.store.inDatabase { db in db.trace(options: []) }
        return found.withLock { $0 }.count { !$0.hasPrefix("BEGIN") && !$0.hasPrefix("COMMIT") }
    }
}

@Suite struct BalancesOfBanksThatEndToday {
    private let folder = Scratch()
    private let key = BankAccountKey.sample("a")
    private let today = day("2026-11-21")

    private func book() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1, opening: 10_000))
        try book.joinSample("a", to: 1)
        try book.record(.sample(50, .expense, "2026-11-18", 1_000))
        try book.record(.sample(51, .expense, "2026-11-21", 30))
        try book.record(.sample(52, .expense, "2026-11-28", 5_000))
        return book
    }

    /// The balance of the bank is of a day; what was entered for the days from it to today is added, and the rest is to
    /// come.
    @Test(arguments: [("2026-11-19", Int128(89_970), Int128(9_000)), ("2026-11-21", 90_000, 8_970)])
    func continueFromTheDayOfTheBank(asOf: String, shown: Int128, recorded: Int128) throws {
        let book = try book()
        let balance = BankBalance(
            money: Money(minor: 90_000, currency: .eur),
            asOf: Int64(day(asOf).dayNumber) * 86_400 + 3_600
        )
        let tomorrow = try BankTransaction.sample("t9", "2026-11-22", -200)
        let rows = try book.bankRows(of: BankReports([key: [tomorrow]], balances: [key: balance]))
        let account = try #require(try book.balances(beside: rows, through: today).first)
        #expect(account.balanceMinor == shown && account.toComeMinor == -5_200)
        #expect(account.recordedMinor == recorded, "what was entered since is no difference")
        let november = month("2026-11")
        let worth = try book.netWorth(from: november, to: november, beside: rows, through: today)
        #expect(worth.map(\.balanceMinor) == [shown])
        let flow = try book.cashFlow(from: november, to: november, beside: rows, through: today)
        #expect(flow.map(\.endMinor) == [shown] && flow.map(\.expenseMinor) == [1_030])
        let overview = try book.overview(month: november, today: today, base: .eur, beside: rows)
        #expect(overview.accounts == [account] && overview.totals.map(\.expenseMinor) == [1_030])
        #expect(overview.toCome.map(\.expenseMinor) == [5_200])
        let register = try #require(
            try book.register(of: .number(1), TransactionQuery(), beside: rows, through: today)
        )
        #expect(register.account == account)
        #expect(register.balancesMinor.first == shown - 5_200)
        var query = TransactionQuery()
        query.month = november
        let list = try book.transactions(query, beside: rows, through: today).page
        #expect(list.totals.map(\.expenseMinor) == [1_030] && list.toCome.map(\.expenseMinor) == [5_200])
        for group in [ReportGroup.category, .account, .month] {
            let report = try book.report(
                from: november,
                to: november,
                group: group,
                beside: rows,
                through: today
            )
            #expect(report.map(\.total.expenseMinor) == [1_030], "\(group)")
        }
        // On the next day the row of the bank has come.
        let next = try book.balances(beside: rows, through: today.adding(days: 1)).first
        #expect(next?.balanceMinor == shown - 200 && next?.toComeMinor == -5_000)
    }
}

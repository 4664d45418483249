// The opening balance of an account counts from its day on, and transactions of earlier days count as well.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct OpeningDays {
    private let folder = Scratch()
    private let book: Book

    /// Two accounts with 100.00: the first one since 10 March 2025, the second one ever since.
    init() throws {
        book = try .scratch(folder)
        var cash = Account.sample(1, opening: 10_000)
        cash.openingDay = day("2025-03-10")
        try book.add(cash)
        try book.add(Account.sample(2, opening: 10_000))
        try book.record(.sample(50, .expense, "2025-02-03", 300))
        try book.record(.sample(51, .expense, "2025-03-09", 200))
        try book.record(.sample(52, .expense, "2025-03-10", 50))
        try book.record(.sample(53, .income, "2025-04-01", 1_000))
    }

    @Test func areTheFirstDaysOnWhichTheMoneyIsThere() throws {
        let months = (from: month("2025-01"), to: month("2025-04"))
        let worth = try book.netWorth(from: months.from, to: months.to)
        #expect(worth.map(\.balanceMinor) == [10_000, 9_700, 19_450, 20_450])
        let flows = try book.cashFlow(from: months.from, to: months.to)
        #expect(flows.map(\.openedMinor) == [0, 0, 10_000, 0])
        #expect(flows.map(\.startMinor) == [10_000, 10_000, 9_700, 19_450])
        #expect(flows.map(\.endMinor) == worth.map(\.balanceMinor))
        let accounts = try book.accountWorth(from: month("2025-03"), to: month("2025-03"))
        let cash = try #require(accounts.first { $0.account == .number(1) })
        #expect(cash.beforeMinor == -300 && cash.afterMinor == 9_450)
        let february = try book.overview(month: month("2025-02"), today: day("2025-04-30"), base: .eur)
        #expect(february.accounts.map(\.balanceMinor) == [-300, 10_000])
        #expect(try book.account(.number(1))?.balanceMinor == 10_450, "all of it counts today")
    }

    @Test func haveARowInTheRegister() throws {
        let register = try #require(try book.register(of: .number(1), TransactionQuery()))
        #expect(register.page.rows.map(\.amount.minor) == [1_000, 50, 200, 300])
        #expect(register.balancesMinor == [10_450, 9_450, -500, -300])
        let row = OpeningRow(day: day("2025-03-10"), minor: 10_000, balanceMinor: 9_500)
        #expect(register.opening == row && register.beforeMinor == nil)
        var query = TransactionQuery { $0.month = month("2025-03") }
        let march = try #require(try book.register(of: .number(1), query))
        #expect(march.opening == row && march.beforeMinor == -300)
        query.text = "nothing"
        #expect(try book.register(of: .number(1), query)?.opening == nil)
        query = TransactionQuery { $0.month = month("2025-02") }
        let february = try #require(try book.register(of: .number(1), query))
        #expect(february.opening == nil && february.beforeMinor == 0 && february.balancesMinor == [-300])
        #expect(try book.register(of: .number(2), TransactionQuery())?.opening == nil)
    }

    @Test func areOnThePageOfTheirRows() throws {
        var pages: [Int?] = []
        var query = TransactionQuery { $0.limit = 2 }
        repeat {
            let register = try #require(try book.register(of: .number(1), query))
            pages.append(register.opening.map { Int($0.minor) })
            query.after = register.page.next
        } while query.after != nil
        // The first page ends with a row of the same day, of which there could be more.
        #expect(pages == [nil, 10_000])
    }

    @Test func ofALaterDayAreToCome() throws {
        let today = day("2025-03-09")
        let shown = try #require(try book.balances(beside: nil, through: today).first)
        #expect(shown.balanceMinor == -500 && shown.toComeMinor == 10_950)
        #expect(try book.account(.number(1), through: today) == shown)
        #expect(try book.register(of: .number(1), TransactionQuery(), through: today)?.account == shown)
        let (first, last) = (month("2025-02"), month("2025-03"))
        let worth = try book.netWorth(from: first, to: last, through: today)
        #expect(worth.map(\.balanceMinor) == [9_700, 9_500])
        let flows = try book.cashFlow(from: first, to: last, through: today)
        #expect(flows.map(\.endMinor) == [9_700, 9_500] && flows.map(\.openedMinor) == [0, 0])
    }

    @Test func ofALaterDayAreToComeWithoutLaterTransactions() throws {
        for number in 52...53 { try book.deleteTransaction(.number(number)) }
        let (march, today) = (month("2025-03"), day("2025-03-09"))
        #expect(
            try book.balances(beside: nil, through: today).map { [$0.balanceMinor, $0.toComeMinor] }
                == [[-500, 10_000], [10_000, 0]]
        )
        #expect(try book.netWorth(from: march, to: march, through: today).map(\.balanceMinor) == [9_500])
        let overview = try book.overview(month: march, today: today, base: .eur)
        #expect(overview.accounts.map(\.balanceMinor) == [-500, 10_000])
    }

    @Test func doNotMoveWithTheTransactions() throws {
        let plan = try book.planMove(from: .number(1), to: .number(2), through: day("2025-03-09"))
        #expect(plan.sumMinor == 450 && plan.toComeMinor == 950)
        _ = try book.moveTransactions(from: .number(1), to: .number(2))
        #expect(try book.accountBalances().map(\.balanceMinor) == [10_000, 10_450])
    }

    @Test func areComparedWithTheTransactionsThatMove() throws {
        var target = Account.sample(3)
        target.openingDay = day("2025-03-10")
        try book.add(target)
        try book.record(.sample(54, .transfer, "2025-03-01", 10, account: 2, to: 1))
        // A transfer between the two accounts stays.
        try book.record(.sample(55, .transfer, "2025-03-01", 10, account: 1, to: 3))
        let plan = try book.planMove(from: .number(1), to: .number(3))
        #expect(plan.count == 5 && plan.transferCount == 1 && plan.beforeOpeningCount == 3)
        #expect(try book.planMove(from: .number(1), to: .number(2)).beforeOpeningCount == 0)
    }

    @Test func comeBackWithTheirAccount() throws {
        for number in 50...53 { try book.deleteTransaction(.number(number)) }
        try book.deleteAccount(.number(1))
        let deletion = try #require(try book.history(limit: 1).first)
        _ = try book.undo(deletion.id, overriding: false)
        let account = try #require(try book.account(.number(1))?.account)
        #expect(account.openingDay == day("2025-03-10") && account.openingMinor == 10_000)
        try book.deleteAccount(.number(1))
        #expect(try book.restoreAccount(.number(1)) == .number(1))
        #expect(try book.account(.number(1))?.account.openingDay == day("2025-03-10"))
    }

    @Test func areThoseOfTheFirstTransaction() throws {
        #expect(try book.firstDay(ofAccount: .number(1)) == day("2025-02-03"))
        #expect(try book.firstDay(ofAccount: .number(2)) == nil)
        try book.record(.sample(54, .transfer, "2025-01-05", 10, to: 2))
        #expect(try book.firstDay(ofAccount: .number(2)) == day("2025-01-05"))
    }

    @Test func ofAnAccountAtABankAreWhereItsBalanceBegins() throws {
        let place = Scratch()
        let bank = try Book.scratch(place)
        let key = BankAccountKey(provider: "truelayer", account: "a")
        try bank.add(Account.sample(1, opening: 77))
        try bank.joinSample("a", to: 1)
        var account = try #require(try bank.account(.number(1))?.account)
        account.openingDay = day("2025-11-05")
        try bank.change(account)
        try bank.record(.sample(50, .expense, "2025-11-05", 1_000))
        let reports = BankReports(
            [key: [try .sample("t1", "2025-11-20", -320, "a"), try .sample("t2", "2025-10-20", -200, "b")]],
            balances: [
                key: BankBalance(
                    money: Money(minor: 90_000, currency: .eur),
                    asOf: Int64(day("2025-11-24").dayNumber) * 86_400
                )
            ]
        )
        let rows = try bank.bankRows(of: reports)
        let (first, last) = (month("2025-09"), month("2025-11"))
        let worth = try bank.netWorth(from: first, to: last, beside: rows)
        #expect(worth.map(\.balanceMinor) == [0, -200, 90_000])
        let flows = try bank.cashFlow(from: last, to: last, beside: rows)
        #expect(flows.map(\.startMinor) == [-200] && flows.map(\.openedMinor) == [91_520])
        let register = try #require(try bank.register(of: .number(1), TransactionQuery(), beside: rows))
        #expect(register.balancesMinor == [90_000, 90_320, -200])
        #expect(
            register.opening == OpeningRow(day: day("2025-11-05"), minor: 91_520, balanceMinor: 91_320)
        )
        // The balance that the bank reports is there on any day of the opening balance.
        account.openingDay = day("2025-12-24")
        try bank.change(account)
        let now = try bank.bankRows(of: reports)
        let shown = try bank.balances(beside: now, through: day("2025-11-25"))
        #expect(shown.map(\.balanceMinor) == [90_000] && shown.map(\.toComeMinor) == [0])
        let later = try bank.netWorth(from: last, to: last, beside: now, through: day("2025-11-25"))
        #expect(later.map(\.balanceMinor) == [90_000])
    }
}

@Suite struct TransactionsInAnOpeningBalance {
    private let folder = Scratch()
    private let book: Book

    /// 100.00 on two accounts since 10 and 20 March 2025.
    init() throws {
        book = try .scratch(folder)
        for (number, text) in [(1, "2025-03-10"), (2, "2025-03-20")] {
            var account = Account.sample(number, opening: 10_000)
            account.openingDay = day(text)
            try book.add(account)
        }
        try book.add(Account.sample(3))
    }

    private func openings() throws -> [Int64] {
        try book.accountBalances().map(\.account.openingMinor)
    }

    private func balances() throws -> [Int128] { try book.accountBalances().map(\.balanceMinor) }

    /// The numbers of the accounts of a question.
    private func asked(_ transaction: Transaction, inPlaceOf former: Transaction? = nil) throws -> [EntityID]
    {
        try transaction.perhapsInOpenings(of: book.choices().accounts, inPlaceOf: former).map(\.id)
    }

    @Test func areThoseOfEarlierDays() throws {
        #expect(try asked(.sample(50, .expense, "2025-03-10")).isEmpty)
        #expect(try asked(.sample(50, .expense, "2025-03-09")) == [.number(1)])
        #expect(try asked(.sample(50, .expense, "2025-03-09", account: 3)).isEmpty)
        #expect(try asked(.sample(50, .transfer, "2025-03-09", account: 3, to: 2)) == [.number(2)])
        #expect(try asked(.sample(50, .transfer, "2025-03-15", to: 2)) == [.number(2)])
        #expect(try asked(.sample(50, .transfer, "2025-03-09", to: 2)) == [.number(1), .number(2)])
        try book.joinSample("a", to: 1)
        #expect(try asked(.sample(50, .expense, "2025-03-09")).isEmpty, "the bank reports the balance")
    }

    @Test func areNotAskedAboutForWhatStays() throws {
        let old = Transaction.sample(50, .expense, "2025-03-09")
        #expect(try asked(.sample(50, .expense, "2025-02-01", payee: "Shop"), inPlaceOf: old).isEmpty)
        #expect(try asked(.sample(50, .expense, "2025-03-10"), inPlaceOf: old).isEmpty)
        #expect(try asked(.sample(50, .expense, "2025-03-09", 2), inPlaceOf: old) == [.number(1)])
        #expect(try asked(.sample(50, .expense, "2025-03-09", account: 2), inPlaceOf: old) == [.number(2)])
    }

    @Test func leaveTheBalanceAsItIs() throws {
        let change = try book.record(
            .sample(50, .expense, "2025-03-01", 300),
            containedInOpeningsOf: [.number(1)]
        )
        #expect(try openings() == [10_300, 10_000, 0] && balances() == [10_000, 10_000, 0])
        try book.record(.sample(51, .income, "2025-03-01", 500), containedInOpeningsOf: [.number(1)])
        #expect(try openings() == [9_800, 10_000, 0] && balances() == [10_000, 10_000, 0])
        let register = try #require(try book.register(of: .number(1), TransactionQuery()))
        #expect(register.balancesMinor == [200, -300] && register.opening?.balanceMinor == 10_000)
        // The other answer: it counts beside the opening balance.
        try book.record(.sample(52, .expense, "2025-03-01", 40))
        #expect(try openings() == [9_800, 10_000, 0] && balances() == [9_960, 10_000, 0])
        #expect(change != nil)
    }

    @Test func areAddedAndTakenOutInOneStep() throws {
        let transaction = Transaction.sample(50, .transfer, "2025-03-01", 300, to: 2)
        let accounts: Set<EntityID> = [.number(1), .number(2)]
        let change = try #require(try book.record(transaction, containedInOpeningsOf: accounts))
        #expect(try openings() == [10_300, 9_700, 0] && balances() == [10_000, 10_000, 0])
        #expect(try book.history(limit: 1).first?.id == change)
        #expect(try book.record(transaction, containedInOpeningsOf: accounts) == nil, "sent twice")
        #expect(try openings() == [10_300, 9_700, 0])
        _ = try book.undo(change, overriding: false)
        #expect(try openings() == [10_000, 10_000, 0] && balances() == [10_000, 10_000, 0])
        #expect(try book.transaction(.number(50)) == nil)
    }

    @Test func changeItByTheDifferenceOfAnEdit() throws {
        try book.record(.sample(50, .expense, "2025-03-01", 300), containedInOpeningsOf: [.number(1)])
        let edit = try book.change(
            .sample(50, .expense, "2025-03-02", 450),
            containedInOpeningsOf: [.number(1)]
        )
        #expect(try openings() == [10_450, 10_000, 0] && balances() == [10_000, 10_000, 0])
        _ = try book.undo(try #require(edit.change), overriding: false)
        #expect(try openings() == [10_300, 10_000, 0] && balances() == [10_000, 10_000, 0])
        // One that has counted after the opening balance is found to be in it.
        try book.record(.sample(51, .expense, "2025-04-01", 70))
        try book.change(.sample(51, .expense, "2025-03-05", 70), containedInOpeningsOf: [.number(1)])
        #expect(try openings() == [10_370, 10_000, 0] && balances() == [10_000, 10_000, 0])
    }

    @Test func areDeletedLikeAnyOther() throws {
        try book.record(.sample(50, .expense, "2025-03-01", 300), containedInOpeningsOf: [.number(1)])
        try book.deleteTransaction(.number(50))
        #expect(try openings() == [10_300, 10_000, 0] && balances() == [10_300, 10_000, 0])
    }

    @Test func areRefusedWhereNoOpeningBalanceCanHoldThem() throws {
        var full = Account.sample(4, opening: .max - 10)
        full.openingDay = day("2025-03-10")
        try book.add(full)
        #expect(throws: BookError.overflow) {
            try book.record(
                .sample(50, .expense, "2025-03-01", 300, account: 4),
                containedInOpeningsOf: [.number(4)]
            )
        }
        #expect(try book.transaction(.number(50)) == nil)
        #expect(throws: BookError.unknownAccount(.number(9))) {
            try book.record(.sample(50, .expense, "2025-03-01"), containedInOpeningsOf: [.number(9)])
        }
    }

    @Test func areCountedWhenManyChange() throws {
        for number in 50...52 { try book.record(.sample(number, .expense, "2025-04-01", 10)) }
        let selection = TransactionSelection.rows([.number(50), .number(51)])
        let moved = try book.change(selection, by: .date(day("2025-03-01")))
        #expect(moved.changedCount == 2 && moved.beforeOpeningCount == 2)
        #expect(try book.change(selection, by: .date(day("2025-02-01"))).beforeOpeningCount == 0)
        let target = try #require(try book.choices().accounts.first { $0.id == .number(2) })
        #expect(try book.change(selection, by: .account(target)).beforeOpeningCount == 2)
        let last = TransactionSelection.rows([.number(52)])
        #expect(try book.change(last, by: .account(target)).beforeOpeningCount == 0)
        #expect(try balances() == [10_000, 9_970, 0], "they count beside the opening balance")
    }
}

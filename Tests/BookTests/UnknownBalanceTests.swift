// The balances of banks that a device cannot read: no balance of the book counts them.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct UnknownBalanceTests {
    private let folder = Scratch()
    private let key = BankAccountKey.sample("a")
    private let november = month("2025-11")

    /// A book with an account at a bank, and one without.
    private func book() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1, opening: 700))
        try book.add(Account.sample(2, opening: 10_000))
        try book.joinSample("a", to: 1)
        try book.record(.sample(50, .expense, "2025-11-05", 300))
        try book.record(.sample(51, .income, "2025-11-06", 2_000, account: 2))
        try book.record(.sample(52, .transfer, "2025-11-07", 40, account: 1, to: 2))
        return book
    }

    /// The balances beside a report, by the numbers of the accounts.
    private func balances(_ book: Book, _ reports: BankReports) throws -> [AccountBalance] {
        try book.balances(beside: book.bankRows(of: reports))
    }

    @Test func theBalanceOfABankThatCannotBeReadIsUnknownSinceItsLastRefresh() throws {
        let book = try book()
        let alone = try balances(book, BankReports([:]))
        #expect(alone.map(\.unknown) == [UnknownBalance(since: noon), nil])
        #expect(alone.map(\.knownMinor) == [nil, 12_040])
        // The report was removed: this device knows when it was the last one.
        let removed = BankReports([:], removed: ["\(EntityID.number(600))": noon - 86_400])
        #expect(try balances(book, removed).first?.unknown == UnknownBalance(since: noon - 86_400))
        // It is another account's report.
        #expect(try balances(book, BankReports([.sample("b"): []])).first?.unknown != nil)
        let bank = AccountBank(account: "truelayer:c", isUsed: true)
        var unread = Account.sample(3)
        unread.bank = bank
        try book.add(unread)
        #expect(try balances(book, BankReports([:])).last?.unknown == UnknownBalance(since: nil))
    }

    @Test func aBankThatReportsNoBalanceHasTheSumOfItsTransactions() throws {
        let book = try book()
        let row = try BankTransaction.sample("t1", "2025-11-20", -60, "KIOSK")
        #expect(try balances(book, BankReports([key: [row]])).map(\.knownMinor) == [300, 12_040])
        #expect(try balances(book, BankReports([key: []])).map(\.knownMinor) == [360, 12_040])
        let balance = BankBalance(money: Money(minor: 5_000, currency: .eur), asOf: noon)
        let reported = BankReports([:], balances: [key: balance])
        #expect(try balances(book, reported).map(\.knownMinor) == [5_000, 12_040])
    }

    /// The user has changed the currency of the account since it was joined.
    @Test func aBalanceThatIsReportedInAnotherCurrencyIsUnknown() throws {
        let book = try book()
        let balance = BankBalance(money: Money(minor: 5_000, currency: .usd), asOf: noon)
        var row = try BankTransaction.sample("t1", "2025-11-20", -60, "KIOSK")
        row.money = Money(minor: -60, currency: .usd)
        let reports = [
            BankReports([key: [row]], balances: [key: balance]), BankReports([key: [row]]),
            BankReports([key: []], balances: [key: balance]),
        ]
        for reports in reports {
            let shown = try balances(book, reports)
            #expect(shown.map(\.unknown) == [UnknownBalance(bankCurrency: .usd), nil])
            let rows = try book.bankRows(of: reports)
            #expect(rows.all.isEmpty && !rows.areReported && rows.unknownAccounts == [.number(1)])
            let worth = try book.netWorth(from: november, to: november, beside: rows)
            #expect(worth.map(\.balanceMinor) == [12_040])
        }
        // One that the feed has left out among those of the account changes nothing.
        let own = try BankTransaction.sample("t2", "2025-11-20", -60, "KIOSK")
        #expect(try balances(book, BankReports([key: [row, own]])).map(\.knownMinor) == [300, 12_040])
    }

    @Test func anAccountThatIsClosedOrUsedWithoutItsBankHasItsOwnBalance() throws {
        let book = try book()
        _ = try book.closeAccount(.number(1))
        #expect(try balances(book, BankReports([:])).map(\.knownMinor) == [360, 12_040])
        _ = try book.reopenAccount(.number(1))
        #expect(try balances(book, BankReports([:])).map(\.knownMinor) == [nil, 12_040])
        _ = try book.leaveBank(.number(1))
        #expect(try balances(book, BankReports([:])).map(\.knownMinor) == [360, 12_040])
    }

    /// Two devices may have joined two accounts to the same one at the bank.
    @Test func theSecondAccountOfTheSameOneAtTheBankHasItsOwnBalance() throws {
        let book = try book()
        var second = Account.sample(3, opening: 50)
        second.bank = AccountBank(account: key.description, isUsed: true)
        try book.add(second)
        #expect(try balances(book, BankReports([:])).map(\.knownMinor) == [nil, 12_040, 50])
    }

    @Test func reportsAndRegistersLeaveItOut() throws {
        let book = try book()
        let rows = try book.bankRows(of: BankReports([:]))
        let worth = try book.netWorth(from: november.previous, to: november, beside: rows)
        #expect(worth.map(\.balanceMinor) == [10_000, 12_040])
        let accounts = try book.accountWorth(from: november, to: november, beside: rows)
        let byID = accounts.sorted { $0.account < $1.account }
        #expect(byID.map(\.unknown) == [UnknownBalance(since: noon), nil])
        #expect(byID.last?.beforeMinor == 10_000 && byID.last?.afterMinor == 12_040)
        let past = try book.overview(
            month: november.previous,
            today: day("2025-11-25"),
            base: .eur,
            beside: rows
        )
        #expect(past.accounts.map(\.knownMinor) == [nil, 10_000])
        let register = try #require(try book.register(of: .number(1), TransactionQuery(), beside: rows))
        #expect(register.page.rows.count == 2 && register.account.unknown != nil)
        #expect(register.balancesMinor.isEmpty && register.beforeMinor == nil)
        let other = try #require(try book.register(of: .number(2), TransactionQuery(), beside: rows))
        #expect(other.balancesMinor == [12_040, 12_000] && other.beforeMinor == 10_000)
        let plan = try book.planMove(from: .number(1), to: .number(2), beside: rows)
        #expect(plan.source.unknown != nil && plan.target.unknown == nil)
        #expect(plan.count == 1 && plan.sumMinor == -300)
    }

    /// Income and spending are those of all accounts, as in the lists behind them.
    @Test func theCashFlowHasBalancesWithoutIt() throws {
        let book = try book()
        let rows = try book.bankRows(of: BankReports([:]))
        let flows = try book.cashFlow(from: november.previous, to: november, beside: rows)
        #expect(flows.map(\.unknownCount) == [1, 1])
        #expect(flows.map(\.startMinor) == [10_000, 10_000] && flows.map(\.endMinor) == [10_000, 12_040])
        let flow = try #require(flows.last)
        #expect(flow.incomeMinor == 2_000 && flow.expenseMinor == 300 && flow.movedMinor == 0)
        #expect(flow.unknownChangeMinor == -340 && !flow.isBalanceUnknown)
        // Without any known balance there is none.
        try book.joinSample("b", to: 2)
        let none = try book.bankRows(of: BankReports([:]))
        let unknown = try #require(try book.cashFlow(from: november, to: november, beside: none).first)
        #expect(unknown.isBalanceUnknown && unknown.unknownCount == 2 && unknown.incomeMinor == 2_000)
        #expect(unknown.startMinor == 0 && unknown.endMinor == 0)
        #expect(try book.netWorth(from: november, to: november, beside: none).isEmpty)
    }
}

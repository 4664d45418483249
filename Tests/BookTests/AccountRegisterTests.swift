// The register of an account: each balance is that of a computation over all transactions from the first on.
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct RegistersOfAccounts {
    private let folder = Scratch()

    /// A book of four accounts in three currencies, and its live transactions.
    private func randomBook(_ random: inout SplitMix) throws -> (book: Book, live: [Transaction]) {
        let book = try Book.scratch(folder)
        let currencies: [CurrencyCode] = [.eur, .usd, .eur, CurrencyCode("JPY") ?? .eur]
        for (index, currency) in currencies.enumerated() {
            var account = Account.sample(index + 1, currency, opening: Int64(index) * 1_000 - 700)
            account.openingDay = [nil, day("2025-02-14"), day("2024-01-01"), day("2026-01-01")][index]
            try book.add(account)
        }
        try book.add(Ledger.Category.sample(11))
        var live: [EntityID: Transaction] = [:]
        // Ids do not ascend with the days, and many rows share a day.
        for number in (100..<360).shuffled(using: &random) {
            let row = transaction(number, currencies, &random)
            try book.record(row)
            live[row.id] = row
        }
        for row in live.values.sorted(by: { $0.id < $1.id }).shuffled(using: &random).prefix(60) {
            if Bool.random(using: &random) {
                try book.deleteTransaction(row.id)
                live[row.id] = nil
            } else {
                var moved = row
                moved.date = row.date.adding(days: Int.random(in: -40...40, using: &random))
                try book.change(moved)
                live[row.id] = moved
            }
        }
        return (book, Array(live.values))
    }

    private func transaction(_ number: Int, _ currencies: [CurrencyCode], _ random: inout SplitMix)
        -> Transaction
    {
        let date = day("2025-01-20").adding(days: Int.random(in: 0..<70, using: &random))
        let (from, minor) = (
            Int.random(in: 1...4, using: &random), Int64.random(in: 1...90_000, using: &random)
        )
        let kind: TransactionKind =
            [.expense, .expense, .income, .transfer].randomElement(using: &random) ?? .expense
        var row = Transaction.sample(
            number,
            kind,
            "\(date)",
            minor,
            currencies[from - 1],
            account: from,
            payee: ["", "Lidl", "Work"].randomElement(using: &random) ?? ""
        )
        if kind == .transfer {
            let to = (from + Int.random(in: 0...2, using: &random)) % 4 + 1
            row.toAccount = .number(to)
            row.toMinor = currencies[to - 1] == currencies[from - 1] ? minor : minor + 13
        } else if Int.random(in: 0..<4, using: &random) == 0 {
            row.amount = Money(minor: minor * 2, currency: currencies[from - 1] == .usd ? .eur : .usd)
        }
        if kind == .expense, Bool.random(using: &random) { row.category = .number(11) }
        return row
    }

    /// The balance after each transaction of an account, oldest first.
    private func balances(of account: Account, _ live: [Transaction]) -> [(row: Transaction, minor: Int64)] {
        var sum: Int64 = 0
        return live.filter { $0.account == account.id || $0.toAccount == account.id }
            .sorted { ($0.date, $0.id) < ($1.date, $1.id) }
            .map { row in
                sum += change(of: account, row)
                return (row, sum + opening(of: account, by: row.date))
            }
    }

    private func change(of account: Account, _ row: Transaction) -> Int64 {
        if row.toAccount == account.id { return row.toMinor ?? 0 }
        return row.kind == .income ? row.accountMinor : -row.accountMinor
    }

    /// The opening balance of an account as far as it counts on a day.
    private func opening(of account: Account, by day: CivilDate) -> Int64 {
        account.openingDay.map { $0 <= day } ?? true ? account.openingMinor : 0
    }

    /// The balance of an account before a day.
    private func balance(
        of account: Account,
        before day: CivilDate,
        _ naive: [(row: Transaction, minor: Int64)]
    ) -> Int128 {
        let earlier = naive.filter { $0.row.date < day }.reduce(0) { $0 + change(of: account, $1.row) }
        return Int128(earlier + opening(of: account, by: day.adding(days: -1)))
    }

    /// The row that an account with a day has for its opening balance.
    private func openingRow(of account: Account, _ naive: [(row: Transaction, minor: Int64)]) -> OpeningRow? {
        account.openingDay.map { day in
            let opened = Int128(account.openingMinor)
            return OpeningRow(
                day: day,
                minor: opened,
                balanceMinor: balance(of: account, before: day, naive) + opened
            )
        }
    }

    @Test(arguments: [1, 2, 3, 2_027] as [UInt64])
    func haveTheBalancesOfANaiveComputation(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let (book, live) = try randomBook(&random)
        for account in try book.accountBalances().map(\.account) {
            let naive = balances(of: account, live)
            let minorByID = Dictionary(uniqueKeysWithValues: naive.map { ($0.row.id, $0.minor) })
            var query = TransactionQuery()
            query.limit = Int.random(in: 1...40, using: &random)
            var rows: [EntityID] = []
            var openings: [OpeningRow] = []
            let end = balance(of: account, before: .distantFuture, naive)
            repeat {
                let register = try #require(try book.register(of: account.id, query))
                rows += register.page.rows.map(\.id)
                #expect(
                    register.balancesMinor == register.page.rows.map { minorByID[$0.id].map(Int128.init(_:)) }
                )
                #expect(register.account.balanceMinor == end)
                let isDated = account.openingDay != nil
                let before = register.page.next == nil && !isDated ? Int128(account.openingMinor) : nil
                #expect(register.beforeMinor == before)
                if let opening = register.opening {
                    openings.append(opening)
                    // It is between the rows of its page, or at their beginning or end.
                    #expect(query.after.map { $0.date >= opening.day } ?? true)
                    #expect(register.page.next.map { $0.date < opening.day } ?? true)
                }
                query.after = register.page.next
            } while query.after != nil
            #expect(rows == naive.reversed().map(\.row.id))
            #expect(openings == [openingRow(of: account, naive)].compactMap(\.self))
            try compareFiltered(book, account, naive)
        }
    }

    /// A filter chooses rows and changes no balance.
    private func compareFiltered(
        _ book: Book,
        _ account: Account,
        _ naive: [(row: Transaction, minor: Int64)]
    ) throws {
        func compare(_ change: (inout TransactionQuery) -> Void, _ isWanted: (Transaction) -> Bool) throws {
            var query = TransactionQuery(change)
            query.limit = 500
            let register = try #require(try book.register(of: account.id, query))
            let wanted = naive.reversed().filter { isWanted($0.row) }
            #expect(register.page.rows.map(\.id) == wanted.map(\.row.id))
            #expect(register.balancesMinor == wanted.map { Int128($0.minor) })
            guard let month = query.month else {
                return #expect(register.beforeMinor == nil && register.opening == nil)
            }
            #expect(register.beforeMinor == balance(of: account, before: month.firstDay, naive))
            let opening = openingRow(of: account, naive).flatMap { $0.day.yearMonth == month ? $0 : nil }
            #expect(register.opening == opening)
        }
        try compare({ $0.text = "lidl" }, { $0.payee == "Lidl" })
        try compare({ $0.kind = .transfer }, { $0.kind == .transfer })
        try compare({ $0.category = .family(.number(11)) }, { $0.category == .number(11) })
        for index in month("2024-11").index...month("2025-07").index {
            try compare({ $0.month = YearMonth(index: index) }, { $0.date.yearMonth.index == index })
        }
    }

    @Test func sumsOfAPartOfTheRowsMayExceedTheRange() throws {
        let book = try Book.scratch(folder)
        let huge: Int64 = 8_000_000_000_000_000_000
        try book.add(Account.sample(1, opening: huge))
        try book.record(.sample(51, .expense, "2025-03-01", huge))
        try book.record(.sample(52, .income, "2025-01-01", huge))
        let register = try #require(try book.register(of: .number(1), TransactionQuery()))
        let sum = Int128(huge)
        #expect(register.balancesMinor == [sum, 2 * sum] && register.beforeMinor == sum)
        let (first, last) = (month("2025-01"), month("2025-03"))
        let worth = try book.netWorth(from: first, to: last)
        #expect(worth.map(\.balanceMinor) == [2 * sum, 2 * sum, sum])
        let account = try book.accountWorth(from: month("2025-02"), to: last)
        #expect(account.map(\.beforeMinor) == [2 * sum] && account.map(\.afterMinor) == [sum])
        let flow = try book.cashFlow(from: first, to: first)
        #expect(flow.map(\.startMinor) == [sum] && flow.map(\.endMinor) == [2 * sum])
        let overview = try book.overview(month: first, today: day("2025-03-02"), base: .eur)
        #expect(overview.accounts.map(\.balanceMinor) == [2 * sum])
    }

    /// No account is beyond the range; their sum is, unless the last one is among them.
    @Test func theOrderOfAccountsChangesNoSum() throws {
        let book = try Book.scratch(folder)
        let openings: [Int64] = [6, 6, -8].map { $0 * 1_000_000_000_000_000_000 }
        for (number, opening) in openings.enumerated() {
            try book.add(Account.sample(number + 1, opening: opening))
        }
        let (first, last) = (month("2025-01"), month("2025-01"))
        #expect(try book.netWorth(from: first, to: last).map(\.balanceMinor) == [4_000_000_000_000_000_000])
        #expect(try book.cashFlow(from: first, to: last).map(\.endMinor) == [4_000_000_000_000_000_000])
    }

    @Test func areOfLiveAccountsOnly() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1, opening: 70))
        let empty = try #require(try book.register(of: .number(1), TransactionQuery()))
        #expect(empty.page.rows.isEmpty && empty.beforeMinor == 70)
        try book.deleteAccount(.number(1))
        for number in 1...2 { #expect(try book.register(of: .number(number), TransactionQuery()) == nil) }
    }
}

@Suite struct ClosedAccounts {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        for number in 1...2 { try book.add(Account.sample(number)) }
        try book.record(.sample(50, .expense, "2025-01-10", 300))
        _ = try book.closeAccount(.number(1))
    }

    @Test func acceptNoNewTransactions() throws {
        #expect(throws: BookError.accountClosed(.account)) { try book.record(.sample(51)) }
        let transfer = Transaction.sample(52, .transfer, account: 2, to: 1)
        #expect(throws: BookError.accountClosed(.toAccount)) { try book.record(transfer) }
        #expect(throws: BookError.accountClosed(.account)) { try book.record(all: [.sample(53)]) }
        #expect(throws: BookError.accountClosed(.toAccount)) { try book.record(all: [transfer]) }
        try book.record(.sample(54, account: 2))
        #expect(throws: BookError.accountClosed(.account)) {
            try book.change(Transaction.sample(54, account: 1))
        }
        #expect(try book.counts().transactions == 2 && book.account(.number(1))?.balanceMinor == -300)
    }

    @Test func keepTheirTransactionsAndTheirBalance() throws {
        try book.change(Transaction.sample(50, .expense, "2025-01-11", 400))
        #expect(try book.account(.number(1))?.balanceMinor == -400)
        try book.deleteTransaction(.number(50))
        try book.restoreTransaction(.number(50))
        let worth = try book.netWorth(from: month("2025-02"), to: month("2025-02"))
        #expect(worth.map(\.balanceMinor) == [-400])
        try book.change(Transaction.sample(50, account: 2))
        #expect(throws: BookError.accountClosed(.account)) { try book.change(Transaction.sample(50)) }
    }

    @Test func areReopenedAndUndoneLikeAnyChange() throws {
        #expect(try book.closeAccount(.number(1)) == nil, "it is closed already")
        let reopened = try #require(try book.reopenAccount(.number(1)))
        try book.record(.sample(51))
        #expect(try book.undo(reopened, overriding: false) != .already)
        #expect(try book.account(.number(1))?.account.isClosed == true)
        #expect(try book.account(.number(1))?.transactionCount == 2)
        #expect(throws: BookError.unknownAccount(.number(9))) { try book.closeAccount(.number(9)) }
    }

    @Test func areNotTheAccountOfTheNextEntry() throws {
        _ = try book.reopenAccount(.number(1))
        try book.record(.sample(51, account: 2))
        try book.record(.sample(52, account: 1))
        #expect(try book.choices().lastAccount == .number(1))
        _ = try book.closeAccount(.number(1))
        #expect(try book.choices().lastAccount == .number(2))
    }

    @Test func formsOfOthersNeitherCloseNorReopenThem() throws {
        let account = try #require(try book.account(.number(1))?.account)
        let version = try book.versions(of: Account.self, account.id)(account)
        _ = try book.reopenAccount(.number(1))
        var renamed = account
        renamed.name = "Purse"
        let edit = try book.change(renamed, shown: version)
        #expect(edit.meanwhile.map(\.field) == ["closed"])
        #expect(try book.account(.number(1))?.account == Account.sample(1).named("Purse"))
    }
}

@Suite struct MovingAllTransactions {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        for number in 1...3 { try book.add(Account.sample(number, opening: 1_000)) }
        try book.add(Account.sample(4, .usd))
        try book.record(.sample(50, .expense, "2025-01-10", 300))
        try book.record(.sample(51, .income, "2025-01-11", 500, .usd, accountMinor: 450))
        try book.record(.sample(52, .transfer, "2025-01-12", 70, account: 1, to: 3))
        try book.record(.sample(53, .transfer, "2025-01-13", 20, account: 4, to: 1, toMinor: 18).in(.usd))
        try book.record(.sample(54, .transfer, "2025-01-14", 40, account: 1, to: 2))
        try book.record(.sample(55, .transfer, "2025-01-15", 25, account: 2, to: 1))
        try book.record(.sample(56, .expense, "2025-01-16", 5, account: 2))
    }

    private func balances() throws -> [Int128] { try book.accountBalances().map(\.balanceMinor) }

    @Test func leavesTransfersBetweenTheTwo() throws {
        let before = try balances()
        let plan = try book.planMove(from: .number(1), to: .number(2))
        #expect(plan.count == 4 && plan.sumMinor == -300 + 450 - 70 + 18)
        #expect(plan.transferCount == 2 && plan.transfers.map(\.id) == [.number(55), .number(54)])
        let moved = try book.moveTransactions(from: .number(1), to: .number(2), expecting: 4)
        #expect(moved.count == 4 && moved.transferCount == 2)
        #expect(
            try balances() == [
                before[0] - plan.sumMinor, before[1] + plan.sumMinor, before[2], before[3],
            ]
        )
        #expect(try book.verifySums() == [])
        #expect(try book.account(.number(1))?.transactionCount == 2)
        #expect(try book.transaction(.number(53))?.toAccount == .number(2))
        #expect(try book.transaction(.number(51))?.accountMinor == 450)
    }

    @Test func isOneChangeThatIsUndoneAsAWhole() throws {
        let before = try balances()
        let rows = try book.transactions(TransactionQuery()).page.rows
        let moved = try book.moveTransactions(from: .number(1), to: .number(3))
        #expect(moved.count == 5 && moved.transferCount == 1)
        let change = try #require(moved.change)
        #expect(try book.history(limit: 1).first?.id == change)
        // The account was closed since: undoing puts back the transactions that it had.
        _ = try book.closeAccount(.number(1))
        guard case .done = try book.undo(change, overriding: false) else {
            Issue.record("not undone"); return
        }
        #expect(try balances() == before && book.transactions(TransactionQuery()).page.rows == rows)
        #expect(try book.verifySums() == [])
    }

    @Test func isRefusedWhereItWouldChangeAmountsOrSurprise() throws {
        func refusal(_ source: Int, _ target: Int, _ count: Int? = nil) -> BookError? {
            do throws(BookError) {
                _ = try book.moveTransactions(from: .number(source), to: .number(target), expecting: count)
                return nil
            } catch { return error }
        }
        let before = try balances()
        #expect(refusal(1, 4) == .invalid(.currency))
        #expect(refusal(1, 1) == .invalid(.toAccount) && refusal(1, 9) == .invalid(.toAccount))
        #expect(refusal(9, 1) == .unknownAccount(.number(9)))
        #expect(refusal(1, 2, 5) == .changedMeanwhile(.other))
        _ = try book.closeAccount(.number(2))
        #expect(refusal(1, 2) == .accountClosed(.toAccount))
        #expect(try balances() == before)
        #expect(refusal(2, 3) == nil, "a closed account can be emptied")
        let last = try book.history(limit: 1).first?.id
        let again = try book.moveTransactions(from: .number(2), to: .number(3))
        #expect(again.count == 0 && again.change == nil && again.transferCount == 0)
        #expect(try book.history(limit: 1).first?.id == last)
    }
}

extension Account {
    fileprivate func named(_ name: String) -> Account {
        var copy = self
        copy.name = name
        return copy
    }
}

extension Transaction {
    /// The same amounts in another currency.
    fileprivate func `in`(_ currency: CurrencyCode) -> Transaction {
        var copy = self
        copy.amount = Money(minor: amount.minor, currency: currency)
        return copy
    }
}

// The transactions of banks beside those of the book: each counts once.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct BankRowTests {
    private let folder = Scratch()
    private let key = BankAccountKey(provider: "truelayer", account: "a")

    /// A book with an account that is joined to a bank, and a category.
    private func book() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12, .income))
        try book.joinSample("a", to: 1)
        return book
    }

    private func reported(
        _ id: String,
        _ day: String,
        _ minor: Int64,
        _ words: String = "BAKERY 4711",
        isPending: Bool = false
    ) throws -> BankTransaction {
        try .sample(id, day, minor, words, isPending: isPending)
    }

    private func rows(_ book: Book, _ reported: [BankTransaction]) throws -> BankRows {
        try book.bankRows(of: BankReports([key: reported]))
    }

    private func query(_ change: (inout TransactionQuery) -> Void = { _ in }) -> TransactionQuery {
        var query = TransactionQuery()
        change(&query)
        return query
    }

    private func note(
        _ id: String,
        _ book: Book,
        of account: BankAccountKey? = nil,
        _ change: (inout BankNote) -> Void
    ) throws {
        var note = try book.bankNote(of: BankTransactionKey(account ?? key, id: id))
        change(&note)
        try book.write(note)
    }

    @Test func aRowHasTheWordsOfTheBankUntilTheUserWritesOthers() throws {
        let book = try book()
        let reported = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-11-21", 500, "Salary ACME"),
        ]
        var rows = try rows(book, reported)
        #expect(rows.all.map(\.transaction.payee) == ["Salary ACME", "Bakery"])
        #expect(rows.all.map(\.transaction.kind) == [.income, .expense])
        #expect(rows.all.map(\.transaction.amount.minor) == [500, 320])
        try note("t1", book) { ($0.payee, $0.category, $0.tags) = ("Baker", .number(11), ["bread"]) }
        try note("t2", book) { $0.category = .number(12) }
        rows = try self.rows(book, reported)
        let row = try #require(rows.all.last?.transaction)
        #expect(row.payee == "Baker" && row.category == .number(11) && row.tags == ["bread"])
        #expect(rows.all.first?.transaction.category == .number(12))
        // A category that does not fit, or was deleted, counts as none.
        try note("t1", book) { $0.category = .number(12) }
        #expect(try self.rows(book, reported).all.last?.transaction.category == nil)
    }

    @Test func rowsWithoutAnAccountOrInAnotherCurrencyAreNotShown() throws {
        let book = try book()
        let other = BankTransaction(
            id: "u",
            date: CivilDate(dayNumber: 20_400),
            money: Money(minor: -1, currency: .usd),
            description: "x",
            counterparty: nil,
            isPending: false
        )
        #expect(try rows(book, [other]).all.isEmpty)
        let foreign = BankReports([
            BankAccountKey(provider: "truelayer", account: "b"): [try reported("t", "2025-11-20", -1)]
        ])
        #expect(try book.bankRows(of: foreign).all.isEmpty)
        _ = try book.leaveBank(.number(1))
        #expect(try rows(book, [try reported("t", "2025-11-20", -1)]).all.isEmpty)
    }

    @Test func theListMergesBothByDayAndPagesThroughThem() throws {
        let book = try book()
        for number in 0..<7 {
            try book.record(.sample(50 + number, .expense, "2025-11-\(10 + number)", 1_000 + Int64(number)))
        }
        let rows = try rows(
            book,
            (0..<6).map { try reported("t\($0)", "2025-11-\(11 + $0)", -2_000 - Int64($0)) }
        )
        var seen: [Transaction] = []
        var query = query { $0.limit = 3 }
        while true {
            let page = try book.transactions(query, beside: rows).page
            #expect(page.totals.first?.count == 13 && page.totals.first?.expenseMinor == 7_021 + 12_015)
            for day in page.days {
                let ofDay = 1_000 + 2_000 - 1 + 2 * (Int128(day.date.dayNumber) - 20_402)
                let isBoth = (20_403...20_408).contains(day.date.dayNumber)
                #expect(!isBoth || day.totals.first?.expenseMinor == ofDay, "\(day.date)")
            }
            seen += page.rows
            guard let next = page.next else { break }
            query.after = next
        }
        #expect(seen.count == 13 && Set(seen.map(\.id)).count == 13)
        #expect(seen == seen.sorted { ($0.date, $0.id) > ($1.date, $1.id) })
        #expect(rows.marks(of: seen).count == 6)
        // Without rows of banks nothing has changed.
        #expect(try book.transactions(self.query()).page.rows.count == 7)
    }

    @Test func filtersAndSearchApplyToRowsOfBanks() throws {
        let book = try book()
        let rows = try rows(
            book,
            [
                try reported("t1", "2025-11-20", -320, "Café Zürich"),
                try reported("t2", "2025-11-21", 500, "Salary"),
                try reported("t3", "2025-10-01", -999, "東京駅ビル", isPending: true),
            ]
        )
        try note("t1", book) { ($0.category, $0.note, $0.tags) = (.number(11), "with jam", ["bread"]) }
        let now = try book.bankRows(of: BankReports([key: rows.all.map(\.reported)]))
        func found(_ change: (inout TransactionQuery) -> Void) throws -> [Int64] {
            try book.transactions(query(change), beside: now).page.rows.map(\.amount.minor)
        }
        #expect(try found { _ in } == [500, 320, 999])
        #expect(try found { $0.month = YearMonth(iso: "2025-11") } == [500, 320])
        #expect(try found { $0.kind = .income } == [500])
        #expect(try found { $0.isSpending = true } == [320, 999])
        #expect(try found { $0.account = .number(1) } == [500, 320, 999])
        #expect(try found { $0.account = .number(2) } == [])
        #expect(try found { $0.category = .family(.number(11)) } == [320])
        #expect(try found { $0.category = .uncategorized } == [500, 999])
        #expect(try found { $0.payee = "Salary" } == [500])
        #expect(try found { $0.isOfDailyUse = true } == [500, 320, 999])
        for (text, minors) in [
            ("cafe", [320]), ("zur", [320]), ("afé", []), ("jam", [320]), ("bread", [320]), ("3.20", [320]),
            ("cafe salary", []), ("京駅", [999]), ("Category 11", [320]), ("Account 1", [500, 320, 999]),
            ("jam bread", [320]), ("5", [500]),
        ] as [(String, [Int64])] {
            #expect(try found { $0.text = text } == minors, "\(text)")
        }
    }

    @Test func aRowCountsOnce() throws {
        let book = try book()
        let reported = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-11-20", -320),
            try reported("t3", "2025-11-20", -777), try reported("t4", "2025-11-20", -888),
            try reported("t5", "2025-11-20", 450),
        ]
        // Two days later by hand, once; a transfer that arrives; and a day too late.
        try book.record(.sample(50, .expense, "2025-11-22", 320))
        try book.record(.sample(51, .expense, "2025-11-24", 888))
        try book.add(Account.sample(2))
        try book.record(
            Transaction(
                id: .number(52),
                kind: .transfer,
                date: try #require(CivilDate(iso: "2025-11-19")),
                amount: Money(minor: 450, currency: .eur),
                account: .number(2),
                accountMinor: 450,
                toAccount: .number(1),
                toMinor: 450
            )
        )
        try note("t3", book) { $0.isHidden = true }
        let rows = try rows(book, reported)
        let states = Dictionary(uniqueKeysWithValues: rows.all.map { ($0.reported.id, $0.state) })
        #expect(Set([states["t1"], states["t2"]]) == [.entered(.number(50)), .open])
        #expect(states["t3"] == .hidden && states["t4"] == .open && states["t5"] == .entered(.number(52)))
        let page = try book.transactions(query(), beside: rows).page
        #expect(page.totals.first?.expenseMinor == 2_416)
        // The one that is in doubt is the same: it is noted and asks no more.
        let doubtful = try #require(rows.all.first { $0.state == .entered(.number(50)) })
        _ = try book.connect(.number(50), to: doubtful)
        let after = try self.rows(book, reported)
        #expect(after[doubtful.transaction.id]?.state == .recorded(.number(50)))
    }

    @Test func overviewBudgetsAndReportsCountThem() throws {
        let book = try book()
        let month = try #require(YearMonth(iso: "2025-11"))
        let limit = Money(minor: 10_000, currency: .eur)
        try book.add(
            Budget(id: .number(21), category: .number(11), limit: limit, from: month.previous, rollover: true)
        )
        try book.record(.sample(50, .expense, "2025-11-05", 1_000, category: 11))
        let reported = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-10-20", -200),
            try reported("t3", "2025-11-21", 50, "Refund"), try reported("t4", "2025-11-22", 7_000, "Salary"),
            try reported("t5", "2025-11-23", -40, "Unsorted", isPending: true),
        ]
        for id in ["t1", "t2", "t3"] { try note(id, book) { $0.category = .number(11) } }
        let rows = try rows(book, reported)
        let today = try #require(CivilDate(iso: "2025-11-25"))
        let overview = try book.overview(month: month, today: today, base: .eur, beside: rows)
        #expect(overview.totals.first?.expenseMinor == 1_310)
        #expect(overview.totals.first?.incomeMinor == 7_000)
        #expect(overview.budgets.first?.spentMinor == 1_270)
        #expect(overview.budgets.first?.carriedMinor == 9_800)
        #expect(overview.latest.map(\.amount.minor) == [40, 7_000, 50, 320, 1_000, 200])
        let budgets = try book.budgets(month: month, base: .eur, beside: rows)
        #expect(budgets.statuses.first?.spentMinor == 1_270)
        func report(_ group: ReportGroup) throws -> [ReportRow.Key: [Int128]] {
            let rows = try book.report(
                from: month.previous,
                to: month,
                group: group,
                knownIn: .eur,
                beside: rows
            )
            return Dictionary(
                uniqueKeysWithValues: rows.map { ($0.key, [$0.total.expenseMinor, $0.total.incomeMinor]) }
            )
        }
        #expect(try report(.month) == [.month(month): [1_310, 7_000], .month(month.previous): [200, 0]])
        #expect(try report(.category) == [.category(.number(11)): [1_470, 0], .category(nil): [40, 7_000]])
        #expect(try report(.account) == [.account(.number(1)): [1_510, 7_000]])
        #expect(try report(.payee)[.payee("Bakery")] == [520, 0])
        let days = try #require(CivilDate(iso: "2025-11-02"))...today
        let spent = try book.spending(of: days, knownIn: .eur, beside: rows)
        #expect(spent.reduce(0) { $0 + $1.total.expenseMinor } == 1_310)
    }

    @Test func balancesGoBackFromThatOfTheBank() throws {
        let book = try book()
        let month = try #require(YearMonth(iso: "2025-11"))
        try book.record(.sample(50, .expense, "2025-11-05", 1_000))
        try book.record(.sample(51, .expense, "2025-11-28", 5_000))
        let reported = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-10-20", -200),
            try reported("t3", "2025-11-22", 7_000, "Salary"), try reported("t4", "2025-11-23", 50, "Refund"),
            try reported("t5", "2025-11-24", -40, isPending: true), try reported("t6", "2025-11-05", -1_000),
        ]
        try note("t4", book) { $0.category = .number(11) }
        let reports = BankReports(
            [key: reported],
            balances: [
                key: BankBalance(
                    money: Money(minor: 90_000, currency: .eur),
                    asOf: Int64(try #require(CivilDate(iso: "2025-11-24")).dayNumber) * 86_400
                )
            ]
        )
        let rows = try book.bankRows(of: reports)
        // The bank does not know of the transaction of the 28th yet.
        let worth = try book.netWorth(from: month.previous.previous, to: month, beside: rows)
        #expect(worth.map(\.balanceMinor) == [84_470, 84_270, 85_000])
        let accounts = try book.accountWorth(from: month, to: month, beside: rows)
        #expect(accounts.map(\.beforeMinor) == [84_270] && accounts.map(\.afterMinor) == [85_000])
        let flows = try book.cashFlow(from: month.previous, to: month, beside: rows)
        #expect(flows.map(\.startMinor) == [84_470, 84_270] && flows.map(\.endMinor) == [84_270, 85_000])
        #expect(flows.map(\.incomeMinor) == [0, 7_000] && flows.map(\.expenseMinor) == [200, 6_270])
        let register = try #require(try book.register(of: .number(1), query(), beside: rows))
        #expect(register.page.rows.map(\.amount.minor) == [5_000, 40, 50, 7_000, 320, 1_000, 200])
        #expect(register.balancesMinor == [85_000, 90_000, 89_950, 82_950, 83_270, 84_270])
        #expect(register.bank.count == 5 && register.beforeMinor == 84_470)
        var older = query { $0.limit = 2 }
        older.after = TransactionCursor(date: register.page.rows[3].date, id: register.page.rows[3].id)
        let page = try #require(try book.register(of: .number(1), older, beside: rows))
        #expect(page.balancesMinor == [82_950, 83_270] && page.beforeMinor == nil)
        let today = try #require(CivilDate(iso: "2025-11-25"))
        let past = try book.overview(month: month.previous, today: today, base: .eur, beside: rows)
        #expect(past.accounts.map(\.balanceMinor) == [84_270])
        // A bank that reports no balance: the sum of what is known.
        let alone = try book.bankRows(of: BankReports([key: reported]))
        #expect(try book.netWorth(from: month, to: month, beside: alone).map(\.balanceMinor) == [530])
    }

    @Test func recordingMakesATransactionOnce() throws {
        let book = try book()
        try book.record(.sample(50, .expense, "2025-10-01", 999, category: 11, payee: "Bakery"))
        let reported = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-11-21", -5, isPending: true),
        ]
        let rows = try rows(book, reported)
        let records = try book.record(rows.all, again: true)
        #expect(records.count == 1)
        let id = try #require(rows.all.last?.transaction.id)
        let recorded = try #require(try book.transaction(id))
        #expect(
            recorded.category == .number(11) && recorded.payee == "Bakery" && recorded.amount.minor == 320
        )
        #expect(try self.rows(book, reported)[id]?.state == .recorded(id))
        #expect(try book.record(rows.all, again: true).count == 0)
        // Undone, the row is back, and only the user records it again.
        _ = try book.undo(try #require(records.change), overriding: false)
        #expect(try self.rows(book, reported)[id]?.state == .open)
        #expect(try book.record(rows.all, again: false).count == 0)
        #expect(try book.record(rows.all, again: true).count == 1)
        #expect(try self.rows(book, reported)[id]?.state != .open)
        #expect(try book.verifySums() == [])
    }

    @Test func twoDevicesRecordTheSame() throws {
        let (first, second) = (try book(), try Book.scratch(folder, "second.sqlite"))
        try second.add(Account.sample(1))
        let bank = BankAccount(id: "a", name: "A", kind: .current, currency: .eur, institution: nil)
        let joins = [BankJoin(bank, of: "truelayer", .existing(.number(1)))]
        _ = try second.join(joins, connection: .number(601), refreshedAt: noon)
        let reported = [try reported("t1", "2025-11-20", -320)]
        for book in [first, second] { _ = try book.record(try rows(book, reported).all, again: false) }
        let id = try #require(try rows(first, reported).all.first?.transaction.id)
        #expect(try first.transaction(id) == second.transaction(id) && first.transaction(id) != nil)
    }

    @Test func twoRecordsOfOneBankTransactionBecomeOne() throws {
        let book = try book()
        let reported = [try reported("t1", "2025-11-20", -320)]
        _ = try book.record(try rows(book, reported).all, again: false)
        let record = try #require(try book.transactions(query()).page.rows.first)
        // Another device has it entered by hand, and has said that it is the same.
        var entered = Transaction.sample(50, .expense, "2025-11-19", 320)
        (entered.payee, entered.bankTransaction) = ("Corner shop", record.bankTransaction)
        try book.record(entered)
        #expect(try book.transactions(query()).page.rows.count == 2)
        #expect(try book.mergeBankRecords() == 1)
        let left = try book.transactions(query()).page.rows
        #expect(left.map(\.payee) == ["Corner shop"] && left.first?.bankTransaction == record.bankTransaction)
        #expect(try rows(book, reported).all.first?.state == .recorded(entered.id))
        #expect(try book.mergeBankRecords() == 0)
    }

    @Test func bookedOnesAreRecordedByThemselvesFromTheDayOn() throws {
        let book = try book()
        let reported = [
            try reported("t1", "2025-11-19", -1), try reported("t2", "2025-11-20", -2),
            try reported("t3", "2025-11-21", -3, isPending: true), try reported("t4", "2025-11-21", -4),
        ]
        #expect(try book.recordAutomatically(try rows(book, reported)).count == 0)
        let day = try #require(CivilDate(iso: "2025-11-20"))
        #expect(try book.recordBank(of: .number(1), from: day) != nil)
        #expect(try book.recordBank(of: .number(1), from: day) == nil)
        // Perhaps it was entered already: the user decides.
        try book.record(.sample(50, .expense, "2025-11-21", 4))
        #expect(try book.recordAutomatically(try rows(book, reported)).count == 1)
        #expect(try book.recordAutomatically(try rows(book, reported)).count == 0)
        let minors = try book.transactions(query()).page.rows.map(\.amount.minor).sorted()
        #expect(minors == [2, 4])
        #expect(try book.recordBank(of: .number(1), from: nil) != nil)
        let booked = reported + [try self.reported("t5", "2025-11-22", -5)]
        #expect(try book.recordAutomatically(try rows(book, booked)).count == 0)
    }

    @Test func aPendingTransactionKeepsItsNoteWhenItIsBooked() throws {
        let book = try book()
        let before = [
            try reported("p1", "2025-11-20", -320, isPending: true),
            try reported("p2", "2025-11-20", -500, isPending: true),
            try reported("p3", "2025-11-20", -700, isPending: true), try reported("b0", "2025-11-19", -320),
        ]
        try note("p1", book) { $0.payee = "Baker" }
        try note("p3", book) { $0.payee = "Gone" }
        let now = [
            try reported("b0", "2025-11-19", -320), try reported("b1", "2025-11-22", -320),
            try reported("b2", "2025-11-21", -320, "OTHER"), try reported("b3", "2025-11-21", -500),
            try reported("b4", "2025-11-30", -700),
        ]
        try book.followBank(key, before: before, now: now)
        let payees = Dictionary(
            uniqueKeysWithValues: try rows(book, now).all.map { ($0.reported.id, $0.transaction.payee) }
        )
        #expect(payees == ["b0": "Bakery", "b1": "Baker", "b2": "Other", "b3": "Bakery", "b4": "Bakery"])
    }

    @Test func aPendingTransactionKeepsItsNoteUnderAnotherIdentifier() throws {
        let book = try book()
        let before = [
            try reported("p1", "2025-11-20", -320, isPending: true),
            try reported("p2", "2025-11-20", -500, isPending: true),
        ]
        try note("p1", book) { $0.payee = "Baker" }
        try note("p2", book) { $0.isHidden = true }
        // Other words with the same amount are another purchase, as long as they are pending.
        let now = [
            try reported("q0", "2025-11-20", -320, "OTHER", isPending: true),
            try reported("q1", "2025-11-21", -320, isPending: true),
        ]
        try book.followBank(key, before: before, now: now)
        #expect(try rows(book, now).all.map(\.transaction.payee) == ["Baker", "Other"])
        // The hidden one is not reported for a while.
        let later = now + [try reported("q2", "2025-11-22", -500)]
        try book.followBank(key, before: now + before, now: later)
        let page = try book.transactions(query(), beside: try rows(book, later)).page
        #expect(page.rows.map(\.payee) == ["Baker", "Other"])
        #expect(page.totals.first?.expenseMinor == 640)
    }

    @Test func hidingABookedRowChangesNoBalance() throws {
        let book = try book()
        let reported = [
            try reported("t1", "2025-11-20", -320), try reported("t2", "2025-10-20", 200, "Salary"),
            try reported("t3", "2025-10-10", -50), try reported("t4", "2025-11-21", -999),
        ]
        try book.record(.sample(50, .expense, "2025-11-22", 999))
        func figures() throws -> [[Int128]] {
            let day = Int64(try #require(CivilDate(iso: "2025-11-24")).dayNumber)
            let balance = BankBalance(money: Money(minor: 90_000, currency: .eur), asOf: day * 86_400)
            let rows = try book.bankRows(of: BankReports([key: reported], balances: [key: balance]))
            let month = try #require(YearMonth(iso: "2025-11"))
            let register = try #require(try book.register(of: .number(1), query(), beside: rows))
            let flows = try book.cashFlow(from: month.previous, to: month, beside: rows)
            for flow in flows {
                let sum = flow.startMinor + flow.incomeMinor - flow.expenseMinor + flow.movedMinor
                #expect(sum == flow.endMinor)
            }
            let worth = try book.netWorth(from: month.previous.previous, to: month, beside: rows)
            return [
                worth.map(\.balanceMinor), register.balancesMinor, flows.map(\.incomeMinor),
                flows.map(\.expenseMinor),
            ]
        }
        let months: [Int128] = [91_169, 91_319, 90_000]
        #expect(try figures() == [months, [90_000, 90_999, 91_319, 91_119], [200, 0], [50, 1_319]])
        for id in ["t1", "t2"] { try note(id, book) { $0.isHidden = true } }
        #expect(try figures() == [months, [90_000, 91_119], [0, 0], [50, 999]])
        // The row of a transaction that was entered otherwise is in the book.
        try note("t4", book) { $0.isHidden = true }
        #expect(try figures() == [months, [90_000, 91_119], [0, 0], [50, 999]])
    }

    @Test func bothSidesOfATransferAreCovered() throws {
        let book = try book()
        try book.add(Account.sample(2))
        let other = BankAccountKey(provider: "truelayer", account: "b")
        let bank = BankAccount(id: "b", name: "B", kind: .savings, currency: .eur, institution: nil)
        let joins = [BankJoin(bank, of: "truelayer", .existing(.number(2)))]
        _ = try book.join(joins, connection: .number(600), refreshedAt: noon)
        let (out, arrival) = (
            try reported("t1", "2025-11-02", -20_000, "Savings"),
            try reported("u1", "2025-11-03", 20_000, "From everyday")
        )
        func rows() throws -> BankRows { try book.bankRows(of: BankReports([key: [out], other: [arrival]])) }
        func row(_ id: String) throws -> BankRow {
            try #require(try rows().all.first { $0.reported.id == id })
        }
        /// The transfer alone is listed, counts nowhere, and nothing else can be recorded.
        func isOnlyTransfer(_ place: Comment) throws {
            let rows = try rows()
            let page = try book.transactions(query(), beside: rows).page
            #expect(page.rows.map(\.kind) == [.transfer], place)
            #expect(page.totals.allSatisfy { $0.incomeMinor == 0 && $0.expenseMinor == 0 }, place)
            #expect(try book.record(rows.all, again: true).count == 0, place)
            #expect(try book.accountBalances().map(\.balanceMinor).sorted() == [-20_000, 20_000], place)
        }
        let day = try #require(CivilDate(iso: "2025-11-02"))
        for (number, id) in [(50, "t1"), (51, "u1")] {
            // By matching: entered by hand, and the user says that one side is the same.
            let transfer = Transaction.sample(number, .transfer, "2025-11-02", 20_000, account: 1, to: 2)
            try book.record(transfer)
            #expect(
                try row("t1").state == .entered(.number(number))
                    && row("u1").state == .entered(.number(number))
            )
            _ = try book.connect(.number(number), to: try row(id))
            #expect(
                try row("t1").state == .recorded(.number(number))
                    && row("u1").state == .recorded(.number(number))
            )
            try isOnlyTransfer("matched \(id)")
            try book.deleteTransaction(.number(number))
            // By editing: the record of one side becomes a transfer.
            #expect(try book.record([try row(id)], again: true).count == 1)
            var record = try #require(try book.transaction(try row(id).transaction.id))
            (record.kind, record.account, record.toAccount) = (.transfer, .number(1), .number(2))
            (record.toMinor, record.category, record.date) = (20_000, nil, day)
            try book.change(record)
            try isOnlyTransfer("edited \(id)")
            for account in [1, 2] { _ = try book.recordBank(of: .number(account), from: day) }
            #expect(try book.recordAutomatically(try rows()).count == 0)
            for account in [1, 2] { _ = try book.recordBank(of: .number(account), from: nil) }
            try book.deleteTransaction(record.id)
        }
    }

    @Test func twoSidesAreRecordedAsOneTransfer() throws {
        let book = try book()
        try book.add(Account.sample(2))
        try book.add(Account.sample(3, .usd))
        try book.joinSample("2", to: 2)
        try book.joinSample("3", to: 3, .usd)
        func account(_ id: String) -> BankAccountKey { BankAccountKey(provider: "truelayer", account: id) }
        var dollars = try reported("d", "2025-11-02", 20_000)
        dollars.money = Money(minor: 20_000, currency: .usd)
        let reports = BankReports([
            key: [
                try reported("out", "2025-11-02", -20_000, "To savings"),
                try reported("pending", "2025-11-02", -300, isPending: true),
                try reported("same account", "2025-11-02", 20_000),
            ],
            account("2"): [
                try reported("late", "2025-11-06", 20_000), try reported("near", "2025-11-03", 20_000),
                try reported("in", "2025-11-02", 20_000, "From everyday"),
                try reported("3", "2025-11-02", 300),
            ],
            account("3"): [dollars],
        ])
        func rows() throws -> BankRows { try book.bankRows(of: reports) }
        func row(_ id: String) throws -> BankRow {
            try #require(try rows().all.first { $0.reported.id == id })
        }
        func side(_ id: String) throws -> String? {
            let side = try book.bankCounterparts(of: rows())[row(id)]
            return try side.flatMap { try rows()[$0.id]?.reported.id }
        }
        #expect(try side("out") == "in" && side("in") == "out" && side("near") == "out")
        for id in ["late", "d", "pending", "3"] { #expect(try side(id) == nil, "\(id)") }
        try note("out", book) { $0.payee = "Holidays" }
        var arrival = try book.bankNote(of: BankTransactionKey(account("2"), id: "in"))
        arrival.tags = ["savings"]
        try book.write(arrival)
        // Without a question, neither side is recorded.
        _ = try book.recordBank(of: .number(1), from: CivilDate(iso: "2025-11-01"))
        #expect(try book.recordAutomatically(try rows()).count == 1)
        #expect(
            try book.transactions(TransactionQuery()).page.rows.map(\.bankTransaction) == [
                "\(key) same account"
            ]
        )
        try book.deleteTransaction(try row("same account").transaction.id)
        let change = try #require(try book.recordTransfer(row("in"), row("out")))
        #expect(try book.recordTransfer(row("in"), row("out")) == nil)
        let transfer = try #require(try book.transactions(TransactionQuery()).page.rows.first)
        #expect(
            transfer.kind == .transfer && transfer.account == .number(1) && transfer.toAccount == .number(2)
        )
        #expect(transfer.amount.minor == 20_000 && transfer.toMinor == 20_000 && transfer.payee == "Holidays")
        #expect(transfer.tags == ["savings"])
        #expect(
            try row("out").state == .recorded(transfer.id) && row("in").state == .recorded(transfer.id)
        )
        #expect(try row("near").state == .open && side("near") == nil)
        #expect(try book.undo(change, overriding: false) != .already)
        #expect(try side("out") == "in")
    }

    /// The bank of one side books its transaction days before that of the other side.
    @Test(arguments: [-1, 1] as [Int64])
    func theOtherSideOfARecordMakesATransferOfIt(sign: Int64) throws {
        let book = try book()
        try book.add(Account.sample(2))
        try book.joinSample("2", to: 2)
        let other = BankAccountKey(provider: "truelayer", account: "2")
        let first = [try reported("first", "2025-11-17", sign * 20_000, "TO OR FROM")]
        var record = try #require(try rows(book, first).all.first)
        try note("first", book) { $0.note = "for the holidays" }
        record = try #require(try rows(book, first).all.first)
        #expect(try book.record([record], again: true).count == 1)
        let reports = BankReports([
            key: first,
            other: [
                try reported("second", "2025-11-20", -sign * 20_000, "OTHER SIDE"),
                try reported("late", "2025-11-21", -sign * 20_000), try reported("else", "2025-11-20", 5),
            ],
        ])
        func row(_ id: String) throws -> BankRow {
            try #require(try book.bankRows(of: reports).all.first { $0.reported.id == id })
        }
        let merged = try book.bankRows(of: reports)
        let side = try #require(try book.bankCounterparts(of: merged)[row("second")])
        #expect(side.isRecorded && side.id == record.transaction.id && side.account == .number(1))
        #expect(try book.bankCounterparts(of: merged)[row("late")] == nil)
        // Neither without a question, nor with many others.
        let recordable = try book.recordable(of: .number(2), among: merged)
        #expect(recordable.certain.map(\.reported.id) == ["late", "else"] && recordable.undecidedCount == 1)
        #expect(recordable.sides.map(\.reported.id) == ["second"])
        _ = try book.recordBank(of: .number(2), from: CivilDate(iso: "2025-11-20"))
        #expect(try book.recordAutomatically(book.bankRows(of: reports)).count == 2)
        #expect(try row("second").state == .open)
        try note("second", book, of: other) { ($0.note, $0.tags) = ("not this one", ["savings"]) }
        let change = try #require(try book.recordTransfer(row("second"), besideRecord: side.id))
        let transfer = try #require(try book.transaction(side.id))
        #expect(transfer.kind == .transfer && transfer.category == nil && transfer.amount.minor == 20_000)
        #expect(
            transfer.account == .number(sign < 0 ? 1 : 2) && transfer.toAccount == .number(sign < 0 ? 2 : 1)
        )
        #expect(transfer.accountMinor == 20_000 && transfer.toMinor == 20_000)
        #expect(transfer.note == "for the holidays" && transfer.tags == ["savings"])
        #expect(try row("first").state == .recorded(side.id) && row("second").state == .recorded(side.id))
        // A page that was opened before.
        #expect(try book.recordTransfer(row("second"), besideRecord: side.id) == nil)
        #expect(try book.undo(change, overriding: false) != .already)
        #expect(try book.transaction(side.id)?.kind == (sign < 0 ? .expense : .income))
        #expect(try row("second").state == .open)
    }

    @Test func allThatWereEnteredAlreadyAreConnectedAsOneChange() throws {
        let book = try book()
        for number in 50...52 {
            try book.record(.sample(number, .expense, "2025-11-19", Int64(number)))
        }
        let reported = try (50...53).map { try self.reported("t\($0)", "2025-11-20", -Int64($0)) }
        let recordable = try book.recordable(of: .number(1), among: rows(book, reported))
        #expect(recordable.entered.count == 3 && recordable.certain.map(\.reported.id) == ["t53"])
        try book.deleteTransaction(.number(52))
        let connected = try book.connectEntered(recordable.entered)
        #expect(connected.count == 2)
        let after = try book.recordable(of: .number(1), among: rows(book, reported))
        #expect(after.undecidedCount == 0 && Set(after.certain.map(\.reported.id)) == ["t52", "t53"])
        #expect(try book.undo(try #require(connected.change), overriding: false) != .already)
        #expect(try book.recordable(of: .number(1), among: rows(book, reported)).entered.count == 2)
    }

    @Test func anAccountThatGetsAnotherIdentifierAsksBeforeItsRecordsCountAgain() throws {
        let book = try book()
        let reported = [try reported("t1", "2025-11-20", -320)]
        #expect(try book.record(try rows(book, reported).all, again: true).count == 1)
        let bank = BankAccount(id: "z", name: "A", kind: .current, currency: .eur, institution: nil)
        _ = try book.join(
            [BankJoin(bank, of: "truelayer", .existing(.number(1)))],
            connection: .number(601),
            refreshedAt: noon
        )
        func again() throws -> BankRows {
            let key = BankAccountKey(provider: "truelayer", account: "z")
            return try book.bankRows(of: BankReports([key: [try self.reported("z1", "2025-11-20", -320)]]))
        }
        let row = try #require(try again().all.first)
        guard case .entered(let record) = row.state else {
            Issue.record("\(row.state)")
            return
        }
        #expect(try book.transactions(query(), beside: try again()).page.totals.first?.expenseMinor == 320)
        #expect(try book.connect(record, to: row) != nil)
        #expect(try again().all.first?.state == .recorded(record))
    }

    @Test func aScheduleRecordsNothingThatTheBankHasRecorded() throws {
        let book = try book()
        try book.record(.sample(50, .expense, "2025-11-19", 500, payee: "Gym"))
        for (number, minor) in [(70, 90_000), (71, 500)] as [(Int, Int64)] {
            let payment = Transaction.sample(number, .expense, "2025-11-20", minor, payee: "Rent \(number)")
            try book.add(Schedule(transaction: payment))
        }
        let reported = [try reported("t1", "2025-11-18", -90_000, "DIRECT DEBIT 12")]
        #expect(try book.record(try rows(book, reported).all, again: true).count == 1)
        try book.recordDue(on: try #require(CivilDate(iso: "2025-11-20")))
        // The other schedule is of an amount that is not the bank's: it is recorded.
        let all = try book.transactions(query(), beside: try rows(book, reported)).page.rows
        #expect(all.map(\.amount.minor) == [500, 500, 90_000])
        #expect(all.map(\.payee) == ["Rent 71", "Gym", "Direct Debit"])
    }

    @Test func aRowWithAnotherAmountIsPerhapsWhatAScheduleHasRecorded() throws {
        let book = try book()
        for (number, start) in [(70, "2025-11-20"), (71, "2025-11-19")] {
            try book.add(Schedule(transaction: .sample(number, .expense, start, 1_000, payee: "Telco")))
        }
        try book.recordDue(on: try #require(CivilDate(iso: "2025-11-20")))
        let reported = [
            try reported("t1", "2025-11-20", -1_049, "TELCO"),
            try reported("t2", "2025-11-20", -1_200, "TELCO"),
            try reported("t3", "2025-11-20", -1_049, "OTHER"),
        ]
        let rows = try rows(book, reported)
        func row(_ id: String, _ rows: BankRows) throws -> BankRow {
            try #require(rows.all.first { $0.reported.id == id })
        }
        guard case .entered(let payment) = try row("t1", rows).state else {
            Issue.record("\(rows.all.map(\.state))")
            return
        }
        // It is one of the two, and the nearest in day.
        #expect(try book.transaction(payment)?.date == CivilDate(iso: "2025-11-20"))
        #expect(try row("t2", rows).state == .open && row("t3", rows).state == .open)
        #expect(try book.connect(payment, to: row("t1", rows)) != nil)
        #expect(try book.transaction(payment)?.amount.minor == 1_049)
        // The answer that they are two stays.
        let again = [try self.reported("t4", "2025-11-19", -1_001, "TELCO")]
        let later = try row("t4", try self.rows(book, again))
        guard case .entered(let other) = later.state else {
            Issue.record("\(later.state)")
            return
        }
        try book.note(other, isNot: later.transaction.id)
        #expect(try row("t4", try self.rows(book, again)).state == .open)
    }

    @Test func aRowThatWasPendingWhenRecordingBeganIsRecorded() throws {
        let book = try book()
        let before = [
            try reported("t1", "2025-11-18", -1, isPending: true),
            try reported("p2", "2025-11-18", -2, isPending: true), try reported("t3", "2025-11-18", -3),
        ]
        _ = try book.recordBank(of: .number(1), from: CivilDate(iso: "2025-11-20"))
        let now = [
            try reported("t1", "2025-11-18", -1), try reported("t2", "2025-11-19", -2),
            try reported("t3", "2025-11-18", -3),
        ]
        let booked = try book.followBank(key, before: before, now: now).booked
        #expect(try book.recordAutomatically(try rows(book, now), booked: booked).count == 2)
        #expect(try book.transactions(query()).page.rows.map(\.amount.minor) == [2, 1])
    }

    @Test func namesOfPayeesLoseTheirNumbers() throws {
        for (words, payee) in [
            ("PLANTED GROCER 4242", "Planted Grocer"), ("Salary", "Salary"),
            ("CARD 1234 * PAYPAL", "Card Paypal"),
            ("7-Eleven Main St", "7-Eleven Main St"), ("O2 UK", "O2 Uk"), ("", ""), ("4711", "4711"),
        ] { #expect(try reported("x", "2025-11-20", -1, words).payee == payee, "\(words)") }
    }

    @Test func theMemoryHasABound() throws {
        let words = String(repeating: "x", count: 200)
        let many = try (0..<8_000).map { try reported("t\($0)", "2025-11-20", -1, words) }
        let reports = BankReports([key: many])
        #expect(reports.bytes <= BankReports.mostBytes && reports.rows.count < many.count)
        #expect(BankReports([key: Array(many.prefix(1_500))]).rows.count == 1_500)
    }
}

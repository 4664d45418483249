// One change to many transactions: what it changes, what it leaves out, and how it is undone.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct BulkChangeTests {
    private let folder = Scratch()
    private let book: Book
    private static let euro = Account.sample(1)
    private static let dollar = Account.sample(2, .usd)
    private static let food = Ledger.Category.sample(11)
    private static let salary = Ledger.Category.sample(12, .income)

    init() throws {
        book = try .scratch(folder)
        try book.add(Self.euro)
        try book.add(Self.dollar)
        try book.add(Account.sample(3))
        try book.add(Self.food)
        try book.add(Self.salary)
    }

    private static let expense = Transaction.sample(50, category: 11, payee: "Shell", tags: ["car"])
    private static let income = Transaction.sample(51, .income, category: 12)
    private static let transfer = Transaction.sample(52, .transfer, to: 3)
    private static var split: Transaction {
        var split = Transaction.sample(53)
        split.split = .parts([
            SplitPart(category: .number(11), minor: 500), SplitPart(category: nil, minor: 750),
        ])
        return split
    }
    private static let foreign = Transaction.sample(
        54,
        .expense,
        "2025-11-15",
        100,
        .usd,
        accountMinor: 93
    )
    private static let all = [expense, income, transfer, split, foreign]

    static let changes: [(BulkChange, changed: [Int], leftOut: [BulkObstacle: Int])] = [
        (.category(food), [51, 54], [.transfer: 1, .split: 1]),
        (.category(salary), [], [.transfer: 1, .split: 1, .incomeCategory: 2]),
        (.category(nil), [50, 51], [.transfer: 1, .split: 1]),
        (.payee("Shell"), [51, 52, 53, 54], [:]),
        (.account(dollar), [54], [.otherCurrency: 4]),
        (.account(.sample(3)), [50, 51, 53, 54], [.sameAccount: 1]),
        (.date(day("2025-11-16")), [50, 51, 52, 53, 54], [:]),
        (.tagsAdded(["car", "fuel"]), [50, 51, 52, 53, 54], [:]),
        (.tagsAdded(["car"] + (0..<19).map { "t\($0)" }), [50, 51, 52, 53, 54], [:]),
        (.tagsAdded((0..<20).map { "t\($0)" }), [51, 52, 53, 54], [.tooManyTags: 1]),
        (.tagsRemoved(["car"]), [50], [:]),
        (.note("checked"), [50, 51, 52, 53, 54], [:]),
    ]

    @Test(arguments: changes)
    func whatItChangesAndLeavesOut(
        change: BulkChange,
        changed: [Int],
        leftOut: [BulkObstacle: Int]
    ) throws {
        try book.record(all: Self.all)
        let ids = Self.all.map(\.id)
        let result = try book.change(.rows(ids), by: change)
        #expect(result.changedCount == changed.count)
        #expect(result.leftOut == leftOut)
        #expect(result.unchangedCount == ids.count - changed.count - leftOut.values.reduce(0, +))
        let rows = try book.transactions(TransactionQuery()).page.rows
        let different = Self.all.filter { before in rows.first { $0.id == before.id } != before }
        #expect(Set(different.map(\.id)) == Set(changed.map { .number($0) }))
        #expect(try book.verifySums() == [])
        #expect((result.change == nil) == changed.isEmpty)
        guard let number = result.change else { return }
        guard case .done = try book.undo(number, overriding: false) else {
            Issue.record("it is not undone")
            return
        }
        #expect(Set(try book.transactions(TransactionQuery()).page.rows) == Set(Self.all))
    }

    @Test func theHistorySaysTogetherOnlyWhatIsSoOfAll() throws {
        func latest() throws -> HistoryChange.Together? { try book.history(limit: 1).first?.together }
        try book.record(all: (100..<130).map { .sample($0, payee: $0 == 100 ? "Aral" : "Shell") })
        #expect(try latest() == HistoryChange.Together(count: 30, hasOneContent: true))
        let renamed = try book.change(.all(TransactionQuery()), by: .payee("Esso"))
        #expect(try latest() == HistoryChange.Together(count: 30, hasOneContent: true))
        _ = try book.undo(try #require(renamed.change), overriding: false)
        #expect(try latest() == HistoryChange.Together(count: 30, hasOneContent: false))
        try book.add(Ledger.Category.sample(15))
        #expect(try latest() == nil)
    }

    @Test func anAccountInTheCurrencyOfTheAmountIsChargedTheAmount() throws {
        try book.record(Self.foreign)
        _ = try book.change(.rows([Self.foreign.id]), by: .account(Self.dollar))
        #expect(try book.transaction(Self.foreign.id)?.accountMinor == 100)
    }

    @Test func oneThatWasDeletedMeanwhileIsSaidAndTheRestDone() throws {
        try book.record(all: [Self.expense, Self.income])
        try book.deleteTransaction(Self.expense.id)
        let result = try book.change(
            .rows([Self.expense.id, Self.income.id, Self.income.id]),
            by: .note("checked")
        )
        #expect(result.changedCount == 1 && result.leftOut == [.deleted: 1])
    }

    /// A list in another tab shows the rows as they were before.
    @Test func twoTabsThatChangeTheSameSelectionBothCount() throws {
        try book.record(all: [Self.expense, Self.income])
        let selection = TransactionSelection.rows([Self.expense.id, Self.income.id])
        let payee = try book.change(selection, by: .payee("Shell AG"))
        let note = try book.change(selection, by: .note("checked"))
        #expect(try book.change(selection, by: .note("checked")).unchangedCount == 2)
        func rows() throws -> [Transaction] { try book.transactions(TransactionQuery()).page.rows }
        #expect(try rows().allSatisfy { $0.payee == "Shell AG" && $0.note == "checked" })
        // Of two that set the same field, the last one counts, and is not undone with the first one.
        _ = try book.change(selection, by: .note("paid"))
        #expect(try book.undo(try #require(note.change), overriding: false) == .changedSince)
        guard case .done = try book.undo(try #require(payee.change), overriding: false) else {
            Issue.record("the other field is not undone")
            return
        }
        #expect(try rows().map(\.note) == ["paid", "paid"])
        #expect(try Set(rows().map(\.payee)) == ["Shell", ""])
        // A row that has become a transfer since is left out, and its category stays none.
        var edited = try #require(try book.transaction(Self.expense.id))
        (edited.kind, edited.toAccount, edited.toMinor) = (.transfer, .number(3), edited.accountMinor)
        edited.category = nil
        try book.change(edited)
        #expect(try book.change(selection, by: .category(Self.food)).leftOut == [.transfer: 1])
    }

    @Test func allThatMatchIncludesTheOtherPages() throws {
        try book.record(all: (100..<700).map { .sample($0, payee: $0 % 2 == 0 ? "Shell" : "Aral") })
        var query = TransactionQuery()
        query.payee = "shell"
        let result = try book.change(.all(query), by: .payee("Shell AG"))
        #expect(result.changedCount == 300)
        query.payee = "Shell AG"
        #expect(try book.selected(.all(query)).rows.count == 300)
        query.payee = "Aral"
        #expect(try book.selected(.all(query)).rows.count == 300)
    }

    @Test func theyAreDeletedAndComeBackTogether() throws {
        try book.record(all: Self.all)
        let result = try book.delete(.all(TransactionQuery()))
        #expect(result.changedCount == 5)
        #expect(try book.counts().transactions == 0)
        _ = try book.undo(try #require(result.change), overriding: false)
        #expect(Set(try book.transactions(TransactionQuery()).page.rows) == Set(Self.all))
    }

    @Test func copiesAreOfAnotherDayAndNoRecordsOfABank() throws {
        var recorded = Self.expense
        recorded.bankTransaction = "bank 1"
        try book.record(all: [recorded, Self.split])
        var next = 80
        let result = try book.duplicate(.rows([recorded.id, Self.split.id]), on: day("2025-12-01")) {
            next += 1
            return .number(next)
        }
        #expect(result.changedCount == 2)
        let copies = try book.transactions(TransactionQuery()).page.rows.prefix(2)
        #expect(copies.map(\.date) == [day("2025-12-01"), day("2025-12-01")])
        #expect(copies.map(\.bankTransaction) == [nil, nil])
        #expect(Set(copies.map(\.payee)) == ["Shell", ""])
        #expect(copies.contains { $0.split == Self.split.split })
        _ = try book.undo(try #require(result.change), overriding: false)
        #expect(try book.counts().transactions == 2)
    }

    @Test func aSelectionHasALimit() throws {
        let ids = (0...TransactionSelection.limit).map { EntityID.number($0) }
        #expect(throws: BookError.selectionTooLarge) { try book.delete(.rows(ids)) }
        #expect(
            try book.delete(.rows(Array(ids.dropLast()))).leftOut == [.deleted: TransactionSelection.limit]
        )
        try book.record(all: (0...TransactionSelection.limit).map { .sample($0) })
        #expect(throws: BookError.selectionTooLarge) { try book.delete(.all(TransactionQuery())) }
        #expect(try book.counts().transactions == TransactionSelection.limit + 1)
    }

    @Test func aClosedAccountIsRefused() throws {
        try book.record(Self.expense)
        var closed = Account.sample(3)
        closed.isClosed = true
        try book.change(closed)
        #expect(throws: BookError.accountClosed(.account)) {
            try book.change(.rows([Self.expense.id]), by: .account(closed))
        }
    }
}

// Transactions without a category, by payee, and the category that all of a payee get.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct UncategorizedTests {
    private let folder = Scratch()
    private let book: Book
    private static let food = Ledger.Category.sample(11)
    private static let salary = Ledger.Category.sample(12, .income)

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2, .usd))
        try book.add(Account.sample(3))
        try book.add(Self.food)
        try book.add(Self.salary)
        var split = Transaction.sample(57, payee: "Shell")
        split.split = .parts([
            SplitPart(category: .number(11), minor: 500), SplitPart(category: nil, minor: 750),
        ])
        try book.record(all: [
            .sample(50, .expense, "2026-01-10", 400, payee: "Shell"),
            .sample(51, .expense, "2026-02-10", 500, payee: "SHELL"),
            .sample(52, .income, "2026-02-11", 100, payee: "SHELL"),
            .sample(53, .expense, "2026-02-12", 100, category: 11, payee: "Shell"),
            .sample(54, .expense, "2024-02-12", 900),
            .sample(55, .expense, "2024-02-13", 900),
            .sample(56, .transfer, "2026-03-01", to: 3, payee: "Shell"),
            split,
            .sample(58, .income, "2025-03-01", 200, payee: "Work"),
        ])
    }

    @Test func payeesAreOneInAllSpellingsAndThatOfMostIsFirst() throws {
        let payees = try book.uncategorizedPayees()
        #expect(payees.map(\.name) == ["Shell", "", "Work"])
        #expect(payees.map(\.count) == [3, 2, 1])
        #expect(payees[0].first == day("2026-01-10") && payees[0].last == day("2026-02-11"))
        #expect(
            payees[0].totals
                == [CurrencyTotal(currency: .eur, incomeMinor: 100, expenseMinor: 900, count: 3)]
        )
        #expect(payees.map(\.isIncomeOnly) == [false, false, true])
        #expect(try book.uncategorized(ofPayee: "shell", most: 2).map(\.id) == [.number(52), .number(51)])
        #expect(try book.uncategorized(ofPayee: "", most: 5).map(\.id) == [.number(55), .number(54)])
    }

    @Test func theCountIsThatOfThePayeesAlsoAfterChanges() throws {
        func expectAgreement(_ count: Int) throws {
            #expect(try book.uncategorizedCount() == count)
            #expect(try book.uncategorizedPayees().reduce(0) { $0 + $1.count } == count)
        }
        try expectAgreement(6)
        try book.deleteTransaction(.number(57))
        try expectAgreement(6)
        try book.deleteTransaction(.number(54))
        try expectAgreement(5)
        _ = try book.categorize("Shell", as: Self.food)
        try expectAgreement(2)
    }

    @Test func allOfAPayeeGetTheCategoryInOneStep() throws {
        let result = try book.categorize("shell", as: Self.food)
        #expect(result.changedCount == 3 && result.leftOut.isEmpty)
        #expect(try book.uncategorizedPayees().map(\.name) == ["", "Work"])
        #expect(try book.transaction(.number(52))?.category == Self.food.id)
        #expect(try book.history(limit: 1).first?.together?.count == 3)
        _ = try book.undo(try #require(result.change), overriding: false)
        #expect(try book.uncategorizedPayees().map(\.count) == [3, 2, 1])
        #expect(try book.verifySums() == [])
    }

    @Test func anExpenseHasNoCategoryOfIncomeAndIsLeftOut() throws {
        let mixed = try book.categorize("Shell", as: Self.salary)
        #expect(mixed.changedCount == 1 && mixed.leftOut == [.incomeCategory: 2])
        let none = try book.categorize("", as: Self.salary)
        #expect(none.changedCount == 0 && none.change == nil && none.leftOut == [.incomeCategory: 2])
    }

    @Test func aPayeeOfWhichNothingIsLeftChangesNothing() throws {
        #expect(try book.categorize("Nobody", as: Self.food) == BulkResult())
        #expect(throws: BookError.unknownCategory(.number(13))) {
            _ = try book.categorize("Shell", as: .sample(13))
        }
        #expect(try book.uncategorizedCount() == 6)
    }

    @Test func moreThanTenThousandAreRefused() throws {
        try book.record(all: (1_000..<11_001).map { .sample($0, payee: "Kiosk") })
        #expect(throws: BookError.selectionTooLarge) { _ = try book.categorize("Kiosk", as: Self.food) }
        #expect(try book.uncategorizedPayees().first?.count == 10_001)
    }
}

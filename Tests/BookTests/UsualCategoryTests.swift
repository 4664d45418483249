// The category that a new transaction of a payee gets.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct UsualCategoryTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for (number, kind) in [(11, CategoryKind.expense), (12, .expense), (13, .income)] {
            try book.add(Ledger.Category.sample(number, kind))
        }
        try book.record(.sample(50, category: 11, payee: "Shell"))
    }

    private func usual(_ payee: String = "shell", _ kind: TransactionKind? = nil) throws -> EntityID? {
        try book.usualCategory(ofPayee: payee, kind: kind)
    }

    private func set(_ category: Int?, note: String = "") throws {
        let id = category.map { EntityID.number($0) }
        _ = try book.set(PayeeDefault(id: .number(80), name: "SHELL", category: id, note: note))
    }

    @Test func theOneThatIsSetCountsMoreThanTheLastOne() throws {
        #expect(try usual() == .number(11))
        try set(12, note: "Full tank")
        #expect(try usual() == .number(12) && usual("Shell", .expense) == .number(12))
        let use = try book.recentPayeeUses().first
        #expect(use?.category == .number(12) && use?.note == "Full tank")
        try set(nil)
        #expect(try usual() == .number(11) && book.recentPayeeUses().first?.note == "")
        #expect(try usual("nobody") == nil && usual("") == nil)
    }

    @Test func oneThatIsDeletedOrOfAnotherKindDoesNotCount() throws {
        try set(13)
        #expect(try usual("shell", .expense) == .number(11))
        #expect(try usual("shell", .income) == .number(13))
        try set(12)
        try book.deleteCategory(.number(12))
        #expect(try usual() == .number(11))
    }

    @Test func alwaysMakesOneRuleInTheSameStep() throws {
        try book.record(.sample(51, payee: "SHELL"))
        let result = try book.categorize("shell", as: .sample(12), always: .number(81))
        #expect(result.changedCount == 1)
        let rule = try #require(try book.rule(.number(81)))
        #expect(rule.effects == RuleEffects(category: .number(12)) && rule.runs)
        #expect(rule.conditions == [RuleCondition(.payee, .equals, .text("shell"))])
        try book.record(.sample(52, payee: "SHELL"))
        _ = try book.categorize("shell", as: .sample(12), always: .number(82))
        #expect(try book.rules().map(\.id) == [.number(81)], "there is one already")
        _ = try book.undo(try #require(result.change), overriding: false)
        #expect(try book.rules().isEmpty && book.uncategorizedCount() == 1)
    }
}

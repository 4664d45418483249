// The payees of a book, and other names for them.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct PayeeNameTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(3))
        try book.add(Ledger.Category.sample(11))
        try book.record(all: [
            .sample(50, .expense, "2026-01-10", 400, payee: "Shell"),
            .sample(51, .expense, "2026-02-10", 500, payee: "SHELL"),
            .sample(52, .expense, "2026-02-11", 600, payee: "SHELL"),
            .sample(53, .income, "2026-02-12", 100, payee: "Shell 4711"),
            .sample(54, .expense, "2024-02-12", 900, payee: "O'Neil \"&\" Sons"),
            .sample(55, .transfer, "2026-03-01", to: 3, payee: "Shell"),
            .sample(56, .expense, "2026-03-01"),
        ])
    }

    @Test func eachPayeeIsListedOnceWithItsLastDay() throws {
        let payees = [
            PayeeSummary(name: "O'Neil \"&\" Sons", count: 1, lastDay: day("2024-02-12")),
            PayeeSummary(name: "SHELL", count: 3, lastDay: day("2026-03-01")),
            PayeeSummary(name: "Shell 4711", count: 1, lastDay: day("2026-02-12")),
        ]
        #expect(try book.payees(through: day("2026-03-01")) == payees)
        #expect(try book.payees(named: "shell", through: day("2026-03-01")) == [payees[1]])
        #expect(try book.payees(named: "nobody", through: day("2026-03-01")) == [])
        // A day that is to come is none of use yet.
        #expect(
            try book.payees(through: day("2026-02-11")).map(\.lastDay)
                == [day("2024-02-12"), day("2026-02-11"), nil]
        )
    }

    @Test func severalBecomeOneInOneStepWithTransfersAndSchedules() throws {
        try book.add(Schedule(transaction: .sample(70, .expense, "2027-01-01", payee: "shell")))
        let from = ["Shell", "Shell 4711", "O'Neil \"&\" Sons"]
        let plan = try book.planRenaming(from, to: "Shell")
        #expect(plan == PayeeRenaming(transactionCount: 4, scheduleCount: 1))
        let done = try book.rename(from, to: "Shell")
        #expect((done.transactionCount, done.scheduleCount) == (4, 1))
        #expect(try book.payees(through: day("2026-03-01")).map(\.name) == ["Shell"])
        #expect(try book.schedules().map(\.transaction.payee) == ["Shell"])
        #expect(try book.verifySums() == [])
        let rows = try book.transactions(TransactionQuery()).page.rows
        #expect(rows.filter { $0.payee.isEmpty }.map(\.id) == [.number(56)])
        _ = try book.undo(try #require(done.change), overriding: false)
        #expect(try book.payees(through: day("2026-03-01")).map(\.count) == [1, 3, 1])
        #expect(try book.schedules().map(\.transaction.payee) == ["shell"])
    }

    @Test func theUsualCategoryAndNoteComeAlong() throws {
        try book.set(usual(80, "shell", category: 11, note: "full tank"))
        let done = try book.rename(["SHELL"], to: "Shell AG")
        #expect(try book.payeeDefaults() == [usual(80, "Shell AG", category: 11, note: "full tank")])
        #expect(try book.usualCategory(ofPayee: "shell ag") == .number(11))
        _ = try book.undo(try #require(done.change), overriding: false)
        #expect(try book.payeeDefaults() == [usual(80, "shell", category: 11, note: "full tank")])
        // Another spelling is the same payee.
        _ = try book.rename(["Shell"], to: "shell")
        #expect(try book.payeeDefault(of: "Shell")?.category == .number(11))
    }

    @Test func valuesThatTheNewNameHasStay() throws {
        let own = usual(81, "Shell", category: nil, note: "card")
        let others = [
            usual(80, "Shell 4711", category: 11, note: "full tank"),
            usual(82, "O'Neil \"&\" Sons", category: nil, note: "by hand"),
        ]
        for one in [own] + others { try book.set(one) }
        let done = try book.rename(["O'Neil \"&\" Sons", "Shell 4711", "nobody"], to: "Shell")
        #expect(try book.payeeDefaults() == [usual(81, "Shell", category: 11, note: "card")])
        _ = try book.undo(try #require(done.change), overriding: false)
        #expect(Set(try book.payeeDefaults()) == Set([own] + others))
    }

    private func usual(_ number: Int, _ name: String, category: Int?, note: String) -> PayeeDefault {
        PayeeDefault(
            id: .number(number),
            name: name,
            category: category.map { .number($0) },
            note: note
        )
    }

    @Test func aNameThatAllHaveChangesNothing() throws {
        let done = try book.rename(["Shell 4711"], to: "Shell 4711")
        #expect(done == PayeeRenaming(transactionCount: 0, scheduleCount: 0))
        #expect(try book.rename(["nobody"], to: "Shell").change == nil)
    }

    /// Names with wildcards, quotes, marks of another direction, combined letters and the greatest length.
    static let unusual = [
        "50% off_now", "O'Neil; -- \"&\" <Söns>", "*?[a-z]\\x", "\u{202E}gnol", "\u{200F}مقهى الحي",
        "Cafe\u{301} \u{1F468}\u{200D}\u{1F469}", String(repeating: "x", count: 200),
    ]

    @Test(arguments: unusual) func anUnusualNameIsThatPayeeAndNoOther(name: String) throws {
        let today = day("2026-03-01")
        let before = try book.payees(through: today)
        try book.record(.sample(60, .expense, "2026-02-01", 700, payee: name))
        #expect(try book.payees(named: name, through: today).map(\.count) == [1])
        #expect(try book.payeeUses(matching: name).map(\.payee) == [name])
        #expect(try book.planRenaming([name], to: "Corner").transactionCount == 1)
        _ = try book.rename([name], to: "Corner")
        let done = try book.rename(["CORNER"], to: name)
        #expect(done.transactionCount == 1)
        #expect(try book.transaction(.number(60))?.payee == name)
        #expect(try book.payees(through: today).filter { $0.name != name } == before)
        let rule = Rule.sample(90, name, RuleEffects(category: .number(11)), .equals)
        try book.add(rule)
        #expect(try book.preview(rule).rows.map(\.before.id) == [.number(60)])
        _ = try book.undo(try #require(done.change), overriding: false)
        #expect(try book.transaction(.number(60))?.payee == "Corner")
    }

    @Test(arguments: ["", "a\0b", String(repeating: "x", count: 201)])
    func aNameThatCannotBeIsRefused(name: String) throws {
        #expect(throws: BookError.invalid(.payee)) { try book.rename(["Shell"], to: name) }
    }
}

// A category that is merged into another one: everything goes over, and one step takes it back.
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct CategoryMergeTests {
    private let folder = Scratch()
    private let book: Book
    private let now = month("2025-11")

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in [11, 12] { try book.add(Ledger.Category.sample(number)) }
        try book.add(Ledger.Category.sample(13, parent: 11))
        try book.add(Ledger.Category.sample(14, parent: 12))
        try book.add(Ledger.Category.sample(15, .income))
    }

    private func merge(_ source: Int, _ target: Int, expecting count: Int? = nil) throws(BookError)
        -> CategoryMerge
    { try book.mergeCategory(.number(source), into: .number(target), in: now, expecting: count) }

    /// One row of each kind that names category 11.
    private func fill() throws {
        try book.record(.sample(31, category: 11))
        var split = Transaction.sample(32)
        split.split = .parts([
            SplitPart(category: .number(11), minor: 1_000), SplitPart(category: .number(12), minor: 250),
        ])
        try book.record(split)
        try book.add(
            Schedule(transaction: .sample(41, category: 11, payee: "Rent"), every: 1, unit: .month)
        )
        var note = try book.bankNote(of: BankTransactionKey(text: "truelayer:a t"))
        note.category = .number(11)
        try book.write(note)
        try book.set(PayeeDefault(id: .number(51), name: "Baker", category: .number(11)))
        try book.add(SavedView(id: .number(61), name: "V", query: "category=\(EntityID.number(11))"))
        try book.changeAsUser { db in
            let effects = #"[{"field":"category","value":"\#(EntityID.number(11))"}]"#
            let sql = """
                INSERT INTO rules (id, name, enabled, match_mode, conditions, effects)
                VALUES (?, 'R', 1, 'all', '[]', ?)
                """
            try db.change(sql, [EntityID.number(71).column, effects])
        }
    }

    private func effects() throws -> String? {
        try book.reading { db in try db.first("SELECT effects FROM rules") { $0.text(0) } }
    }

    @Test func everythingGoesOverAndComesBack() throws {
        try fill()
        let plan = try book.planMerge(of: .number(11), into: .number(12), in: now)
        #expect(plan.transactionCount == 2 && plan.scheduleCount == 1 && plan.bankNoteCount == 1)
        #expect(plan.payeeCount == 1 && plan.ruleCount == 1 && plan.viewCount == 1)
        #expect(plan.children.map(\.id) == [.number(13)] && plan.newParent == .number(12))
        #expect(plan.budgets == nil && plan.change == nil)
        #expect(try book.transaction(.number(31))?.category == .number(11), "a plan changes nothing")
        let merged = try merge(11, 12, expecting: 2)
        #expect(try book.category(.number(11)) == nil)
        #expect(try book.transaction(.number(31))?.category == .number(12))
        let parts = try book.transaction(.number(32))?.split?.parts ?? []
        #expect(parts.map(\.category) == [.number(12), .number(12)])
        #expect(try book.schedules().first?.transaction.category == .number(12))
        let key = BankTransactionKey(text: "truelayer:a t")
        #expect(try book.bankNote(of: key).category == .number(12))
        #expect(try book.payeeDefault(of: "baker")?.category == .number(12))
        #expect(try book.savedViews().first?.query == "category=\(EntityID.number(12))")
        #expect(try effects()?.contains("\(EntityID.number(12))") == true)
        #expect(try book.category(.number(13))?.parent == .number(12))
        #expect(try book.verifySums() == [])
        // One step takes all of it back.
        #expect(try book.history(limit: 1).first?.id == merged.change)
        _ = try book.undo(try #require(merged.change), overriding: false)
        #expect(try book.category(.number(11)) != nil)
        #expect(try book.transaction(.number(31))?.category == .number(11))
        #expect(try book.transaction(.number(32))?.split?.parts.first?.category == .number(11))
        #expect(try book.category(.number(13))?.parent == .number(11))
        #expect(try book.savedViews().first?.query == "category=\(EntityID.number(11))")
        #expect(try effects()?.contains("\(EntityID.number(11))") == true)
        #expect(try book.verifySums() == [])
    }

    @Test func whatWasSentComesBackWithACopyOfTheCategory() throws {
        try fill()
        try book.add(Budget.sample(81, category: 11, limit: 100, from: "2025-10"))
        try book.add(Budget.sample(82, category: 12, limit: 50, from: "2025-10"))
        try book.attach(as: .number(900), .upload)
        func send() throws {
            while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
                try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
            }
        }
        try book.adopt(Head(epoch: 1, seq: 0))
        try send()
        try book.apply(snapshot: .last([], head: 100))
        try book.apply(changes: .last([], head: 100))
        let merged = try merge(11, 12)
        try send()
        _ = try book.undo(try #require(merged.change), overriding: false)
        let copy = try #require(try book.transaction(.number(31))?.category)
        #expect(copy != .number(11) && copy != .number(12))
        #expect(try book.category(copy)?.name == "Category 11")
        #expect(try book.category(.number(13))?.parent == copy)
        #expect(try book.transaction(.number(32))?.split?.parts.map(\.category) == [copy, .number(12)])
        #expect(try effects()?.contains("\(copy)") == true)
        #expect(try book.savedViews().first?.query == "category=\(copy)")
        let limits = try book.allBudgets().map { [$0.category, .number(Int($0.limit.minor))] }
        #expect(Set(limits) == [[copy, .number(100)], [.number(12), .number(50)]])
    }

    @Test func badMergesAreRefused() throws {
        #expect(throws: BookError.invalid(.category)) { try merge(11, 11) }
        #expect(throws: BookError.categoryNesting) { try merge(11, 13) }
        #expect(throws: BookError.categoryKind) { try merge(11, 15) }
        #expect(throws: BookError.unknownCategory(.number(99))) { try merge(11, 99) }
        #expect(throws: BookError.unknownCategory(.number(99))) { try merge(99, 11) }
        try book.record(.sample(31, category: 11))
        #expect(throws: BookError.changedMeanwhile(.other)) { try merge(11, 12, expecting: 0) }
        try book.deleteCategory(.number(14))
        #expect(throws: BookError.unknownCategory(.number(14))) { try merge(11, 14) }
        #expect(try book.transaction(.number(31))?.category == .number(11))
    }

    @Test func childrenComeBesideATargetThatIsBelowAnother() throws {
        let merged = try merge(11, 14)
        #expect(merged.newParent == .number(12))
        #expect(try book.category(.number(13))?.parent == .number(12))
    }

    @Test func budgetsGoOverWhereTheTargetHasNone() throws {
        try book.add(Budget.sample(81, category: 11, limit: 100, from: "2025-10", rollover: true))
        #expect(try merge(11, 12).budgets == .moved)
        let budget = try #require(try book.allBudgets().first)
        #expect(budget.category == .number(12) && budget.limit.minor == 100 && budget.rollover)
    }

    /// The limits of a category by month, `-` for none.
    private func limits(_ category: Int, _ months: ClosedRange<Int>) throws -> [String] {
        try months.map { number in
            let shown = YearMonth(index: month("2025-01").index + number - 1)
            let view = try book.budgets(month: shown, base: .eur)
            let status = view.statuses.first { $0.budget.category == .number(category) }
            return status.map { "\($0.budget.limit.minor)" } ?? "-"
        }
    }

    @Test func budgetsOfTheSameMonthsAreAddedUp() throws {
        try book.add(Budget.sample(81, category: 12, limit: 100, from: "2025-02"))
        try book.add(Budget.sample(82, category: 12, limit: 200, from: "2025-06"))
        try book.add(Budget.sample(83, category: 11, limit: 30, from: "2025-04"))
        var ended = Budget.sample(84, category: 11, limit: 50, from: "2025-06")
        ended.until = month("2025-07")
        try book.add(ended)
        let merged = try book.mergeCategory(.number(11), into: .number(12), in: month("2025-07"))
        #expect(
            merged.budgets
                == .added(Money(minor: 50, currency: .eur), Money(minor: 200, currency: .eur))
        )
        #expect(
            try limits(12, 1...9) == ["-", "100", "100", "130", "130", "250", "250", "200", "200"]
        )
        #expect(try limits(11, 1...9).allSatisfy { $0 == "-" })
        _ = try book.undo(try #require(merged.change), overriding: false)
        #expect(try limits(12, 1...7) == ["-", "100", "100", "100", "100", "200", "200"])
        #expect(try limits(11, 3...8) == ["-", "30", "30", "50", "50", "-"])
    }

    @Test func whatCarriesOverIsThatOfBoth() throws {
        try book.add(Budget.sample(81, category: 12, limit: 100, from: "2025-08", rollover: true))
        try book.add(Budget.sample(82, category: 11, limit: 40, from: "2025-09", rollover: true))
        try book.record(.sample(31, .expense, "2025-09-03", 60, category: 11))
        try book.record(.sample(32, .expense, "2025-08-03", 70, category: 12))
        func left(_ category: Int) throws -> Int128? {
            try book.budgets(month: month("2025-10"), base: .eur).statuses
                .first { $0.budget.category == .number(category) }
                .map { Int128($0.budget.limit.minor) + $0.carriedMinor - $0.spentMinor }
        }
        let before = try (left(11) ?? 0) + (left(12) ?? 0)
        _ = try merge(11, 12)
        #expect(try left(12) == before && before != 0)
    }

    @Test func theLimitOfTheCategoryAboveItStays() throws {
        try book.add(Budget.sample(81, category: 11, limit: 100, from: "2025-02"))
        try book.add(Budget.sample(82, category: 13, limit: 30, from: "2025-01"))
        #expect(try merge(13, 11).budgets == .kept)
        #expect(try limits(11, 1...3) == ["30", "100", "100"])
    }

    @Test func pastMonthsOfOtherBudgetsAreNamed() throws {
        try book.add(Budget.sample(81, category: 12, limit: 100, from: "2025-01"))
        try book.record(.sample(31, .expense, "2025-03-03", 60, category: 11))
        try book.record(.sample(32, .expense, "2025-03-04", 5, category: 13))
        let shifts = try book.budgetShifts(merging: .number(11), into: .number(12), before: now)
        #expect(shifts.map(\.spent.minor) == [65] && shifts.map(\.category) == [.number(12)])
        let moved = try book.budgetShifts(merging: .number(14), into: .number(13), before: now)
        #expect(moved.isEmpty, "nothing has it")
    }
}

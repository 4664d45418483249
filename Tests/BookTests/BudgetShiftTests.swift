// The changes that moving a category makes in months of budgets that are past.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct PastMonthsOfBudgets {
    private let folder = Scratch()
    private let book: Book
    private let november = YearMonth(year: 2025, month: 11)

    /// Food and Leisure with a budget each since September, Travel with one that has ended; Coffee is below Food.
    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in 11...14 { try book.add(Ledger.Category.sample(number)) }
        try book.add(Ledger.Category.sample(15, parent: 11))
        try book.add(Budget.sample(31, category: 11, limit: 30_000, from: "2025-09", rollover: true))
        try book.add(Budget.sample(32, category: 12, limit: 10_000, from: "2025-10"))
        var ended = Budget.sample(33, category: 13, limit: 10_000, from: "2025-08")
        ended.until = YearMonth(year: 2025, month: 9)
        try book.add(ended)
        for (number, date, minor) in [
            (50, "2025-07-10", 7), (51, "2025-09-10", 1_000), (52, "2025-10-10", 5_000),
            (53, "2025-11-10", 90),
        ] {
            try book.record(.sample(number, .expense, date, Int64(minor), category: 15))
        }
        try book.record(.sample(54, .expense, "2025-10-11", 333, category: 11))
    }

    private func shifts(to parent: Int?, of number: Int = 15) throws -> [String] {
        let shifts = try book.budgetShifts(
            moving: .number(number),
            to: parent.map { .number($0) },
            before: november
        )
        return shifts.map { shift in
            let category = [11, 12, 13, 14].first { EntityID.number($0) == shift.category } ?? 0
            let months = "\(shift.months.lowerBound)...\(shift.months.upperBound)"
            return "\(category) \(months) \(shift.spent.minor)\(shift.carriesOver ? " carries" : "")"
        }
    }

    @Test(
        arguments: [
            (11, []),
            (12, ["11 2025-09...2025-10 -6000 carries", "12 2025-10...2025-10 5000"]),
            (13, ["11 2025-09...2025-10 -6000 carries", "13 2025-09...2025-09 1000"]),
            (14, ["11 2025-09...2025-10 -6000 carries"]),
            (nil, ["11 2025-09...2025-10 -6000 carries"]),
        ] as [(Int?, [String])]
    )
    func theyAreOfBothBudgets(parent: Int?, expected: [String]) throws {
        #expect(try shifts(to: parent) == expected)
    }

    @Test func theyAreWhatThePagesOfThePastMonthsChange() throws {
        func spent(_ month: YearMonth) throws -> [EntityID?: Int128] {
            let statuses = try book.budgets(month: month, current: november, base: .eur).statuses
            return Dictionary(uniqueKeysWithValues: statuses.map { ($0.budget.category, $0.spentMinor) })
        }
        let months = (0...3).map { YearMonth(index: november.index - 1 - $0) }
        let before = try months.map(spent)
        let shifts = try book.budgetShifts(moving: .number(15), to: .number(12), before: november)
        var coffee = try #require(try book.category(.number(15)))
        coffee.parent = .number(12)
        _ = try book.change(coffee, shown: nil)
        let after = try months.map(spent)
        for number in 11...13 {
            let id = EntityID.number(number)
            let change = zip(after, before).reduce(Int128(0)) { $0 + ($1.0[id] ?? 0) - ($1.1[id] ?? 0) }
            #expect(change == shifts.filter { $0.category == id }.reduce(0) { $0 + $1.spent.minor })
        }
        #expect(try self.shifts(to: 12) == [])
    }

    @Test func nothingChangesWithoutSpendingOrBudgets() throws {
        try book.add(Ledger.Category.sample(16, parent: 11))
        #expect(try shifts(to: 12, of: 16) == [])
        try book.record(.sample(60, .expense, "2025-10-12", 10, category: 16))
        #expect(try shifts(to: nil, of: 16) == ["11 2025-10...2025-10 -10 carries"])
        try book.record(.sample(61, .income, "2025-10-13", 10, category: 16))
        #expect(try shifts(to: nil, of: 16) == [], "a refund of all of it")
    }
}

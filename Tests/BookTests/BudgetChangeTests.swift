// Limits that change from a month on, end, and hold in all months, against a naive list of the limits of each month.
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct BudgetChangeTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in 11...13 { try book.add(Ledger.Category.sample(number)) }
        try book.add(Ledger.Category.sample(14, parent: 11))
    }

    private func change(
        _ number: Int,
        in span: BudgetSpan,
        _ body: (inout Budget) -> Void
    ) throws -> Edit {
        var budget = try #require(try book.budget(.number(number)))
        let version = try book.versions(of: Budget.self, budget.id)(budget)
        body(&budget)
        return try book.change(budget, shown: version, in: span)
    }

    private func limits(_ category: Int? = 11) throws -> [String: Int64] {
        var limits: [String: Int64] = [:]
        for number in 1...12 {
            let month = YearMonth(year: 2025, month: number)
            for status in try book.budgets(month: month, base: .eur).statuses
            where status.budget.category == category.map({ .number($0) }) {
                limits["\(month)"] = status.budget.limit.minor
            }
        }
        return limits
    }

    @Test func pastMonthsKeepTheirLimit() throws {
        try book.add(Budget.sample(31, category: 11, limit: 500, from: "2025-01", rollover: true))
        let edit = try change(31, in: .from(month("2025-06"))) { $0.limit.minor = 700 }
        #expect(try limits()["2025-05"] == 500 && limits()["2025-06"] == 700 && limits()["2025-12"] == 700)
        // The remainder of the months before carries over.
        let june = try #require(try book.budgets(month: month("2025-06"), base: .eur).statuses.first)
        #expect(june.carriedMinor == 5 * 500)
        #expect(june.budget.carryFrom == month("2025-01"))
        let august = try #require(try book.budgets(month: month("2025-08"), base: .eur).statuses.first)
        #expect(august.carriedMinor == 5 * 500 + 2 * 700)
        // A second change in the same month changes the same row, also from the form of the earlier one.
        _ = try change(31, in: .from(month("2025-06"))) { $0.limit.minor = 800 }
        #expect(try limits()["2025-06"] == 800 && book.allBudgets().count == 2)
        // Both are undone as wholes.
        _ = try book.undo(try #require(edit.change), overriding: true)
        #expect(try limits()["2025-06"] == 500 && book.allBudgets().count == 1)
        _ = try change(31, in: .from(month("2025-06"))) { $0.limit.minor = 900 }
        #expect(try limits()["2025-05"] == 500 && limits()["2025-06"] == 900)
    }

    @Test func aChangeMayHoldInAllMonths() throws {
        try book.add(Budget.sample(31, category: 11, limit: 500, from: "2025-01"))
        _ = try change(31, in: .from(month("2025-06"))) { $0.limit.minor = 700 }
        _ = try change(31, in: .always) {
            $0.limit.minor = 900
            $0.pace = .once
        }
        let found = try limits()
        #expect(Set(found.values) == [900] && found.count == 12)
        #expect(try book.allBudgets().allSatisfy { $0.pace == .once })
    }

    @Test func anotherCategoryTakesOverAndTheFormerOneKeepsItsPast() throws {
        try book.add(Budget.sample(31, category: 11, limit: 500, from: "2025-01"))
        _ = try change(31, in: .from(month("2025-04"))) { $0.category = .number(12) }
        #expect(try limits().keys.sorted() == ["2025-01", "2025-02", "2025-03"])
        #expect(try limits(12).keys.sorted().first == "2025-04" && limits(12).count == 9)
    }

    @Test func aLaterFirstMonthRemovesNothing() throws {
        try book.add(Budget.sample(31, category: 11, limit: 500, from: "2025-02"))
        _ = try change(31, in: .from(month("2025-06"))) {
            $0.from = month("2025-09")
            $0.limit.minor = 600
        }
        #expect(try limits()["2025-02"] == 500 && limits()["2025-08"] == 500 && limits()["2025-09"] == 600)
        // An earlier one adds months.
        _ = try change(31, in: .from(month("2025-06"))) { $0.from = month("2025-01") }
        #expect(try limits()["2025-01"] == 500 && limits()["2025-09"] == 600)
        // A budget that has not begun moves.
        try book.add(Budget.sample(32, category: 12, limit: 5, from: "2025-08"))
        _ = try change(32, in: .from(month("2025-06"))) { $0.from = month("2025-10") }
        #expect(try limits(12).keys.sorted() == ["2025-10", "2025-11", "2025-12"])
    }

    @Test func aBudgetEndsAndBeginsAgain() throws {
        try book.add(Budget.sample(31, category: 11, limit: 500, from: "2025-01", rollover: true))
        let id = EntityID.number(31)
        let ended = try #require(try book.deleteBudget(id, in: .from(month("2025-06"))))
        #expect(try limits().keys.sorted().last == "2025-05" && limits().count == 5)
        _ = try book.undo(ended, overriding: false)
        #expect(try limits().count == 12)
        _ = try book.deleteBudget(id, in: .from(month("2025-06")))
        #expect(try book.deleteBudget(id, in: .from(month("2025-06"))) == nil)
        _ = try change(31, in: .from(month("2025-09"))) { $0.limit.minor = 300 }
        #expect(try limits()["2025-08"] == nil && limits()["2025-09"] == 300)
        let october = try #require(try book.budgets(month: month("2025-10"), base: .eur).statuses.first)
        #expect(october.carriedMinor == 300, "what was left before the gap does not come back")
        _ = try book.deleteBudget(id, in: .always)
        #expect(try limits().isEmpty && book.counts().budgets == 0)
        #expect(throws: BookError.unknownBudget(.number(99))) {
            try book.deleteBudget(.number(99), in: .always)
        }
    }

    @Test func aBudgetOfThisMonthGoesAsAWholeAndOneThatIsToComeAlone() throws {
        try book.add(Budget.sample(31, category: 11, limit: 500, from: "2025-01"))
        try book.add(Budget.sample(32, category: 11, limit: 600, from: "2025-08"))
        _ = try book.deleteBudget(.number(32), in: .from(month("2025-06")))
        #expect(try limits()["2025-12"] == 500)
        try book.add(Budget.sample(33, category: 12, limit: 5, from: "2025-06"))
        _ = try book.deleteBudget(.number(33), in: .from(month("2025-06")))
        #expect(try limits(12).isEmpty && book.budget(.number(33)) == nil)
    }

    /// Two devices that change one limit in one month write one row, so that the cloud keeps both values.
    @Test func theRowOfAChangeIsTheSameOnEveryDevice() throws {
        let other = try Book.scratch(Scratch())
        try other.add(Account.sample(1))
        try other.add(Ledger.Category.sample(11))
        for book in [book, other] {
            try book.add(Budget.sample(31, category: 11, limit: 500, from: "2025-01"))
        }
        _ = try change(31, in: .from(month("2025-06"))) { $0.limit.minor = 700 }
        var budget = try #require(try other.budget(.number(31)))
        budget.limit.minor = 800
        _ = try other.change(budget, shown: nil, in: .from(month("2025-06")))
        #expect(try other.allBudgets().map(\.id) == book.allBudgets().map(\.id))
    }

    @Test func whatIsPaidOnceAMonthHasNoPace() throws {
        try book.add(Budget.sample(31, category: 11, limit: 90_000, from: "2025-01"))
        func pace(_ current: String) throws -> BudgetPace? {
            try book.budgets(month: month("2025-06"), current: month(current), base: .eur).statuses.first?
                .pace
        }
        #expect(try pace("2025-06") == .spread)
        try book.record(.sample(50, .expense, "2025-03-01", 90_000, category: 11))
        #expect(try pace("2025-06") == .spread, "one payment may be anything")
        try book.record(.sample(51, .expense, "2025-05-01", 90_000, category: 14))
        #expect(try pace("2025-06") == .once)
        #expect(try pace("2025-07") == .spread, "March is too long ago")
        try book.record(.sample(52, .expense, "2025-05-09", 1, category: 11))
        #expect(try pace("2025-06") == .spread)
        _ = try change(31, in: .always) { $0.pace = .once }
        #expect(try pace("2025-06") == .once)
        #expect(
            try book.pace(
                of: Budget.sample(32, category: nil, limit: 5, from: "2025-01"),
                current: month("2025-06")
            ) == .spread
        )
    }

    @Test func theLastThreeFullMonthsSuggestALimit() throws {
        func suggestions() throws -> [BudgetSuggestion] {
            try book.budgets(month: month("2025-06"), base: .eur).suggestions
        }
        #expect(try suggestions().isEmpty)
        try book.record(.sample(50, .expense, "2025-05-01", 1_000, category: 12))
        #expect(try suggestions().map(\.average.minor) == [1_000, 1_000])
        #expect(try suggestions().map(\.monthCount) == [1, 1], "a young book has one full month")
        try book.record(.sample(51, .expense, "2025-03-01", 500, category: 11))
        try book.record(.sample(52, .expense, "2025-04-01", 902, category: 14))
        try book.record(.sample(53, .income, "2025-04-02", 401, category: 14))
        try book.record(.sample(54, .expense, "2025-06-02", 77_777, category: 14))
        try book.add(Budget.sample(31, category: 12, limit: 5, from: "2025-01"))
        let found = try suggestions()
        #expect(found.map(\.category) == [nil, .number(11), .number(14)])
        #expect(found.map(\.average.minor) == [667, 334, 167])
        #expect(found.allSatisfy { $0.monthCount == 3 })
    }

    @Test func aFullMonthWithoutSpendingCountsInASuggestion() throws {
        try book.record(.sample(50, .income, "2025-01-20", 9_000))
        try book.record(.sample(51, .expense, "2025-05-01", 1_000, category: 12))
        let found = try book.budgets(month: month("2025-06"), base: .eur).suggestions
        #expect(found.map(\.average.minor) == [333, 333] && found.allSatisfy { $0.monthCount == 3 })
    }

    /// Any changes in any order: the limits are those of a list with one number for each month.
    @Test(arguments: [1, 2, 3, 20_261_124] as [UInt64])
    func limitsAreThoseOfANaiveList(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var expected: [Int: Int64] = [:]
        var limit: Int64 = 1_000
        let first = month("2025-01").index
        for step in 0..<60 {
            let now = first + Int.random(in: 0..<12, using: &random)
            limit += 1
            let live = try book.allBudgets()
            let trace = "seed \(seed), step \(step), month \(now - first + 1)"
            guard let budget = live.randomElement(using: &random) else {
                try book.add(
                    Budget.sample(1_000 + step, category: 11, limit: limit, from: "\(YearMonth(index: now))")
                )
                for index in now..<(first + 12) { expected[index] = limit }
                continue
            }
            // The next limit of the category begins here.
            let next = live.map(\.from.index).filter { $0 > max(now, budget.from.index) }.min() ?? first + 12
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                _ = try book.deleteBudget(budget.id, in: .from(YearMonth(index: now)))
                if budget.from.index > now {
                    let before = live.filter { $0.from < budget.from }.max { $0.from < $1.from }
                    for index in budget.from.index..<next {
                        expected[index] = before.flatMap {
                            $0.isOpen(in: YearMonth(index: index)) ? $0.limit.minor : nil
                        }
                    }
                } else {
                    for index in now..<(first + 12) { expected[index] = nil }
                }
            case 1:
                var changed = budget
                changed.limit.minor = limit
                _ = try book.change(
                    changed,
                    shown: try book.versions(of: Budget.self, budget.id)(budget),
                    in: .always
                )
                for index in expected.keys { expected[index] = limit }
            default:
                var changed = budget
                changed.limit.minor = limit
                _ = try book.change(
                    changed,
                    shown: try book.versions(of: Budget.self, budget.id)(budget),
                    in: .from(YearMonth(index: now))
                )
                let start = max(now, budget.from.index)
                let holding = live.filter { $0.from.index <= start }.max { $0.from < $1.from } ?? budget
                let end = holding.isOpen(in: YearMonth(index: start)) ? holding.until?.index : nil
                for index in start..<min(next, (end ?? first + 11) + 1) { expected[index] = limit }
            }
            for index in first..<(first + 12) {
                let status = try book.budgets(month: YearMonth(index: index), base: .eur).statuses.first
                #expect(status?.budget.limit.minor == expected[index], "\(trace), shown \(index - first + 1)")
            }
        }
        #expect(try book.verifySums() == [])
    }
}

// The days that a comparison of months compares, and the months of its average.
import Ledger
import Testing

@testable import Web

@Suite struct ComparedMonths {
    struct Case: Sendable, CustomTestStringConvertible {
        let month: String
        let today: String
        let since: String?
        /// The last days that count, of the month itself and of the month before.
        let ends: [String]
        let months: Int
        let areWhole: Bool

        var testDescription: String { "\(month) on \(today), since \(since ?? "never")" }
    }

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso: text)) }
    private func month(_ text: String) throws -> YearMonth { try #require(YearMonth(iso: text)) }

    @Test(arguments: [
        // Months in which nothing was spent on these days count from the first month of the book on.
        Case(
            month: "2026-12",
            today: "2026-12-01",
            since: "2026-01",
            ends: ["2026-12-01", "2026-11-01"],
            months: 11,
            areWhole: false
        ),
        Case(
            month: "2026-12",
            today: "2026-12-15",
            since: "2019-03",
            ends: ["2026-12-15", "2026-11-15"],
            months: 12,
            areWhole: false
        ),
        // The last day of a month ends it, whatever its number.
        Case(
            month: "2026-02",
            today: "2026-02-28",
            since: "2026-01",
            ends: ["2026-02-28", "2026-01-31"],
            months: 1,
            areWhole: true
        ),
        Case(
            month: "2024-02",
            today: "2024-02-28",
            since: "2024-01",
            ends: ["2024-02-28", "2024-01-28"],
            months: 1,
            areWhole: false
        ),
        Case(
            month: "2024-02",
            today: "2024-02-29",
            since: "2023-01",
            ends: ["2024-02-29", "2024-01-31"],
            months: 12,
            areWhole: true
        ),
        Case(
            month: "2026-04",
            today: "2026-04-30",
            since: "2026-03",
            ends: ["2026-04-30", "2026-03-31"],
            months: 1,
            areWhole: true
        ),
        Case(
            month: "2026-03",
            today: "2026-03-30",
            since: "2026-01",
            ends: ["2026-03-30", "2026-02-28"],
            months: 2,
            areWhole: false
        ),
        Case(
            month: "2026-02",
            today: "2026-03-01",
            since: "2026-01",
            ends: ["2026-02-28", "2026-01-31"],
            months: 1,
            areWhole: true
        ),
        // Without earlier months, there is no average.
        Case(
            month: "2026-11",
            today: "2026-11-21",
            since: "2026-11",
            ends: ["2026-11-21", "2026-10-21"],
            months: 0,
            areWhole: false
        ),
        Case(
            month: "2026-11",
            today: "2026-11-21",
            since: "2027-01",
            ends: ["2026-11-21", "2026-10-21"],
            months: 0,
            areWhole: false
        ),
        Case(
            month: "2026-11",
            today: "2026-11-30",
            since: nil,
            ends: ["2026-11-30", "2026-10-31"],
            months: 0,
            areWhole: false
        ),
    ])
    func daysAndMonths(_ example: Case) throws {
        var asked: [ClosedRange<CivilDate>] = []
        let comparison = SpendingComparison(
            of: try month(example.month),
            today: try day(example.today),
            since: try example.since.map { try month($0) }
        ) { days in
            asked.append(days)
            return []
        }
        #expect([comparison.days, comparison.daysBefore].map { "\($0.upperBound)" } == example.ends)
        #expect(comparison.monthsOfYear == example.months)
        #expect((comparison.daysOfYear != nil) == example.areWhole)
        let months = asked.map(\.lowerBound.yearMonth.index)
        let latest = try month(example.month).index
        #expect(months == (0...example.months).map { latest - $0 })
        let wholes = asked.dropFirst().allSatisfy { $0.upperBound == $0.lowerBound.yearMonth.lastDay }
        #expect(wholes || !example.areWhole)
    }
}

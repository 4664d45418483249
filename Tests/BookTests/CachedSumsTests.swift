// Sums that are cached: read once, and again only where something changed.
import GRDB
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct SumsThatAreCached {
    private let folder = Scratch()
    private let years = day("2023-01-01")...day("2026-11-26")

    /// The days that are read for the spending of a range.
    private func read(_ book: Book, _ days: ClosedRange<CivilDate>) throws -> [String] {
        try book.reading { db in
            var read: [String] = []
            let query = CachedSums.Query(days: days, content: .spending, currency: .eur)
            _ = try db.sums(query, rates: nil, in: book.cachedSums) { days in
                read.append("\(days.lowerBound) \(days.upperBound)")
                return ReportSums()
            }
            return read
        }
    }

    private func book() throws -> Book {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2, .usd))
        try book.add(Ledger.Category.sample(11))
        try book.record(.sample(50, .expense, "2024-05-15", 1_000))
        return book
    }

    @Test func aRangeIsReadByItsYearsMonthsAndDaysAndThenNoMore() throws {
        let book = try book()
        #expect(
            try read(book, day("2023-11-15")...day("2025-03-02")) == [
                "2023-11-15 2023-11-30", "2023-12-01 2023-12-31", "2024-01-01 2024-12-31",
                "2025-01-01 2025-01-31",
                "2025-02-01 2025-02-28", "2025-03-01 2025-03-02",
            ]
        )
        #expect(try read(book, day("2023-11-15")...day("2025-03-02")) == [])
        // Another range shares what it can.
        #expect(try read(book, day("2023-12-01")...day("2025-01-31")) == [])
        #expect(try read(book, day("2024-12-31")...day("2024-12-31")) == ["2024-12-31 2024-12-31"])
    }

    @Test func aChangeCostsTheReadingOfItsMonths() throws {
        let book = try book()
        #expect(try read(book, years).count == 3 + 11)
        try book.record(.sample(51, .expense, "2026-02-03", 500))
        #expect(try read(book, years) == ["2026-02-01 2026-02-28"])
        #expect(try read(book, years) == [])
        var moved = Transaction.sample(51, .expense, "2024-12-31", 500)
        try book.change(moved)
        #expect(try read(book, years) == ["2024-01-01 2024-12-31", "2026-02-01 2026-02-28"])
        moved.payee = "Baker"
        try book.change(moved)
        #expect(try read(book, years) == ["2024-01-01 2024-12-31"])
        // No report adds up notes or rates.
        moved.note = "for the week"
        try book.change(moved)
        try book.store(
            RateHistory(version: "1", days: []),
            of: RateHistoryRange(from: years.lowerBound, currencies: [])
        )
        #expect(try read(book, years) == [])
        try book.deleteTransaction(moved.id)
        #expect(try read(book, years) == ["2024-01-01 2024-12-31"])
        // Many at once go another way.
        try book.record(all: (60..<90).map { .sample($0, .expense, "2025-06-15", 100) })
        #expect(try read(book, years) == ["2025-01-01 2025-12-31"])
        // A category decides what is a refund.
        try book.add(Ledger.Category.sample(12))
        #expect(try read(book, years).count > 0)
        #expect(try read(book, years) == [])
    }

    @Test func otherRatesAreReadAnewAndTakeNothingElseAway() throws {
        let cache = CachedSums()
        let rates = ["1", "2"].map { RateHistory(version: $0, days: []) }
        func query(_ content: CachedSums.Query.Content) -> CachedSums.Query {
            .init(days: years, content: content, currency: .eur)
        }
        cache.keep(ReportSums(), of: query(.spending), changes: 3, rates: nil)
        cache.keep(ReportSums(), of: query(.valued(.month)), changes: 3, rates: rates[0])
        #expect(cache.sums(query(.valued(.month)), changes: 3, rates: rates[0]) != nil)
        #expect(cache.sums(query(.valued(.month)), changes: 3, rates: rates[1]) == nil)
        #expect(cache.sums(query(.valued(.payee)), changes: 3, rates: rates[0]) == nil)
        cache.keep(ReportSums(), of: query(.valued(.payee)), changes: 3, rates: rates[1])
        #expect(
            cache.sums(query(.valued(.month)), changes: 3, rates: rates[1]) == nil,
            "cached by the rates of before"
        )
        #expect(cache.sums(query(.valued(.payee)), changes: 4, rates: rates[1]) == nil)
        #expect(cache.sums(query(.spending), changes: 3, rates: nil) != nil)
    }

    @Test func thoseThatWereNotUsedForTheLongestTimeGoFirst() throws {
        let cache = CachedSums(mostLines: 3)
        func query(_ year: Int) -> CachedSums.Query {
            .init(days: day("\(year)-01-01")...day("\(year)-12-31"), content: .spending, currency: .eur)
        }
        for year in 2021...2023 { cache.keep(ReportSums(), of: query(year), changes: 1, rates: nil) }
        #expect(cache.sums(query(2021), changes: 1, rates: nil) != nil)
        cache.keep(ReportSums(), of: query(2024), changes: 1, rates: nil)
        #expect(cache.sums(query(2022), changes: 1, rates: nil) == nil)
        for year in [2021, 2023, 2024] {
            #expect(cache.sums(query(year), changes: 1, rates: nil) != nil, "\(year)")
        }
        // One that alone is larger than all that fits is not cached, and drives nothing out.
        var large = ReportSums()
        for number in 1...3 {
            large.add(
                .payee("\(number)"),
                MoneySum(minor: 1, currency: .eur),
                .expense,
                count: 1,
                isRefund: false
            )
        }
        cache.keep(large, of: query(2025), changes: 1, rates: nil)
        #expect(cache.sums(query(2025), changes: 1, rates: nil) == nil)
        #expect(cache.sums(query(2021), changes: 1, rates: nil) != nil)
    }
}

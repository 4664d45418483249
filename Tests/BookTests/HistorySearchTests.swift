// Finding changes in the history.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct HistorySearchTests {
    private static let day: Int64 = 86_400
    private let folder = Scratch()
    private let clock = FixedClock(at: noon)
    private let book: Book

    init() throws {
        book = try Book.open(at: folder("book.sqlite")) { [clock] in clock.now }
        try book.seed(categories: [.sample(11), .sample(12)], accounts: [.sample(1)], for: .number(900))
        try book.record(.sample(50, .expense, "2025-11-15", 1_250, category: 11, payee: "Lidl", note: "Käse"))
        clock.advance(by: Self.day)
        try book.change(Transaction.sample(50, .expense, "2025-11-15", 1_250, category: 12, payee: "Spar"))
        clock.advance(by: Self.day)
        try book.deleteTransaction(.number(50))
        clock.advance(by: Self.day)
        try book.record(all: (100..<130).map { .sample($0, payee: "Shell \($0)") })
        var purse = Account.sample(2)
        purse.name = "Purse"
        try book.add(purse)
    }

    /// The changes that match, as the kinds of what was done.
    private func found(_ change: (inout HistoryQuery) -> Void) throws -> [Operation.Action?] {
        var query = HistoryQuery()
        change(&query)
        return try book.history(query, limit: 50, day: Self.utc).changes.map { change in
            if case .rows(let rows, _) = change.content { rows.first?.action } else { nil }
        }
    }

    private static func utc(_ seconds: Int64) -> CivilDate { CivilDate(dayNumber: Int32(seconds / day)) }

    static let searches: [(text: String, changes: [Operation.Action])] = [
        ("spar", [.delete, .patch]),
        // Its name before.
        ("LIDL", [.patch, .create]),
        ("kase", [.patch, .create]),
        ("12,50 spar", [.delete, .patch]),
        ("12.51", []),
        ("1250", []),
        ("shell 129", [.create]),
        ("purse", [.create]),
        ("nobody", []),
        ("Category 12", [.delete, .patch]),
        ("Category 11", [.patch, .create]),
    ]

    @Test(arguments: searches) func wordsAreFoundInWhatIsAndWas(text: String, changes: [Operation.Action])
        throws
    {
        let actions = try found {
            $0.text = text
            $0.decimalSign = ","
        }
        #expect(actions == changes)
    }

    @Test func kindsAndDaysAndAllOfTheseTogether() throws {
        #expect(try found { $0.kind = "account" } == [.create])
        #expect(try found { $0.kind = "transaction" } == [.create, .delete, .patch, .create])
        let first = Self.utc(noon)
        #expect(try found { $0.days = first...first } == [.create, nil])
        let second = Self.utc(noon + Self.day)
        #expect(try found { $0.days = second...second } == [.patch])
        let since = try found {
            $0.days = second...(.distantFuture)
            $0.text = "spar"
        }
        #expect(since == [.delete, .patch])
        #expect(try found { $0.days = CivilDate(dayNumber: .min)...second } == [.patch, .create, nil])
    }

    @Test func theDayIsThatOfTheUsersZone() throws {
        var query = HistoryQuery()
        query.days = Self.utc(noon + Self.day)...Self.utc(noon + Self.day)
        let shifted = try book.history(query, limit: 50) { Self.utc($0 + Self.day / 2) }
        #expect(
            shifted.changes.count == 2,
            "what was made at noon of the day before is of the next day already"
        )
    }

    @Test func thisDeviceAndOthersAreToldApart() throws {
        #expect(try found { $0.device = .this }.count == 6)
        #expect(try found { $0.device = .other("Phone") }.isEmpty)
        #expect(try book.devicesOfHistory().isEmpty)
    }

    @Test func pagesContinueWhereTheLastOneEnded() throws {
        var (query, before, seen) = (HistoryQuery(), Int64?.none, [Int64]())
        query.kind = "transaction"
        repeat {
            let list = try book.history(query, before: before, limit: 2, day: Self.utc)
            #expect(!list.endsEarly && list.changes.count <= 2)
            seen += list.changes.map(\.id)
            before = list.next
        } while before != nil
        #expect(seen.count == 4 && seen == seen.sorted(by: >))
    }

    @Test func aSearchReadsSomeEntriesAndContinuesFromThere() throws {
        var query = HistoryQuery()
        query.text = "lidl"
        let first = try book.history(query, limit: 10, searching: 5, day: Self.utc)
        #expect(first.changes.isEmpty && first.endsEarly)
        let next: Int64 = try #require(first.next)
        let rest = try book.history(query, before: next, limit: 10, day: Self.utc)
        #expect(rest.changes.count == 2 && !rest.endsEarly && rest.next == nil)
    }

    @Test func theRowsOfAChangeAreReadPageByPage() throws {
        let change = try #require(try book.history(limit: 2).last)
        #expect(change.together?.count == 30)
        var (after, ids, pages) = (Int64?.none, [EntityID](), 0)
        repeat {
            let page = try #require(try book.historyChange(change.id, rows: 12, after: after))
            guard case .rows(let rows, let more) = page.content else { break }
            ids += rows.map(\.entity)
            pages += 1
            #expect(ids.count + more == 30)
            after = page.next
        } while after != nil
        #expect(pages == 3 && Set(ids).count == 30)
    }
}

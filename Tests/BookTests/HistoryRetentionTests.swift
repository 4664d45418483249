// The bound of a history: the oldest changes go, as a whole, and the others can be undone as before.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct AHistoryWithAnEnd {
    private let folder = Scratch()
    private let clock = FixedClock(at: noon)
    private let book: Book
    private static let day: Int64 = 86_400

    init() throws {
        book = try Book.open(at: folder("book.sqlite")) { [clock] in clock.now }
        try book.seed(categories: [.sample(11)], accounts: [.sample(1), .sample(2)], for: .number(900))
    }

    private func retention(days: Int64 = 731, fewest: Int64 = 1, most: Int64 = 1_000_000) -> HistoryRetention
    {
        var retention = HistoryRetention()
        (retention.seconds, retention.fewest, retention.most) = (days * Self.day, fewest, most)
        return retention
    }

    /// - Returns: the number of steps that had something to do.
    @discardableResult
    private func shorten(_ retention: HistoryRetention) throws -> Int {
        var steps = 0
        while try book.shortenHistory(retention) { steps += 1 }
        return steps
    }

    private func entries() throws -> Int {
        try book.reading { db in try db.number("SELECT count(*) FROM history WHERE seq > 0") }
    }

    private func ids() throws -> [Int64] { try book.history(limit: 1_000).map(\.id) }

    @Test func changesAreKeptForTwoYearsAndTheNewestForEver() throws {
        for number in 50..<60 {
            try book.record(Transaction.sample(number))
            clock.advance(by: Self.day)
        }
        let all = try ids()
        clock.advance(by: 10_000 * Self.day)
        try shorten(HistoryRetention())
        #expect(try ids() == all, "few changes are kept whatever their age")
        #expect(try !book.isHistoryShortened())
        try shorten(retention(fewest: 4))
        #expect(try ids() == Array(all.prefix(4)))
        #expect(try book.isHistoryShortened())
        try shorten(retention(fewest: 1))
        #expect(try ids() == Array(all.prefix(1)))
    }

    @Test func noMoreThanTheMostAreKeptHoweverNewTheyAre() throws {
        for number in 50..<80 {
            try book.record(Transaction.sample(number))
            try shorten(retention(fewest: 5, most: 10))
            #expect(try entries() <= 10)
        }
        #expect(try ids().count == 10)
        try book.record(all: (100..<150).map { Transaction.sample($0) })
        try shorten(retention(fewest: 5, most: 10))
        #expect(try entries() == 50, "the newest change stays, and as a whole")
        #expect(try shorten(retention(fewest: 5, most: 10)) == 0)
    }

    @Test func aLargeChangeGoesAtOnceAndItsEntriesInSteps() throws {
        try book.record(all: (1_000..<3_000).map { Transaction.sample($0) })
        let large = try #require(try ids().first)
        try book.record(Transaction.sample(50))
        let kept = try #require(try ids().first)
        clock.advance(by: 800 * Self.day)
        #expect(try book.shortenHistory(retention()))
        #expect(try ids() == [kept] && entries() > 1_000)
        #expect(try book.historyChange(large) == nil && book.wasRemovedFromHistory(large))
        #expect(throws: BookError.unknownChange) { try book.undo(large, overriding: true) }
        #expect(try shorten(retention()) == 4)
        #expect(try entries() == 1)
        #expect(try book.historyChange(kept) != nil && !book.wasRemovedFromHistory(kept))
        #expect(try !book.wasRemovedFromHistory(0) && !book.wasRemovedFromHistory(99_999))
    }

    @Test func keptChangesAreShownAndUndoneAsBefore() throws {
        let sample = { (amount: Int64, payee: String) in
            Transaction.sample(50, .expense, "2025-11-15", amount, category: 11, payee: payee)
        }
        try book.record(sample(1_250, "Lidl"))
        try book.change(sample(1_300, "Lidl"))
        try book.change(sample(1_400, "Spar"))
        try book.deleteTransaction(.number(50))
        let before = try book.history(limit: 2)
        clock.advance(by: 800 * Self.day)
        try shorten(retention(fewest: 2))
        #expect(try book.history(limit: 100) == before)
        for change in before {
            guard case .done = try book.undo(change.id, overriding: false) else {
                Issue.record("not undone: \(change)")
                continue
            }
        }
        #expect(try book.transaction(.number(50)) == sample(1_300, "Lidl"))
    }

    @Test func theOutboxAndADecidedLossDoNotDependOnIt() throws {
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        for operation in try book.nextBatch(operations: 99, bytes: 99_999) {
            try book.acknowledge([OperationResult(n: operation.n, seq: operation.n, status: .applied)])
        }
        try book.add(Account.sample(30))
        try book.updateSyncState { db in
            try db.note(lost: ["name": "Lost"], "account", .number(1), by: "phone", isDeletion: false, noon)
        }
        var account = Account.sample(1)
        account.name = "Chosen"
        #expect(try book.losses().count == 1)
        try book.change(account)
        #expect(try book.losses().isEmpty, "the field was changed here since")
        let pending = try book.pendingChanges()
        clock.advance(by: 800 * Self.day)
        try book.add(Account.sample(31))
        try shorten(retention())
        #expect(try ids().count == 1)
        #expect(try book.losses().isEmpty)
        #expect(!pending.isEmpty)
        #expect(try Array(book.pendingChanges().prefix(pending.count)) == pending)
    }

    @Test func aValueOfUnknownOriginIsNotLostUnnoticed() throws {
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        try book.add(Account.sample(30))
        let own = try book.reading { db in try db.lost(["name"], of: ["name": "A"], .number(30)) }
        #expect(own == ["name": "A"])
        let seeded = try book.reading { db in try db.lost(["name"], of: ["name": "A"], .number(1)) }
        #expect(seeded == [:])
        clock.advance(by: 800 * Self.day)
        try book.add(Account.sample(31))
        try shorten(retention())
        let old = try book.reading { db in try db.lost(["name"], of: ["name": "A"], .number(30)) }
        #expect(old == ["name": "A"], "its creation is not known any more")
    }
}

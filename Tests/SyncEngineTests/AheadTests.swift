// The pages of a download that are asked for while the ones before them are applied.
import CloudProtocol
import Foundation
import Ledger
import SyncCore
import SyncEngine
import TestKit
import Testing

@testable import Book

/// A book that is downloaded in pages, with a cloud that is the test.
private final class Download {
    typealias Machine = SyncMachine<BookStore>

    static let names = ["one", "two", "three", "four"]

    let path = NSTemporaryDirectory() + "/breadly-ahead-\(UUID().uuidString).sqlite"
    let book: Book
    var machine: Machine
    var now: Int64 = 1_000_000
    /// All requests, in the order in which they were sent.
    var sent: [(request: SyncRequest, number: Int)] = []

    init() throws {
        book = try Book.open(at: path) { 1_795_262_400 }
        try book.attach(as: EntityID(high: 1, low: 1), .download)
        machine = Machine(
            BookStore(book),
            mode: .run,
            random: SplitMix(seed: 1),
            newReplica: { EntityID(high: 1, low: 2) }
        )
        note(machine.handle(.time, at: now))
        work()
        note(machine.handle(.answer(.head(Head(epoch: 1, seq: 9)), to: try number(of: 0)), at: now))
        work()
    }

    deinit {
        book.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    func note(_ effects: [Machine.Effect]) {
        for case .ask(let request, let number) in effects { sent.append((request, number)) }
    }

    /// Lets the engine do one step: it applies at most one answer.
    func work() { note(machine.proceed(at: now).effects) }

    func number(of request: Int) throws -> Int {
        try #require(sent.count > request, "it was not sent: \(places)")
        return sent[request].number
    }

    /// The answer to a request arrives. The engine uses it with the next step.
    func arrives(_ answer: SyncAnswer, to request: Int) throws {
        note(machine.handle(.answer(answer, to: try number(of: request)), at: now))
    }

    /// The names of the accounts that are in the book.
    var accounts: [String] { get throws { try book.accountBalances().map(\.account.name) } }

    /// The requests: the place in the snapshot, or a word for another request.
    var places: [String] {
        sent.map { request, _ in
            switch request {
            case .head: "head"
            case .push: "push"
            case .detach: "detach"
            case .changes(let query):
                switch query.range {
                case .since: "changes"
                case .snapshot(let place): "page \(place)"
                }
            }
        }
    }

    /// The page at a position: one account each.
    static func page(_ index: Int, lastN: Int64 = 0) -> SyncAnswer {
        let fields: Fields = [
            "name": .text(names[index]), "type": "cash", "currency": "EUR", "opening": 0,
        ]
        let left = names.count - 1 - index
        return .changes(
            ChangesPage(
                epoch: 1,
                head: 9,
                cursor: 9,
                next: left == 0 ? "" : names[index + 1],
                hasMore: left > 0,
                remaining: left,
                lastN: lastN,
                rows: [
                    RowChange(
                        seq: Int64(index + 1),
                        kind: "account",
                        id: EntityID(high: 3, low: UInt64(index)),
                        fields: fields
                    )
                ]
            )
        )
    }
}

@Suite struct APageOfADownload {
    /// Changes that were made elsewhere during the download come after its last page.
    @Test func leavesTheBookBehindUntilTheChangesSinceItsBeginningAreHere() throws {
        let download = try Download()
        for index in Download.names.indices {
            try download.arrives(Download.page(index), to: index + 1)
            download.work()
        }
        #expect(download.places.last == "changes")
        let behind = try #require(download.machine.proceed(at: download.now).status)
        #expect(behind.phase == .downloading && behind.incomplete == nil)
        let last = ChangesPage(
            epoch: 1,
            head: 9,
            cursor: 9,
            hasMore: false,
            remaining: 0,
            lastN: 0,
            rows: []
        )
        try download.arrives(.changes(last), to: download.sent.count - 1)
        #expect(download.machine.proceed(at: download.now).status?.phase == .idle)
    }

    @Test func isAskedForBeforeTheOneBeforeItIsApplied() throws {
        let download = try Download()
        #expect(download.places == ["head", "page "])
        try download.arrives(Download.page(0), to: 1)
        #expect(download.places == ["head", "page ", "page two"])
        #expect(try download.accounts == [])
        download.work()
        #expect(try download.accounts == ["one"])
        // It is on its way: it is not asked for again, and nothing after it either.
        download.work()
        #expect(download.places == ["head", "page ", "page two"])
        try download.arrives(Download.page(1), to: 2)
        #expect(download.places == ["head", "page ", "page two", "page three"])
    }

    @Test func isGreaterIfTheOneBeforeItCameQuickly() throws {
        let download = try Download()
        func limit(of request: Int) throws -> Int {
            guard case .changes(let query) = try #require(download.sent.dropFirst(request).first).request
            else { return 0 }
            return query.limit
        }
        #expect(try limit(of: 1) == SyncLimits.usualRows)
        download.now += 300
        try download.arrives(Download.page(0), to: 1)
        #expect(try limit(of: 2) == 2 * SyncLimits.usualRows)
        download.now += 5_000
        download.work()
        try download.arrives(Download.page(1), to: 2)
        #expect(try limit(of: 3) == SyncLimits.usualRows)
    }

    @Test func mayArriveBeforeTheOneBeforeItIsApplied() throws {
        let download = try Download()
        try download.arrives(Download.page(0), to: 1)
        try download.arrives(Download.page(1), to: 2)
        #expect(download.places.count == 3, "one page ahead, and no more: they are kept in memory")
        download.work()
        #expect(try download.accounts == ["one"])
        // The next one leaves while the second is still to be applied.
        #expect(download.places == ["head", "page ", "page two", "page three"])
        #expect(download.machine.isDue(at: download.now))
        download.work()
        #expect(try download.accounts.sorted() == ["one", "two"])
        try download.arrives(Download.page(2), to: 3)
        download.work()
        try download.arrives(Download.page(3), to: 4)
        download.work()
        #expect(try download.accounts.sorted() == Download.names.sorted())
        #expect(download.places == ["head", "page ", "page two", "page three", "page four", "changes"])
    }

    @Test func isNotAskedForTwiceBecauseAChangeIsSentFirst() throws {
        let download = try Download()
        try download.arrives(Download.page(0), to: 1)
        let id = EntityID(high: 2, low: 1)
        try download.book.add(
            Account(id: id, name: "mine", type: .cash, currency: .eur, openingMinor: 0)
        )
        download.work()
        #expect(download.places == ["head", "page ", "page two", "push"])
        try download.arrives(Download.page(1), to: 2)
        guard case .push(let batch) = download.sent[3].request else { return #expect(Bool(false)) }
        let results = batch.operations.map { OperationResult(n: $0.n, seq: 10, status: .applied) }
        let last = try #require(results.last?.n)
        try download.arrives(
            .pushed(PushAnswer(epoch: 1, head: 10, lastN: last, results: results)),
            to: 3
        )
        download.work()
        download.work()
        #expect(try download.accounts.sorted() == ["mine", "one", "two"])
        #expect(download.places == ["head", "page ", "page two", "push", "page three"])
    }

    @Test func isAskedForAnewByABookThatHasAnotherName() throws {
        let download = try Download()
        // The cloud knows an operation that this book has not sent: the book is a copy.
        try download.arrives(Download.page(0, lastN: 7), to: 1)
        download.work()
        #expect(download.places == ["head", "page ", "page two", "page two"])
        let replicas = download.sent.map(\.request.replica)
        #expect(replicas[2] == EntityID(high: 1, low: 1) && replicas[3] == EntityID(high: 1, low: 2))
        try download.arrives(Download.page(1, lastN: 7), to: 2)
        download.work()
        #expect(try download.accounts == ["one"], "the answer to the former name is not used")
        try download.arrives(Download.page(1), to: 3)
        download.work()
        #expect(try download.accounts.sorted() == ["one", "two"])
    }

    @Test func thatDoesNotComeIsAFailureWhenItIsNeeded() throws {
        let download = try Download()
        try download.arrives(Download.page(0), to: 1)
        try download.arrives(.refused(.cutOff("the line broke")), to: 2)
        download.work()
        let first = download.machine.proceed(at: download.now)
        #expect(first.status?.phase == .offline)
        #expect(try download.accounts == ["one"], "what has come is there")
        download.now = max(download.now, try #require(download.machine.wakeAt)) + 60_000
        download.note(download.machine.handle(.time, at: download.now))
        download.work()
        guard case .changes(let again)? = download.sent.last?.request,
            case .changes(let before) = download.sent[2].request
        else { return #expect(Bool(false), "\(download.places)") }
        #expect(again.range == before.range && again.limit == before.limit / 2)
    }
}

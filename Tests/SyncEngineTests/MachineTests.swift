// The requests, polls and pauses of a book's sync, step by step, with a test clock.
import CloudProtocol
import Foundation
import Ledger
import SyncCore
import SyncEngine
import TestKit
import Testing

@testable import Book

/// A book, and the machine that keeps it in step, with no cloud but the test.
private final class Bench {
    typealias Machine = SyncMachine<BookStore>

    let path = NSTemporaryDirectory() + "/breadly-machine-\(UUID().uuidString).sqlite"
    let book: Book
    var machine: Machine
    var now: Int64 = 1_000_000
    var asked: (request: SyncRequest, number: Int)?
    var listened: (seen: Head?, seconds: Int64, number: Int)?
    var hasStoppedListening = false
    /// The last status.
    var said: SyncStatus?
    private var added: UInt64 = 0

    init(_ mode: SyncEngine<BookStore>.Mode = .run) throws {
        book = try Book.open(at: path) { 1_795_262_400 }
        try book.attach(as: EntityID(high: 1, low: 1), .download)
        machine = SyncMachine(
            BookStore(book),
            mode: mode,
            random: SplitMix(seed: 1),
            newReplica: { EntityID(high: 1, low: 2) }
        )
    }

    deinit {
        book.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    @discardableResult
    func happens(_ event: Machine.Event) -> [Machine.Effect] {
        var effects = machine.handle(event, at: now)
        if machine.isDue(at: now) {
            let outcome = machine.proceed(at: now)
            effects += outcome.effects
            said = outcome.status ?? said
        }
        for effect in effects {
            switch effect {
            case .ask(let request, let number): asked = (request, number)
            case .listen(let seen, let seconds, let number): listened = (seen, seconds, number)
            case .stopListening: hasStoppedListening = true
            default: break
            }
        }
        return effects
    }

    /// The next question; nil where there is none.
    func question() -> (request: SyncRequest, number: Int)? {
        defer { asked = nil }
        return asked
    }

    func answer(_ answer: SyncAnswer) throws {
        let (_, number) = try #require(question())
        happens(.answer(answer, to: number))
    }

    func hear(_ head: Head) throws {
        let (_, _, number) = try #require(listened)
        listened = nil
        happens(.news(head, to: number))
    }

    func noteFailedSignal(_ error: CloudError = .unreachable("away")) throws {
        let (_, _, number) = try #require(listened)
        listened = nil
        happens(.noNews(error, to: number))
    }

    /// Sleeps as long as the machine asks for.
    func sleep() throws {
        now = max(now, try #require(machine.wakeAt))
        happens(.time)
    }

    /// Until the book is in step with an account at a sequence.
    func comeInStep(at seq: Int64) throws {
        happens(.time)
        try answer(.head(Head(epoch: 1, seq: seq)))
        try answer(.page(at: seq))
        try answer(.page(at: seq))
        try hear(Head(epoch: 1, seq: seq))
        #expect(asked == nil)
    }

    func add(_ name: String) throws {
        added += 1
        let id = EntityID(high: 2, low: added)
        try book.add(Account(id: id, name: name, type: .cash, currency: .eur, openingMinor: 0))
    }
}

@Suite struct AMachine {
    @Test func anAnswerThatTakesSecondsIsSaidToBeAwaited() throws {
        let bench = try Bench()
        bench.happens(.time)
        #expect(bench.said?.isSilent == false && bench.machine.wakeAt == bench.now + 3_000)
        bench.now += 2_999
        bench.happens(.time)
        #expect(bench.said?.isSilent == false)
        try bench.sleep()
        #expect(bench.said?.isSilent == true)
        // It is said once, and nothing else is asked meanwhile.
        #expect(bench.machine.wakeAt == nil)
        try bench.answer(.head(Head(epoch: 1, seq: 5)))
        #expect(bench.said?.isSilent == false)
    }

    @Test func aPageDoesNotHideNewerNews() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        try bench.add("a")
        bench.happens(.hurry)
        guard case .push(let batch)? = bench.asked?.request else {
            Issue.record("a change is not sent")
            return
        }
        let results = [OperationResult(n: batch.operations[0].n, seq: 6, status: .applied)]
        try bench.answer(.pushed(PushAnswer(epoch: 1, head: 6, lastN: 1, results: results)))
        // The page was read at 6, when another device had not sent 7 yet: the signal is faster.
        try bench.hear(Head(epoch: 1, seq: 7))
        try bench.answer(.page(at: 6, lastN: 1))
        guard case .changes(let query)? = bench.asked?.request else {
            Issue.record("nobody asks for what was heard of")
            return
        }
        #expect(query.range == .since(6))
        try bench.answer(.page(at: 7, lastN: 1))
        #expect(bench.asked == nil)
    }

    @Test func aPushWhoseAnswerBringsTheChangesNeedsNoFurtherRequest() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        try bench.add("a")
        bench.happens(.hurry)
        guard case .push(let batch)? = bench.asked?.request else {
            Issue.record("a change is not sent")
            return
        }
        #expect(batch.cursor == 5)
        let results = [OperationResult(n: batch.operations[0].n, seq: 7, status: .applied)]
        guard case .changes(let page) = SyncAnswer.page(at: 7, lastN: 1) else { return }
        try bench.answer(
            .pushed(PushAnswer(epoch: 1, head: 7, lastN: 1, results: results, changes: page))
        )
        #expect(bench.asked == nil)
    }

    @Test func aCloudThatIsAwayIsAskedAgainWithoutWaiting() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        #expect(bench.listened?.seconds == SyncLimits.waitSeconds)
        try bench.noteFailedSignal()
        let begun = bench.now
        for _ in 0..<20 {
            while bench.listened == nil {
                try bench.sleep()
                if bench.asked != nil { try bench.answer(.refused(.unreachable("away"))) }
            }
            #expect(bench.listened?.seconds == 0)
            try bench.noteFailedSignal()
        }
        #expect(bench.now - begun <= 20 * 1_250)
        // The cloud is reachable again, without news: known at the next poll, independent of the length of
        // the pauses.
        while bench.listened == nil {
            try bench.sleep()
            if bench.asked != nil { try bench.answer(.refused(.unreachable("away"))) }
        }
        try bench.hear(Head(epoch: 1, seq: 5))
        try bench.answer(.page(at: 5))
        #expect(bench.asked == nil)
        #expect(try bench.status() == .idle)
        #expect(bench.listened?.seconds == SyncLimits.waitSeconds)
    }

    @Test func hurriedAttemptsDoNotMakePausesLonger() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        for index in 0..<20 {
            try bench.add("hurried \(index)")
            bench.happens(.hurry)
            try bench.answer(.refused(.unreachable("away")))
        }
        bench.listened = nil
        while bench.asked == nil { try bench.sleep() }
        #expect(bench.now - 1_000_000 <= 500 * 2)
    }

    @Test func theRestThatTheCloudAsksForIsKeptAlsoAfterAChange() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        try bench.add("a")
        bench.happens(.hurry)
        let begun = bench.now
        try bench.answer(.refused(.busy(retryAfterSeconds: 30)))
        for index in 0..<5 {
            try bench.add("\(index)")
            bench.happens(.hurry)
        }
        try bench.hear(Head(epoch: 1, seq: 6))
        #expect(bench.asked == nil)
        while bench.asked == nil { try bench.sleep() }
        #expect(bench.now == begun + 30_000)
    }

    @Test func aRequestThatFailsMakesTheListenerDistrustItsLine() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        let silent = try #require(bench.listened)
        try bench.add("a")
        bench.happens(.hurry)
        bench.listened = nil
        try bench.answer(.refused(.unreachable("cut")))
        #expect(bench.hasStoppedListening)
        while bench.listened == nil {
            bench.asked = nil
            try bench.sleep()
        }
        // An answer on the abandoned connection is ignored.
        let effects = bench.happens(.news(Head(epoch: 1, seq: 9), to: silent.number))
        #expect(effects.isEmpty)
    }

    /// The listener may have been answered all the time: a rest after a failure still ends with its next answer.
    @Test func aRequestThatFailsIsRepeatedOnceTheListenerIsAnswered() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        try bench.add("a")
        for _ in 0..<12 {
            // Each pause is longer than the one before.
            bench.happens(.hurry)
            while bench.asked == nil { try bench.sleep() }
            try bench.answer(.refused(.timedOut("silent")))
            bench.listened = nil
            bench.happens(.time)
        }
        let failedAt = bench.now
        while bench.listened == nil { try bench.sleep() }
        #expect(bench.listened?.seconds == 0)
        try bench.hear(Head(epoch: 1, seq: 5))
        #expect(bench.asked != nil)
        #expect(bench.now - failedAt <= 1_250)
    }

    @Test func aCloudThatNeverWaitsIsAskedOnceASecond() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        let begun = bench.now
        for _ in 0..<10 {
            try bench.hear(Head(epoch: 1, seq: 5))
            while bench.listened == nil { try bench.sleep() }
        }
        #expect(bench.now - begun == 10_000)
    }

    @Test func aQueueThatDoesNotGetShorterIsSaidToWait() throws {
        let bench = try Bench(.run)
        try bench.comeInStep(at: 5)
        try bench.add("a")
        let draining = try Bench.draining(bench)
        var stalls = 0
        let begun = draining.now
        while draining.now - begun < 100_000 {
            let effects: [Bench.Machine.Effect]
            if let (_, number) = draining.question() {
                effects = draining.happens(.answer(.refused(.unreachable("away")), to: number))
            } else if let number = draining.listened?.number {
                draining.listened = nil
                effects = draining.happens(.noNews(.unreachable("away"), to: number))
            } else {
                draining.now = max(draining.now, try #require(draining.machine.wakeAt))
                effects = draining.happens(.time)
            }
            for case .stalled in effects { stalls += 1 }
        }
        #expect(stalls == 1)
    }

    @Test func aBookThatCannotBeOpenedIsNotAskedForWithoutARest() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        try bench.add("a")
        let draining = try Bench.draining(bench)
        let (_, number) = try #require(draining.question())
        _ = draining.machine.handle(.answer(.refused(.failed("full")), to: number), at: draining.now)
        let begun = draining.now
        var turns = 0
        while draining.now - begun < 100_000, turns < 200 {
            turns += 1
            _ = draining.machine.handle(.storeFailed, at: draining.now)
            draining.now = max(draining.now, try #require(draining.machine.wakeAt))
        }
        #expect(turns < 200)
    }

    @Test func theRestThatTheCloudAsksForIsKeptAlsoWhereTheBookFails() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        try bench.add("a")
        bench.happens(.hurry)
        let begun = bench.now
        try bench.answer(.refused(.busy(retryAfterSeconds: 30)))
        _ = bench.machine.handle(.storeFailed, at: bench.now)
        bench.listened = nil
        while bench.asked == nil { try bench.sleep() }
        #expect(bench.now >= begun + 30_000)
    }

    @Test func aQueueThatTheCloudTakesNoLongerIsGivenUp() throws {
        for until in [nil, 999] as [Int64?] {
            let bench = try Bench()
            try bench.comeInStep(at: 5)
            try bench.add("a")
            let draining = try Bench.draining(bench)
            let (_, number) = try #require(draining.question())
            let answer = SyncAnswer.refused(.subscriptionRequired(drainUntil: until))
            let ends = draining.happens(.answer(answer, to: number)).contains {
                if case .end(.uploadsRefused) = $0 { true } else { false }
            }
            #expect(ends)
            #expect(try draining.book.replicaState().pending == 1)
        }
    }

    @Test func aRefusedTokenIsToldAndNotAskedAgain() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        let number = try #require(bench.listened?.number)
        bench.listened = nil
        let effects = bench.happens(.noNews(.accountGone, to: number))
        guard case .tokenRefused(.accountGone)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(bench.listened == nil)
        #expect(bench.machine.wakeAt == nil)
    }
}

extension Bench {
    /// A machine that empties the queue of another one's book.
    static func draining(_ other: Bench) throws -> Bench {
        other.machine = Machine(
            BookStore(other.book),
            mode: .drain,
            random: SplitMix(seed: 1),
            newReplica: { EntityID(high: 1, low: 2) }
        )
        (other.asked, other.listened) = (nil, nil)
        other.happens(.time)
        return other
    }

    func status() throws -> SyncStatus.Phase? { machine.proceed(at: now).status?.phase }
}

@Suite struct AnAnswerOfAnEarlierAttachment {
    @Test func changesNothingOfTheNext() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        try bench.add("a")
        let operation = try #require(try bench.book.nextBatch(operations: 10, bytes: 1 << 20).first)
        let batch = PushBatch(replica: EntityID(high: 1, low: 1), epoch: 1, operations: [operation])
        let query = ChangesQuery(
            replica: EntityID(high: 1, low: 1),
            epoch: 1,
            range: .since(5),
            limit: 10,
            lastN: 0
        )
        try bench.book.detach()
        try bench.book.attach(as: EntityID(high: 1, low: 9), .upload)
        let next = try #require(try bench.book.nextBatch(operations: 10, bytes: 1 << 20).first)
        #expect(next.n == operation.n)
        let before = try bench.book.replicaState()
        let store = BookStore(bench.book)
        let results = [OperationResult(n: operation.n, seq: 6, status: .applied)]
        try store.acknowledge(results, of: batch, isOlder: false)
        try store.apply(
            changes: ChangesPage(
                epoch: 1,
                head: 9,
                cursor: 9,
                hasMore: false,
                remaining: 0,
                lastN: 0,
                rows: []
            ),
            to: query
        )
        try store.renameReplica(to: EntityID(high: 1, low: 7), from: batch.replica)
        try store.resync(.cursorExpired, of: batch.replica)
        try store.stop(batch.replica)
        #expect(try bench.book.replicaState() == before)
        #expect(before.pending == 1)
    }

    @Test func doesNotPutAnOlderPageOverANewerOne() throws {
        let bench = try Bench()
        try bench.comeInStep(at: 5)
        func page(_ name: String, at seq: Int64) -> ChangesPage {
            let fields: Fields = ["name": .text(name), "type": "cash", "currency": "EUR", "opening": 0]
            let row = RowChange(seq: seq, kind: "account", id: EntityID(high: 3, low: 3), fields: fields)
            return ChangesPage(
                epoch: 1,
                head: seq,
                cursor: seq,
                hasMore: false,
                remaining: 0,
                lastN: 0,
                rows: [row]
            )
        }
        let query = ChangesQuery(
            replica: EntityID(high: 1, low: 1),
            epoch: 1,
            range: .since(5),
            limit: 10,
            lastN: 0
        )
        // Two runs have asked the same; the answer that was read earlier comes later.
        try bench.book.apply(changes: page("new", at: 7), to: query)
        try bench.book.apply(changes: page("old", at: 6), to: query)
        #expect(try bench.book.accountBalances().map(\.account.name) == ["new"])
    }
}

extension SyncAnswer {
    /// The last page up to a head, without a row.
    static func page(at head: Int64, lastN: Int64 = 0) -> SyncAnswer {
        .changes(
            ChangesPage(
                epoch: 1,
                head: head,
                cursor: head,
                hasMore: false,
                remaining: 0,
                lastN: lastN,
                rows: []
            )
        )
    }
}

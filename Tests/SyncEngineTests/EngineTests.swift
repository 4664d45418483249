// The engine's own order of things, where no chance would bring it about often enough.
import CloudProtocol
import Foundation
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Book
@testable import SyncEngine

@Suite struct AnEngine {
    @Test func whatIsHeardOfWhileAPageIsOnItsWayIsFetched() throws {
        let path = NSTemporaryDirectory() + "/breadly-engine-\(UUID().uuidString).sqlite"
        let book = try Book.open(at: path) { 1_795_262_400 }
        defer {
            book.close()
            try? FileManager.default.removeItem(atPath: path)
        }
        try book.attach(as: EntityID(high: 1, low: 1), .download)
        var engine = SyncEngine(
            BookStore(book),
            mode: .run,
            random: SplitMix(seed: 1),
            newReplica: { EntityID(high: 1, low: 2) }
        )
        func asked() throws -> SyncRequest? {
            if case .ask(let request) = try engine.next(at: 0) { request } else { nil }
        }
        let first = try #require(try asked())
        try engine.handle(.head(Head(epoch: 1, seq: 7)), to: first, at: 0)
        let all = try #require(try asked())
        try engine.handle(.page(at: 7), to: all, at: 0)
        let request = try #require(try asked())
        // The page was read at 8; the news of 9 is here before it.
        engine.note(Head(epoch: 1, seq: 9))
        try engine.handle(.page(at: 8), to: request, at: 0)
        guard case .changes(let query)? = try asked() else {
            Issue.record("nobody asks for what was heard of")
            return
        }
        #expect(query.range == .since(8))
        // Once, also where the news turns out to be of a cloud that is not there any more.
        try engine.handle(.page(at: 8), to: .changes(query), at: 0)
        #expect(try asked() == nil)
    }

    @Test func whatTakesTooLongIsHalvedAndDoubledAgain() throws {
        var state = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1, pending: 500)
        let store = StoreOfAnySize()
        store.present = state
        var engine = SyncEngine(
            store,
            mode: .run,
            random: SplitMix(seed: 1),
            newReplica: { EntityID(high: 1, low: 2) }
        )
        var now: Int64 = 0
        /// How much is asked for, and what is answered.
        func size(_ answer: (SyncRequest) -> SyncAnswer) throws -> Int {
            now += 3_600_000
            guard case .ask(let request) = try engine.next(at: now) else { return 0 }
            let answer = answer(request)
            _ = engine.note(arrival: answer, to: request, after: 1_000)
            try engine.handle(answer, to: request, at: now)
            return switch request {
            case .push(let batch): batch.operations.count
            case .changes(let query): query.limit
            case .head, .detach: -1
            }
        }
        func slow(_ request: SyncRequest) -> SyncAnswer { .refused(.timedOut("slow")) }
        func pushed(_ request: SyncRequest) -> SyncAnswer {
            .pushed(PushAnswer(epoch: 1, head: 1, lastN: 0, results: []))
        }
        func page(_ request: SyncRequest) -> SyncAnswer {
            .changes(
                ChangesPage(epoch: 1, head: 9, cursor: 1, hasMore: true, remaining: 9, lastN: 0, rows: [])
            )
        }
        #expect(try [size(slow), size(slow), size(slow)] == [500, 250, 125])
        #expect(try engine.status().phase == .offline)
        // A cloud that is away says nothing of the size.
        #expect(try size { _ in .refused(.unreachable("cut")) } == 62)
        #expect(try [size(pushed), size(pushed), size(pushed), size(pushed)] == [62, 124, 248, 496])
        #expect(try size(slow) == 500)
        for _ in 0..<12 { _ = try size(slow) }
        #expect(try size(slow) == 1)
        for _ in 0..<12 { _ = try size(pushed) }
        // The cloud says how many it takes; where it still refuses as many, half of them are tried.
        #expect(
            try [
                size { _ in .refused(.sync(.tooLarge(max: 100))) },
                size { _ in .refused(.sync(.tooLarge(max: 100))) },
            ]
                == [500, 100]
        )
        #expect(try size(pushed) == 50)
        // A proxy that limits the size of bodies does not say how many it takes.
        #expect(try [size { _ in .refused(.sync(.tooLarge(max: .max))) }, size(pushed)] == [100, 50])

        state.pending = 0
        store.present = state
        #expect(try [size(slow), size(slow), size(page)] == [1_000, 500, 250])
        #expect(try [size(page), size(page), size(page)] == [500, 1_000, 1_000])
        for _ in 0..<12 { _ = try size(slow) }
        #expect(try size(slow) == 1)
    }

    @Test func aLineThatCutsOffAPushGetsASmallerOneAndAtLastSaysSo() throws {
        let store = StoreOfAnySize()
        store.present = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1, pending: 500)
        var engine = engine(store)
        var now: Int64 = 0
        /// The number of operations of the next push, which gets an answer.
        func pushed(_ answer: SyncAnswer, after milliseconds: Int64 = 60_000) throws -> Int {
            now += 3_600_000
            guard case .ask(let request) = try engine.next(at: now), case .push(let batch) = request else {
                return 0
            }
            _ = engine.note(arrival: answer, to: request, after: milliseconds)
            try engine.handle(answer, to: request, at: now)
            return batch.operations.count
        }
        let cut = SyncAnswer.refused(.cutOff("broken pipe"))
        #expect(try (0..<9).map { _ in try pushed(cut) } == [500, 250, 125, 62, 31, 15, 7, 3, 1])
        #expect(try engine.status().phase == .offline, "its cloud may have ended in the middle of it")
        #expect(try pushed(cut) == 1)
        #expect(try engine.status().phase == .failed(.lineTooSlow))
        #expect(try pushed(.refused(.unreachable("no route"))) == 1)
        #expect(try engine.status().phase == .offline)
        _ = try pushed(.pushed(PushAnswer(epoch: 1, head: 1, lastN: 0, results: [])))
        #expect(try pushed(cut) == 2)
        #expect(try engine.status().phase == .offline)
        // A proxy that ends each connection at once says nothing about the line.
        for _ in 1...4 { #expect(try pushed(cut, after: 20) == 1) }
        #expect(try engine.status().phase == .offline)
    }

    private func engine(
        _ store: StoreOfAnySize,
        _ mode: SyncEngine<StoreOfAnySize>.Mode = .run
    ) -> SyncEngine<StoreOfAnySize> {
        SyncEngine(store, mode: mode, random: SplitMix(seed: 1), newReplica: { EntityID(high: 1, low: 2) })
    }

    @Test func theEndOfTheUploadsIsInTheStatusUntilTheCloudTakesChangesAgain() throws {
        let store = StoreOfAnySize()
        store.present = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1, pending: 3)
        var engine = engine(store)
        for until in [99, nil, 77] as [Int64?] {
            guard case .ask(let request) = try engine.next(at: .max) else {
                Issue.record("nothing is sent")
                return
            }
            try engine.handle(.refused(.subscriptionRequired(drainUntil: until)), to: request, at: 0)
            #expect(try engine.status().phase == .failed(.subscriptionRequired))
            #expect(try engine.status().drainUntil == until)
        }
        guard case .ask(let request) = try engine.next(at: .max) else {
            Issue.record("nothing is sent")
            return
        }
        try engine.handle(.pushed(PushAnswer(epoch: 1, head: 1, lastN: 0, results: [])), to: request, at: 0)
        #expect(try engine.status().drainUntil == nil)
    }

    /// Either side can be the older one. The changes stay, and are sent once both know a common schema.
    @Test(arguments: [
        (SyncLimits.schema + 1, SyncStatus.Trouble.upgradeRequired), (.max, .upgradeRequired),
        (SyncLimits.schema, .cloudOutdated), (0, .cloudOutdated),
    ])
    func aSchemaThatIsNotTakenIsToldAndTriedAgain(oldest: Int64, trouble: SyncStatus.Trouble) throws {
        let store = StoreOfAnySize()
        store.present = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1, pending: 3)
        var engine = engine(store)
        guard case .ask(let refused) = try engine.next(at: 0), case .push(let sent) = refused else {
            Issue.record("nothing is sent")
            return
        }
        let answer = SyncAnswer.refused(.sync(.upgradeRequired(oldest: oldest, newest: .max)))
        try engine.handle(answer, to: refused, at: 0)
        #expect(try engine.status().phase == .failed(trouble))
        #expect(try engine.status().pending == 3)
        guard case .ask(let again) = try engine.next(at: 3_600_000), case .push(let resent) = again else {
            Issue.record("nothing is sent again")
            return
        }
        #expect(resent.operations == sent.operations)
        let pushed = PushAnswer(epoch: 1, head: 1, lastN: 3, results: [])
        try engine.handle(.pushed(pushed), to: again, at: 3_600_000)
        #expect(try engine.status().phase != .failed(trouble))
    }

    @Test func anAnswerEndsTheBackoff() throws {
        let store = StoreOfAnySize()
        store.present = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1, pending: 1)
        var engine = engine(store)
        var now: Int64 = 0
        func push(_ answer: SyncAnswer) throws {
            now += 3_600_000
            guard case .ask(let request) = try engine.next(at: now) else {
                Issue.record("nothing is asked")
                return
            }
            try engine.handle(answer, to: request, at: now)
        }
        for _ in 0..<50 {
            for _ in 0..<10 { try push(.refused(.failed("full"))) }
            try push(.pushed(PushAnswer(epoch: 1, head: 1, lastN: 0, results: [])))
            try push(.refused(.failed("full")))
            // The first pause is half a second at most.
            guard case .ask = try engine.next(at: now + 500) else {
                Issue.record("a cloud that had answered is waited for as if it had not")
                return
            }
        }
    }

    @Test func aBookIsRenamedBeforeItForgetsWhatItHasSeen() throws {
        let store = StoreOfAnySize()
        store.present = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1, pending: 1)
        var engine = engine(store)
        guard case .ask(let request) = try engine.next(at: 0) else {
            Issue.record("nothing is asked")
            return
        }
        try engine.handle(.refused(.sync(.cursorAhead)), to: request, at: 0)
        // A process that is killed in between gets `cursorAhead` once more; and no copy continues under the
        // former id.
        #expect(store.steps == ["become", "resync"])
    }

    @Test func aDeviceThatWasAwayForLongBringsNothingBack() throws {
        for (error, reason) in [
            (CloudError.sync(.cursorExpired), ResyncReason.cursorExpired),
            (.sync(.cursorAhead), .cursorAhead),
        ] {
            let store = StoreOfAnySize()
            store.present = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1)
            var engine = engine(store)
            guard case .ask(let request) = try engine.next(at: 0) else {
                Issue.record("nothing is asked")
                return
            }
            try engine.handle(.refused(error), to: request, at: 0)
            // Rows that the cloud has forgotten were deleted; rows that it has lost are sent again.
            #expect(store.reasons == [reason])
        }
    }

    @Test func anAnswerToAFormerNameEndsNothing() throws {
        let store = StoreOfAnySize()
        store.present = ReplicaState(replica: EntityID(high: 1, low: 1), epoch: 1)
        var engine = engine(store, .drain)
        guard case .ask(let request) = try engine.next(at: 0) else {
            Issue.record("nothing is asked")
            return
        }
        #expect(request == .detach(EntityID(high: 1, low: 1), lastN: 0))
        // Attached anew meanwhile, by another run on the same book.
        let present = EntityID(high: 1, low: 9)
        store.present = ReplicaState(replica: present, epoch: 1)
        try engine.handle(.detached, to: request, at: 0)
        #expect(try engine.next(at: 0) == .ask(.detach(present, lastN: 0)))
    }
}

/// A store with as many operations as are asked for, which keeps nothing. Used by one thread.
private final class StoreOfAnySize: ReplicaStore {
    private let kept = Mutex(ReplicaState(replica: nil))
    private let taken = Mutex([String]())

    /// The changes of its name and place that were asked for, in their order.
    var steps: [String] { taken.withLock { $0 } }
    /// Why it was to come in step anew.
    var reasons: [ResyncReason] { why.withLock { $0 } }
    private let why = Mutex<[ResyncReason]>([])

    var present: ReplicaState {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    func replicaState() throws(CloudError) -> ReplicaState { present }
    func adopt(_ head: Head, as replica: EntityID) throws(CloudError) {}
    func nextBatch(operations: Int, bytes: Int) throws(CloudError) -> [SyncCore.Operation] {
        (0..<operations).map { number in
            SyncCore.Operation(
                n: Int64(number) + 1,
                opID: "",
                tx: 1,
                action: .delete,
                kind: "account",
                id: EntityID(high: 1, low: UInt64(number))
            )
        }
    }
    func acknowledge(_ results: [OperationResult], of batch: PushBatch, isOlder: Bool) throws(CloudError) {}
    func apply(changes page: ChangesPage, to query: ChangesQuery) throws(CloudError) {}
    func apply(snapshot page: ChangesPage, to query: ChangesQuery) throws(CloudError) {}
    func renameReplica(to replica: EntityID, from former: EntityID) throws(CloudError) {
        taken.withLock { $0.append("become") }
    }
    func resync(_ reason: ResyncReason, of replica: EntityID) throws(CloudError) {
        taken.withLock { $0.append("resync") }
        why.withLock { $0.append(reason) }
    }
    func stop(_ replica: EntityID) throws(CloudError) {}
}

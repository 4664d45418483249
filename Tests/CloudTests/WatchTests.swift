// Many sessions that wait as one: what the cloud keeps of them, and for how long.
import CloudProtocol
import Encoding
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Cloud

@Suite struct AWatch {
    private let clock = FixedClock(at: 1_795_262_400)
    private let accounts = Accounts()
    private let pauses = Pauses()

    /// Sessions and the heads of their accounts: the session `n` is of the user `n / 10`.
    private final class Accounts: Sendable {
        let heads = Mutex<[Int: Int64]>([:])
        let ended = Mutex<[Int: CloudError]>([:])
        let checks = Mutex(0)

        func check(_ token: SessionToken) throws(CloudError) -> (user: EntityID, head: Head) {
            checks.withLock { $0 += 1 }
            let number = Int(token.text.suffix(6)) ?? 0
            if let error = ended.withLock({ $0[number] }) { throw error }
            let seq = heads.withLock { $0[number / 10] ?? 0 }
            return (EntityID(high: 3, low: UInt64(number / 10)), Head(epoch: 1, seq: seq))
        }
    }

    /// Pauses that last until the test ends them.
    private final class Pauses: Sendable {
        private let open = Mutex<[CheckedContinuation<Void, Never>]>([])
        private let lengths = Mutex<[Int64]>([])

        var count: Int { lengths.withLock { $0.count } }
        var last: Int64? { lengths.withLock { $0.last } }

        func pause(_ milliseconds: Int64) async {
            let stream = AsyncStream<Void> { continuation in
                let task = Task {
                    await withCheckedContinuation { (wait: CheckedContinuation<Void, Never>) in
                        open.withLock { $0.append(wait) }
                        lengths.withLock { $0.append(milliseconds) }
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
            for await _ in stream {}
        }

        func end() {
            let all = open.withLock { open in
                defer { open = [] }
                return open
            }
            for wait in all { wait.resume() }
        }
    }

    private func watches(_ limits: Watches.Limits = Watches.Limits()) -> Watches {
        let (accounts, clock) = (accounts, clock)
        let ids = Mutex(0)
        return Watches(
            limits: limits,
            now: { clock.now },
            newID: {
                ids.withLock { ids in
                    ids += 1
                    return "watch-\(ids)"
                }
            },
            check: { token throws(CloudError) in try accounts.check(token) }
        )
    }

    private func token(_ number: Int) -> SessionToken {
        let digits = String(number)
        guard let token = SessionToken(String(repeating: "0", count: 64 - digits.count) + digits) else {
            preconditionFailure("these are digits")
        }
        return token
    }

    private func head(_ seq: Int64) -> Head { Head(epoch: 1, seq: seq) }

    private func entry(_ number: Int, seen: Int64? = 0) -> SignalsRequest.Entry {
        SignalsRequest.Entry(key: Int64(number), token: token(number), seen: seen.map { head($0) })
    }

    private func ask(
        _ watches: Watches,
        _ watch: String?,
        wait: Int64 = 0,
        set: [SignalsRequest.Entry] = [],
        drop: [Int64] = []
    ) async throws -> SignalsAnswer {
        let pauses = pauses
        return try await watches.answer(
            SignalsRequest(watch: watch, waitSeconds: wait, set: set, drop: drop),
            pause: { await pauses.pause($0) }
        )
    }

    private func write(_ user: Int, _ watches: Watches, _ seq: Int64) {
        accounts.heads.withLock { $0[user] = seq }
        watches.moved(EntityID(high: 3, low: UInt64(user)))
    }

    @Test func newsComesWithEachAnswerUntilItWasSeen() async throws {
        let watches = watches()
        let made = try await ask(watches, nil, set: [entry(10), entry(20)])
        #expect(made == SignalsAnswer(watch: "watch-1"))
        write(1, watches, 7)
        let news = [SignalsAnswer.SessionNews(key: 10, .success(head(7)))]
        #expect(try await ask(watches, "watch-1").news == news)
        // The answer was lost, or another request is faster: it waits for nothing.
        #expect(try await ask(watches, "watch-1", wait: 5).news == news)
        let seen = SignalsRequest.Entry(key: 10, seen: head(7))
        #expect(try await ask(watches, "watch-1", set: [seen]).news == [])
        // The head that was seen is outdated.
        write(1, watches, 8)
        #expect(
            try await ask(watches, "watch-1", set: [seen]).news
                == [SignalsAnswer.SessionNews(key: 10, .success(head(8)))]
        )
    }

    @Test func aRequestWaitsForNewsOfAnySession() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: (1...50).map { entry($0 * 10) })
        async let waiting = ask(watches, "watch-1", wait: 5)
        try await eventuallyTrue { pauses.count == 1 }
        #expect(pauses.last == 5_000)
        write(33, watches, 1)
        #expect(try await waiting.news == [SignalsAnswer.SessionNews(key: 330, .success(head(1)))])
        pauses.end()
    }

    @Test func aSessionThatIsAddedMeanwhileWakesTheRequestThatWaits() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10)])
        async let waiting = ask(watches, "watch-1", wait: 5)
        try await eventuallyTrue { pauses.count == 1 }
        _ = try await ask(watches, "watch-1", set: [entry(20, seen: nil)])
        #expect(try await waiting.news == [SignalsAnswer.SessionNews(key: 20, .success(head(0)))])
        pauses.end()
    }

    @Test func aWaitEndsWithoutNews() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10)])
        async let waiting = ask(watches, "watch-1", wait: 5)
        try await eventuallyTrue { pauses.count == 1 }
        pauses.end()
        #expect(try await waiting == SignalsAnswer(watch: "watch-1"))
    }

    @Test func anEarlierRequestGivesWay() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10)])
        async let first = ask(watches, "watch-1", wait: 5)
        try await eventuallyTrue { pauses.count == 1 }
        async let second = ask(watches, "watch-1", wait: 5)
        #expect(try await first == SignalsAnswer(watch: "watch-1"))
        write(1, watches, 1)
        #expect(try await second.news.count == 1)
        pauses.end()
    }

    @Test func aWatchThatIsNotKnownChangesNothing() async throws {
        let watches = watches()
        let answer = try await ask(watches, "somebody-else's", wait: 5, set: [entry(10)])
        #expect(answer == SignalsAnswer(watch: nil))
        #expect(watches.count == 0 && watches.watchCount == 0)
    }

    @Test func twoServersHaveTwoWatches() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10)])
        _ = try await ask(watches, nil, set: [entry(11), entry(20)])
        write(1, watches, 4)
        #expect(try await ask(watches, "watch-1").news.map(\.key) == [10])
        #expect(try await ask(watches, "watch-2").news.map(\.key) == [11])
        // Each session has seen a different head.
        _ = try await ask(watches, "watch-1", set: [SignalsRequest.Entry(key: 10, seen: head(4))])
        #expect(try await ask(watches, "watch-2").news.map(\.key) == [11])
    }

    @Test func aDroppedSessionIsToldNothing() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10), entry(20)])
        write(1, watches, 4)
        #expect(try await ask(watches, "watch-1", drop: [10, 99]) == SignalsAnswer(watch: "watch-1"))
        #expect(watches.count == 1)
        // A head that the session would have seen does not restore it either.
        let seen = SignalsRequest.Entry(key: 10, seen: head(1))
        #expect(try await ask(watches, "watch-1", set: [seen]).news == [])
        #expect(watches.count == 1)
    }

    @Test(arguments: [CloudError.sessionRevoked, .accountGone])
    func aSessionThatEndsIsToldAtOnceAndNobodyElseIs(error: CloudError) async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10), entry(20)])
        async let waiting = ask(watches, "watch-1", wait: 5)
        try await eventuallyTrue { pauses.count == 1 }
        accounts.ended.withLock { $0[10] = error }
        watches.moved(EntityID(high: 3, low: 1))
        #expect(try await waiting.news == [SignalsAnswer.SessionNews(key: 10, .failure(error))])
        pauses.end()
    }

    @Test func whatAnotherProcessEndsIsFoundByLookingAgain() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10), entry(20)])
        accounts.ended.withLock { $0[20] = .sessionRevoked }
        accounts.heads.withLock { $0[1] = 3 }
        #expect(try await ask(watches, "watch-1").news == [])
        clock.advance(by: Watches.recheckSeconds)
        let news = try await ask(watches, "watch-1").news
        #expect(
            news == [
                SignalsAnswer.SessionNews(key: 10, .success(head(3))),
                SignalsAnswer.SessionNews(key: 20, .failure(.sessionRevoked)),
            ]
        )
    }

    @Test func aSessionIsLookedAtSeldomWhereNothingHappens() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: (1...40).map { entry($0 * 10) })
        let checks = accounts.checks.withLock { $0 }
        for _ in 0..<10 { _ = try await ask(watches, "watch-1") }
        #expect(accounts.checks.withLock { $0 } == checks)
        write(5, watches, 1)
        _ = try await ask(watches, "watch-1")
        #expect(accounts.checks.withLock { $0 } == checks + 1)
    }

    @Test func aRefusedSessionIsNoPartOfTheWatch() async throws {
        let watches = watches()
        accounts.ended.withLock { $0[10] = .sessionRevoked }
        let refusal = SignalsAnswer.SessionNews(key: 10, .failure(.sessionRevoked))
        // Unknown sessions are not stored.
        #expect(try await ask(watches, nil, set: [entry(10)]) == SignalsAnswer(watch: nil, news: [refusal]))
        #expect(watches.watchCount == 0)
        let mixed = try await ask(watches, nil, set: [entry(10), entry(20)])
        #expect(mixed == SignalsAnswer(watch: "watch-1", news: [refusal]))
        #expect(watches.count == 1)
        #expect(try await ask(watches, "watch-1").news == [])
    }

    @Test func aWatchWithoutRequestsIsForgotten() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10)])
        clock.advance(by: Watches.retentionSeconds - 1)
        #expect(try await ask(watches, "watch-1").watch == "watch-1")
        clock.advance(by: Watches.retentionSeconds)
        #expect(try await ask(watches, "watch-1", set: [entry(20)]) == SignalsAnswer(watch: nil))
        #expect(watches.count == 0 && watches.watchCount == 0)
    }

    @Test func thereIsRoomForSoManyAndNoMore() async throws {
        let watches = watches(Watches.Limits(watches: 2, sessions: 3, allSessions: 5))
        _ = try await ask(watches, nil, set: [entry(10), entry(20), entry(30)])
        await #expect(throws: CloudError.busy(retryAfterSeconds: 60)) {
            try await ask(watches, "watch-1", set: [entry(40)])
        }
        clock.advance(by: 1)
        _ = try await ask(watches, nil, set: [entry(10), entry(20)])
        await #expect(throws: CloudError.busy(retryAfterSeconds: 60)) {
            try await ask(watches, "watch-2", set: [entry(30)])
        }
        // A third watch takes the place of the one that was not used for longest.
        clock.advance(by: 1)
        _ = try await ask(watches, "watch-1")
        _ = try await ask(watches, nil, set: [entry(50)])
        #expect(watches.watchCount == 2 && watches.count == 4)
        #expect(try await ask(watches, "watch-2").watch == nil)
        await #expect(throws: CloudError.sync(.tooLarge(max: SignalsRequest.most))) {
            try await ask(watches, "watch-1", set: (0...SignalsRequest.most).map { entry($0 * 10) })
        }
    }

    @Test func aFileThatFailsIsToldAndNothingIsMissed() async throws {
        let watches = watches()
        _ = try await ask(watches, nil, set: [entry(10)])
        accounts.ended.withLock { $0[10] = .failed("disk") }
        write(1, watches, 6)
        await #expect(throws: CloudError.failed("disk")) { try await ask(watches, "watch-1", wait: 5) }
        accounts.ended.withLock { $0[10] = nil }
        #expect(
            try await ask(watches, "watch-1").news == [SignalsAnswer.SessionNews(key: 10, .success(head(6)))]
        )
    }

    @Test func theMessagesAreReadAsTheyAreWritten() throws {
        let request = SignalsRequest(
            watch: "w",
            waitSeconds: 5,
            set: [entry(1, seen: nil), entry(2), SignalsRequest.Entry(key: 3, seen: head(9))],
            drop: [4, 5]
        )
        #expect(try SignalsRequest(request.encoded) == request)
        let answer = SignalsAnswer(
            watch: "w",
            news: [
                SignalsAnswer.SessionNews(key: 1, .success(head(2))),
                SignalsAnswer.SessionNews(key: 2, .failure(.sessionRevoked)),
                SignalsAnswer.SessionNews(key: 3, .failure(.accountGone)),
                SignalsAnswer.SessionNews(key: 4, .failure(.subscriptionRequired(drainUntil: nil))),
            ]
        )
        #expect(try SignalsAnswer(answer.encoded) == answer)
        #expect(try SignalsAnswer(SignalsAnswer(watch: nil).encoded) == SignalsAnswer(watch: nil))
        for text in ["", "{}", "[]", #"{"news":[{}]}"#, #"{"news":[{"key":1}]}"#] {
            #expect(throws: MalformedJSON.self) { try SignalsAnswer(Array(text.utf8)) }
        }
        for text in ["", "[]", #"{"set":[{"token":"x"}]}"#, #"{"set":[{"key":1,"token":"x"}]}"#] {
            #expect(throws: MalformedJSON.self) { try SignalsRequest(Array(text.utf8)) }
        }
    }
}

/// Waits for something that happens in the background.
func eventuallyTrue(
    _ condition: () async throws -> Bool,
    at place: SourceLocation = #_sourceLocation
) async throws {
    guard try await !eventuallyBecomesTrue(condition) else { return }
    Issue.record("this did not happen", sourceLocation: place)
}

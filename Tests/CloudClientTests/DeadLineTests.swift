// A connection that fails silently: no call reports it, and requests soon continue over another one.
import CloudProtocol
import Ledger
import Outbound
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import CloudClient

/// A transport whose first connections are silent.
private final class SilentLine: HTTPSending {
    let sent = Mutex<[HTTPRequest]>([])
    let suspected = Mutex<[String]>([])
    let isSilent = Mutex(true)
    private let died = Mutex<[AsyncStream<Void>.Continuation]>([])

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        guard request.needsNewConnection || !isSilent.withLock({ $0 }) else {
            let (death, continuation) = AsyncStream.makeStream(of: Void.self)
            died.withLock { $0.append(continuation) }
            for await _ in death {}
            throw Task.isCancelled ? .cancelled : .suspected
        }
        if request.url.hasSuffix("/account") { return HTTPResponse(status: 401, body: refusal) }
        return HTTPResponse(status: 200, body: SignalsAnswer(watch: nil).encoded)
    }

    func suspect(_ url: String, answeredWithin milliseconds: Int64) {
        suspected.withLock { $0.append(url) }
        died.withLock { died in
            defer { died = [] }
            return died
        }.forEach { $0.finish() }
    }

    func count(fresh: Bool) -> Int { sent.withLock { $0.count { $0.needsNewConnection == fresh } } }

    private let refusal = Array(#"{"code":"token_revoked"}"#.utf8)
}

@Suite struct ALineThatDied {
    private let token = SessionToken(String(repeating: "a", count: 64))

    @Test func aRequestOverItIsSentAgainOverANewConnection() async throws {
        let line = SilentLine()
        let cloud = RemoteCloud(at: "http://cloud.test", client: line)
        // Uses the real clock: the test takes as long as `LineWatch` waits.
        await #expect(throws: CloudError.sessionRevoked) { try await cloud.account(try #require(token)) }
        #expect(line.suspected.withLock { $0 } == ["http://cloud.test"])
        let paths = line.sent.withLock { $0.map { $0.url.split(separator: "/").last ?? "" } }
        #expect(paths == ["account", "signals", "account"])
        #expect(line.sent.withLock { $0.map(\.needsNewConnection) } == [false, true, true])
    }

    @Test func theWaitForNewsGoesOnOverANewConnection() async throws {
        let line = SilentLine()
        let cloud = RemoteCloud(at: "http://cloud.test", client: line)
        let news = Task { try? await cloud.signal(seen: nil, waitSeconds: 45, try #require(token)) }
        try await eventuallyTrue { !line.suspected.withLock { $0.isEmpty } }
        #expect(line.count(fresh: false) >= 1)
        news.cancel()
        _ = await news.value
    }
}

/// A clock and pauses under the control of the test: every pause lasts until the test ends it.
private final class Steps: Sendable {
    private let waiting = Mutex<[(Int64, AsyncStream<Void>.Continuation)]>([])
    let clock = Mutex<Int64>(0)

    @Sendable func pause(_ milliseconds: Int64) async {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        waiting.withLock { $0.append((milliseconds, continuation)) }
        for await _ in end {}
    }

    var lengths: [Int64] { waiting.withLock { $0.map(\.0) } }

    /// Ends all current pauses.
    func pass() {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }.forEach { $0.1.finish() }
    }
}

@Suite struct HedgedQuestions {
    private let steps: Steps
    private let hedge: RequestHedging

    init() {
        let steps = Steps()
        self.steps = steps
        hedge = RequestHedging(
            milliseconds: { steps.clock.withLock { $0 } },
            pause: { await steps.pause($0) }
        )
    }

    /// Requests that are answered under the control of the test.
    private final class Questions: Sendable {
        let asked = Mutex<[Int: CheckedContinuation<RequestHedging.Answer, Never>]>([:])
        let count = Mutex(0)

        @Sendable func send(_ number: Int) async -> RequestHedging.Answer {
            count.withLock { $0 += 1 }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in asked.withLock { $0[number] = continuation } }
            } onCancel: {
                answer(number, .failure(.unreachable("cancelled")))
            }
        }

        func answer(_ number: Int, _ answer: RequestHedging.Answer) {
            asked.withLock { $0.removeValue(forKey: number) }?.resume(returning: answer)
        }

        var open: Set<Int> { asked.withLock { Set($0.keys) } }
    }

    private let ok = RequestHedging.Answer.success(HTTPResponse(status: 200, body: []))

    private func ask(_ questions: Questions) -> Task<(status: Int?, number: Int), Never> {
        Task { [hedge] in
            let (answer, number, _) = await hedge.ask(dueMilliseconds: 2_000) { await questions.send($0) }
            return ((try? answer.get())?.status, number)
        }
    }

    @Test func oneThatIsAnsweredInTimeIsTheOnlyOne() async throws {
        let questions = Questions()
        let outcome = ask(questions)
        try await eventuallyTrue {
            questions.open == [0] && steps.lengths == [2_000 + RequestHedging.lateMilliseconds]
        }
        questions.answer(0, ok)
        #expect(await outcome.value == (200, 0))
    }

    @Test func theFirstAnswerCountsAndTheOthersAreGivenUp() async throws {
        let questions = Questions()
        let outcome = ask(questions)
        for number in 1...3 {
            try await eventuallyTrue { questions.open.count == number && steps.lengths.count == 1 }
            #expect(steps.lengths == [number == 1 ? 2_000 + RequestHedging.lateMilliseconds : 1_000])
            steps.pass()
        }
        try await eventuallyTrue { questions.open == [0, 1, 2, 3] }
        // One of the requests fails for reasons of its own.
        questions.answer(1, .failure(.unreachable("refused")))
        questions.answer(2, ok)
        #expect(await outcome.value == (200, 2))
        #expect(questions.open.isEmpty)
    }

    @Test func whoSaysThatThereAreTooManyIsNoAnswer() async throws {
        let questions = Questions()
        let outcome = ask(questions)
        try await eventuallyTrue { questions.open == [0] && steps.lengths.count == 1 }
        steps.pass()
        try await eventuallyTrue { questions.open == [0, 1] && steps.lengths.count == 1 }
        questions.answer(1, .success(HTTPResponse(status: 503, body: [])))
        steps.pass()
        try await eventuallyTrue { questions.open == [0, 2] }
        questions.answer(0, ok)
        #expect(await outcome.value == (200, 0))
    }

    @Test func aCloudThatIsFarAwayIsGivenMoreTime() async throws {
        for expected in [400, 800, 1_600, 3_200, 3_200] as [Int64] {
            let questions = Questions()
            let outcome = ask(questions)
            try await eventuallyTrue { questions.open == [0] && steps.lengths == [2_000 + expected] }
            steps.pass()
            try await eventuallyTrue { questions.open == [0, 1] && steps.lengths.count == 1 }
            questions.answer(0, ok)
            #expect(await outcome.value == (200, 0))
            steps.pass()
        }
        // The time decreases gradually while the cloud answers in time.
        let questions = Questions()
        let outcome = ask(questions)
        try await eventuallyTrue { questions.open == [0] && steps.lengths == [5_200] }
        questions.answer(0, ok)
        #expect(await outcome.value == (200, 0))
        steps.pass()
        let more = Questions()
        let again = ask(more)
        try await eventuallyTrue { more.open == [0] && steps.lengths == [5_150] }
        more.answer(0, ok)
        #expect(await again.value == (200, 0))
    }

    @Test func nobodyAsksOnForOneWhoHasGivenUp() async throws {
        let questions = Questions()
        let outcome = ask(questions)
        try await eventuallyTrue { questions.open == [0] && steps.lengths.count == 1 }
        outcome.cancel()
        _ = await outcome.value
        #expect(questions.count.withLock { $0 } == 1)
    }

    @Test func theFirstOneHasTheLongestPatience() async throws {
        let questions = Questions()
        let outcome = ask(questions)
        try await eventuallyTrue { questions.open == [0] && steps.lengths.count == 1 }
        steps.pass()
        try await eventuallyTrue { questions.open == [0, 1] }
        questions.answer(0, .failure(.unreachable("silent")))
        #expect(await outcome.value == (nil, 0))
    }
}

@Suite struct WatchedRequests {
    private let steps = Steps()

    private func watch(_ looks: Looks) -> LineWatch {
        LineWatch(
            on: nil,
            milliseconds: { [steps] in steps.clock.withLock { $0 } },
            pause: { [steps] in await steps.pause($0) },
            look: { looks.count.withLock { $0 += 1 } }
        )
    }

    private final class Looks: Sendable {
        let count = Mutex(0)
    }

    /// Advances the clock in steps of a quarter of a second, and ends the pauses after each step.
    private func pass(_ quarters: Int) async throws {
        for _ in 0..<quarters {
            try await eventuallyTrue { !steps.lengths.isEmpty }
            steps.clock.withLock { $0 += 250 }
            steps.pass()
        }
        try await eventuallyTrue { !steps.lengths.isEmpty }
    }

    @Test func eachIsLookedAfterOnceWhenItIsLate() async throws {
        let looks = Looks()
        let watch = watch(looks)
        let first = await watch.begin()
        try await pass(2)
        let second = await watch.begin()
        #expect(looks.count.withLock { $0 } == 0)
        try await pass(2)
        #expect(looks.count.withLock { $0 } == 1, "the first one is late")
        await watch.end(first, isAnswered: false)
        try await pass(2)
        #expect(looks.count.withLock { $0 } == 2, "the second one is late")
        try await pass(20)
        #expect(looks.count.withLock { $0 } == 2)
        await watch.end(second, isAnswered: true)
        steps.pass()
    }

    @Test func aLineThatAnswersOthersIsNotLookedAfter() async throws {
        let looks = Looks()
        let watch = watch(looks)
        let late = await watch.begin()
        let other = await watch.begin()
        try await pass(2)
        await watch.end(other, isAnswered: true)
        #expect(await watch.hasAnswered(since: 500))
        #expect(await !watch.hasAnswered(since: 501))
        try await pass(20)
        #expect(looks.count.withLock { $0 } == 0)
        await watch.end(late, isAnswered: true)
        steps.pass()
    }

    @Test func aCloudThatIsSlowIsNotAskedTwice() async throws {
        let looks = Looks()
        let watch = watch(looks)
        await watch.sentAgain(durationMilliseconds: LineWatch.lateMilliseconds)
        let number = await watch.begin()
        try await pass(10)
        #expect(looks.count.withLock { $0 } == 0)
        await watch.end(number, isAnswered: true)
        steps.pass()
        // By then, the cloud may be another one.
        steps.clock.withLock { $0 += LineWatch.slowMilliseconds }
        _ = await watch.begin()
        try await pass(5)
        #expect(looks.count.withLock { $0 } == 1)
    }
}

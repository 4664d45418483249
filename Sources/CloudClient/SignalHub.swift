// One long poll for the news of all devices of this server.

import CloudProtocol
import SyncCore

/// Multiplexes `SyncAPI.signal` of all devices of this server over `SignalsAPI`.
///
/// At most two requests are open, not counting requests that are repeated because an answer is late
/// (`RequestHedging`). The *poll* waits for news. The *update* adds sessions to the watch and does not wait, so that
/// the poll stays open meanwhile. The update delivers the first news of these sessions, and the poll all
/// later news, so that they arrive in order.
///
/// | wait | ended by | otherwise |
/// | --- | --- | --- |
/// | of a device | news of its account, the end of its session, a failed line | the first answer to the poll after the end of its wait, `SyncLimits.pollSeconds` later at most |
/// | of the poll | news, the end of its wait (`SyncLimits.pollSeconds`), cancellation by the last waiting device | the connection times out after `SyncLimits.silentSeconds` without a byte, and every device gets `unreachable` |
/// | of the update | its answer | the same |
/// | of news | the next answer to the poll | every answer repeats them until a request acknowledges them |
/// | for a cloud that is unreachable | a device that asks: one request a second for all of them | the next device that asks |
/// | for a watch that the cloud has forgotten | the next answer, which reports it: all sessions are sent again | the answer after it |
/// | for a cloud without this request | the end of `retryMilliseconds`, or a failure of a device's own line | until then each device polls separately |
actor SignalHub {
    /// Sends a request; nil if the cloud does not support such requests.
    typealias Send = @Sendable (SignalsRequest) async throws(CloudError) -> SignalsAnswer?

    enum Outcome: Sendable {
        case answered(Result<Head, CloudError>)
        /// The device has to poll separately: the cloud is older than this request, or the watch has its
        /// maximum number of sessions.
        case unsupported
    }

    /// The time after a failure until the next request, in milliseconds.
    static let pauseMilliseconds: Int64 = 1_000
    /// The time until a cloud without such requests is tried again, in milliseconds.
    static let retryMilliseconds: Int64 = 600_000
    /// The time for which a session without a waiter stays in the watch, in milliseconds. Devices usually
    /// wait again immediately.
    static let keptMilliseconds: Int64 = 10_000
    /// The time after news in which the next poll is opened without a waiter, in milliseconds. The device
    /// processes the news and then waits again.
    static let lingerMilliseconds: Int64 = 2_000
    /// The number of devices that get an answer without news at once; the next devices get it after a pause. Otherwise
    /// all devices would begin to work at the same time.
    private static let portion = 8
    private static let portionMilliseconds: Int64 = 5

    let send: Send
    let executor: (any TaskExecutor)?
    private let mostSessions: Int
    let milliseconds: @Sendable () -> Int64
    let pause: @Sendable (_ milliseconds: Int64) async -> Void

    struct Waiter {
        let seen: Head?
        let endsAt: Int64
        let isProbe: Bool
        let continuation: CheckedContinuation<Outcome, Never>
    }

    enum Stage { case unsent, sent, watched }

    struct Session {
        let key: Int64
        /// The last news; before the first, the head that the device has seen.
        var head: Head?
        var stage = Stage.unsent
        var waiters: [Int: Waiter] = [:]
        var idleSince: Int64 = 0
    }

    var sessions: [SessionToken: Session] = [:]
    var tokens: [Int64: SessionToken] = [:]
    var unsent: Set<SessionToken> = []
    /// Sessions whose news have to be acknowledged.
    var seen: Set<SessionToken> = []
    var drops: Set<Int64> = []
    var watch: String?
    /// Whether `head` of the watched sessions is up to date: a poll was answered, and the next one is open.
    var isCurrent = false
    /// The number of waits that have not ended.
    private(set) var waiting = 0
    var newsCount = 0
    private var numbers = (key: Int64(0), waiter: 0)
    var (mayAskAt, unsupportedUntil, lastNewsAt) = (Int64.min, Int64.min, Int64.min)
    var poll: Task<Void, Never>?
    var updating: Task<Void, Never>?
    private var releasing: [(CheckedContinuation<Outcome, Never>, Outcome)] = []
    private var isReleasing = false

    /// - Parameters:
    ///   - executor: runs the tasks that no caller awaits; nil for Swift's shared pool.
    ///   - mostSessions: the maximum number of sessions, less than `SignalsRequest.mostOfWatch` because the
    ///     cloud counts a session twice while it is sent again.
    ///   - milliseconds: a monotonic clock.
    ///   - pause: suspends for a time, or until the task is cancelled.
    ///   - send: sends a request.
    init(
        on executor: (any TaskExecutor)?,
        mostSessions: Int = SignalsRequest.mostOfWatch - SignalsRequest.most,
        milliseconds: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void,
        send: @escaping Send
    ) {
        self.executor = executor
        (self.milliseconds, self.pause, self.send) = (milliseconds, pause, send)
        self.mostSessions = mostSessions
    }

    // MARK: - Devices

    /// As `SyncAPI.signal`. A wait ends with the first answer of the cloud after its time.
    func signal(seen: Head?, waitSeconds: Int64, _ token: SessionToken) async -> Outcome {
        guard milliseconds() >= unsupportedUntil,
            sessions[token] != nil || sessions.count + drops.count < mostSessions
        else {
            return .unsupported
        }
        numbers.waiter += 1
        let number = numbers.waiter
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wait = max(0, min(waitSeconds, SyncLimits.waitSeconds)) * 1_000
                add(
                    Waiter(
                        seen: seen,
                        endsAt: milliseconds() + wait,
                        isProbe: wait == 0,
                        continuation: continuation
                    ),
                    number,
                    token
                )
            }
        } onCancel: {
            Task(executorPreference: executor) { await self.cancel(number, token) }
        }
    }

    /// Records that a device that polled separately could not reach the cloud. A newer version of the cloud
    /// may be there afterwards.
    func lineFailed() { unsupportedUntil = .min }

    private func add(_ waiter: Waiter, _ number: Int, _ token: SessionToken) {
        if sessions[token] == nil {
            numbers.key += 1
            sessions[token] = Session(key: numbers.key)
            tokens[numbers.key] = token
            unsent.insert(token)
        }
        // The cloud, not the cache, answers a device that starts.
        if waiter.seen == nil, sessions[token]?.stage == .watched { markUnsent(token) }
        if sessions[token]?.stage == .unsent { sessions[token]?.head = waiter.seen }
        sessions[token]?.waiters[number] = waiter
        waiting += 1
        answerWaiters(token)
        startRequests()
    }

    private func cancel(_ number: Int, _ token: SessionToken) {
        guard let waiter = removeWaiter(number, token) else { return }
        waiter.continuation.resume(returning: .answered(.failure(.unreachable("given up"))))
        if waiting == 0 {
            poll?.cancel()
            updating?.cancel()
        }
    }

    func removeWaiter(_ number: Int, _ token: SessionToken) -> Waiter? {
        guard let waiter = sessions[token]?.waiters.removeValue(forKey: number) else { return nil }
        waiting -= 1
        sessions[token]?.idleSince = milliseconds()
        return waiter
    }

    /// Answers the waiters of a session that have news, or that do not want to wait.
    func answerWaiters(_ token: SessionToken) {
        guard isCurrent, let session = sessions[token], session.stage == .watched, let head = session.head
        else { return }
        for (number, waiter) in session.waiters where waiter.isProbe || waiter.seen != head {
            _ = removeWaiter(number, token)
            waiter.continuation.resume(returning: .answered(.success(head)))
        }
    }

    /// Ends the waits whose time is over.
    func endWaits() {
        let now = milliseconds()
        var ended: [(CheckedContinuation<Outcome, Never>, Outcome)] = []
        for (token, session) in sessions where session.stage == .watched {
            guard let head = session.head else { continue }
            for (number, waiter) in session.waiters where waiter.endsAt <= now {
                _ = removeWaiter(number, token)
                ended.append((waiter.continuation, .answered(.success(head))))
            }
        }
        release(ended)
    }

    private func release(_ all: [(CheckedContinuation<Outcome, Never>, Outcome)]) {
        releasing += all
        guard !isReleasing, !releasing.isEmpty else { return }
        isReleasing = true
        Task(executorPreference: executor) { await self.releaseAll() }
    }

    private func releaseAll() async {
        while !releasing.isEmpty {
            let portion = releasing.prefix(Self.portion)
            releasing.removeFirst(portion.count)
            for (continuation, outcome) in portion { continuation.resume(returning: outcome) }
            if !releasing.isEmpty { await pause(Self.portionMilliseconds) }
        }
        isReleasing = false
    }

    /// Ends all waits with the same outcome.
    func answerAll(_ outcome: Outcome) {
        var all: [(CheckedContinuation<Outcome, Never>, Outcome)] = []
        for (token, session) in sessions {
            for (number, waiter) in session.waiters {
                _ = removeWaiter(number, token)
                all.append((waiter.continuation, outcome))
            }
        }
        release(all)
    }
}

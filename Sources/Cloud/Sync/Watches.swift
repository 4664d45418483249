// Long polls for many sessions at once: the watch that the cloud stores for a server, and its news.

import CloudProtocol
import Ledger
import SyncCore
import Synchronization

/// The watches of all servers.
///
/// | wait | ended by | otherwise |
/// | --- | --- | --- |
/// | of a request | a change of one of its accounts, an ended session, a later request for its watch | the end of its time: sessions that were not checked for `recheckSeconds` are checked again |
/// | of news | the next answer | every answer repeats them until a request acknowledges them |
/// | of a watch without a request | its server's next request | removal after `retentionSeconds`; the server creates a new one |
///
/// A change of the file by another process wakes no request: the next check finds it.
final class Watches: Sendable {
    /// The greatest numbers of watches, of sessions in one watch, and of sessions in all.
    struct Limits {
        var watches = 1_000
        var sessions = SignalsRequest.mostOfWatch
        var allSessions = 100_000
    }

    /// The time without a request after which a watch is removed, in seconds.
    static let retentionSeconds: Int64 = 180
    /// The time after which a session is checked again, in seconds.
    static let recheckSeconds: Int64 = 15

    private let state = Mutex(State())
    private let limits: Limits
    private let now: @Sendable () -> Int64
    private let newID: @Sendable () -> String
    private let check: Check

    /// Checks a token: its user, and the head of the account.
    typealias Check = @Sendable (SessionToken) throws(CloudError) -> (user: EntityID, head: Head)

    /// - Parameters:
    ///   - now: UTC seconds.
    ///   - newID: returns an id that cannot be guessed.
    init(
        limits: Limits = Limits(),
        now: @escaping @Sendable () -> Int64,
        newID: @escaping @Sendable () -> String,
        check: @escaping Check
    ) {
        (self.limits, self.now, self.newID, self.check) = (limits, now, newID, check)
    }

    /// The number of sessions in all watches.
    var count: Int { state.withLock { $0.count } }

    /// The number of watches.
    var watchCount: Int { state.withLock { $0.watches.count } }

    private struct Session {
        let token: SessionToken
        let user: EntityID
        var seen: Head?
        /// The result of the last check; nil before the first.
        var found: Result<Head, CloudError>?
        var checkedAt: Int64
        /// The number of that check: of two concurrent checks, the later counts.
        var check = 0

        var news: Result<Head, CloudError>? {
            guard let found, case .success(let head) = found, head == seen else { return found }
            return nil
        }
    }

    private struct Watch {
        var sessions: [Int64: Session] = [:]
        /// Sessions to check because their account has changed.
        var moved: Set<Int64> = []
        /// Sessions with news.
        var newsworthy: Set<Int64> = []
        /// Wakes the request that waits.
        var waker: AsyncStream<Void>.Continuation?
        var usedAt: Int64

        func isLive(at now: Int64) -> Bool { now - usedAt < retentionSeconds }

        mutating func note(_ key: Int64) {
            if sessions[key]?.news == nil { newsworthy.remove(key) } else { newsworthy.insert(key) }
        }
    }

    private struct Place: Hashable {
        let watch: String
        let key: Int64
    }

    private struct State {
        var watches: [String: Watch] = [:]
        var byUser: [EntityID: Set<Place>] = [:]
        var count = 0
        var checks = 0

        mutating func drop(_ key: Int64, of id: String) {
            guard let session = watches[id]?.sessions.removeValue(forKey: key) else { return }
            watches[id]?.moved.remove(key)
            watches[id]?.newsworthy.remove(key)
            count -= 1
            byUser[session.user]?.remove(Place(watch: id, key: key))
            if byUser[session.user]?.isEmpty == true { byUser[session.user] = nil }
        }

        mutating func forget(_ id: String) {
            for key in watches[id].map({ Array($0.sessions.keys) }) ?? [] { drop(key, of: id) }
            watches[id] = nil
        }

        /// Removes unused watches and, above the limit, the least recently used one.
        mutating func makeRoom(_ limits: Limits, at now: Int64) {
            for (id, watch) in watches where !watch.isLive(at: now) { forget(id) }
            guard watches.count >= limits.watches else { return }
            let oldest = watches.min { $0.value.usedAt < $1.value.usedAt }
            if let oldest { forget(oldest.key) }
        }
    }

    // MARK: - Notifications and requests

    /// Notifies the watches of a change of an account's data, or the end of one of its sessions.
    func moved(_ user: EntityID) {
        let wakers = state.withLock { state in
            var ids: Set<String> = []
            for place in state.byUser[user] ?? [] {
                state.watches[place.watch]?.moved.insert(place.key)
                ids.insert(place.watch)
            }
            return ids.compactMap { state.watches[$0]?.waker }
        }
        for waker in wakers { waker.yield() }
    }

    /// Applies a request and waits for news.
    /// - Parameter pause: suspends for a number of milliseconds.
    func answer(_ request: SignalsRequest, pause: @escaping @Sendable (Int64) async -> Void)
        async throws(CloudError) -> SignalsAnswer
    {
        guard request.set.count <= SignalsRequest.most else {
            throw .sync(.tooLarge(max: SignalsRequest.most))
        }
        if let id = request.watch, !use(id) { return SignalsAnswer(watch: nil) }
        // Outside of the lock: it reads the file.
        var refused: [SignalsAnswer.SessionNews] = []
        var accepted: [(SignalsRequest.Entry, Session)] = []
        for entry in request.set {
            guard let token = entry.token else { continue }
            switch try find(token) {
            case .success(let found):
                // The head is read again after the session is in the watch: no change is missed.
                let session = Session(token: token, user: found.user, seen: entry.seen, checkedAt: now())
                accepted.append((entry, session))
            case .failure(let error):
                refused.append(SignalsAnswer.SessionNews(key: entry.key, .failure(error)))
            }
        }
        guard let id = try watch(for: request, accepted) else {
            return SignalsAnswer(watch: nil, news: request.watch == nil ? refused : [])
        }
        // A refused session is not in the watch.
        guard refused.isEmpty else {
            try refresh(id)
            return SignalsAnswer(watch: id, news: refused + news(of: id))
        }
        return try await wait(request, for: id, pause)
    }

    private func wait(
        _ request: SignalsRequest,
        for id: String,
        _ pause: @escaping @Sendable (Int64) async -> Void
    ) async throws(CloudError) -> SignalsAnswer {
        guard request.waitSeconds > 0 else {
            try refresh(id)
            return SignalsAnswer(watch: id, news: news(of: id))
        }
        let (moves, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let earlier = state.withLock { state in
            defer { state.watches[id]?.waker = waker }
            return state.watches[id]?.waker
        }
        earlier?.finish()
        defer { waker.finish() }
        // Finds a change from before the stream existed.
        try refresh(id)
        let present = news(of: id)
        guard present.isEmpty else { return SignalsAnswer(watch: id, news: present) }
        let limit = min(request.waitSeconds, SyncLimits.waitSeconds) * 1_000
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in moves { return } }
            group.addTask { await pause(limit) }
            await group.next()
            group.cancelAll()
        }
        guard use(id) else { return SignalsAnswer(watch: nil) }
        try refresh(id)
        return SignalsAnswer(watch: id, news: news(of: id))
    }

    /// The user and the head of a session, or the reason of its end. Throws errors that concern all sessions.
    private func find(_ token: SessionToken) throws(CloudError) -> Result<
        (user: EntityID, head: Head), CloudError
    > {
        do throws(CloudError) { return .success(try check(token)) } catch {
            switch error {
            case .sessionRevoked, .sessionLocked, .sessionErased, .accountGone, .subscriptionRequired:
                return .failure(error)
            default: throw error
            }
        }
    }

    /// Marks a watch as used.
    /// - Returns: false if it does not exist.
    private func use(_ id: String) -> Bool {
        let now = now()
        return state.withLock { state in
            guard let watch = state.watches[id] else { return false }
            guard watch.isLive(at: now) else {
                state.forget(id)
                return false
            }
            state.watches[id]?.usedAt = now
            return true
        }
    }

    /// Applies a request to its watch, or to a new one.
    /// - Returns: nil if the watch was removed in the meantime, or a new one would be empty.
    private func watch(for request: SignalsRequest, _ accepted: [(SignalsRequest.Entry, Session)])
        throws(CloudError) -> String?
    {
        guard request.watch != nil || !accepted.isEmpty else { return nil }
        let (id, now) = (request.watch ?? newID(), now())
        let (isKnown, hasRoom) = state.withLock { state -> (Bool, Bool) in
            if request.watch == nil {
                state.makeRoom(limits, at: now)
                state.watches[id] = Watch(usedAt: now)
            }
            guard state.watches[id] != nil else { return (false, true) }
            for key in request.drop { state.drop(key, of: id) }
            for entry in request.set where entry.token == nil {
                state.watches[id]?.sessions[entry.key]?.seen = entry.seen
                state.watches[id]?.note(entry.key)
            }
            let held = state.watches[id]?.sessions.count ?? 0
            guard held + accepted.count <= limits.sessions, state.count + accepted.count <= limits.allSessions
            else { return (true, false) }
            for (entry, session) in accepted {
                state.drop(entry.key, of: id)
                state.count += 1
                state.watches[id]?.sessions[entry.key] = session
                state.watches[id]?.moved.insert(entry.key)
                state.byUser[session.user, default: []].insert(Place(watch: id, key: entry.key))
            }
            return (true, true)
        }
        guard hasRoom else { throw .busy(retryAfterSeconds: 60) }
        return isKnown ? id : nil
    }

    /// Checks the sessions whose account has changed or whose last check is too old.
    private func refresh(_ id: String) throws(CloudError) {
        let now = now()
        let (due, check) = state.withLock { state -> ([(key: Int64, token: SessionToken)], Int) in
            state.checks += 1
            guard let watch = state.watches[id] else { return ([], state.checks) }
            state.watches[id]?.moved = []
            let due = watch.sessions.compactMap { key, session in
                let isOld = now - session.checkedAt >= Self.recheckSeconds || now < session.checkedAt
                return isOld || watch.moved.contains(key) ? (key, session.token) : nil
            }
            return (due, state.checks)
        }
        guard !due.isEmpty else { return }
        var found: [(key: Int64, token: SessionToken, result: Result<Head, CloudError>)] = []
        do throws(CloudError) {
            for (key, token) in due { found.append((key, token, try find(token).map(\.head))) }
        } catch {
            // These sessions still have to be checked.
            state.withLock { $0.watches[id]?.moved.formUnion(due.map(\.key)) }
            throw error
        }
        // Another request may wait for this news.
        let waker = state.withLock { state in
            for (key, token, result) in found {
                guard let session = state.watches[id]?.sessions[key], session.token == token,
                    session.check < check
                else { continue }
                state.watches[id]?.sessions[key]?.found = result
                state.watches[id]?.sessions[key]?.checkedAt = now
                state.watches[id]?.sessions[key]?.check = check
                state.watches[id]?.note(key)
            }
            return state.watches[id].flatMap { $0.newsworthy.isEmpty ? nil : $0.waker }
        }
        waker?.yield()
    }

    private func news(of id: String) -> [SignalsAnswer.SessionNews] {
        state.withLock { state in
            guard let watch = state.watches[id] else { return [] }
            return watch.newsworthy.sorted().compactMap { key in
                watch.sessions[key]?.news.map { SignalsAnswer.SessionNews(key: key, $0) }
            }
        }
    }
}

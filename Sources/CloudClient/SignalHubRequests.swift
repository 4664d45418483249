// The requests of the hub: the update that adds sessions to the watch, and the poll for news.

import CloudProtocol
import SyncCore

extension SignalHub {
    /// Opens the requests that are needed and not open.
    func startRequests() {
        guard waiting > 0 else { return }
        if updating == nil, !unsent.isEmpty, watch == nil || isCurrent {
            updating = Task(executorPreference: executor) { await self.sendUpdates() }
        }
        if poll == nil, watch != nil {
            poll = Task(executorPreference: executor) { await self.pollForNews() }
        }
    }

    /// Waits for the end of the pause after a failure.
    /// - Returns: false if the task was cancelled.
    private func mayAsk() async -> Bool {
        while !Task.isCancelled, mayAskAt > milliseconds() { await pause(mayAskAt - milliseconds()) }
        return !Task.isCancelled
    }

    /// Sends a request.
    /// - Returns: nil if it failed; all waits have then ended.
    private func ask(_ request: SignalsRequest) async -> SignalsAnswer? {
        do throws(CloudError) {
            let answer = try await send(request)
            if answer == nil {
                unsupportedUntil = milliseconds() + Self.retryMilliseconds
                answerAll(.unsupported)
                forgetWatch()
            }
            return answer
        } catch {
            // The error of a cancelled request does not concern the line.
            if !Task.isCancelled { fail(error) }
            return nil
        }
    }

    private func fail(_ error: CloudError) {
        mayAskAt = milliseconds() + Self.pauseMilliseconds
        isCurrent = false
        answerAll(.answered(.failure(error)))
        poll?.cancel()
        updating?.cancel()
    }

    private func forgetWatch() {
        (watch, isCurrent, seen, drops) = (nil, false, [], [])
        // The poll waits for a watch that does not exist any more.
        poll?.cancel()
        for (token, session) in sessions {
            if session.waiters.isEmpty { forget(token) } else { markUnsent(token) }
        }
    }

    private func forget(_ token: SessionToken) {
        guard let session = sessions.removeValue(forKey: token) else { return }
        tokens[session.key] = nil
        unsent.remove(token)
        seen.remove(token)
    }

    func markUnsent(_ token: SessionToken) {
        guard sessions[token] != nil else { return }
        sessions[token]?.stage = .unsent
        unsent.insert(token)
    }

    /// Sends updates until every session is in the watch.
    private func sendUpdates() async {
        while waiting > 0, watch == nil || isCurrent, await mayAsk() {
            for token in unsent where sessions[token]?.waiters.isEmpty == true { forget(token) }
            let part = unsent.prefix(SignalsRequest.most)
            guard !part.isEmpty else { break }
            unsent.subtract(part)
            var request = SignalsRequest(watch: watch, waitSeconds: 0)
            for token in part {
                guard let session = sessions[token] else { continue }
                sessions[token]?.stage = .sent
                request.set.append(SignalsRequest.Entry(key: session.key, token: token, seen: session.head))
            }
            let answer = await ask(request)
            guard let answer, request.watch == watch, apply(answer, to: request) else {
                for token in part where sessions[token]?.stage == .sent { markUnsent(token) }
                continue
            }
            let added = part.filter { sessions[$0]?.stage == .sent }
            for token in added { sessions[token]?.stage = .watched }
            let keys = Set(added.compactMap { sessions[$0]?.key })
            for news in answer.news where keys.contains(news.key) { apply(news) }
            for token in added { answerWaiters(token) }
            startRequests()
        }
        updating = nil
        startRequests()
    }

    /// Applies the answer to an update.
    /// - Returns: whether the sessions are in the watch.
    private func apply(_ answer: SignalsAnswer, to request: SignalsRequest) -> Bool {
        guard request.watch == nil || answer.watch != nil else {
            forgetWatch()
            return false
        }
        let keys = Set(request.set.map(\.key))
        let refused = answer.news.filter { news in
            if case .failure = news.result { keys.contains(news.key) } else { false }
        }
        for news in refused { apply(news) }
        guard let name = answer.watch else {
            // Every session was refused; any other answer without a watch is invalid.
            if refused.count < keys.count { fail(.unreachable("the cloud keeps no watch")) }
            return false
        }
        watch = name
        return true
    }

    /// Polls while a device waits.
    private func pollForNews() async {
        var fruitless = 0
        while waiting > 0 || milliseconds() - Self.lingerMilliseconds < lastNewsAt, watch != nil,
            await mayAsk()
        {
            let acknowledged = seen.prefix(SignalsRequest.most)
            let dropped = drops
            let isWaiting = isCurrent && acknowledged.count == seen.count
            let request = SignalsRequest(
                watch: watch,
                waitSeconds: isWaiting ? pollSeconds : 0,
                set: acknowledged.compactMap { token in
                    sessions[token].map { SignalsRequest.Entry(key: $0.key, seen: $0.head) }
                },
                drop: dropped.sorted()
            )
            let (askedAt, newsBefore) = (milliseconds(), newsCount)
            let answer = await ask(request)
            guard let answer, !Task.isCancelled else { break }
            guard request.watch == watch else { continue }
            guard answer.watch != nil else {
                forgetWatch()
                break
            }
            isCurrent = true
            drops.subtract(dropped)
            for entry in request.set {
                if let token = tokens[entry.key], sessions[token]?.head == entry.seen { seen.remove(token) }
            }
            for news in answer.news { apply(news) }
            if !isWaiting { for token in sessions.keys { answerWaiters(token) } }
            endWaits()
            forgetIdle()
            startRequests()
            // A cloud that answers immediately without news is not polled in a tight loop.
            let isShort = isWaiting && milliseconds() - askedAt < Self.pauseMilliseconds
            fruitless = isShort && newsCount == newsBefore ? fruitless + 1 : 0
            if fruitless > 1 { mayAskAt = milliseconds() + Self.pauseMilliseconds }
        }
        (poll, isCurrent) = (nil, false)
        startRequests()
    }

    /// Applies the news of a session.
    private func apply(_ news: SignalsAnswer.SessionNews) {
        guard let token = tokens[news.key], let session = sessions[token] else {
            drops.insert(news.key)
            return
        }
        switch news.result {
        case .success(let head):
            // The answer to the session's update contains the head at that time; this news may be older.
            guard session.stage == .watched else { return }
            if session.head != head { noteNews() }
            sessions[token]?.head = head
            seen.insert(token)
            answerWaiters(token)
        case .failure(let error):
            noteNews()
            for (number, waiter) in session.waiters {
                _ = removeWaiter(number, token)
                waiter.continuation.resume(returning: .answered(.failure(error)))
            }
            forget(token)
            drops.insert(news.key)
        }
    }

    private func noteNews() {
        newsCount += 1
        lastNewsAt = milliseconds()
    }

    private func forgetIdle() {
        let since = milliseconds() - Self.keptMilliseconds
        for (token, session) in sessions
        where session.stage == .watched && session.waiters.isEmpty && session.idleSince <= since {
            forget(token)
            drops.insert(session.key)
        }
    }

    /// The duration of the poll in seconds: until the first device's wait is over, but from 1 to
    /// `SyncLimits.pollSeconds`.
    var pollSeconds: Int64 {
        let now = milliseconds()
        var least = SyncLimits.pollSeconds
        for session in sessions.values {
            for waiter in session.waiters.values {
                least = min(least, (waiter.endsAt - now + 999) / 1_000)
            }
        }
        return max(1, least)
    }
}

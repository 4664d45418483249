// The work of the transfer thread: starts requests, enforces their limits, ends them.

import CCurl

/// The requests that are under way, in one multi handle of libcurl. It belongs to one thread.
///
/// libcurl pools up to four connections for each request under way (CURLMOPT_MAXCONNECTS), and opens as many
/// to one server as there are requests (CURLMOPT_MAX_HOST_CONNECTIONS): a long poll occupies its connection
/// and blocks no other request. CURLOPT_PIPEWAIT stays off for the same reason: with it, a request to a
/// server without HTTP/2 waits for the response to the first one.
final class TransferLoop {
    /// The number of requests that may open connections to one server at the same time. Each may need a
    /// resolver thread of libcurl, and a place in the server's queue.
    static let mostOpening = 32
    /// The time that the thread and the pooled connections outlive the last request, in milliseconds.
    private static let idleMilliseconds: Int64 = 60_000

    let multi: UnsafeMutableRawPointer
    private let curl: UnsafePointer<breadly_curl>
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    private var origins: [Substring: Origin] = [:]
    /// The time when a connection to a server was last found silent: connections that are older may be dead
    /// too.
    private var silentAt: [Substring: Int64] = [:]
    /// The time of the next check of a transfer; `Int64.max` for none.
    private var lookAt = Int64.max
    private var isToAdvance = false
    private var lastUsedAt: Int64

    /// The state of one server.
    private struct Origin {
        /// The requests without a connection yet.
        var opening: Set<UnsafeMutableRawPointer> = []
        /// The requests that wait until fewer are opening, in order.
        var waiting: [TransferJob] = []
        /// The time when a request last got a connection.
        var movedAt = Int64.min

        /// A waiting request times out as if it were opening, but not while connections are being made.
        func deadline(_ job: TransferJob) -> Int64 {
            let limits = job.limits
            let connected = max(movedAt, job.submittedAt) + milliseconds(limits.connectSeconds)
            return limits.totalSeconds.map { min(connected, job.submittedAt + milliseconds($0)) } ?? connected
        }
    }

    /// - Returns: nil if memory or descriptors are short.
    init?(_ curl: UnsafePointer<breadly_curl>, at now: Int64) {
        guard let multi = curl.pointee.multi_init() else { return nil }
        self.multi = multi
        self.curl = curl
        lastUsedAt = now
    }

    /// Ends all requests and closes all connections. The object is unusable afterwards.
    func close(_ error: HTTPClientError = .cancelled) {
        for easy in Array(transfers.keys) { finish(easy, .failure(error)) }
        for job in origins.values.flatMap(\.waiting) { job.continuation.resume(returning: .failure(error)) }
        _ = curl.pointee.multi_cleanup(multi)
    }

    /// Whether there was no request for `idleMilliseconds`.
    func isUnused(at now: Int64) -> Bool {
        transfers.isEmpty && origins.isEmpty && now - lastUsedAt >= Self.idleMilliseconds
    }

    // MARK: - Input

    func begin(_ job: TransferJob, at now: Int64) {
        lastUsedAt = now
        let key = job.request.origin
        let origin = origins[key, default: Origin()]
        if origin.waiting.isEmpty, origin.opening.count < Self.mostOpening {
            start(job, at: now)
        } else {
            lookAt = min(lookAt, origin.deadline(job))
            origins[key, default: Origin()].waiting.append(job)
        }
    }

    func cancel(_ ticket: TransferJob.Ticket) {
        if let easy = handles[ObjectIdentifier(ticket)] { return finish(easy, .failure(.cancelled)) }
        for key in Array(origins.keys) {
            guard let index = origins[key]?.waiting.firstIndex(where: { $0.ticket === ticket }),
                let job = origins[key]?.waiting.remove(at: index)
            else { continue }
            job.continuation.resume(returning: .failure(.cancelled))
            return forget(key)
        }
    }

    /// Distrusts every connection to a server that was opened before now.
    func suspect(_ origin: Substring, _ patience: Int64, at now: Int64) {
        silentAt[origin] = now
        for transfer in transfers.values where transfer.job.request.origin == origin {
            transfer.suspect(patience, at: now)
            lookAt = min(lookAt, transfer.lookAt)
        }
    }

    // MARK: - Running

    /// Moves bytes, and ends completed requests.
    /// - Returns: false if libcurl failed.
    func advance(at now: Int64) -> Bool {
        isToAdvance = false
        var running: Int32 = 0
        guard curl.pointee.multi_perform(multi, &running) == 0 else { return false }
        var left: Int32 = 0
        while let message = curl.pointee.multi_info_read(multi, &left)?.pointee {
            // CURLMSG_DONE
            guard message.kind == 1, let easy = message.easy, let transfer = transfers[easy] else { continue }
            if message.data.result == 0 { origins[transfer.job.request.origin]?.movedAt = now }
            finish(easy, transfer.outcome(message.data.result))
        }
        admit(at: now)
        if now >= lookAt { look(at: now) }
        if !transfers.isEmpty { lastUsedAt = now }
        return true
    }

    /// Waits for network events, until the next check at the latest.
    /// - Returns: false if libcurl failed.
    func wait(at now: Int64) -> Bool {
        guard !isToAdvance else { return true }
        let pause = max(0, min(Self.idleMilliseconds, lookAt == .max ? .max : lookAt - now))
        return curl.pointee.multi_poll(multi, nil, 0, Int32(pause), nil) == 0
    }

    /// Starts waiting requests as others get their connections.
    private func admit(at now: Int64) {
        for key in Array(origins.keys) {
            for easy in origins[key]?.opening ?? [] {
                guard let transfer = transfers[easy], transfer.noteConnection(at: now) else { continue }
                origins[key]?.opening.remove(easy)
                origins[key]?.movedAt = now
                lookAt = min(lookAt, transfer.lookAt)
            }
            let room = Self.mostOpening - (origins[key]?.opening.count ?? 0)
            let admitted = (origins[key]?.waiting ?? []).prefix(max(0, room))
            if !admitted.isEmpty {
                origins[key]?.waiting.removeFirst(admitted.count)
                for job in admitted { start(job, at: now) }
            }
            forget(key)
        }
    }

    /// Ends requests that exceeded a limit.
    private func look(at now: Int64) {
        lookAt = .max
        for (easy, transfer) in transfers where transfer.lookAt <= now {
            guard let failure = transfer.failure(at: now) else { continue }
            if failure == .timedOut(.noProgress) { silentAt[transfer.job.request.origin] = now }
            finish(easy, .failure(failure))
            // Other requests may wait for the place.
            isToAdvance = true
        }
        for (key, origin) in origins where !origin.waiting.isEmpty {
            origins[key]?.waiting.removeAll { origin.deadline($0) <= now }
            for job in origin.waiting where origin.deadline(job) <= now {
                let isTotal = job.limits.totalSeconds.map { job.submittedAt + milliseconds($0) <= now }
                job.continuation.resume(
                    returning: .failure(.timedOut(isTotal == true ? .total : .connecting))
                )
            }
            forget(key)
        }
        lookAt = transfers.values.lazy.map(\.lookAt).min() ?? .max
        for origin in origins.values {
            for job in origin.waiting { lookAt = min(lookAt, origin.deadline(job)) }
        }
    }

    private func start(_ job: TransferJob, at now: Int64) {
        guard !job.ticket.isCancelled.load(ordering: .acquiring) else {
            return job.continuation.resume(returning: .failure(.cancelled))
        }
        guard let transfer = Transfer(job, curl, youngerThan: youngestTrusted(job, at: now), at: now) else {
            return job.continuation.resume(returning: .failure(.badRequest))
        }
        guard curl.pointee.multi_add(multi, transfer.easy) == 0 else {
            transfer.close()
            return job.continuation.resume(returning: .failure(.failed("libcurl refused the request")))
        }
        transfers[transfer.easy] = transfer
        handles[ObjectIdentifier(job.ticket)] = transfer.easy
        origins[job.request.origin, default: Origin()].opening.insert(transfer.easy)
        lookAt = min(lookAt, transfer.lookAt)
        isToAdvance = true
    }

    /// The greatest age of a pooled connection for the request, in seconds. A connection that existed when
    /// another one died may be dead too, and libcurl would notice it only after the whole of `stallSeconds`,
    /// for one pooled connection after the other.
    /// - Returns: 0 for a new connection, nil for any age.
    private func youngestTrusted(_ job: TransferJob, at now: Int64) -> Int? {
        guard job.request.isRepeatable, !job.request.needsNewConnection else { return 0 }
        guard let silentAt = silentAt[job.request.origin] else { return nil }
        // With HTTP/2, libcurl ignores the age of a connection that another request uses.
        let isOldInUse = transfers.values.contains {
            $0.startedAt <= silentAt && $0.job.request.origin == job.request.origin
        }
        guard !isOldInUse else { return 0 }
        // libcurl counts whole seconds, and includes the limit.
        return max(0, Int((now - silentAt) / 1_000) - 1)
    }

    private func finish(_ easy: UnsafeMutableRawPointer, _ result: Result<HTTPResponse, HTTPClientError>) {
        guard let transfer = transfers.removeValue(forKey: easy) else { return }
        let job = transfer.job
        handles[ObjectIdentifier(job.ticket)] = nil
        origins[job.request.origin]?.opening.remove(easy)
        forget(job.request.origin)
        // For an incomplete response this closes the connection, or the stream of HTTP/2.
        _ = curl.pointee.multi_remove(multi, easy)
        transfer.close()
        job.continuation.resume(returning: result)
    }

    private func forget(_ key: Substring) {
        if let origin = origins[key], origin.opening.isEmpty, origin.waiting.isEmpty { origins[key] = nil }
    }
}

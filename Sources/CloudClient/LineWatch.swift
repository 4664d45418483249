// Probes the line while a request is late.

import SyncCore

/// Sends a probe over a new connection while a request is late. If the probe is answered, the connection of
/// the late request has probably failed.
///
/// Requests to a cloud that is slow, but works, must not be repeated. If another request was answered in the
/// meantime, the line works: two thousand devices that start together are late, and new connections would
/// delay them further. If a repeated request is slow as well, probing stops for `slowMilliseconds`.
actor LineWatch {
    /// The time after which a request without an answer is late, in milliseconds.
    static let lateMilliseconds: Int64 = 1_000
    /// The time without probes after the cloud was found to be slow, in milliseconds.
    static let slowMilliseconds: Int64 = 600_000
    private static let lookMilliseconds: Int64 = 250

    private let executor: (any TaskExecutor)?
    private let milliseconds: @Sendable () -> Int64
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    private let look: @Sendable () async -> Void
    private var begun: [Int: Int64] = [:]
    private var number = 0
    private var lookedAt = Int64.min
    /// The time of the last answer.
    private var answeredAt = Int64.min
    private var slowUntil = Int64.min
    private var isWatching = false

    /// - Parameters:
    ///   - executor: runs the watch; nil for Swift's shared pool.
    ///   - milliseconds: a monotonic clock.
    ///   - look: sends a probe over a new connection, and marks older connections as suspect if it is
    ///     answered.
    init(
        on executor: (any TaskExecutor)?,
        milliseconds: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void,
        look: @escaping @Sendable () async -> Void
    ) {
        self.executor = executor
        (self.milliseconds, self.pause, self.look) = (milliseconds, pause, look)
    }

    /// Records the start of a request.
    /// - Returns: the number to pass to `end`.
    func begin() -> Int {
        number += 1
        begun[number] = milliseconds()
        if !isWatching {
            isWatching = true
            Task(executorPreference: executor) { await self.watch() }
        }
        return number
    }

    /// Records the end of a request.
    func end(_ number: Int, isAnswered: Bool) {
        begun[number] = nil
        if isAnswered { answeredAt = milliseconds() }
    }

    /// Whether a request was answered at or after a time.
    /// - Parameter time: a time of the clock, in milliseconds.
    func hasAnswered(since time: Int64) -> Bool { answeredAt >= time }

    /// Records that a request that was repeated over a new connection has ended, with its duration.
    func sentAgain(durationMilliseconds: Int64) {
        guard durationMilliseconds >= Self.lateMilliseconds else { return }
        slowUntil = milliseconds() + Self.slowMilliseconds
    }

    private func watch() async {
        while !begun.isEmpty {
            await pause(Self.lookMilliseconds)
            let now = milliseconds()
            // Each request is probed for once. If the probe is answered, connections without progress are
            // given up, and connections with progress continue.
            guard now >= slowUntil,
                begun.values.contains(where: {
                    let lateAt = $0 + Self.lateMilliseconds
                    return lateAt <= now && lateAt > lookedAt && $0 > answeredAt
                })
            else { continue }
            lookedAt = now
            await look()
        }
        isWatching = false
    }
}

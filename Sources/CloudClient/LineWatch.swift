// Looks whether the line still lives while a request is late.

import SyncCore

/// While a request has no answer for long, another one is sent over a new connection; where that is answered, the
/// connection of the first one has probably died.
///
/// A cloud that is slow and not dead must not be asked everything twice. Where another request was answered meanwhile, the
/// line lives: two thousand devices that start together are late, and new connections would make them later. And where
/// the request that was sent again is slow as well, nothing is looked at for a while.
actor LineWatch {
    /// A request without an answer for so long is late, in milliseconds.
    static let lateMilliseconds: Int64 = 1_000
    /// So long a cloud that was found to be slow is left alone, in milliseconds.
    static let slowMilliseconds: Int64 = 600_000
    private static let lookMilliseconds: Int64 = 250

    private let executor: (any TaskExecutor)?
    private let milliseconds: @Sendable () -> Int64
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    private let look: @Sendable () async -> Void
    private var begun: [Int: Int64] = [:]
    private var number = 0
    private var lookedAt = Int64.min
    /// When a request was answered last.
    private var answeredAt = Int64.min
    private var slowUntil = Int64.min
    private var isWatching = false

    /// - Parameters:
    ///   - executor: runs the watch; nil for Swift's shared pool.
    ///   - milliseconds: a clock that never jumps.
    ///   - look: asks over a new connection, and has older ones suspected where that is answered.
    init(
        on executor: (any TaskExecutor)?,
        milliseconds: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void,
        look: @escaping @Sendable () async -> Void
    ) {
        self.executor = executor
        (self.milliseconds, self.pause, self.look) = (milliseconds, pause, look)
    }

    /// A request goes out.
    /// - Returns: what to call `end` with.
    func begin() -> Int {
        number += 1
        begun[number] = milliseconds()
        if !isWatching {
            isWatching = true
            Task(executorPreference: executor) { await self.watch() }
        }
        return number
    }

    /// It has its answer, or will have none.
    func end(_ number: Int, isAnswered: Bool) {
        begun[number] = nil
        if isAnswered { answeredAt = milliseconds() }
    }

    /// Whether the line brought an answer not long ago.
    /// - Parameter time: by the clock.
    func hasAnswered(since time: Int64) -> Bool { answeredAt >= time }

    /// A request that was sent again over a new connection has its answer, or has failed, after as long as that.
    func sentAgain(durationMilliseconds: Int64) {
        guard durationMilliseconds >= Self.lateMilliseconds else { return }
        slowUntil = milliseconds() + Self.slowMilliseconds
    }

    private func watch() async {
        while !begun.isEmpty {
            await pause(Self.lookMilliseconds)
            let now = milliseconds()
            // Each request is looked after once; what is silent by then is given up, and what moves goes on.
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

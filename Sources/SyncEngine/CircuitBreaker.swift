// Stops a series of requests that make no progress.

import Ledger
import SyncCore

/// Counts the requests since the last progress. A fault here or in the cloud must not become a tight loop of requests.
struct CircuitBreaker: Sendable {
    /// The number of requests without progress, within a number of milliseconds, that trips it.
    private static let limit: (requests: Int, milliseconds: Int64) = (5, 500)

    private var mark: Mark?
    private var markedAt: [Int64] = []

    /// The values of which at least one changes with each request that makes progress.
    private struct Mark: Hashable, Sendable {
        let cursor: Int64
        let staged: Int64?
        let download: ReplicaState.Download?
        let pending: Int
        let lastN: Int64
    }

    /// Counts a request.
    /// - Parameters:
    ///   - state: the state of the book before the request.
    ///   - now: milliseconds.
    mutating func isTripped(by state: ReplicaState, at now: Int64) -> Bool {
        let present = Mark(
            cursor: state.cursor,
            staged: state.stagedUpTo,
            download: state.download,
            pending: state.pending,
            lastN: state.lastN
        )
        if mark != present {
            mark = present
            markedAt = []
        }
        markedAt.append(now)
        if markedAt.count > Self.limit.requests { markedAt.removeFirst() }
        guard markedAt.count == Self.limit.requests, now - markedAt[0] < Self.limit.milliseconds else {
            return false
        }
        markedAt = []
        return true
    }

    /// Forgets the counted requests.
    mutating func reset() { markedAt = [] }
}

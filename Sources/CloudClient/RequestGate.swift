// The limit of concurrent requests to one cloud.

import CloudProtocol
import SyncCore

/// Limits the number of concurrent requests. Further requests wait in the order of their arrival.
///
/// A cloud accepts 512 connections of one address. A server with thousands of devices that all begin to sync,
/// for example after an outage of the cloud, would exceed that limit, and the refused requests would be
/// repeated.
///
/// The end of another request wakes a waiting one. If that request failed because of its connection, all
/// requests that have waited for `SyncLimits.silentSeconds` fail with it, because they would wait for the
/// same line.
actor RequestGate {
    private struct Waiting {
        let since: Int64
        let continuation: CheckedContinuation<CloudError?, Never>
    }

    private var free: Int
    private var waiting: [Int: Waiting] = [:]
    /// The numbers of the waiting requests are in `first..<next`.
    private var (first, next) = (0, 0)
    private let executor: (any TaskExecutor)?
    private let milliseconds: @Sendable () -> Int64

    /// - Parameters:
    ///   - most: the maximum number of concurrent requests.
    ///   - executor: runs the tasks that no caller awaits; nil for Swift's shared pool.
    ///   - milliseconds: a monotonic clock.
    init(_ most: Int, on executor: (any TaskExecutor)?, milliseconds: @escaping @Sendable () -> Int64) {
        free = most
        self.executor = executor
        self.milliseconds = milliseconds
    }

    /// The number of waiting requests.
    var count: Int { waiting.count }

    /// Waits for a free place. Each call that returns must be followed by a call of `leave`.
    func enter() async throws(CloudError) {
        guard free == 0 else {
            free -= 1
            return
        }
        let number = next
        next += 1
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[number] = Waiting(since: milliseconds(), continuation: continuation)
            }
        } onCancel: {
            Task(executorPreference: executor) { await self.cancel(number) }
        }
        if let error { throw error }
    }

    /// Records the end of a request.
    /// - Parameter error: the failure of its connection; nil if it did not fail.
    func leave(_ error: CloudError? = nil) {
        if let error {
            let since = milliseconds() - SyncLimits.silentSeconds * 1_000
            for (number, one) in waiting where one.since <= since {
                waiting[number] = nil
                one.continuation.resume(returning: error)
            }
        }
        while first < next {
            let one = waiting.removeValue(forKey: first)
            first += 1
            if let one { return one.continuation.resume(returning: nil) }
        }
        free += 1
    }

    private func cancel(_ number: Int) {
        waiting.removeValue(forKey: number)?.continuation.resume(returning: .unreachable("given up"))
    }
}

// How many requests go out to one cloud at once.

import CloudProtocol
import SyncCore

/// Limits the requests that are sent at once; the others wait in the order in which they came.
///
/// A cloud accepts 512 connections of one address. A server with thousands of devices that all start to sync, as when a
/// cloud comes back, would exceed that, and the refused requests would start again.
///
/// A waiting request is woken by the end of another one. Where that one failed because of its line, requests that have
/// waited for `SyncLimits.silentSeconds` fail with it: they would wait for the same line.
actor RequestGate {
    private struct Waiting {
        let since: Int64
        let continuation: CheckedContinuation<CloudError?, Never>
    }

    private var free: Int
    private var waiting: [Int: Waiting] = [:]
    /// The numbers of the waiting requests lie in `first..<next`.
    private var (first, next) = (0, 0)
    private let executor: (any TaskExecutor)?
    private let milliseconds: @Sendable () -> Int64

    /// - Parameters:
    ///   - executor: runs the tasks that no caller awaits; nil for Swift's shared pool.
    ///   - milliseconds: a clock that never jumps.
    init(_ most: Int, on executor: (any TaskExecutor)?, milliseconds: @escaping @Sendable () -> Int64) {
        free = most
        self.executor = executor
        self.milliseconds = milliseconds
    }

    /// How many wait.
    var count: Int { waiting.count }

    /// Waits for a place. A call of `leave` follows each call that returns.
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

    /// The request has ended.
    /// - Parameter error: why its line failed.
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

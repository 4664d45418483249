// The tasks of one server's devices, as children of one task.

import Synchronization

/// Runs tasks that end when their scope is closed: closing cancels them all and waits for their ends.
public final class TaskScope: Sendable {
    private let jobs: AsyncStream<Task<Void, Never>>.Continuation
    private let parent: Task<Void, Never>

    /// An open scope without a task.
    public init() {
        let (stream, jobs) = AsyncStream.makeStream(of: Task<Void, Never>.self)
        self.jobs = jobs
        parent = Background.run {
            await withDiscardingTaskGroup { group in
                for await job in stream {
                    // A child that stands for the job, which can be cancelled alone.
                    group.addTask {
                        await withTaskCancellationHandler {
                            await job.value
                        } onCancel: {
                            job.cancel()
                        }
                    }
                }
                // Closed. Every job that was taken is a child by now.
                group.cancelAll()
            }
        }
    }

    deinit { jobs.finish() }

    /// Begins a task.
    /// - Returns: nil where the scope is closed: nothing was begun. Else the work runs, perhaps cancelled from its beginning.
    @discardableResult
    public func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        let (begin, mayBegin) = AsyncStream.makeStream(of: Never.self)
        let refusal = Refusal()
        let job = Background.run {
            for await _ in begin {}
            // A job that was taken runs also where it is cancelled by then: others may wait for what it does about that.
            if !refusal.isRefused.load(ordering: .acquiring) { await work() }
        }
        defer { mayBegin.finish() }
        guard case .enqueued = jobs.yield(job) else {
            refusal.isRefused.store(true, ordering: .releasing)
            return nil
        }
        return job
    }

    private final class Refusal: Sendable {
        let isRefused = Atomic(false)
    }

    /// Cancels every task and waits until the last of them has ended; again it does nothing.
    public func close() async {
        jobs.finish()
        await parent.value
    }
}

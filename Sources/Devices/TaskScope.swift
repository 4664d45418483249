// The tasks of one server's devices, as children of one task.

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
    /// - Returns: nil where the scope is closed: nothing was begun.
    @discardableResult
    public func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        let (begin, mayBegin) = AsyncStream.makeStream(of: Never.self)
        let job = Background.run {
            // Ends at once, whether the scope took the job or not; a job that was not taken is cancelled by then.
            for await _ in begin {}
            if !Task.isCancelled { await work() }
        }
        defer { mayBegin.finish() }
        guard case .enqueued = jobs.yield(job) else {
            job.cancel()
            return nil
        }
        return job
    }

    /// Cancels every task and waits until the last of them has ended; again it does nothing.
    public func close() async {
        jobs.finish()
        await parent.value
    }
}

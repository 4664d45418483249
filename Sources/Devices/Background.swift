// Threads of our own for what waits for the network.

import Dispatch

/// Runs tasks on threads that nothing else uses: whatever holds up Swift's shared pool, which has a thread for each
/// core and no more, does not hold up people who sign in.
public final class Background: TaskExecutor {
    /// The one of this process.
    public static let shared = Background()

    private let queue = DispatchQueue(label: "breadly.background", attributes: .concurrent)

    /// As `TaskExecutor`.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Begins a task there.
    @discardableResult
    public static func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: shared) { await work() }
    }

    /// Runs a task there and holds the calling thread until it has ended: for one that has nothing else to do.
    public static func wait(for work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        run {
            await work()
            done.signal()
        }
        done.wait()
    }
}

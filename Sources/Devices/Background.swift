// Threads of our own for what waits for a disk or a network.

import Dispatch
import Foundation
import Synchronization

/// Runs tasks on threads that nothing else uses: work that holds up Swift's shared pool, which has a thread for each core
/// and no more, does not hold up people who sign in.
///
/// Not a queue of libdispatch: where its threads are blocked, on Linux it adds another one only once a second, and sixteen
/// books that open slowly would keep every other device waiting for as long.
public final class Background: TaskExecutor, Sendable {
    /// The one of this process.
    public static let shared = Background()

    private let threads = ThreadPool(most: 64)

    /// As `TaskExecutor`.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
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

/// Threads that are made when there is work and none is free, and end when there has been none for a while.
final class ThreadPool: Sendable {
    private let state = Mutex(State())
    private let most: Int
    /// How long a thread waits for work, in seconds.
    private static let patience = 5

    private struct State {
        var jobs: Deque = Deque()
        var idle: [Worker] = []
        var count = 0
    }

    /// First in, first out.
    private struct Deque {
        private var incoming: [@Sendable () -> Void] = []
        private var outgoing: [@Sendable () -> Void] = []

        mutating func append(_ job: @escaping @Sendable () -> Void) { incoming.append(job) }

        mutating func popFirst() -> (@Sendable () -> Void)? {
            if outgoing.isEmpty {
                outgoing = incoming.reversed()
                incoming = []
            }
            return outgoing.popLast()
        }
    }

    /// A thread that waits to be given work.
    private final class Worker: Sendable {
        let wakeUp = DispatchSemaphore(value: 0)
    }

    init(most: Int) { self.most = max(1, most) }

    /// How many threads there are.
    var count: Int { state.withLock { $0.count } }

    /// Runs a job on a thread that is free, or on another one; where there are as many as there may be, the job waits.
    func run(_ job: @escaping @Sendable () -> Void) {
        let (idle, needsThread) = state.withLock { state -> (Worker?, Bool) in
            state.jobs.append(job)
            if let idle = state.idle.popLast() { return (idle, false) }
            guard state.count < most else { return (nil, false) }
            state.count += 1
            return (nil, true)
        }
        if let idle {
            idle.wakeUp.signal()
        } else if needsThread {
            let thread = Thread { [self] in work() }
            thread.stackSize = 1 << 20
            thread.name = "breadly"
            thread.start()
        }
    }

    private func work() {
        let worker = Worker()
        while true {
            let job = state.withLock { state -> (@Sendable () -> Void)? in
                if let job = state.jobs.popFirst() { return job }
                state.idle.append(worker)
                return nil
            }
            if let job {
                job()
                continue
            }
            guard worker.wakeUp.wait(timeout: .now() + .seconds(Self.patience)) == .timedOut else { continue }
            let ends = state.withLock { state in
                // Somebody may have chosen this thread a moment ago, and is about to wake it.
                guard let place = state.idle.firstIndex(where: { $0 === worker }) else { return false }
                state.idle.remove(at: place)
                state.count -= 1
                return true
            }
            if ends { return }
            worker.wakeUp.wait()
        }
    }
}

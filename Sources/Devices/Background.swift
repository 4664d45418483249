// Threads for work that waits for a disk or a network.

import Dispatch
import Foundation
import SyncCore
import Synchronization

/// Runs tasks on threads of its own. Work that blocks a thread would otherwise block Swift's shared pool,
/// which has one thread for each core, and with it every user who signs in.
///
/// It is not a queue of libdispatch: on Linux, libdispatch adds a thread for blocked threads only once a second, so
/// that sixteen books that open slowly would delay every other device.
public final class Background: TaskExecutor, Sendable {
    /// The instance of this process.
    public static let shared = Background()

    private let threads = ThreadPool(most: 64)

    /// As `TaskExecutor`.
    public func enqueue(_ job: consuming ExecutorJob) {
        let isFirst = job.priority.rawValue >= TaskPriority.high.rawValue
        let job = UnownedJob(job)
        threads.run(first: isFirst) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Starts a task on the pool.
    /// - Parameter isFirst: whether it precedes all waiting jobs, because it frees a resource.
    @discardableResult
    public static func run(first isFirst: Bool = false, _ work: @escaping @Sendable () async -> Void)
        -> Task<Void, Never>
    {
        Task(executorPreference: shared, priority: isFirst ? .high : .medium) { await work() }
    }

    /// Runs a task on the pool and suspends until it has ended, or for some time at most; then it continues without its
    /// caller.
    /// - Returns: whether it has ended.
    public static func ends(
        withinMilliseconds milliseconds: Int64,
        _ work: @escaping @Sendable () async -> Void
    ) async -> Bool {
        let (results, result) = AsyncStream.makeStream(of: Bool.self)
        run {
            await work()
            result.yield(true)
        }
        let patience = run {
            await pause(milliseconds: milliseconds)
            result.yield(false)
        }
        defer { patience.cancel() }
        for await hasEnded in results { return hasEnded }
        return false
    }

    /// Runs a task on the pool and blocks the calling thread until it has ended: for a thread without other
    /// work.
    public static func wait(for work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        run {
            await work()
            done.signal()
        }
        done.wait()
    }
}

/// Threads that are created when a job finds none free, and that end after some time without work.
///
/// Usually a few of them work at once, which complete a thousand short jobs as fast as sixty-four threads would. More
/// threads work only while these few are blocked: while jobs wait, a watcher checks every `lookMilliseconds`. If no
/// thread has begun a job since the last check, another one starts; and up to `several` start if the first job has
/// waited for `longLooks` checks.
final class ThreadPool: Sendable {
    private let state = Mutex(State())
    private let most: Int
    /// The time that a thread waits for work, in milliseconds.
    private let patienceMilliseconds: Int
    /// The number of threads that work without a check whether they are blocked.
    static let few = 6
    /// The number of threads that work if jobs are begun while others wait for long: one thread may begin
    /// them all while the others are blocked. More threads would only share the processor.
    static let several = 10
    /// The interval of the watcher's checks, in milliseconds.
    private static let lookMilliseconds = 5
    /// The number of checks after which a job has waited for long, even if others are begun.
    private static let longLooks = 200

    private struct State {
        var jobs: Deque = Deque()
        var idle: [Worker] = []
        var count = 0
        /// The number of jobs that were begun.
        var begun: UInt64 = 0
        /// The number of jobs that were submitted.
        var submitted: UInt64 = 0
        /// The time of the watcher's last check, in nanoseconds of a monotonic clock; nil if there is no
        /// watcher.
        var watchedAt: UInt64?
    }

    /// First in, first out.
    private struct Deque {
        private var incoming: [@Sendable () -> Void] = []
        private var reversed: [@Sendable () -> Void] = []
        var isEmpty: Bool { incoming.isEmpty && reversed.isEmpty }

        mutating func append(_ job: @escaping @Sendable () -> Void) { incoming.append(job) }

        mutating func prepend(_ job: @escaping @Sendable () -> Void) { reversed.append(job) }

        mutating func popFirst() -> (@Sendable () -> Void)? {
            if reversed.isEmpty {
                reversed = incoming.reversed()
                incoming = []
            }
            return reversed.popLast()
        }
    }

    /// A thread that waits for a job.
    private final class Worker: Sendable {
        let wakeUp = DispatchSemaphore(value: 0)
    }

    init(most: Int, patienceMilliseconds: Int = 5_000) {
        self.most = max(1, most)
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// The number of threads.
    var count: Int { state.withLock { $0.count } }

    private enum Need {
        case wake(Worker), thread, watcher, patience
    }

    /// Runs a job on a free thread, or on a new one; at the limit of threads the job waits.
    func run(first isFirst: Bool = false, _ job: @escaping @Sendable () -> Void) {
        let need = state.withLock { state -> Need in
            if isFirst { state.jobs.prepend(job) } else { state.jobs.append(job) }
            state.submitted += 1
            if state.count - state.idle.count < Self.few { return oneMore(&state) }
            // The system may have refused an earlier thread.
            let now = DispatchTime.now().uptimeNanoseconds
            if let watchedAt = state.watchedAt, now < watchedAt + 1_000_000_000 { return .patience }
            state.watchedAt = now
            return .watcher
        }
        give(need)
    }

    /// A further thread to work: an idle one, or a new one.
    private func oneMore(_ state: inout State) -> Need {
        if let idle = state.idle.popLast() { return .wake(idle) }
        guard state.count < most else { return .patience }
        state.count += 1
        return .thread
    }

    private func give(_ need: Need) {
        switch need {
        case .wake(let idle): idle.wakeUp.signal()
        case .thread: start { $0.work() }
        case .watcher: start { $0.watch() }
        case .patience: break
        }
    }

    private func start(_ body: @escaping @Sendable (ThreadPool) -> Void) {
        let thread = Thread { [self] in body(self) }
        thread.stackSize = 1 << 20
        thread.name = "breadly"
        thread.start()
    }

    /// Starts a further thread whenever none has begun a job since the last check, until no job waits.
    private func watch() {
        var begun = state.withLock { $0.begun }
        // The number of submitted jobs at each of the last checks.
        var submitted: [UInt64] = []
        while true {
            Thread.sleep(forTimeInterval: Double(Self.lookMilliseconds) / 1_000)
            let need = state.withLock { state -> Need? in
                guard !state.jobs.isEmpty else {
                    state.watchedAt = nil
                    return nil
                }
                state.watchedAt = DispatchTime.now().uptimeNanoseconds
                defer { begun = state.begun }
                submitted.append(state.submitted)
                if submitted.count > Self.longLooks { submitted.removeFirst() }
                let isLong =
                    submitted.count == Self.longLooks && state.begun < submitted[0]
                    && state.count - state.idle.count < Self.several
                return state.begun == begun || isLong ? oneMore(&state) : .patience
            }
            guard let need else { return }
            give(need)
        }
    }

    private func work() {
        let worker = Worker()
        while true {
            let job = state.withLock { state -> (@Sendable () -> Void)? in
                if let job = state.jobs.popFirst() {
                    state.begun += 1
                    return job
                }
                state.idle.append(worker)
                return nil
            }
            if let job {
                job()
                continue
            }
            let end = DispatchTime.now() + .milliseconds(patienceMilliseconds)
            guard worker.wakeUp.wait(timeout: end) == .timedOut else { continue }
            let ends = state.withLock { state in
                // A caller may have chosen this thread and be about to wake it.
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

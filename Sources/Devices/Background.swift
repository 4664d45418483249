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
        let isFirst = job.priority.rawValue >= TaskPriority.high.rawValue
        let job = UnownedJob(job)
        threads.run(first: isFirst) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Begins a task there.
    /// - Parameter isFirst: whether it comes before all that waits for a thread: what gives something back.
    @discardableResult
    public static func run(first isFirst: Bool = false, _ work: @escaping @Sendable () async -> Void)
        -> Task<Void, Never>
    {
        Task(executorPreference: shared, priority: isFirst ? .high : .medium) { await work() }
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
///
/// A few of them work at once. More do only where those are held up: a thousand short jobs that come together are done by
/// a few threads as soon as by sixty-four. While jobs wait, a watcher looks every `lookMilliseconds`. Where no thread has
/// begun a job since it looked last, another one works too; and up to `several` do where the first one has waited for
/// `longLooks` looks.
final class ThreadPool: Sendable {
    private let state = Mutex(State())
    private let most: Int
    /// How long a thread waits for work, in seconds.
    private static let patience = 5
    /// So many threads work at once without a look whether they are held up.
    static let few = 6
    /// So many work where jobs are begun and others wait for long all the same: those that are begun may all be done by one
    /// thread while the others are held up. More would only share the processor.
    static let several = 10
    /// How long all threads are held up before there is another one, in milliseconds.
    private static let lookMilliseconds = 5
    /// So many looks are long for a job that waits, though others are begun.
    private static let longLooks = 200

    private struct State {
        var jobs: Deque = Deque()
        var idle: [Worker] = []
        var count = 0
        /// How many jobs were begun.
        var begun: UInt64 = 0
        /// How many jobs were handed in.
        var taken: UInt64 = 0
        /// When the watcher looked last, by a clock that never jumps, in nanoseconds; nil where there is none.
        var watchedAt: UInt64?
    }

    /// First in, first out.
    private struct Deque {
        private var incoming: [@Sendable () -> Void] = []
        private var outgoing: [@Sendable () -> Void] = []
        var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

        mutating func append(_ job: @escaping @Sendable () -> Void) { incoming.append(job) }

        mutating func prepend(_ job: @escaping @Sendable () -> Void) { outgoing.append(job) }

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

    private enum Need {
        case wake(Worker), thread, watcher, patience
    }

    /// Runs a job on a thread that is free, or on another one; where there are as many as there may be, the job waits.
    func run(first isFirst: Bool = false, _ job: @escaping @Sendable () -> Void) {
        let need = state.withLock { state -> Need in
            if isFirst { state.jobs.prepend(job) } else { state.jobs.append(job) }
            state.taken += 1
            if state.count - state.idle.count < Self.few { return oneMore(&state) }
            // The system may have had no thread for the one before.
            let now = DispatchTime.now().uptimeNanoseconds
            if let watchedAt = state.watchedAt, now < watchedAt + 1_000_000_000 { return .patience }
            state.watchedAt = now
            return .watcher
        }
        give(need)
    }

    /// Another thread that works: one that is idle, or a new one.
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

    /// Has another thread work each time that none has begun a job for a while, until no job waits any more.
    private func watch() {
        var begun = state.withLock { $0.begun }
        // How many were handed in, at each of the last looks.
        var taken: [UInt64] = []
        while true {
            Thread.sleep(forTimeInterval: Double(Self.lookMilliseconds) / 1_000)
            let need = state.withLock { state -> Need? in
                guard !state.jobs.isEmpty else {
                    state.watchedAt = nil
                    return nil
                }
                state.watchedAt = DispatchTime.now().uptimeNanoseconds
                defer { begun = state.begun }
                taken.append(state.taken)
                if taken.count > Self.longLooks { taken.removeFirst() }
                let isLong =
                    taken.count == Self.longLooks && state.begun < taken[0]
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

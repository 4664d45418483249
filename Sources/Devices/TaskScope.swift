// The tasks of one server's devices.

import Synchronization

/// Runs tasks that end when their scope is closed: closing cancels them all and waits for their ends.
///
/// Not a task group: a child that stands for each of them, so that it can be cancelled alone, would double the memory of
/// a device that rests.
public final class TaskScope: Sendable {
    private let jobs = Jobs()

    /// An open scope without a task.
    public init() {}

    deinit { jobs.cancelAll() }

    /// Begins a task.
    /// - Returns: nil where the scope is closed: nothing was begun. Else the work runs, perhaps cancelled from its beginning:
    ///   others may wait for what it does about that.
    @discardableResult
    public func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
        guard let number = jobs.admit() else { return nil }
        let task = Background.run { [jobs] in
            await work()
            jobs.end(number)
        }
        jobs.begin(number, task)
        return task
    }

    /// Cancels every task and waits until the last of them has ended; again it does nothing.
    public func close() async {
        jobs.cancelAll()
        await jobs.waitForAll()
    }
}

/// The tasks that have not ended.
private final class Jobs: Sendable {
    private struct State {
        var isClosed = false
        var last = 0
        /// Nil for a job that was admitted and has no task yet.
        var tasks: [Int: Task<Void, Never>?] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func admit() -> Int? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.tasks[state.last] = .some(nil)
            return state.last
        }
    }

    /// A job has its task, and may even have ended.
    func begin(_ number: Int, _ task: Task<Void, Never>) {
        let isClosed = state.withLock { state in
            if state.tasks[number] != nil { state.tasks[number] = task }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    func end(_ number: Int) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.tasks[number] = nil
            guard state.tasks.isEmpty else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Nothing is admitted any more.
    func cancelAll() {
        let tasks = state.withLock { state in
            state.isClosed = true
            return state.tasks.values.compactMap { $0 }
        }
        for task in tasks { task.cancel() }
    }

    func waitForAll() async {
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if !state.tasks.isEmpty { state.waiters.append(waiter) }
                return state.tasks.isEmpty
            }
            if isOver { waiter.resume() }
        }
    }
}

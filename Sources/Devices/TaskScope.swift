// The tasks of one server's devices.

import Synchronization

/// Runs tasks that end with their scope: closing it cancels them and waits for their ends.
///
/// It is not a task group: with a child for each task, so that each can be cancelled alone, an idle device
/// would need twice the memory.
public final class TaskScope: Sendable {
    private let jobs = Jobs()

    /// An open scope without a task.
    public init() {}

    deinit { jobs.cancelAll() }

    /// Starts a task.
    /// - Returns: nil if the scope is closed, and no task was started. Otherwise the work runs, perhaps
    ///   cancelled from its beginning: other tasks may wait for its reaction to that.
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

    /// Cancels all tasks and waits for their ends. A second call does nothing.
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

    /// Assigns the task of a job, which may have ended already.
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

    /// Cancels all tasks, and admits no more.
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

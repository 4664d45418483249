// Tasks that belong to a scope: they end with it.
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Devices

@Suite struct AScopeOfTasks {
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// Waits until its task is cancelled.
    @Sendable private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
    }

    @Test func closingItCancelsItsTasksAndWaitsForTheirEnds() async {
        let (scope, log) = (TaskScope(), Log())
        for number in 0..<20 {
            scope.run {
                await Self.untilCancelled()
                log.add("\(number) ends")
            }
        }
        await scope.close()
        // A task that had not begun yet never begins.
        let ended = log.all.count
        #expect(ended <= 20)
        await scope.close()
        #expect(log.all.count == ended)
    }

    @Test func afterItsEndNothingBegins() async {
        let (scope, log) = (TaskScope(), Log())
        await scope.close()
        let task = scope.run { log.add("begun") }
        #expect(task == nil && log.all.isEmpty)
    }

    @Test func oneOfItsTasksIsCancelledAlone() async throws {
        let (scope, log) = (TaskScope(), Log())
        let one = try #require(
            scope.run {
                await Self.untilCancelled()
                log.add("one")
            }
        )
        let other = try #require(
            scope.run {
                await Self.untilCancelled()
                log.add("other")
            }
        )
        one.cancel()
        await one.value
        #expect(!log.all.contains("other") && !other.isCancelled)
        await scope.close()
        #expect(other.isCancelled)
    }

    @Test func whatEndsByItselfIsWaitedForAsWell() async {
        let (scope, log) = (TaskScope(), Log())
        let task = scope.run { log.add("done") }
        await task?.value
        #expect(log.all == ["done"])
        await scope.close()
    }
}

@Suite struct ThreadsOfOurOwn {
    /// Blocks threads until it releases them.
    private final class Gate: Sendable {
        private let entered = Mutex(0)
        private let gate = DispatchSemaphore(value: 0)
        var count: Int { entered.withLock { $0 } }

        func hold() {
            entered.withLock { $0 += 1 }
            gate.wait()
        }

        func open(_ times: Int) { for _ in 0..<times { gate.signal() } }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }

        func add() { value.withLock { $0 += 1 } }
    }

    @Test func aJobDoesNotWaitForOthersThatAreBlocked() async throws {
        let (pool, gate) = (ThreadPool(most: 40), Gate())
        for _ in 0..<32 { pool.run { gate.hold() } }
        try await eventually("all of them run at once") { gate.count == 32 }
        await withCheckedContinuation { done in pool.run { done.resume() } }
        gate.open(32)
    }

    @Test func thereAreNoMoreThanThereMayBeAndEveryJobRuns() async throws {
        let (pool, gate) = (ThreadPool(most: 3, patienceMilliseconds: 10), Gate())
        for _ in 0..<10 { pool.run { gate.hold() } }
        try await eventually { gate.count == 3 }
        #expect(pool.count == 3)
        gate.open(10)
        try await eventually("the others follow") { gate.count == 10 }
        try await eventually("and idle threads end") { pool.count == 0 }
        await withCheckedContinuation { done in pool.run { done.resume() } }
    }

    /// Two thousand devices that are asked about together once made sixty-four threads for half a minute.
    @Test func manyShortJobsNeedFewThreads() async throws {
        let (pool, done) = (ThreadPool(most: 64), Counter())
        for _ in 0..<2_000 { pool.run { done.add() } }
        // On a busy machine all of them may be held up now and then; that makes some more, and not all there may be.
        #expect(pool.count < 64)
        try await eventually { done.count == 2_000 }
        #expect(pool.count < 64)
    }

    @Test func aJobThatGivesSomethingBackComesBeforeThoseThatWait() async throws {
        let (pool, gate) = (ThreadPool(most: 1), Gate())
        let order = Mutex<[Int]>([])
        pool.run { gate.hold() }
        try await eventually { gate.count == 1 }
        for number in 1...3 { pool.run { order.withLock { $0.append(number) } } }
        pool.run(first: true) { order.withLock { $0.append(0) } }
        gate.open(1)
        try await eventually { order.withLock { $0.count } == 4 }
        #expect(order.withLock { $0 } == [0, 1, 2, 3])
    }

    /// Jobs that come one after the other through the last free thread would look like progress for ever.
    @Test func jobsThatWaitBehindOneThreadGetAFewMore() async throws {
        let (pool, gate, done) = (ThreadPool(most: 64), Gate(), Counter())
        let isSeen = Atomic(false)
        for _ in 0..<ThreadPool.few - 1 { pool.run { gate.hold() } }
        // The last one is never without a job that is about to end, and each of them waits for two seconds. The jobs hold
        // their thread without work: what looks at the pool may wait for minutes for a core of a busy machine.
        @Sendable func next() {
            pool.run {
                usleep(20_000)
                if isSeen.load(ordering: .relaxed) { done.add() } else { next() }
            }
        }
        for _ in 0..<1_000 { next() }
        do {
            defer {
                isSeen.store(true, ordering: .relaxed)
                gate.open(ThreadPool.few - 1)
            }
            try await eventually("more than one thread works on them") { pool.count > ThreadPool.few }
        }
        try await eventually { done.count == 1_000 }
    }

    @Test func manyShortJobsAllRun() async throws {
        let (pool, done) = (ThreadPool(most: 4), Counter())
        for _ in 0..<5_000 { pool.run { done.add() } }
        try await eventually { done.count == 5_000 }
    }

    @Test func aScopeThatClosesWhileJobsBeginRunsAllThatItTook() async {
        for _ in 0..<200 {
            let (scope, ran, taken) = (TaskScope(), Counter(), Counter())
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        if scope.run({ ran.add() }) != nil { taken.add() }
                    }
                }
                group.addTask { await scope.close() }
            }
            await scope.close()
            #expect(ran.count == taken.count)
        }
    }
}

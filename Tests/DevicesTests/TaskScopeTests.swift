// Tasks that belong to a scope: they end with it.
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

// The number of statements that a piece of work runs.
import GRDB
import Synchronization

@testable import Book

extension Book {
    /// The number of statements that are run meanwhile on the main connection, with those that begin and end transactions
    /// and those of triggers.
    func countingStatements(_ body: () throws -> Void) throws -> Int {
        let count = StatementCount()
        try store.inDatabase { db in db.trace { _ in count.add() } }
        try body()
        try store.inDatabase { db in db.trace(options: []) }
        return count.value
    }
}

private final class StatementCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

// A book as the engine sees it, with nothing in between: real rows and real results for its machines.
import Book
import Ledger
import SyncCore
import SyncEngine

/// A book, attached by the test.
final class BookStore: ReplicaStore {
    private let book: Book

    init(_ book: Book) { self.book = book }

    func standing() throws(BookError) -> ReplicaStanding { try book.standing() }

    func know(_ head: Head, as replica: EntityID) throws(BookError) { try book.know(head, as: replica) }

    func cut(operations: Int, bytes: Int) throws(BookError) -> [SyncCore.Operation] {
        try book.cut(operations: operations, bytes: bytes)
    }

    func settle(_ results: [OperationResult], of batch: PushBatch) throws(BookError) {
        try book.settle(results, of: batch)
    }

    func take(changes page: ChangesPage, to query: ChangesQuery) throws(BookError) {
        try book.take(changes: page, to: query)
    }

    func take(snapshot page: ChangesPage, to query: ChangesQuery) throws(BookError) {
        try book.take(snapshot: page, to: query)
    }

    func become(_ replica: EntityID, insteadOf former: EntityID) throws(BookError) {
        try book.become(replica, insteadOf: former)
    }

    func resync(_ reason: ResyncReason, of replica: EntityID) throws(BookError) {
        try book.resync(reason, of: replica)
    }

    func stop(_ replica: EntityID) throws(BookError) { try book.stop(replica) }

    func compare(_ page: ChangesPage, to query: ChangesQuery) throws(BookError) -> Divergence? {
        try book.compare(page, to: query)
    }
}

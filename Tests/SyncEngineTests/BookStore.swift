// A book as the engine sees it, with nothing in between: real rows and real results for its machines.
import Book
import Ledger
import SyncCore
import SyncEngine

/// A book, attached by the test.
final class BookStore: ReplicaStore {
    private let book: Book

    init(_ book: Book) { self.book = book }

    func replicaState() throws(BookError) -> ReplicaState { try book.replicaState() }

    func adopt(_ head: Head, as replica: EntityID) throws(BookError) { try book.adopt(head, as: replica) }

    func nextBatch(operations: Int, bytes: Int) throws(BookError) -> [SyncCore.Operation] {
        try book.nextBatch(operations: operations, bytes: bytes)
    }

    func acknowledge(_ results: [OperationResult], of batch: PushBatch, isOlder: Bool) throws(BookError) {
        try book.acknowledge(results, of: batch, isOlder: isOlder)
    }

    func apply(changes page: ChangesPage, to query: ChangesQuery) throws(BookError) {
        try book.apply(changes: page, to: query)
    }

    func apply(snapshot page: ChangesPage, to query: ChangesQuery) throws(BookError) {
        try book.apply(snapshot: page, to: query)
    }

    func renameReplica(to replica: EntityID, from former: EntityID) throws(BookError) {
        try book.renameReplica(to: replica, from: former)
    }

    func resync(_ reason: ResyncReason, of replica: EntityID) throws(BookError) {
        try book.resync(reason, of: replica)
    }

    func stop(_ replica: EntityID) throws(BookError) { try book.stop(replica) }

    func compare(_ page: ChangesPage, to query: ChangesQuery) throws(BookError) -> Divergence? {
        try book.compare(page, to: query)
    }
}

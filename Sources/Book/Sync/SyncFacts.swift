// The facts about the sync of a book that the header of each page shows.
import GRDB
import Ledger
import Storage
public import SyncCore

/// The facts about the sync of a book at one time.
public struct SyncFacts: Sendable {
    /// The state of the replication.
    public var replica: ReplicaState
    /// As `Book.unsentReceiptFiles`.
    public var files: UnsentReceiptFiles
    /// The number of changes that only this book has, as far as it can tell: the changes captured since the last
    /// attachment, or all rows of a book that was never attached.
    public var changesOnlyHere: Int
}

extension Book {
    /// The facts for the header of each page. They are read once after each change of the book or of its sync, with two
    /// statements, or three in a book that was never attached.
    public func syncFacts() throws(BookError) -> SyncFacts { try syncFacts(afterReading: {}) }

    /// - Parameter afterReading: called before the facts are cached. A test changes the book there.
    func syncFacts(afterReading: () -> Void) throws(BookError) -> SyncFacts {
        let (known, version) = knownSyncFacts.current
        if let known, !store.isClosed { return known }
        let facts = try reading { db in try db.syncFacts() }
        afterReading()
        knownSyncFacts.keep(facts, of: version)
        return facts
    }
}

extension BookDatabase {
    fileprivate func syncFacts() throws -> SyncFacts {
        let (replica, isCapturing) = try replicaState()
        return SyncFacts(
            replica: replica,
            files: try unsentReceiptFiles(),
            changesOnlyHere: isCapturing ? replica.pending.addingClamped(replica.failed) : try liveRows()
        )
    }

    /// The number of live rows that a user can name.
    private func liveRows() throws -> Int {
        let counts = schema.tables.filter { $0.hasTombstones && $0.isRecorded }.map { "(\($0.liveCount))" }
        guard !counts.isEmpty else { return 0 }
        return try number("SELECT \(counts.joined(separator: " + "))")
    }
}

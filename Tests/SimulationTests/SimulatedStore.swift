// A book as the engine sees it, with a process that can die before and after each of its changes.
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit

@testable import Book

/// An error that ends a device's process, or a real failure.
enum SimulatedFailure: Error {
    case died
    /// The change failed, or was made although the call failed.
    case disk
    case book(BookError)
}

/// The store of one simulated device. It is used by one thread at a time.
final class SimulatedStore: ReplicaStore, @unchecked Sendable {
    // Safe: the simulation runs on one thread.
    var book: Book
    var bug: Bug?
    /// The changes that are still lived through; nil for all.
    var changesToLive: Int?
    /// How many of the next changes fail.
    var failuresToCome = 0
    var random: SplitMix
    /// Whether changes were applied since the last download: until then rows may be newer than the cursor says.
    var isExact = true
    /// Whether rows of receipts have arrived that were not passed on to the uploads.
    var hasReceived = false
    /// Where the book was found to differ from the cloud.
    var found: [Divergence] = []

    init(_ book: Book, bug: Bug?, random: SplitMix) {
        self.book = book
        self.bug = bug
        self.random = random
    }

    private func changing(_ body: () throws(BookError) -> Void) throws(SimulatedFailure) {
        let dies = changesToLive.map { $0 <= 0 } ?? false
        if dies, Bool.random(using: &random) {
            changesToLive = nil
            throw .died
        }
        let fails = failuresToCome > 0
        if fails {
            failuresToCome -= 1
            if Bool.random(using: &random) { throw .disk }
        }
        do { try body() } catch {
            throw error == .diskFull ? .disk : .book(error)
        }
        if fails { throw .disk }
        if dies {
            changesToLive = nil
            throw .died
        }
        if let left = changesToLive { changesToLive = left - 1 }
    }

    private func reading<Value>(_ body: () throws(BookError) -> Value) throws(SimulatedFailure) -> Value {
        do { return try body() } catch { throw .book(error) }
    }

    func replicaState() throws(SimulatedFailure) -> ReplicaState {
        try reading { () throws(BookError) in try book.replicaState() }
    }

    func adopt(_ head: Head, as replica: EntityID) throws(SimulatedFailure) {
        try changing { () throws(BookError) in try book.adopt(head, as: replica) }
    }

    func nextBatch(operations: Int, bytes: Int) throws(SimulatedFailure) -> [SyncCore.Operation] {
        var batch: [SyncCore.Operation] = []
        try changing { () throws(BookError) in
            batch = try book.nextBatch(operations: operations, bytes: bytes)
        }
        if bug == .reordersTwoOperations, batch.count > 1 {
            let numbers = batch.map(\.n)
            batch.swapAt(0, batch.count - 1)
            for index in batch.indices { batch[index].n = numbers[index] }
        }
        if bug == .patchesTheWholeRow {
            for index in batch.indices where batch[index].action == .patch {
                let whole = try reading { () throws(BookError) in
                    try book.reading { db in try db.row(batch[index].kind, batch[index].id.description) }
                }
                batch[index].fields = whole ?? batch[index].fields
            }
        }
        return batch
    }

    func acknowledge(_ results: [OperationResult], of batch: PushBatch, isOlder: Bool)
        throws(SimulatedFailure)
    {
        try changing { () throws(BookError) in
            try book.acknowledge(results, of: batch, isOlder: isOlder)
        }
    }

    private func expect(_ page: ChangesPage) {
        if page.rows.contains(where: { $0.kind == Receipt.entityKind }) { hasReceived = true }
    }

    func apply(changes page: ChangesPage, to query: ChangesQuery) throws(SimulatedFailure) {
        var page = page
        expect(page)
        if bug == .appliesTheCursorAlone, Int.random(in: 0..<4, using: &random) == 0 { page.rows = [] }
        try skippingOverlay { () throws(SimulatedFailure) in
            try changing { () throws(BookError) in
                try book.apply(changes: page, to: query)
                if !page.hasMore { isExact = true }
            }
        }
    }

    func apply(snapshot page: ChangesPage, to query: ChangesQuery) throws(SimulatedFailure) {
        expect(page)
        try skippingOverlay { () throws(SimulatedFailure) in
            try changing { () throws(BookError) in
                try book.apply(snapshot: page, to: query)
                isExact = false
                guard bug == .leavesDeletionsLost else { return }
                _ = try book.updateSyncState { db in
                    try db.change("DELETE FROM outbox WHERE action = 'delete' AND before IS NOT NULL")
                }
            }
        }
    }

    func renameReplica(to replica: EntityID, from former: EntityID) throws(SimulatedFailure) {
        try changing { () throws(BookError) in try book.renameReplica(to: replica, from: former) }
    }

    func resync(_ reason: ResyncReason, of replica: EntityID) throws(SimulatedFailure) {
        try changing { () throws(BookError) in try book.resync(reason, of: replica) }
    }

    func stop(_ replica: EntityID) throws(SimulatedFailure) {
        guard bug != .ignoresTheEpoch else { return }
        try changing { () throws(BookError) in try book.stop(replica) }
    }

    func compare(_ page: ChangesPage, to query: ChangesQuery) throws(SimulatedFailure) -> Divergence? {
        var difference: Divergence?
        try changing { () throws(BookError) in difference = try book.compare(page, to: query) }
        if let difference { found.append(difference) }
        return difference
    }

    /// Hides the outbox from the rows that arrive.
    private func skippingOverlay(_ body: () throws(SimulatedFailure) -> Void) throws(SimulatedFailure) {
        guard bug == .skipsTheOverlay else { return try body() }
        try hidden(body)
    }

    private func hidden(_ body: () throws(SimulatedFailure) -> Void) throws(SimulatedFailure) {
        try reading { () throws(BookError) in
            _ = try book.updateSyncState { db in try db.change("UPDATE outbox SET kind = 'x' || kind") }
        }
        let result = Result { () throws(SimulatedFailure) in try body() }
        try reading { () throws(BookError) in
            _ = try book.updateSyncState { db in
                try db.change("UPDATE outbox SET kind = substr(kind, 2) WHERE kind LIKE 'x%'")
            }
        }
        try result.get()
    }
}

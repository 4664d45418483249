// A book as the engine sees it, with a process that can die before and after each of its changes.
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit

@testable import Book

/// What ends a device's process, or a real failure.
enum SimulatedFailure: Error {
    case died
    /// The change failed, or was made all the same.
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

    func standing() throws(SimulatedFailure) -> ReplicaStanding {
        try reading { () throws(BookError) in try book.standing() }
    }

    func know(_ head: Head, as replica: EntityID) throws(SimulatedFailure) {
        try changing { () throws(BookError) in try book.know(head, as: replica) }
    }

    func cut(operations: Int, bytes: Int) throws(SimulatedFailure) -> [SyncCore.Operation] {
        var cut: [SyncCore.Operation] = []
        try changing { () throws(BookError) in cut = try book.cut(operations: operations, bytes: bytes) }
        if bug == .reordersTwoOperations, cut.count > 1 {
            let numbers = cut.map(\.n)
            cut.swapAt(0, cut.count - 1)
            for index in cut.indices { cut[index].n = numbers[index] }
        }
        if bug == .patchesTheWholeRow {
            for index in cut.indices where cut[index].action == .patch {
                let whole = try reading { () throws(BookError) in
                    try book.reading { db in try db.row(cut[index].kind, cut[index].id.description) }
                }
                cut[index].fields = whole ?? cut[index].fields
            }
        }
        return cut
    }

    func settle(_ results: [OperationResult], of batch: PushBatch) throws(SimulatedFailure) {
        try changing { () throws(BookError) in try book.settle(results, of: batch) }
    }

    func take(changes page: ChangesPage, to query: ChangesQuery) throws(SimulatedFailure) {
        var page = page
        if bug == .appliesTheCursorAlone, Int.random(in: 0..<4, using: &random) == 0 { page.rows = [] }
        try skippingOverlay { () throws(SimulatedFailure) in
            try changing { () throws(BookError) in
                try book.take(changes: page, to: query)
                if !page.hasMore { isExact = true }
            }
        }
    }

    func take(snapshot page: ChangesPage, to query: ChangesQuery) throws(SimulatedFailure) {
        try changing { () throws(BookError) in
            try book.take(snapshot: page, to: query)
            isExact = false
            guard bug == .leavesDeletionsLost else { return }
            _ = try book.updateSyncState { db in
                try db.change("DELETE FROM outbox WHERE action = 'delete' AND before IS NOT NULL")
            }
        }
    }

    func become(_ replica: EntityID, insteadOf former: EntityID) throws(SimulatedFailure) {
        try changing { () throws(BookError) in try book.become(replica, insteadOf: former) }
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

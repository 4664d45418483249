// A device's book as the replica store of its sync engine.

import Book
import Ledger
import SyncCore
import Synchronization

/// The book of a device as a `ReplicaStore`: available while it is leased. It notifies the device of new
/// rows.
final class LeasedReplica: ReplicaStore {
    private let device: Device
    private let state = Mutex(State())

    private struct State {
        var lease: BookLease?
        /// Whether rows of receipts have arrived that `files` has not reported.
        var hasReceived = false
    }

    init(_ device: Device) { self.device = device }

    func lease() async throws(DevicesError) {
        let lease = try await device.lease()
        state.withLock { $0.lease = lease }
    }

    func giveBack() {
        state.withLock { $0.lease.take() }?.giveBack()
    }

    func replicaState() throws(DevicesError) -> ReplicaState {
        try asking { book throws(BookError) in try book.replicaState() }
    }

    func adopt(_ head: Head, as replica: EntityID) throws(DevicesError) {
        try asking { book throws(BookError) in try book.adopt(head, as: replica) }
    }

    func nextBatch(operations: Int, bytes: Int) throws(DevicesError) -> [Operation] {
        try asking { book throws(BookError) in try book.nextBatch(operations: operations, bytes: bytes) }
    }

    func acknowledge(_ results: [OperationResult], of batch: PushBatch, isOlder: Bool) throws(DevicesError) {
        try asking { book throws(BookError) in try book.acknowledge(results, of: batch, isOlder: isOlder) }
        if results.contains(where: { $0.code != nil }) { device.rowsArrived() }
    }

    func apply(changes page: ChangesPage, to query: ChangesQuery) throws(DevicesError) {
        expect(page)
        try asking { book throws(BookError) in try book.apply(changes: page, to: query) }
        if !page.rows.isEmpty { device.rowsArrived() }
    }

    func apply(snapshot page: ChangesPage, to query: ChangesQuery) throws(DevicesError) {
        expect(page)
        try asking { book throws(BookError) in try book.apply(snapshot: page, to: query) }
        if !page.rows.isEmpty { device.rowsArrived() }
    }

    /// Notes rows of receipts. It precedes the change of the book, which may be made although the call fails.
    private func expect(_ page: ChangesPage) {
        if page.rows.contains(where: { $0.kind == Receipt.entityKind }) {
            state.withLock { $0.hasReceived = true }
        }
    }

    func renameReplica(to replica: EntityID, from former: EntityID) throws(DevicesError) {
        try asking { book throws(BookError) in try book.renameReplica(to: replica, from: former) }
    }

    func resync(_ reason: ResyncReason, of replica: EntityID) throws(DevicesError) {
        device.services.dependencies.log.warning(
            "sync: all rows are loaded again: \(reason.rawValue) (device \(device.id))"
        )
        try asking { book throws(BookError) in try book.resync(reason, of: replica) }
    }

    func stop(_ replica: EntityID) throws(DevicesError) {
        try asking { book throws(BookError) in try book.stop(replica) }
    }

    func compare(_ page: ChangesPage, to query: ChangesQuery) throws(DevicesError) -> Divergence? {
        let found = try asking { book throws(BookError) in try book.compare(page, to: query) }
        guard let found else { return nil }
        device.services.divergences.count(found.finding)
        device.services.dependencies.log.warning(
            "sync: the book and the cloud differ: \(found) (device \(device.id))"
        )
        return found
    }

    /// Whether the book has files to send, including files that a cloud refused and may accept now; and
    /// whether it has other files, and some that have just arrived.
    var files: UploadRunner.FilesOfBook {
        let hasReceived = state.withLock { state in
            defer { state.hasReceived = false }
            return state.hasReceived
        }
        let found = try? asking { book throws(BookError) in
            // Files that wait for their user come last.
            let first = try book.receiptFilesOnlyHere(limit: 1).first
            return UploadRunner.FilesOfBook(
                hasWaiting: first.map { $0.status != .failed } ?? false,
                hasReceipts: try book.hasReceipts(),
                hasArrived: hasReceived
            )
        }
        return found ?? UploadRunner.FilesOfBook()
    }

    /// Has files sent again that the cloud has refused.
    func retryRefusedFiles() {
        do { try asking { book throws(BookError) in try book.retryRefusedReceiptFiles() } } catch {
            device.services.dependencies.log.warning(
                "files: not tried again: \(error) (device \(device.id))"
            )
        }
    }

    private func asking<Value>(_ body: (Book) throws(BookError) -> Value) throws(DevicesError) -> Value {
        guard let lease = state.withLock({ $0.lease }) else { throw .book(.closed) }
        return try wrapping { () throws(BookError) in try body(lease.book) }
    }
}

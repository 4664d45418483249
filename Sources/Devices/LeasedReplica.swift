// A device's book as its sync engine sees it.

import Book
import Ledger
import SyncCore
import Synchronization

/// The book of a device as its engine sees it: there while it is leased, and told of when rows arrive.
final class LeasedReplica: ReplicaStore {
    private let device: Device
    private let current = Mutex<BookLease?>(nil)

    init(_ device: Device) { self.device = device }

    func lease() async throws(DevicesError) {
        let lease = try await device.lease()
        current.withLock { $0 = lease }
    }

    func giveBack() {
        current.withLock { current in
            defer { current = nil }
            return current
        }?.giveBack()
    }

    func standing() throws(DevicesError) -> ReplicaStanding {
        try asking { book throws(BookError) in try book.standing() }
    }

    func know(_ head: Head, as replica: EntityID) throws(DevicesError) {
        try asking { book throws(BookError) in try book.know(head, as: replica) }
    }

    func cut(operations: Int, bytes: Int) throws(DevicesError) -> [Operation] {
        try asking { book throws(BookError) in try book.cut(operations: operations, bytes: bytes) }
    }

    func settle(_ results: [OperationResult], of batch: PushBatch) throws(DevicesError) {
        try asking { book throws(BookError) in try book.settle(results, of: batch) }
        if results.contains(where: { $0.code != nil }) { device.rowsArrived() }
    }

    func take(changes page: ChangesPage, to query: ChangesQuery) throws(DevicesError) {
        try asking { book throws(BookError) in try book.take(changes: page, to: query) }
        if !page.rows.isEmpty { device.rowsArrived() }
    }

    func take(snapshot page: ChangesPage, to query: ChangesQuery) throws(DevicesError) {
        try asking { book throws(BookError) in try book.take(snapshot: page, to: query) }
        if !page.rows.isEmpty { device.rowsArrived() }
    }

    func become(_ replica: EntityID, insteadOf former: EntityID) throws(DevicesError) {
        try asking { book throws(BookError) in try book.become(replica, insteadOf: former) }
    }

    func resync(_ reason: ResyncReason, of replica: EntityID) throws(DevicesError) {
        device.services.dependencies.log.warning(
            "sync: all rows are loaded anew: \(reason.rawValue) (device \(device.id))"
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

    private func asking<Value>(_ body: (Book) throws(BookError) -> Value) throws(DevicesError) -> Value {
        guard let lease = current.withLock({ $0 }) else { throw .book(.closed) }
        return try wrapping { () throws(BookError) in try body(lease.book) }
    }
}

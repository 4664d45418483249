// A device's book as the sync engine sees it: opened when it is needed, and what was read of it forgotten when rows
// arrive.

import Book
import Ledger
import SyncCore

/// The book of a device, for its engine.
struct DeviceReplica: ReplicaStore {
    let device: Device

    func standing() throws(DevicesError) -> ReplicaStanding {
        try asking { book throws(BookError) in try book.standing() }
    }

    func know(_ head: Head) throws(DevicesError) {
        try asking { book throws(BookError) in try book.know(head) }
    }

    func cut(operations: Int, bytes: Int) throws(DevicesError) -> [Operation] {
        try asking { book throws(BookError) in try book.cut(operations: operations, bytes: bytes) }
    }

    func settle(_ results: [OperationResult]) throws(DevicesError) {
        try asking { book throws(BookError) in try book.settle(results) }
        if results.contains(where: { $0.code != nil }) { device.rowsArrived() }
    }

    func take(changes page: ChangesPage) throws(DevicesError) {
        try asking { book throws(BookError) in try book.take(changes: page) }
        if !page.rows.isEmpty || !page.hasMore { device.rowsArrived(any: !page.rows.isEmpty) }
    }

    func take(snapshot page: ChangesPage) throws(DevicesError) {
        try asking { book throws(BookError) in try book.take(snapshot: page) }
        device.rowsArrived(any: !page.rows.isEmpty)
    }

    func become(_ replica: EntityID) throws(DevicesError) {
        try asking { book throws(BookError) in try book.become(replica) }
    }

    func resync(_ reason: ResyncReason) throws(DevicesError) {
        device.house.surroundings.log(
            "sync: all rows are loaded anew: \(reason.rawValue) (device \(device.id))"
        )
        try asking { book throws(BookError) in try book.resync(reason) }
    }

    func stop() throws(DevicesError) {
        try asking { book throws(BookError) in try book.stop() }
    }

    private func asking<Value>(_ body: (Book) throws(BookError) -> Value) throws(DevicesError) -> Value {
        let book = try device.book()
        return try wrapping { () throws(BookError) in try body(book) }
    }
}

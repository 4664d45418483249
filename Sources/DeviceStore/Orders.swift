// The operator's orders about devices: written by a command, carried out by the server of the folder.
import GRDB
public import Ledger
import Storage

/// An order of the operator.
public enum Order: Hashable, Sendable {
    /// Locks a device's book until its user signs in again.
    case lock(EntityID)
    /// Erases a device's book.
    case erase(EntityID)
    /// Removes guests without entries who were not seen for a number of seconds.
    case prune(idleSeconds: Int64)
}

extension DeviceStore {
    /// Adds an order for the server.
    /// - Throws: `unknownDevice`.
    public func add(_ order: Order, now: Int64) throws(DeviceStoreError) {
        try file.changing { db in
            let sql = "INSERT INTO orders (what, device, idle_seconds, at) VALUES (?, ?, ?, ?)"
            switch order {
            case .lock(let device), .erase(let device):
                let known = "SELECT 1 FROM devices WHERE id = ?"
                guard try db.first(known, [device.column], { _ in true }) == true else {
                    throw DeviceStoreError.unknownDevice(device)
                }
                let isLock = order == .lock(device)
                try db.change(sql, [isLock ? "lock" : "erase", device.column, nil, now])
            case .prune(let seconds): try db.change(sql, ["prune", nil, seconds, now])
            }
        }
    }

    /// The waiting orders, oldest first.
    public func orders() throws(DeviceStoreError) -> [(number: Int64, order: Order)] {
        try file.reading { db in
            try db.all("SELECT seq, what, device, idle_seconds FROM orders ORDER BY seq") { row in
                let order: Order =
                    switch row.text(1) {
                    case "lock": .lock(try row.id(2))
                    case "erase": .erase(try row.id(2))
                    default: .prune(idleSeconds: row.int64(3))
                    }
                return (row.int64(0), order)
            }
        }
    }

    /// Whether an order to lock or erase a device waits: no page shows its book until it is carried out.
    public func isOrderedShut(_ device: EntityID) throws(DeviceStoreError) -> Bool {
        try file.reading { db in
            try db.first("SELECT 1 FROM orders WHERE device = ?", [device.column]) { _ in true } ?? false
        }
    }

    /// Removes an order that was carried out.
    public func removeOrder(_ number: Int64) throws(DeviceStoreError) {
        _ = try file.changing { db in try db.change("DELETE FROM orders WHERE seq = ?", [number]) }
    }
}

extension Order: CustomStringConvertible {
    /// A short phrase for the log.
    public var description: String {
        switch self {
        case .lock(let device): "lock device \(device)"
        case .erase(let device): "erase device \(device)"
        case .prune(let seconds): "forget guests who have entered nothing for \(seconds) seconds"
        }
    }
}

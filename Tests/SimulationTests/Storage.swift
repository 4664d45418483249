// Disks that are full, and files that cannot be opened.
import Foundation
import Ledger
import Storage
import SyncEngine
import TestKit

@testable import Book
@testable import Cloud

extension World {
    /// Whether this is a world of faulty disks.
    var isOfFaultyDisks: Bool { seed % 5 == 1 }

    // MARK: - Faulty disks

    /// No file grows any more than it has, for a while; what is under way is rolled back by SQLite itself.
    private static let full = "PRAGMA max_page_count = 1"
    private static let roomy = "PRAGMA max_page_count = 1073741823"

    /// Something happens to a disk.
    func failDisk(of device: SimulatedDevice) throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            guard device.life != .gone, !device.isFull else { return }
            count("full disk of a device")
            try setRoom(of: device, isFull: true)
            later(0...20_000) { [unowned self] in try setRoom(of: device, isFull: false) }
        case 1:
            count("full disk of the cloud")
            try setRoomOfCloud(isFull: true)
            later(0...20_000) { [unowned self] in try setRoomOfCloud(isFull: false) }
        case 2:
            count("change that fails")
            device.store.failuresToCome = Int.random(in: 1...4, using: &random)
        default:
            count("book that cannot be opened")
            device.isClosed = true
            later(0...20_000) { device.isClosed = false }
        }
    }

    func setRoom(of device: SimulatedDevice, isFull: Bool) throws {
        device.isFull = isFull
        // Of the writing connection, whose book may be replaced.
        try device.book.store.inDatabase { try $0.execute(sql: isFull ? Self.full : Self.roomy) }
    }

    func setRoomOfCloud(isFull: Bool) throws {
        isCloudFull = isFull
        _ = try directory.changing { try $0.execute(sql: isFull ? Self.full : Self.roomy) }
    }
}

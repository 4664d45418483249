// The statements of the header of a page, with sync and with a copy that stays in the cloud, and of its rows of banks.
import GRDB
import Synchronization
import TestKit
import Testing

@testable import Book
@testable import Devices

@Suite struct TheHeaderOfAPage {
    private let server = DeviceServer()

    /// The number of statements of a header, with those that begin and end transactions.
    private func statements(of device: Device) async throws -> Int {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        let book = lease.book
        return try book.countingStatements {
            _ = device.syncStatus(in: book)
            _ = try device.cloudCopy(in: book)
        }
    }

    @Test func readsNothingAgainUntilTheBookChanges() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        // Tasks in the background read the book as well.
        try await eventually("a page of premium reads nothing") { try await statements(of: device) == 0 }
        try await device.setSync(false)
        try await eventually("sync is off") { device.state.name == "local_only" }
        try await eventually("there is a copy") { try await copy(of: device) != nil }
        try await eventually("a page with a copy reads nothing") { try await statements(of: device) == 0 }
        try await server.write(into: device, devices)
        #expect(try await copy(of: device)?.changes == 1, "and what has changed is in the next one")
        try await eventually("the page after it reads nothing") { try await statements(of: device) == 0 }
    }

    /// The cloud lacks a file that is not here either.
    @Test func readsAbsentFilesOnce() async throws {
        let devices = try server.open()
        let one = try await server.synced(devices).device
        let other = try await server.synced(devices).device
        server.cloud.fail(.unreachable("cut"), ["putFile"])
        _ = try await server.attach([1, 2, 3], to: one, devices)
        try await eventually("it is absent") {
            try await other.syncStatus(in: other.book())?.absentFiles.count == 1
        }
        try await eventually("a page reads nothing") { try await statements(of: other) == 0 }
        await devices.close()
    }

    private func copy(of device: Device) async throws -> CloudCopy? {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        return try device.cloudCopy(in: lease.book)
    }
}

@Suite struct TheRowsOfBanksOnAPage {
    private let server = DeviceServer()

    /// The number of statements of a page, which asks for the rows several times.
    private func statements(of device: Device) async throws -> Int {
        let lease = try await device.lease()
        defer { lease.giveBack() }
        let book = lease.book
        return try book.countingStatements {
            for _ in 0..<3 { _ = try book.bankRows(of: device.bankView().reports) }
        }
    }

    /// Another device has joined an account to a bank, so that its balance is unknown here.
    @Test func areComparedWithTheBookOnceWhereNoBankIsConnected() async throws {
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        let joins = [BankJoin(TestFeed.account, of: "page", .new)]
        _ = try await device.book().join(joins, connection: device.id, refreshedAt: noon)
        let rows = try await device.book().bankRows(of: device.bankView().reports)
        #expect(rows.unknownAccounts.count == 1 && devices.services.bankViews.count == 1)
        // Tasks in the background read the book as well.
        try await eventually("a page reads nothing") { try await statements(of: device) == 0 }
        await devices.close()
    }
}

extension Book {
    /// The number of statements that are run meanwhile, with those that begin and end transactions.
    fileprivate func countingStatements(_ body: () throws -> Void) throws -> Int {
        let count = StatementCount()
        try store.inDatabase { db in db.trace { _ in count.add() } }
        try body()
        try store.inDatabase { db in db.trace(options: []) }
        return count.value
    }
}

private final class StatementCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

// Receipts that arrive for a transaction which another device has deleted: their files go with its history.
import Book
import CloudProtocol
import FileStore
import Ledger
import TestKit
import Testing

@testable import Devices

@Suite struct LateReceipts {
    private let server = DeviceServer()

    @Test func ofADeletedTransactionLoseTheirBytesOnceItCannotReturn() async throws {
        let devices = try server.open()
        let one = try await server.synced(devices).device
        let other = try await server.synced(devices).device
        let first = try await server.attach([1, 2, 3], to: one, devices)
        let transaction = try #require(first.transaction)
        try await eventually("it is uploaded") {
            try await one.book().receipt(first.id)?.file?.status == .uploaded
        }
        try await eventually("the row arrives") { try await other.book().receipt(first.id) != nil }
        #expect(try await other.fetchFile(of: first, limit: 1 << 30).size == 3)
        // Each without the other.
        server.cloud.fail(.unreachable("cut"))
        try await other.book().deleteTransaction(transaction)
        let late = try await server.attach([4, 5, 6, 7], to: one, devices, of: transaction)
        #expect(one.files.contents().count == 2)
        server.cloud.fail(nil)
        try await eventually("the deletion arrives") { try await one.book().transaction(transaction) == nil }
        try await eventually("the receipt arrives") {
            try await other.book().transaction(ofReceipt: late.id) == transaction
        }
        for device in [one, other] { try await eventually { try await device.isInStep() } }
        var retention = HistoryRetention()
        (retention.seconds, retention.fewest) = (10 * day, 1)
        // The first round only begins the day.
        await devices.shortenHistories(retention)
        server.clock.advance(by: 2 * day)
        await devices.shortenHistories(retention)
        #expect(one.files.contents().count == 2 && other.files.contents().count == 1)
        server.clock.advance(by: 20 * day)
        for device in [one, other] { try await server.write(into: device, devices) }
        // A round leaves out a book that is being changed, as by sync.
        try await eventually("the files are removed") {
            await devices.shortenHistories(retention)
            return one.files.contents().isEmpty && other.files.contents().isEmpty
        }
        for device in [one, other] {
            let book = try await device.book()
            #expect(try book.receipts(of: transaction).allSatisfy { $0.file == nil })
            #expect(try book.receiptSpace().bytes == 0 && book.receiptFilesOnlyHere(limit: 9).isEmpty)
        }
        await devices.close()
    }
}

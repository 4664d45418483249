// Receipts that arrive for a transaction which another device has deleted: their files go with its history.
import Book
import CloudProtocol
import FileStore
import Ledger
import TestKit
import Testing

@testable import Devices

extension DeviceServer {
    /// A device of a premium user that is in step with the cloud.
    func synced(_ devices: DeviceManager) async throws -> Device {
        cloud.say(Entitlement(.active))
        let (_, device) = try await guest(devices)
        try await signIn("anna", on: device)
        try await eventually("it is in step") {
            // Without sync, nothing waits either.
            let isInStep = try await device.isInStep()
            return isInStep && device.session?.isAttached == true
        }
        return device
    }

    /// Adds a file to a transaction, which is recorded first unless it is there.
    func attach(
        _ bytes: [UInt8],
        to device: Device,
        _ devices: DeviceManager,
        of existing: EntityID? = nil
    ) async throws -> Receipt {
        let book = try await device.book()
        let transaction = existing ?? devices.dependencies.newID()
        if existing == nil {
            let account = try #require(try book.choices().accounts.first).id
            let amount = Money(minor: 100, currency: .eur)
            let day = CivilDate(dayNumber: 20_000)
            try book.record(
                Transaction(
                    id: transaction,
                    kind: .expense,
                    date: day,
                    amount: amount,
                    account: account,
                    accountMinor: 100
                )
            )
        }
        let receipt = Receipt(
            id: devices.dependencies.newID(),
            transaction: transaction,
            name: "receipt.jpg",
            type: "image/jpeg",
            size: Int64(bytes.count),
            sha256: "\(ContentHash(of: bytes))",
            created: clock.now
        )
        let file = try IncomingFile(in: devices.incomingFolder)
        try file.write(bytes[...])
        let added = try book.add([receipt], to: transaction, quota: 1 << 30) { _ in
            try device.files.place(file)
        }
        #expect(added == .success(1))
        return receipt
    }
}

@Suite struct LateReceipts {
    private let server = DeviceServer()

    @Test func ofADeletedTransactionLoseTheirBytesOnceItCannotReturn() async throws {
        let devices = try server.open()
        let one = try await server.synced(devices)
        let other = try await server.synced(devices)
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
        try await eventually("the deletion arrives") { try await one.book().receipt(late.id) == nil }
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

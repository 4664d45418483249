// Devices that are in step, and files beside their transactions.
import Book
import CloudProtocol
import DeviceStore
import Entitlements
import FileStore
import Ledger
import TestKit
import Testing

@testable import Devices

extension DeviceServer {
    /// A device of a premium user that is in step with the cloud.
    func synced(_ devices: DeviceManager, _ name: String = "anna") async throws
        -> (token: DeviceToken, device: Device)
    {
        cloud.say(Entitlement(.active))
        let (token, device) = try await guest(devices)
        try await signIn(name, on: device)
        try await eventually("it is in step") {
            // Without sync, nothing waits either.
            let isInStep = try await device.isInStep()
            return isInStep && device.session?.isAttached == true
        }
        return (token, device)
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
        let added = try book.add([receipt], to: .recorded(transaction), quota: 1 << 30) { _ in
            try device.files.place(file)
        }
        #expect(added.new == 1)
        return receipt
    }
}

// A change of many rows at once while a device sends, while another one changes the same rows, and while the subscription or
// the session ends.
import CloudProtocol
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book
@testable import Devices

@Suite struct AChangeOfManyRows {
    private let server = DeviceServer()
    /// More than one push has.
    private static let count = SyncLimits.operations + 100

    /// Two devices of one account with the same transactions.
    private func pair(_ devices: DeviceManager) async throws -> (Device, Device) {
        let (_, device) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let book = try await device.book()
        let account = try #require(try book.choices().accounts.first).id
        let rows = (0..<Self.count).map { number in
            Transaction(
                id: devices.dependencies.newID(),
                kind: .expense,
                date: CivilDate(dayNumber: 20_000 + Int32(number)),
                amount: Money(minor: 100, currency: .eur),
                account: account,
                accountMinor: 100
            )
        }
        _ = try book.record(all: rows)
        try await eventually("both have all") {
            let arrived = try await other.book().counts().transactions
            return try await device.isInStep() && arrived == Self.count
        }
        return (device, other)
    }

    private func rows(_ device: Device) async throws -> [Transaction] {
        try await device.book().selected(.all(TransactionQuery())).rows
    }

    @discardableResult
    private func change(_ device: Device, _ change: BulkChange) async throws -> Int64? {
        try await device.book().change(.all(TransactionQuery()), by: change).change
    }

    /// All rows have a note, which the other device has received from the cloud.
    private func hasArrived(_ note: String, on device: Device) async throws -> Bool {
        try await rows(device).allSatisfy { $0.note == note }
    }

    @Test func thatIsMadeWhileAPushIsOnItsWayArrivesWhole() async throws {
        let devices = try server.open()
        let (device, other) = try await pair(devices)
        let release = server.cloud.withhold("push")
        try await server.write(into: device, devices)
        try await eventually("a push is on its way") { server.cloud.isWithholding }
        let number = try #require(try await change(device, .note("many")))
        release()
        try await eventually("it is there") { try await hasArrived("many", on: other) }
        _ = try await device.book().undo(number, overriding: false)
        try await eventually("its undoing as well") { try await hasArrived("", on: other) }
        await devices.close()
    }

    /// Each has changed another field of all rows, and one field that both have changed.
    @Test func thatTwoDevicesMakeAtOnceEndsEqual() async throws {
        let devices = try server.open()
        let (device, other) = try await pair(devices)
        server.cloud.fail(.unreachable("cut"))
        try await change(device, .payee("Mine"))
        try await change(device, .note("mine"))
        try await change(other, .tagsAdded(["theirs"]))
        try await change(other, .note("theirs"))
        server.cloud.fail(nil)
        try await eventually("both have the same") {
            let (mine, theirs) = (try await rows(device), try await rows(other))
            let isDone = try await device.pendingChanges() + other.pendingChanges() == 0
            return isDone && mine == theirs && mine.first?.tags == ["theirs"] && mine.first?.payee == "Mine"
        }
        let all = try await rows(device)
        #expect(all.allSatisfy { $0.payee == "Mine" && $0.tags == ["theirs"] })
        #expect(all.allSatisfy { ["mine", "theirs"].contains($0.note) })
        await devices.close()
    }

    /// Waiting changes are sent before sync ends, and are on the other device once there is a subscription again.
    @Test func isSentWhenTheSubscriptionEnds() async throws {
        let devices = try server.open()
        let (device, other) = try await pair(devices)
        server.cloud.fail(.unreachable("cut"), ["push"])
        try await change(device, .note("many"))
        server.cloud.say(Entitlement(.expired, expiresAt: noon))
        await device.verify()
        try await eventually("it sends what waits") { device.state.name == "draining_upload_queue" }
        #expect(try await device.pendingChanges() == Self.count)
        server.cloud.fail(nil)
        try await eventually("it is local") { device.state.name == "local_only" }
        #expect(try await device.book().replicaState().pending == 0)
        server.cloud.say(Entitlement(.active))
        await other.verify()
        try await eventually("it is there") { try await hasArrived("many", on: other) }
        await devices.close()
    }

    @Test func isSentBeforeTheDeviceSignsOutOnceAllIsSent() async throws {
        let devices = try server.open()
        let (device, other) = try await pair(devices)
        server.cloud.fail(.unreachable("cut"), ["push"])
        try await change(device, .note("many"))
        device.signOutOnceSent(try #require(device.syncStatus(in: try await device.book())))
        #expect(device.session != nil, "nothing is there yet")
        server.cloud.fail(nil)
        try await eventually("it signs out") { device.session == nil }
        try await eventually("it is there") { try await hasArrived("many", on: other) }
        await devices.close()
    }

    /// The session ends while the rows are on their way: they stay in the book, and are sent after the next sign-in.
    @Test func staysWhenTheSessionEndsAndIsSentAfterTheNextSignIn() async throws {
        let devices = try server.open()
        let (device, other) = try await pair(devices)
        try await server.expire(device)
        try await change(device, .note("many"))
        await device.verify()
        #expect(device.state == .synced(try #require(device.session?.userID), mustSignIn: true))
        #expect(try await hasArrived("many", on: device))
        try await server.signIn("anna", on: device)
        try await eventually("it is there") { try await hasArrived("many", on: other) }
        await devices.close()
    }
}

// Two devices that order the same lists at once.
import Ledger
import TestKit
import Testing

@testable import Book
@testable import Devices

@Suite struct ListsThatTwoDevicesOrderAtOnce {
    private let server = DeviceServer()

    private func orders(_ device: Device) async throws -> [[EntityID]] {
        let book = try await device.book()
        let choices = try book.choices()
        return [choices.accounts.map(\.id), choices.categories.map(\.id), try book.rules().map(\.id)]
    }

    @Test func endEqual() async throws {
        let devices = try server.open()
        let (_, device) = try await server.synced(devices)
        let (_, other) = try await server.synced(devices)
        let category = try #require(try await device.book().choices().categories.first).id
        for number in 1...4 {
            try await device.book().add(
                Rule(
                    id: devices.dependencies.newID(),
                    name: "\(number)",
                    conditions: [RuleCondition(.payee, .contains, .text("\(number)"))],
                    effects: RuleEffects(category: category)
                )
            )
        }
        try await eventually("both have all") {
            let isThere = try await orders(device) == orders(other)
            return try await device.isInStep() && isThere
        }
        let before = try await orders(device)
        server.cloud.fail(.unreachable("cut"))
        for (one, place) in [(device, 0), (other, 1)] {
            let book = try await one.book()
            // One of them turns the lists around, the other one moves the first row to the end.
            let orders = before.map {
                place == 0 ? Array($0.reversed()) : Array($0.dropFirst() + $0.prefix(1))
            }
            try book.order(accounts: orders[0])
            try book.order(categories: orders[1])
            try book.order(rules: orders[2])
        }
        #expect(try await orders(device) != orders(other))
        server.cloud.fail(nil)
        try await eventually("both have the same orders") {
            let isEqual = try await orders(device) == orders(other)
            let waiting = try await device.pendingChanges() + other.pendingChanges()
            return isEqual && waiting == 0
        }
        let after = try await orders(device)
        #expect(after.map(Set.init) == before.map(Set.init), "no row is lost")
        #expect(after != before)
        await devices.close()
    }
}

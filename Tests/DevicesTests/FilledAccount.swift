// An account that another device has filled, so that its rows need several pages.
import Book
import Ledger
import TestKit
import Testing

@testable import Devices

extension DeviceServer {
    /// Makes an account with premium on a device of its own: the accounts and categories of a new book, a base currency that
    /// is not the default, and transactions. A page after the first one has ten rows.
    func fill(_ name: String = "anna", transactions count: Int) async throws {
        let devices = try open()
        let (_, device) = try await synced(devices, name)
        let book = try await device.book()
        let account = try #require(try book.choices().accounts.first).id
        var chosen = Preferences()
        chosen.baseCurrency = .usd
        try book.set(chosen)
        let rows = (0..<count).map { number in
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
        try await eventually("all is in the cloud") { try await device.isInStep() }
        await devices.close()
        cloud.limitPages(to: 10)
    }
}

extension Device {
    /// The names of the accounts in the book.
    func accountNames() async throws -> [String] {
        try await book().accountBalances().map(\.account.name).sorted()
    }
}

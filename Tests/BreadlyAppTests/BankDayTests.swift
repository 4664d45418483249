// The days of a bank's transactions at the end of a month, as users in other time zones see them.
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import Ledger
import TestKit
import Testing

@Suite struct DaysOfABank {
    private let running: Running
    private let trueLayer: TrueLayerStandIn

    init() throws {
        running = try Running(zones: .system)
        trueLayer = try TrueLayerStandIn()
        try running.setUp(trueLayer)
    }

    /// Purchases around the end of October in UTC, and the day of the rent without a time.
    private static let purchases = [
        ("Night train", "2026-10-31T23:30:00Z"), ("Landlord", "2026-11-01T00:00:00Z"),
        ("Late bar", "2026-11-01T00:30:00Z"), ("Cab ride", "2026-11-01T03:00:00Z"),
    ]

    private static func json(_ purchases: [(name: String, time: String)]) -> [String] {
        purchases.map { name, time in
            """
            {"transaction_id":"\(name.prefix(3))","timestamp":"\(time)","description":"\(name)","amount":-10.00,\
            "currency":"GBP","transaction_type":"DEBIT"}
            """
        }
    }

    private func choose(_ fields: [(String, String)], _ anna: Visitor) throws {
        _ = try anna.get("/settings")
        try #require(try anna.post("/settings/preferences", fields).status == 303)
    }

    /// A user in a zone, with the purchases booked or pending.
    private func anna(in zone: String, isPending: Bool) throws -> Visitor {
        let rows = Self.json(Self.purchases)
        trueLayer.server.fail { if isPending { $0.pendingRows = rows } else { $0.extraRows = rows } }
        let anna = try running.userOfBank(trueLayer, joining: ["acc-1"])
        try choose([("time_zone", zone), ("base_currency", "GBP")], anna)
        return anna
    }

    /// The names of the purchases on a page.
    private func names(_ page: Reply) -> Set<String> {
        Set(Self.purchases.map(\.0).filter { page.text.contains($0) })
    }

    /// The zones, and the purchases that are of October there.
    @Test(
        arguments: [
            ("Europe/Berlin", []), ("America/New_York", ["Night train", "Late bar", "Cab ride"]),
            ("Etc/UTC", ["Night train"]),
        ] as [(String, Set<String>)],
        [false, true]
    )
    func aMonthEndsWhereTheUserIs(_ zone: (name: String, october: Set<String>), isPending: Bool) throws {
        let anna = try anna(in: zone.name, isPending: isPending)
        let november = Set(Self.purchases.map(\.0)).subtracting(zone.october)
        for (month, expected) in [("2026-10", zone.october), ("2026-11", november)] {
            #expect(names(try anna.get("/transactions?month=\(month)")) == expected, "list of \(month)")
            let report = try anna.get("/reports?group=payee&from=\(month)&to=\(month)")
            #expect(names(report) == expected, "report of \(month)")
        }
        _ = try anna.get("/budgets/new?from=2026-10")
        try #require(try anna.post("/budgets", [("limit", "400"), ("from", "2026-10")]).status == 303)
        let spent = try anna.get("/budgets?month=2026-10").html.all("a")
            .filter { $0["data-currency"] == "GBP" }.compactMap { $0["data-amount"] }
        #expect(spent.contains("\(zone.october.count * 1_000)"), "\(spent)")
    }

    @Test func aRecordIsOfTheDayThatItsRowHad() throws {
        for (zone, day) in [("Europe/Berlin", "2026-11-01"), ("America/New_York", "2026-10-31")] {
            let bank = try DaysOfABank()
            let anna = try bank.anna(in: zone, isPending: false)
            let month = day.prefix(7)
            let row = try anna.get("/transactions?month=\(month)").rows("transaction")
                .first { $0.text.contains("Night train") }
            let id = try #require(row?["data-id"])
            _ = try anna.get("/banks/rows/\(id)")
            try #require(try anna.post("/banks/rows/\(id)/record").status == 303)
            let form = try anna.get("/transactions/\(id)")
            #expect(form.html.first("input", ["name": "date"])?["value"] == day, "\(zone)")
            #expect(try anna.get("/export/transactions.csv").text.contains(day), "\(zone)")
        }
    }

    /// The rows move at once, without another answer of the bank.
    @Test func anotherTimeZoneMovesTheRows() throws {
        let anna = try anna(in: "Europe/Berlin", isPending: false)
        trueLayer.server.fail { $0.status = .unavailable }
        #expect(names(try anna.get("/transactions?month=2026-10")).isEmpty)
        try choose([("time_zone", "America/New_York")], anna)
        #expect(
            names(try anna.get("/transactions?month=2026-10")) == ["Night train", "Late bar", "Cab ride"]
        )
        try choose([("time_zone", "Etc/UTC")], anna)
        #expect(names(try anna.get("/transactions?month=2026-10")) == ["Night train"])
    }

    /// The balance is that of the evening of the 20th in New York: an entry of the 21st is not in it.
    @Test func whatIsEnteredForALaterDayIsAddedToTheBalance() throws {
        for (zone, sum) in [("America/New_York", "£1,224.56"), ("Etc/UTC", "£1,234.56")] {
            let bank = try DaysOfABank()
            // Two in the morning of the 21st in UTC.
            bank.running.clock.advance(by: -10 * 3_600)
            bank.trueLayer.server.fail { $0.pendingRows = [] }
            let anna = try bank.running.userOfBank(bank.trueLayer, joining: ["acc-1"])
            try bank.choose([("time_zone", zone)], anna)
            // It is the 21st in both zones.
            bank.trueLayer.server.fail { $0.status = .unavailable }
            bank.running.clock.advance(by: 10 * 3_600)
            let account = try anna.get("/accounts").rows("account")
                .first { $0.text.contains("Club Account") }
            let fields = [
                ("kind", "expense"), ("amount", "10"), ("account", try #require(account?["data-id"])),
                ("date", "2026-11-21"), ("payee", "Kiosk"),
            ]
            _ = try anna.get("/transactions/new")
            try #require(try anna.post("/transactions", fields).status == 303)
            #expect(try anna.get("/accounts").text.contains(sum), "\(zone)")
        }
    }

    /// The day of a consent, and of a subscription that an operator has granted, are those that were stated.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Etc/UTC"])
    func aStatedDayIsTheSameInEachZone(zone: String) throws {
        trueLayer.server.fail { $0.consentEnd = "\"2027-02-19T00:00:00Z\"" }
        let anna = try running.userOfBank(trueLayer)
        try choose([("time_zone", zone)], anna)
        #expect(try anna.get("/banks").text.contains("valid until Friday 19 February 2027"))
        let accounts = try UserAccounts(running.folder, dependencies: Running.dependencies(running.clock))
        defer { accounts.close() }
        _ = try accounts.grant("anna@x.test", through: CivilDate(iso: "2026-12-24"))
        running.clock.advance(by: 50)
        let sentence = "It runs until Thursday 24 December 2026."
        try until("the grant is known") { try anna.get("/subscription").text.contains(sentence) }
    }
}

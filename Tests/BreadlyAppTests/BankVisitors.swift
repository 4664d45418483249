// The steps of a browser that connects a bank of a stand-in.
import BankFeeds
import BankStandIns
import BreadlyApp
import Foundation
import HTTPServer
import TestKit
import Testing

extension Visitor {
    /// Creates an account, and signs in to it.
    func signUpForBanks(_ name: String) throws {
        _ = try get("/sign-in")
        let password = "correct horse battery"
        let reply = try post("/sign-up", [("email", "\(name)@x.test"), ("password", password)])
        try #require(reply.status == 303)
    }

    /// The connections on the page, by id, with their states.
    func banks() throws -> [(id: String, state: String)] {
        try get("/banks").rows("bank-connection").map { ($0["data-id"] ?? "", $0["data-bank-state"] ?? "") }
    }

    /// Waits until no connection is being read.
    func waitForBanks() throws {
        try until("the accounts are read") {
            try !banks().contains { $0.state == "refreshing" }
        }
    }

    /// The amounts of the accounts on the page.
    func balances() throws -> [String] {
        try get("/banks").html.elements.compactMap { $0["data-currency"] == nil ? nil : $0["data-amount"] }
    }

    /// Begins a consent, and consents at the provider.
    /// - Returns: the address to which the provider sends the browser back, without scheme and host.
    func consent(at bank: TrueLayerStandIn, renewing connection: String? = nil) throws -> String {
        _ = try get("/banks/connect" + (connection.map { "?connection=\($0)" } ?? ""))
        let fields = [("provider", "truelayer")] + (connection.map { [("connection", $0)] } ?? [])
        let begun = try post("/banks/connect", fields)
        try #require(begun.status == 303)
        let page = try get(try #require(begun.header("location")))
        let link = page.html.elements.first { $0["href"]?.hasPrefix(bank.server.address) == true }
        let address = try #require(link?["href"])
        let back = try #require(bank.consent(at: address))
        let host = "http://127.0.0.1:\(port)"
        try #require(back.hasPrefix(host + "/banks/callback?"))
        return String(back.dropFirst(host.count))
    }

    /// Connects the bank of the stand-in, and waits until its accounts are read.
    /// - Returns: the id of the only connection.
    @discardableResult
    func connectBank(at bank: TrueLayerStandIn) throws -> String {
        try #require(try get(try consent(at: bank)).header("location") == "/banks")
        try waitForBanks()
        return try #require(try banks().first?.id)
    }

    /// Joins the accounts of the first connection.
    /// - Parameter choices: the chosen values by the provider's identifier.
    func joinBank(_ choices: [(String, String)]) throws -> Reply {
        let id = try #require(try banks().first?.id)
        _ = try get("/banks/\(id)/accounts")
        return try post("/banks/\(id)/accounts", choices.map { ("account-" + $0.0, $0.1) })
    }
}

extension Running {
    /// A user whose bank is connected and read.
    /// - Parameter accounts: the provider's identifiers of the accounts that are joined to new ones.
    func userOfBank(_ trueLayer: TrueLayerStandIn, joining accounts: [String] = []) throws -> Visitor {
        let anna = try guest()
        try anna.signUpForBanks("anna")
        try anna.connectBank(at: trueLayer)
        if !accounts.isEmpty {
            try #require(try anna.joinBank(accounts.map { ($0, "new") }).status == 303)
            _ = try anna.get("/accounts")
        }
        return anna
    }

    /// Starts the server anew with stand-ins for both providers.
    func setUp(
        _ trueLayer: TrueLayerStandIn,
        _ simpleFIN: SimpleFINStandIn? = nil,
        process: ProcessLog? = nil,
        _ change: (inout Settings) -> Void = { _ in }
    ) throws {
        let client = TrueLayerFeed.Client(
            id: TrueLayerStandIn.clientID,
            secret: TrueLayerStandIn.clientSecret,
            environment: .live,
            authAddress: trueLayer.server.address,
            apiAddress: trueLayer.server.address
        )
        let hosts = Set([simpleFIN?.server.host].compactMap { $0 })
        try restart(process: process) {
            $0.banks = BankSettings(trueLayer: client, simpleFINHosts: hosts)
            change(&$0)
        }
    }
}

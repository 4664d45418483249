// A provider of bank accounts that does as a test says, and the devices that are connected to it.
import BankFeeds
import DeviceStore
import Foundation
import Ledger
import Synchronization
import TestKit
import Testing

@testable import Devices

/// A provider that counts its requests and answers as the test says.
final class TestFeed: BankFeed {
    struct State {
        var requests: [String] = []
        var error: BankFeedError?
        /// Whether the present access is refused until it is renewed.
        var refusesAccess = false
        var renewalError: BankFeedError?
        var expiresIn: Int64? = 3_600
        var renewals = 0
        /// Closed to let requests for accounts pass.
        var gate: AsyncStream<Never>?
        var accounts = [TestFeed.account]
        /// The accounts for a secret, in place of `accounts`.
        var accountsOf: [String: [BankAccount]] = [:]
        /// The answers to `connect`, in this order; then "first".
        var secrets: [String] = []
        var consentID: String?
        /// The identifier that the provider reports of a consent, separately.
        var reportedConsent: String?
        /// Closed to let requests for consents pass.
        var consentGate: AsyncStream<Never>?
        /// Closed to let proofs pass.
        var proofGate: AsyncStream<Never>?
        /// Closed to let renewals pass.
        var renewalGate: AsyncStream<Never>?
        /// Called at each request for transactions.
        var onTransactions: (@Sendable () -> Void)?
        /// Closed to let requests for balances pass.
        var balanceGate: AsyncStream<Never>?
        /// The identifier of the first transaction, and whether it is not booked yet.
        var row = (id: "t", isPending: true)
        /// The identifiers of further transactions, which are booked.
        var furtherRows: [String] = []
        /// The time of all transactions; nil for the last day that is asked for, without a time.
        var rowTime: Int64?
        /// The number of days until a consent ends.
        var consentDays: Int64 = 90
    }

    let provider: BankProvider
    let state = Mutex(State())
    let now: @Sendable () -> Int64

    init(_ way: BankProvider.Way = .consentPage, now: @escaping @Sendable () -> Int64) {
        provider = BankProvider(key: way == .consentPage ? "page" : "token", name: "Test", way: way)
        self.now = now
    }

    var requests: [String] { state.withLock { $0.requests } }
    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    private func note(_ request: String, _ access: BankAccess) throws(BankFeedError) {
        let error = state.withLock { state -> BankFeedError? in
            state.requests.append("\(request) \(access.secret)")
            return state.refusesAccess ? .unauthorised : state.error
        }
        if let error { throw error }
    }

    private func access(_ secret: String) -> BankAccess {
        let (expiresIn, days, consentID) = state.withLock { ($0.expiresIn, $0.consentDays, $0.consentID) }
        return BankAccess(
            secret: secret,
            renewal: "renewal",
            expiresAt: expiresIn.map { now() + $0 },
            consentEndsAt: now() + days * day,
            consentID: consentID
        )
    }

    func consentAddress(_ consent: BankConsent) -> String? { "https://bank.example/?state=\(consent.state)" }

    func withConsent(_ access: BankAccess) async -> BankAccess {
        guard let reported = state.withLock({ $0.reportedConsent }) else { return access }
        change { $0.requests.append("consent \(access.secret)") }
        if let gate = state.withLock({ $0.consentGate }) { for await _ in gate {} }
        var access = access
        access.consentID = reported
        return access
    }

    func connect(_ proof: BankProof) async throws(BankFeedError) -> BankAccess {
        if let gate = state.withLock({ $0.proofGate }) {
            change { $0.requests.append("waiting") }
            for await _ in gate {}
        }
        let error = state.withLock { state in
            state.requests.append("connect")
            return state.error
        }
        if let error { throw error }
        return access(state.withLock { $0.secrets.isEmpty ? "first" : $0.secrets.removeFirst() })
    }

    func accounts(_ access: BankAccess, _ days: ClosedRange<CivilDate>) async throws(BankFeedError)
        -> BankReport
    {
        if let gate = state.withLock({ $0.gate }) { for await _ in gate {} }
        try note("accounts", access)
        let accounts = state.withLock { $0.accountsOf[access.secret] ?? $0.accounts }
        return BankReport(
            lines: accounts.map { BankReport.Line(account: $0) },
            leftOut: 1,
            messages: ["hello"]
        )
    }

    func balance(of account: BankAccount, _ access: BankAccess) async throws(BankFeedError) -> BankBalance? {
        try note("balance", access)
        if let gate = state.withLock({ $0.balanceGate }) { for await _ in gate {} }
        return BankBalance(money: Money(minor: 47_110_815, currency: .eur), asOf: now())
    }

    func transactions(of account: BankAccount, _ access: BankAccess, _ days: ClosedRange<CivilDate>)
        async throws(BankFeedError) -> BankTransactionList
    {
        state.withLock { $0.onTransactions }?()
        try note("transactions", access)
        let (all, time) = state.withLock { state in
            ([state.row] + state.furtherRows.map { ($0, false) }, state.rowTime)
        }
        let rows = all.map { id, isPending in
            BankTransaction(
                id: id,
                date: time.map { CivilDate(utc: $0) } ?? days.upperBound,
                time: time,
                money: Money(minor: -100, currency: .eur),
                description: "Bread \"and\"\nquince",
                counterparty: nil,
                isPending: isPending
            )
        }
        return BankTransactionList(rows: rows, leftOut: 1)
    }

    func renew(_ access: BankAccess) async throws(BankFeedError) -> BankAccess {
        let error = state.withLock { state -> BankFeedError? in
            state.renewals += 1
            state.requests.append("renew \(access.secret)")
            if state.renewalError == nil { state.refusesAccess = false }
            return state.renewalError
        }
        if let gate = state.withLock({ $0.renewalGate }) { for await _ in gate {} }
        if let error { throw error }
        var renewed = self.access("renewed")
        renewed.consentEndsAt = access.consentEndsAt
        return renewed
    }

    func check() async throws(BankFeedError) { if let error = state.withLock({ $0.error }) { throw error } }

    func revoke(_ access: BankAccess) async throws(BankFeedError) { try note("revoke", access) }

    static let account = account("acc")

    static func account(_ id: String) -> BankAccount {
        BankAccount(id: id, name: "Current", kind: .current, currency: .eur, institution: "First Bank")
    }

    /// The key of `account`.
    static let key = BankAccountKey(provider: "page", account: account.id)

    /// An account of a book that is joined to `account`.
    static func joinedAccount(_ id: EntityID) -> Account {
        var joined = Account(id: id, name: "Current", type: .bank, currency: .eur, openingMinor: 0)
        joined.bank = AccountBank(account: key.description, isUsed: true)
        return joined
    }
}

extension BankServices {
    /// Whether a device waits for an automatic refresh, or has one.
    func isPlanned(_ device: EntityID) -> Bool { planned.withLock { $0.schedule.contains(device) } }

    /// Whether a connection is being refreshed, also one that is gone: a refresh continues after its connection was joined
    /// to another one or removed.
    var areRefreshing: Bool { refreshing.withLock { !$0.isEmpty } }
}

extension DeviceServer {
    /// A provider by the clock of this server.
    func bankFeed(_ way: BankProvider.Way = .consentPage) -> TestFeed {
        let clock = clock
        return TestFeed(way) { clock.now }
    }

    /// A new device on which a user has signed in.
    func signedIn(_ devices: DeviceManager, _ name: String = "anna") async throws -> (
        token: DeviceToken, device: Device
    ) {
        let (token, device) = try await guest(devices)
        try await signIn(name, on: device)
        return (token, device)
    }
}

extension Device {
    /// Begins and gives a consent.
    func consent(renewing connection: EntityID? = nil) async throws -> EntityID {
        let id = try beginConsent(at: "page", renewing: connection, redirect: "http://x/cb")
        try await finishConsent(state: try consentState(of: id), code: "code")
        return id
    }

    /// The state in the address of the provider's page.
    func consentState(of connection: EntityID) throws -> String {
        let address = try #require(try consentAddress(of: connection))
        return String(try #require(address.split(separator: "=").last))
    }

    /// Gives a consent, and waits until the accounts are read.
    @discardableResult
    func connectBank(renewing connection: EntityID? = nil) async throws -> EntityID {
        let id = try await consent(renewing: connection)
        try await banksAreIdle()
        return id
    }

    /// Waits until no refresh is running on the server or planned for the device.
    func banksAreIdle(at place: SourceLocation = #_sourceLocation) async throws {
        try await eventually(
            "no bank is refreshed",
            { !services.banks.isPlanned(id) && !services.banks.areRefreshing },
            at: place
        )
    }

    /// Waits until no consent is left to be ended at its provider.
    func consentsAreEnded(at place: SourceLocation = #_sourceLocation) async throws {
        try await eventually(
            "all consents are ended",
            { try services.store.bankRevocations().isEmpty },
            at: place
        )
    }

    /// The accounts at banks, with days in UTC.
    func bankView() throws -> BankView { try bankView(in: "UTC") }

    /// The only connection.
    func onlyBank() throws -> BankConnection { try #require(try bankConnections().first) }
}

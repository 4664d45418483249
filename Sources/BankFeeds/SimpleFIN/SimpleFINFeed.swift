// SimpleFIN, for banks in North America: a setup token is claimed once, and one request reads all accounts.

import Encoding
import Foundation
public import Ledger
public import Outbound

/// SimpleFIN. Its secret is an address with a user name and a password.
public struct SimpleFINFeed: BankFeed {
    /// The hosts of the SimpleFIN Bridge.
    public static let bridge: Set<String> = ["bridge.simplefin.org", "beta-bridge.simplefin.org"]
    /// The longest setup token and the longest address, in bytes.
    private static let mostBytes = 4_096

    /// The longest span of a request.
    private static let mostSeconds: Int64 = 90 * 86_400

    /// As `BankFeed`.
    public let provider = BankProvider(key: "simplefin", name: "SimpleFIN", way: .setupToken)
    private let hosts: Set<String>
    private let requests: BankRequests
    private let currencies: CurrencyTable

    /// - Parameters:
    ///   - hosts: the hosts, with their ports if these differ from the usual ports, to which requests may be sent:
    ///     users paste the addresses. Only a host of this machine may be reached without TLS.
    ///   - http: `BankClient.make()`, or a test double.
    ///   - currencies: accounts in other currencies are left out.
    ///   - now: UTC seconds.
    public init(
        hosts: Set<String>,
        http: any HTTPSending,
        currencies: CurrencyTable,
        now: @escaping @Sendable () -> Int64
    ) {
        self.hosts = hosts
        requests = BankRequests(http: http, now: now)
        self.currencies = currencies
    }

    /// As `BankFeed`.
    public func consentAddress(_ consent: BankConsent) -> String? { nil }

    /// As `BankFeed`.
    public func connect(_ proof: BankProof) async throws(BankFeedError) -> BankAccess {
        guard case .setupToken(let token) = proof, let claim = claimAddress(token) else {
            throw .proofRefused
        }
        let response = try await requests.send(HTTPRequest("POST", claim, body: [], isRepeatable: false))
        switch response.status {
        case 200: break
        case 400...499: throw .proofRefused
        default: throw .refused(status: response.status)
        }
        guard response.body.count <= Self.mostBytes,
            let text = String(validating: response.body, as: UTF8.self)?
                .trimmingCharacters(in: .whitespacesAndNewlines),
            accountsRequest(text, query: "") != nil
        else { throw .malformed("it is no access address") }
        return BankAccess(secret: text, renewal: nil, expiresAt: nil, consentEndsAt: nil)
    }

    /// As `BankFeed`.
    public func accounts(_ access: BankAccess, _ days: ClosedRange<CivilDate>)
        async throws(BankFeedError) -> BankReport
    {
        // The end is exclusive. The Bridge adds a warning to every answer to a request for more than 90 days.
        let end = (Int64(days.upperBound.dayNumber) + 1) * 86_400
        let start = max(Int64(days.lowerBound.dayNumber) * 86_400, end - Self.mostSeconds)
        let query = "?start-date=\(start)&end-date=\(end)&pending=1"
        guard let request = accountsRequest(access.secret, query: query) else { throw .consentEnded }
        let body = try await requests.json(request)
        return try SimpleFINAnswer(currencies: currencies, now: requests.now()).report(of: body)
    }

    /// As `BankFeed`. Balances come with the accounts.
    public func balance(of account: BankAccount, _ access: BankAccess)
        async throws(BankFeedError) -> BankBalance?
    { nil }

    /// As `BankFeed`. Transactions come with the accounts.
    public func transactions(
        of account: BankAccount,
        _ access: BankAccess,
        _ days: ClosedRange<CivilDate>
    ) async throws(BankFeedError) -> BankTransactionList {
        BankTransactionList(rows: [], leftOut: 0)
    }

    /// As `BankFeed`. An access address is not renewed: only the user can get another one.
    public func renew(_ access: BankAccess) async throws(BankFeedError) -> BankAccess {
        throw .consentEnded
    }

    /// As `BankFeed`. Users end the access on the provider's own page.
    public func revoke(_ access: BankAccess) async throws(BankFeedError) {}

    /// As `BankFeed`. All hosts have to answer.
    public func check() async throws(BankFeedError) {
        for host in hosts.sorted() {
            let isLocal = allowed("http://\(host)/") != nil
            try await requests.check("\(isLocal ? "http" : "https")://\(host)/")
        }
    }

    /// The address in a setup token; nil for text that is no token, and for a host that is not allowed.
    private func claimAddress(_ token: String) -> String? {
        let text = token.filter { !$0.isWhitespace }
        guard text.utf8.count <= Self.mostBytes,
            let bytes = Base64.padded.decode(text) ?? Base64.unpadded.decode(text),
            let address = String(validating: bytes, as: UTF8.self),
            let parts = allowed(address), parts.user == nil, parts.password == nil
        else { return nil }
        return address
    }

    /// The request for all accounts at an access address; nil for a text that is no such address.
    private func accountsRequest(_ address: String, query: String) -> HTTPRequest? {
        guard var parts = allowed(address), let user = parts.user, let password = parts.password,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        // The credentials are sent in a header only, so that no error mentions them.
        (parts.user, parts.password) = (nil, nil)
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        guard let base = parts.string else { return nil }
        let credentials = Base64.padded.encode("\(user):\(password)".utf8)
        return HTTPRequest(
            "GET",
            base + "/accounts" + query,
            headers: [("Authorization", "Basic \(credentials)")]
        )
    }

    /// The parts of an address to which requests may be sent.
    private func allowed(_ address: String) -> URLComponents? {
        guard address.utf8.allSatisfy({ (33...126).contains($0) }),
            let parts = URLComponents(string: address), let host = parts.host?.lowercased(),
            hosts.contains(parts.port.map { "\(host):\($0)" } ?? host)
        else { return nil }
        return ProtectedAddress.accepts(scheme: parts.scheme, host: host) ? parts : nil
    }
}

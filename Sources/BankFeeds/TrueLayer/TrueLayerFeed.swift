// TrueLayer, for banks in Europe: the authorization code flow with PKCE, and version 1 of its Data API.

import Crypto
import Encoding
import Foundation
public import Ledger
public import Outbound

/// TrueLayer, with the registration of this server there.
public struct TrueLayerFeed: BankFeed {
    /// The registration of this server, and the addresses of the service.
    public struct Client: Hashable, Sendable {
        /// The systems of TrueLayer.
        public enum Environment: Hashable, Sendable {
            case sandbox, live
        }

        /// The client id.
        public var id: String
        /// The client secret.
        public var secret: String
        /// The system of the registration.
        public var environment: Environment
        /// The address of the consent page and of tokens, without a slash at its end.
        public var authAddress: String
        /// The address of the Data API, without a slash at its end.
        public var apiAddress: String

        /// - Parameters:
        ///   - authAddress: nil for the address of the environment.
        ///   - apiAddress: nil for the address of the environment.
        public init(
            id: String,
            secret: String,
            environment: Environment,
            authAddress: String? = nil,
            apiAddress: String? = nil
        ) {
            let host = environment == .live ? "truelayer.com" : "truelayer-sandbox.com"
            self.id = id
            self.secret = secret
            self.environment = environment
            self.authAddress = authAddress ?? "https://auth.\(host)"
            self.apiAddress = apiAddress ?? "https://api.\(host)"
        }
    }

    /// As `BankFeed`.
    public let provider = BankProvider(key: "truelayer", name: "TrueLayer", way: .consentPage)
    private let client: Client
    private let requests: BankRequests
    private let currencies: CurrencyTable
    /// The time for which banks grant access unless the service reports another one, in seconds.
    private static let consentSeconds: Int64 = 90 * 86_400
    /// The permissions, of which `offline_access` brings a token for renewals.
    private static let scope = "info accounts balance cards transactions offline_access"

    /// - Parameters:
    ///   - http: `BankClient.make()`, or a test double.
    ///   - currencies: accounts and transactions in other currencies are left out.
    ///   - now: UTC seconds.
    public init(
        _ client: Client,
        http: any HTTPSending,
        currencies: CurrencyTable,
        now: @escaping @Sendable () -> Int64
    ) {
        self.client = client
        requests = BankRequests(http: http, now: now)
        self.currencies = currencies
    }

    // MARK: Consent and tokens

    /// As `BankFeed`.
    public func consentAddress(_ consent: BankConsent) -> String? {
        let challenge = Base64.url.encode(SHA256.hash(data: Data(consent.verifier.utf8)))
        var fields = [
            ("response_type", "code"), ("client_id", client.id), ("scope", Self.scope),
            ("redirect_uri", consent.redirect), ("state", consent.state), ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ]
        // The sandbox has one bank, which its page offers only on request.
        if client.environment == .sandbox { fields.append(("providers", "uk-cs-mock")) }
        return client.authAddress + "/?" + BankRequests.form(fields)
    }

    /// As `BankFeed`.
    public func connect(_ proof: BankProof) async throws(BankFeedError) -> BankAccess {
        guard case .code(let code, let consent) = proof, (1...4_096).contains(code.utf8.count) else {
            throw .proofRefused
        }
        let tokens = try await tokens(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", consent.redirect),
                ("code_verifier", consent.verifier),
            ],
            refusal: .proofRefused
        )
        let end = requests.now() + Self.consentSeconds
        return access(tokens, consentEndsAt: end, id: nil)
    }

    /// As `BankFeed`.
    public func renew(_ access: BankAccess) async throws(BankFeedError) -> BankAccess {
        guard let renewal = access.renewal else { throw .consentEnded }
        var tokens = try await tokens(
            [("grant_type", "refresh_token"), ("refresh_token", renewal)],
            refusal: .consentEnded
        )
        tokens.renewal = tokens.renewal ?? renewal
        return self.access(tokens, consentEndsAt: access.consentEndsAt, id: access.consentID)
    }

    /// As `BankFeed`: the service reports the consent at `/me`.
    public func withConsent(_ access: BankAccess) async -> BankAccess {
        var access = access
        do throws(BankFeedError) {
            guard let body = try await results("me", access) else { return access }
            let consent = try TrueLayerAnswers.consent(body, after: requests.now())
            access.consentID = consent.id ?? access.consentID
            access.consentEndsAt = consent.endsAt ?? access.consentEndsAt
        } catch {}
        return access
    }

    /// As `BankFeed`.
    public func revoke(_ access: BankAccess) async throws(BankFeedError) {
        let address = client.authAddress + "/api/delete"
        let response = try await requests.send(HTTPRequest("DELETE", address, headers: bearer(access)))
        // With 401 and 404, the consent has ended already.
        guard (200...299).contains(response.status) || [401, 404].contains(response.status) else {
            throw .refused(status: response.status)
        }
    }

    /// As `BankFeed`. Without access, the service refuses the request.
    public func check() async throws(BankFeedError) {
        try await requests.check(client.authAddress + "/connect/token")
        try await requests.check(client.apiAddress + "/data/v1/me")
    }

    private func access(_ tokens: TrueLayerTokens, consentEndsAt: Int64?, id: String?) -> BankAccess {
        BankAccess(
            secret: tokens.access,
            renewal: tokens.renewal,
            expiresAt: requests.now() + tokens.seconds,
            consentEndsAt: consentEndsAt,
            consentID: id
        )
    }

    /// - Parameter refusal: the error for a grant that the service does not accept.
    private func tokens(_ fields: [(String, String)], refusal: BankFeedError)
        async throws(BankFeedError) -> TrueLayerTokens
    {
        let form = BankRequests.form(
            fields + [("client_id", client.id), ("client_secret", client.secret)]
        )
        // A code and a token for renewal can be redeemed once: the request is not repeatable.
        let response = try await requests.send(
            HTTPRequest(
                "POST",
                client.authAddress + "/connect/token",
                headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array(form.utf8),
                isRepeatable: false
            )
        )
        switch response.status {
        case 200: return try TrueLayerTokens(BankRequests.json(response))
        case 400 where TrueLayerTokens.isInvalidGrant(response.body), 403: throw refusal
        default: throw .refused(status: response.status)
        }
    }

    private func bearer(_ access: BankAccess) -> [(name: String, value: String)] {
        [("Authorization", "Bearer \(access.secret)")]
    }

    // MARK: Accounts

    /// As `BankFeed`.
    public func accounts(_ access: BankAccess, _ days: ClosedRange<CivilDate>)
        async throws(BankFeedError) -> BankReport
    {
        var report = BankReport(lines: [], leftOut: 0)
        for isCard in [false, true] {
            guard let body = try await results(isCard ? "cards" : "accounts", access) else { continue }
            try TrueLayerAnswers.addAccounts(of: body, to: &report, isCard: isCard, currencies)
        }
        return report
    }

    /// As `BankFeed`.
    public func balance(of account: BankAccount, _ access: BankAccess)
        async throws(BankFeedError) -> BankBalance?
    {
        guard let body = try await results(path(account) + "/balance", access) else { return nil }
        return try TrueLayerAnswers.balance(of: account, body, currencies, now: requests.now())
    }

    /// As `BankFeed`.
    public func transactions(
        of account: BankAccount,
        _ access: BankAccess,
        _ days: ClosedRange<CivilDate>
    ) async throws(BankFeedError) -> BankTransactionList {
        var rows = BankRows(currencies: currencies, today: CivilDate(utc: requests.now()))
        let all = path(account) + "/transactions"
        let query = BankRequests.form([("from", "\(days.lowerBound)"), ("to", "\(days.upperBound)")])
        if let body = try await results("\(all)?\(query)", access) {
            try TrueLayerAnswers.addTransactions(of: body, to: &rows, isPending: false)
        }
        if let body = try await results(all + "/pending", access) {
            try TrueLayerAnswers.addTransactions(of: body, to: &rows, isPending: true)
        }
        return rows.list
    }

    private func path(_ account: BankAccount) -> String {
        (account.kind == .card ? "cards/" : "accounts/") + PercentEncoding.encode(account.id)
    }

    /// The body of a response of the Data API; nil if the bank does not have such data.
    private func results(_ path: String, _ access: BankAccess) async throws(BankFeedError) -> [UInt8]? {
        let address = client.apiAddress + "/data/v1/" + path
        do {
            return try await requests.json(HTTPRequest("GET", address, headers: bearer(access)))
        } catch {
            guard error == .refused(status: 501) else { throw error }
            return nil
        }
    }
}

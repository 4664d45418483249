// A clock, currencies, and feeds over the real client.
import BankFeeds
import BankStandIns
import Ledger
import Outbound

/// Noon of 21 November 2026, UTC.
let noon: Int64 = 1_795_262_400
let days = CivilDate(dayNumber: 20_688)...CivilDate(dayNumber: 20_778)

func currencies() throws -> CurrencyTable {
    try CurrencyTable(tsv: "GBP\t2\t£\tPound\nJPY\t0\t¥\tYen\nUSD\t2\t$\tDollar\n")
}

func client(seconds: Double = 60) -> HTTPClient {
    HTTPClient(stallSeconds: seconds, totalSeconds: seconds, responseBytes: 4 << 20)
}

extension TrueLayerStandIn {
    func feed(secret: String = clientSecret, seconds: Double = 60) throws -> TrueLayerFeed {
        let client = TrueLayerFeed.Client(
            id: Self.clientID,
            secret: secret,
            environment: .live,
            authAddress: server.address,
            apiAddress: server.address
        )
        return TrueLayerFeed(
            client,
            http: BankFeedsTests.client(seconds: seconds),
            currencies: try currencies(),
            now: { noon }
        )
    }

    /// Consents as a user, and returns the proof.
    func proof(_ feed: TrueLayerFeed, verifier: String = "verifier-4669") -> BankProof {
        let consent = BankConsent(
            state: "state-1",
            verifier: "verifier-4669",
            redirect: "http://127.0.0.1/banks/callback",
            expiresAt: noon + 600
        )
        let back = feed.consentAddress(consent).flatMap { self.consent(at: $0) } ?? ""
        let code = back.split(separator: "code=").last?.split(separator: "&").first ?? ""
        var used = consent
        used.verifier = verifier
        return .code(String(code), used)
    }

    func access(_ feed: TrueLayerFeed) async throws -> BankAccess { try await feed.connect(proof(feed)) }
}

extension SimpleFINStandIn {
    func feed(hosts: Set<String>? = nil, seconds: Double = 60) throws -> SimpleFINFeed {
        SimpleFINFeed(
            hosts: hosts ?? [server.host],
            http: client(seconds: seconds),
            currencies: try currencies(),
            now: { noon }
        )
    }
}

// The provider of the demo's bank, with the same rules for transactions as the others.

public import Ledger

/// The provider through which a device of the demo reaches its bank.
public struct DemoFeed: BankFeed {
    /// As `BankFeed`.
    public let provider = BankProvider(key: "demo", name: "Lindenbank (demo)", way: .consentPage)
    private let bank: DemoBank
    private let currencies: CurrencyTable
    private let consentPage: @Sendable (_ state: String) -> String
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    /// The delay of a slow answer, in milliseconds.
    private static let slowMilliseconds: Int64 = 2_000
    /// The time for which a bank that was asked too often accepts nothing, in seconds.
    private static let refusalSeconds: Int64 = 900

    /// - Parameters:
    ///   - bank: the bank of the world.
    ///   - currencies: entries in other currencies are left out.
    ///   - consentPage: the address of the bank's page for a consent.
    ///   - pause: waits before a slow answer.
    public init(
        _ bank: DemoBank,
        currencies: CurrencyTable,
        consentPage: @escaping @Sendable (_ state: String) -> String,
        pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void
    ) {
        self.bank = bank
        self.currencies = currencies
        self.consentPage = consentPage
        self.pause = pause
    }

    /// As `BankFeed`. It notes the consent, so that the bank's page knows it.
    public func consentAddress(_ consent: BankConsent) -> String? {
        bank.begin(consent)
        return consentPage(consent.state)
    }

    /// As `BankFeed`.
    public func connect(_ proof: BankProof) async throws(BankFeedError) -> BankAccess {
        try await answer()
        guard case .code(let code, _) = proof, let grant = bank.grant(code) else { throw .proofRefused }
        return access(grant)
    }

    /// As `BankFeed`.
    public func renew(_ access: BankAccess) async throws(BankFeedError) -> BankAccess {
        try await answer()
        guard let grant = access.renewal.flatMap({ bank.renew($0) }) else { throw .consentEnded }
        return self.access(grant)
    }

    /// As `BankFeed`.
    public func revoke(_ access: BankAccess) async throws(BankFeedError) { bank.revoke(access.secret) }

    /// As `BankFeed`.
    public func check() async throws(BankFeedError) { try await answer() }

    /// As `BankFeed`.
    public func accounts(_ access: BankAccess, _ days: ClosedRange<CivilDate>)
        async throws(BankFeedError) -> BankReport
    {
        try await answer(access)
        return BankReport(lines: DemoLedger.accounts.map { BankReport.Line(account: $0) }, leftOut: 0)
    }

    /// As `BankFeed`.
    public func balance(of account: BankAccount, _ access: BankAccess)
        async throws(BankFeedError) -> BankBalance?
    {
        try await answer(access)
        let now = bank.now()
        let minor = bank.ledger.balance(of: account, at: now)
        return BankBalance(money: Money(minor: minor, currency: account.currency), asOf: now)
    }

    /// As `BankFeed`.
    public func transactions(
        of account: BankAccount,
        _ access: BankAccess,
        _ days: ClosedRange<CivilDate>
    ) async throws(BankFeedError) -> BankTransactionList {
        try await answer(access)
        let (now, behaviour) = (bank.now(), bank.behaviour)
        var candidates = bank.ledger.entries(of: account, from: days.lowerBound, at: now).map { entry in
            candidate(entry, account, at: now, behaviour)
        }
        if behaviour == .duplicates { candidates = candidates.reversed() + candidates }
        var rows = BankRows(currencies: currencies, today: CivilDate(utc: now))
        for isPending in [false, true] {
            for candidate in candidates where candidate.isPending == isPending { try rows.add(candidate) }
        }
        return rows.list
    }

    private func candidate(
        _ entry: DemoEntry,
        _ account: BankAccount,
        at now: Int64,
        _ behaviour: DemoBank.Behaviour
    ) -> BankRows.Candidate {
        let isPending = now < entry.bookedAt
        let hundredths = abs(entry.minor % 100)
        let digits = hundredths < 10 ? "0\(hundredths)" : "\(hundredths)"
        var candidate = BankRows.Candidate()
        let id = isPending && behaviour == .changingPending ? "\(entry.id)-\(now)" : entry.id
        candidate.ids = [id]
        candidate.at = StatedTime(seconds: entry.at)
        candidate.amount = "\(abs(entry.minor) / 100).\(digits)"
        candidate.isOutflow = entry.minor < 0
        candidate.currency = account.currency.rawValue
        candidate.description = entry.description
        candidate.counterparty = entry.counterparty
        candidate.isPending = isPending
        return candidate
    }

    /// Behaves as the lab has set the bank.
    /// - Parameter access: nil for a request that needs none.
    private func answer(_ access: BankAccess? = nil) async throws(BankFeedError) {
        switch bank.behaviour {
        case .works, .consentEnds, .duplicates, .changingPending: break
        case .slow: await pause(Self.slowMilliseconds)
        case .down: throw .unreachable("the demo's bank is down")
        case .tooManyRequests: throw .rateLimited(until: bank.now() + Self.refusalSeconds)
        case .wrongContentType: throw .malformed("it is not JSON, by its content type")
        }
        guard let access else { return }
        guard let grant = bank.grant(of: access.secret) else { throw .consentEnded }
        guard bank.now() < grant.expiresAt else { throw .unauthorised }
    }

    private func access(_ grant: DemoBank.Grant) -> BankAccess {
        BankAccess(
            secret: grant.secret,
            renewal: grant.renewal,
            expiresAt: grant.expiresAt,
            consentEndsAt: grant.consentEndsAt,
            consentID: grant.id
        )
    }
}

// Connections that are made with a setup token, which can be claimed once.

import BankFeeds
import DeviceStore
import Encoding
public import Ledger

extension Device {
    /// Claims a setup token, for a new connection or an existing one, and begins to read the accounts.
    /// - Parameter connection: the connection to renew; nil for a new one.
    public func connectBank(at provider: String, renewing connection: EntityID?, setupToken: String)
        async throws(BankRefusal)
    {
        guard let user = session?.user.id else { throw .notSignedIn }
        guard let feed = services.banks.feed(provider), feed.provider.way == .setupToken else {
            throw .unknown
        }
        // It is stored before the token is used: after a kill in between, the page says that it is perhaps used up.
        let claim = BankConsent(
            state: Base64.url.encode(services.dependencies.random.bytes(32)),
            verifier: "",
            redirect: "",
            expiresAt: services.dependencies.now + Self.endedSeconds
        )
        guard let sealed = seal(claim, .bankConsent) else { throw .device(.busy) }
        let known = try begin(claim, sealed, at: provider, renewing: connection)
        services.banks.beginClaim(for: known)
        defer { services.banks.endClaim(for: known) }
        let access: BankAccess
        do throws(BankFeedError) { access = try await feed.connect(.setupToken(setupToken)) } catch {
            // The server stops: the user gets no answer to this request.
            guard !Task.isCancelled else { throw .feed(error) }
            try forget(sealed, of: known, isNew: connection == nil)
            throw .feed(error)
        }
        // The provider may take a minute, in which another user can sign in on this browser: `authorise` compares them.
        try authorise(known, at: provider, access, of: user, consuming: sealed)
    }

    /// Stores that a setup token is about to be used.
    private func begin(
        _ claim: BankConsent,
        _ sealed: [UInt8],
        at provider: String,
        renewing connection: EntityID?
    )
        throws(BankRefusal) -> EntityID
    {
        let store = services.store
        return try refusing {
            guard let connection else {
                return try addConnection(at: provider, until: claim.expiresAt, consent: sealed)
            }
            guard let record = try store.bankConnection(connection, of: id), record.provider == provider,
                try store.keep(consent: sealed, until: claim.expiresAt, of: connection, id)
            else { throw BankRefusal.unknown }
            return connection
        }
    }

    /// Removes what was stored of a setup token that the provider has refused.
    private func forget(_ sealed: [UInt8], of connection: EntityID, isNew: Bool) throws(BankRefusal) {
        let store = services.store
        try refusing {
            // The user may have pasted another token in the meantime.
            let isLast = try store.consume(consent: sealed, of: connection, id)
            guard isNew, isLast, try store.bankConnection(connection, of: id)?.sealedAccess == nil else {
                return
            }
            try store.removeBankConnection(connection, of: id)
        }
    }

    /// The claim of a setup token that has not led to access yet; nil for none.
    func claim(of record: BankConnectionRecord) -> BankConnection.Claim? {
        guard record.sealedConsent != nil, (record.consentUntil ?? 0) > services.dependencies.now,
            services.banks.feed(record.provider)?.provider.way == .setupToken
        else { return nil }
        return services.banks.isClaiming(record.id) ? .running : .interrupted
    }
}

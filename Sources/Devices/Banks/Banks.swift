// The connections of a device to banks: what pages show of them, and the user's decisions.

public import BankFeeds
import DeviceStore
import Encoding
public import Ledger
public import Lifecycle
import Storage

/// A connection to a bank, with what is cached of it on this device.
public struct BankConnection: Hashable, Sendable, Identifiable {
    /// The id in addresses.
    public let id: EntityID
    /// Nil if the operator has removed the provider since.
    public let provider: BankProvider?
    /// The state; while it is `connecting`, the user has not consented yet.
    public let state: BankConnectionState
    /// The time of the last successful refresh, in UTC seconds; nil before the first.
    public let refreshedAt: Int64?
    /// The time of the next refresh without the user, in UTC seconds; nil in a state without one.
    public let nextRefreshAt: Int64?
    /// The time at which the user's consent ends, in UTC seconds; nil if it does not.
    public let consentEndsAt: Int64?
    /// The accounts, in the provider's order.
    public let accounts: [Account]
    /// The number of accounts and transactions of the last report that could not be used.
    public let leftOut: Int
    /// Whether the user has ended the consent, and the provider has not ended it yet.
    public let isConsentLeft: Bool
    /// Messages of the provider for the user.
    public let messages: [String]
    /// The banks of accounts that earlier reports had, by the provider's identifiers; see `BankAccount.bank`.
    public let formerBanks: [String: String]
    /// A setup token whose claim has begun, and has not led to access yet; nil for none.
    public let claim: Claim?

    /// The claim of a setup token, which can be claimed once.
    public enum Claim: Hashable, Sendable {
        case running
        /// The process has ended in the meantime, so that the token is perhaps used up.
        case interrupted
    }

    /// Whether the user's consent ends within two weeks.
    /// - Parameter now: UTC seconds.
    public func consentEndsSoon(at now: Int64) -> Bool {
        consentEndsAt.map { BankRefreshPlan.endsSoon($0, at: now) } ?? false
    }

    /// An account as the bank has last reported it.
    public struct Account: Hashable, Sendable {
        /// The account itself.
        public let account: BankAccount
        /// Nil if the bank reports none, or it was removed since.
        public let balance: BankBalance?
        /// The transactions on their days in UTC, the newest first; nil if they were removed since.
        public let transactions: [BankTransaction]?
    }
}

/// The reason why a connection was not made.
public enum BankRefusal: Error, Hashable, Sendable {
    /// No user is signed in.
    case notSignedIn
    /// There is no such provider or connection.
    case unknown
    /// The consent has expired, was used already, or was begun in another browser.
    case expired
    /// The device has as many connections as it may.
    case tooMany
    /// The provider gave no access.
    case feed(BankFeedError)
    /// The connection could not be stored.
    case device(DevicesError)
}

extension DeviceManager {
    /// The providers that the operator has set up.
    public var bankProviders: [BankProvider] { services.banks.feeds.map(\.provider) }

    func removeOutdatedBankData() {
        let now = dependencies.now
        do {
            try services.store.removeOutdatedBankData(
                now: now,
                refreshedBefore: now - BankRefreshPlan.removalSeconds
            )
            services.bankViews.removeAll()
        } catch { dependencies.log.error("outdated bank data is not removed: \(error)") }
    }
}

extension Device {
    /// The greatest number of connections, finished or not, so that a user cannot fill the disk with them.
    static let mostBankConnections = 20
    /// The longest time that a user may spend at the provider and the bank, in seconds.
    private static let consentSeconds: Int64 = 3_600

    /// The connections of the signed-in user, the oldest first. A guest has none.
    public func bankConnections() throws(DevicesError) -> [BankConnection] {
        let (store, now) = (services.store, services.dependencies.now)
        let records = try wrapping { () throws(DeviceStoreError) in try store.bankConnections(of: id) }
        let left = try wrapping { () throws(DeviceStoreError) in try store.bankRevocations() }
        var connections: [BankConnection] = []
        for record in records {
            // Connections that the user has not finished, or has ended, are shown for a time.
            let isShown = record.state == .disconnected || record.sealedConsent != nil
            if record.sealedAccess == nil, !isShown || (record.consentUntil ?? 0) <= now { continue }
            let cache = try bankCache(of: record)
            connections.append(
                BankConnection(
                    id: record.id,
                    provider: services.banks.feed(record.provider)?.provider,
                    state: state(of: record),
                    refreshedAt: record.refreshedAt,
                    nextRefreshAt: nextRefresh(of: record),
                    consentEndsAt: record.accessEndsAt,
                    accounts: cache.accounts.map {
                        BankConnection.Account(
                            account: $0,
                            balance: cache.balances[$0.id],
                            transactions: cache.transactions[$0.id]
                        )
                    },
                    leftOut: cache.leftOut,
                    isConsentLeft: record.state == .disconnected
                        && left.contains { $0.device == id && $0.connection == record.id },
                    messages: cache.messages,
                    formerBanks: cache.formerBanks,
                    claim: claim(of: record)
                )
            )
        }
        return connections
    }

    /// The most refreshes of a connection within 24 hours without the user.
    public var bankRefreshesPerDay: Int { BankRefreshPlan.perDay(tier) }

    private func nextRefresh(of record: BankConnectionRecord) -> Int64? {
        guard record.sealedAccess != nil, services.banks.feed(record.provider) != nil,
            state(of: record).canRefresh
        else { return nil }
        let now = services.dependencies.now
        return plan(of: record).nextAt(after: now, readAt: record.refreshedAt, perDay: bankRefreshesPerDay)
    }

    private func bankCache(of record: BankConnectionRecord) throws(DevicesError) -> BankCache {
        let store = services.store
        let caches = try wrapping { () throws(DeviceStoreError) in try store.bankCaches(of: record.id) }
        return BankCache(caches) { services.seal.open($0, for: id, .bankCache) }
    }

    /// The state of a connection. A refresh that begins may not be stored yet; a stored refresh that is not
    /// running ended with its process.
    func state(of record: BankConnectionRecord) -> BankConnectionState {
        let isRefreshing = services.banks.isRefreshing(record.id)
        return record.state.after(isRefreshing ? .refreshStarted : .processStarted).state
    }

    // MARK: - Consent on a page of the provider

    /// Begins a consent, for a new connection or an existing one.
    /// - Parameters:
    ///   - connection: the connection to renew; nil for a new one.
    ///   - redirect: the address to which the provider sends the browser back.
    /// - Returns: the connection, which `consentAddress` has the provider's page for.
    public func beginConsent(
        at provider: String,
        renewing connection: EntityID?,
        redirect: String
    ) throws(BankRefusal) -> EntityID {
        guard session != nil else { throw .notSignedIn }
        guard let feed = services.banks.feed(provider), feed.provider.way == .consentPage else {
            throw .unknown
        }
        let (random, store) = (services.dependencies.random, services.store)
        let consent = BankConsent(
            state: Base64.url.encode(random.bytes(32)),
            verifier: Base64.url.encode(random.bytes(32)),
            redirect: redirect,
            expiresAt: services.dependencies.now + Self.consentSeconds
        )
        guard let sealed = seal(consent, .bankConsent) else { throw .device(.busy) }
        return try refusing {
            guard let connection else {
                return try addConnection(at: provider, until: consent.expiresAt, consent: sealed)
            }
            let records = try store.bankConnections(of: id)
            guard records.contains(where: { $0.id == connection && $0.provider == provider }),
                try store.keep(consent: sealed, until: consent.expiresAt, of: connection, id)
            else { throw BankRefusal.unknown }
            return connection
        }
    }

    /// The provider's page for a consent that the user has begun to give; nil if there is none, or it has
    /// expired.
    public func consentAddress(of connection: EntityID) throws(DevicesError) -> String? {
        let store = services.store
        let record = try wrapping { () throws(DeviceStoreError) in
            try store.bankConnection(connection, of: id)
        }
        guard let record, let (_, consent) = consent(of: record),
            let feed = services.banks.feed(record.provider), feed.provider.way == .consentPage
        else { return nil }
        return feed.consentAddress(consent)
    }

    /// Exchanges the provider's answer for access, and begins to read the accounts. Each consent is used once.
    /// - Parameter state: identifies the consent; a consent that was begun in another browser is unknown here.
    public func finishConsent(state: String, code: String) async throws(BankRefusal) {
        let user = session?.user.id
        let (record, consent) = try consumeConsent(state)
        guard let feed = services.banks.feed(record.provider) else { throw .unknown }
        let access: BankAccess
        do throws(BankFeedError) { access = try await feed.connect(.code(code, consent)) } catch {
            throw .feed(error)
        }
        try authorise(record.id, at: record.provider, access, of: user)
    }

    /// Removes a consent that the user did not give. Does nothing for an unknown one.
    public func cancelConsent(state: String) throws(BankRefusal) {
        let (record, _) = try consumeConsent(state)
        guard record.state == .connecting else { return }
        try disconnectBank(record.id)
    }

    private func consumeConsent(_ state: String) throws(BankRefusal) -> (BankConnectionRecord, BankConsent) {
        guard session != nil else { throw .notSignedIn }
        let store = services.store
        return try refusing {
            for record in try store.bankConnections(of: id) {
                guard let (sealed, consent) = consent(of: record),
                    isEqualInConstantTime(consent.state.utf8, state.utf8)
                else { continue }
                // Only one of two callbacks with the same state gets the consent.
                if try store.consume(consent: sealed, of: record.id, id) { return (record, consent) }
            }
            throw BankRefusal.expired
        }
    }

    private func consent(of record: BankConnectionRecord) -> (sealed: [UInt8], consent: BankConsent)? {
        guard let sealed = record.sealedConsent,
            let consent = open(BankConsent.self, sealed, .bankConsent),
            services.dependencies.now < consent.expiresAt
        else { return nil }
        return (sealed, consent)
    }

    // MARK: - All connections

    /// Ends a connection: its secrets and caches are removed at once, and the provider is notified in the
    /// background. A connection that has ended already, or was never made, is removed itself.
    public func disconnectBank(_ connection: EntityID) throws(BankRefusal) {
        let store = services.store
        try refusing {
            guard let record = try store.bankConnection(connection, of: id) else {
                throw BankRefusal.unknown
            }
            try run(record.state.after(.disconnected).effects, of: record)
        }
    }

    /// - Parameter until: the time after which a connection without access is removed, in UTC seconds.
    func addConnection(at provider: String, until: Int64, consent: [UInt8]?) throws -> EntityID {
        let store = services.store
        let records = try store.bankConnections(of: id)
        guard records.count(where: \.counts) < Self.mostBankConnections else { throw BankRefusal.tooMany }
        // An ended connection makes room.
        if records.count >= Self.mostBankConnections, let ended = records.first(where: { !$0.counts }) {
            try store.removeBankConnection(ended.id, of: id)
        }
        var record = BankConnectionRecord(
            id: services.dependencies.newID(),
            provider: provider,
            state: .connecting,
            plan: try StoredJSON.encode(BankRefreshPlan())
        )
        (record.sealedConsent, record.consentUntil) = (consent, until)
        try store.add(record, to: id)
        return record.id
    }

    /// Stores access that the provider has granted, and begins to read the accounts. The consent of the former access
    /// is ended, and the consent of the new access if no connection gets it: the user could end neither consent later.
    /// - Parameters:
    ///   - user: the user who has consented. Another user, who has signed in since, gets no connection.
    ///   - claim: the sealed claim that has led to it; nil for none.
    func authorise(
        _ connection: EntityID,
        at provider: String,
        _ access: BankAccess,
        of user: EntityID?,
        consuming claim: [UInt8]? = nil
    ) throws(BankRefusal) {
        guard let sealed = seal(access, .bankAccess) else { throw .device(.busy) }
        defer { services.bankRevoker.wake() }
        do throws(BankRefusal) {
            try authorise(connection, access, sealed, of: user, consuming: claim)
        } catch {
            let (store, now) = (services.store, services.dependencies.now)
            try refusing {
                try store.revoke(late: sealed, of: connection, at: provider, id, now: now)
            }
            throw error
        }
    }

    private func authorise(
        _ connection: EntityID,
        _ access: BankAccess,
        _ sealed: [UInt8],
        of user: EntityID?,
        consuming claim: [UInt8]?
    ) throws(BankRefusal) {
        guard session?.user.id == user else { throw .notSignedIn }
        let store = services.store
        try refusing {
            // A refresh under way may change the record at the same time.
            for _ in 0..<10 {
                guard var record = try store.bankConnection(connection, of: id) else {
                    throw BankRefusal.unknown
                }
                (record.sealedAccess, record.accessEndsAt) = (sealed, access.consentEndsAt)
                if try apply(.authorised, to: record, consuming: claim) != nil { return }
            }
            throw BankRefusal.device(.busy)
        }
    }

    /// Converts the errors of the store into refusals.
    func refusing<Value>(_ body: () throws -> Value) throws(BankRefusal) -> Value {
        do { return try body() } catch let error as BankRefusal { throw error } catch let error
            as DevicesError
        { throw .device(error) } catch let error as DeviceStoreError { throw .device(.store(error)) } catch {
            throw .device(.busy)
        }
    }

    func seal(_ value: some Encodable, _ purpose: Seal.Purpose) -> [UInt8]? {
        (try? StoredJSON.encode(value)).flatMap { services.seal.close(Array($0.utf8), for: id, purpose) }
    }

    func open<Value: Codable>(_ type: Value.Type, _ sealed: [UInt8], _ purpose: Seal.Purpose) -> Value? {
        services.seal.open(sealed, for: id, purpose)
            .flatMap { StoredJSON.decode(type, String(decoding: $0, as: UTF8.self)) }
    }
}

extension BankConnectionRecord {
    /// Whether the connection counts for the limit of connections of a device.
    fileprivate var counts: Bool { state != .disconnected }
}

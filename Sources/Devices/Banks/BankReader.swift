// Reads all accounts of a connection, and renews its access in between.

import BankFeeds
import Ledger

/// The reason why a connection was not read.
enum BankReadError: Error {
    case feed(BankFeedError)
    /// The connection was changed or removed in the meantime.
    case superseded
}

/// One refresh of a connection. It is the only caller that renews the access, because a connection has at most
/// one refresh at a time.
struct BankReader {
    /// The number of days whose transactions are read.
    static let days = 90
    /// The pause after the accounts, and between two of them, in milliseconds.
    private static let pauseMilliseconds: Int64 = 300
    /// Access that expires within this time is renewed first.
    private static let renewalSeconds: Int64 = 60

    let feed: any BankFeed
    private(set) var access: BankAccess
    private let dependencies: Dependencies
    /// Whether the connection may still be read; asked before each request.
    private let isCurrent: () -> Bool
    /// Stores renewed access.
    /// - Returns: false if the connection was changed or removed in the meantime.
    private let store: (BankAccess) -> Bool
    private var renewals = 0
    /// The greatest number of renewals of one refresh: a provider whose access expires at once is not asked for ever.
    private static let mostRenewals = 4
    /// Whether the identifier and the end of the consent have to be requested.
    private var asksForConsent: Bool

    init(
        _ feed: any BankFeed,
        _ access: BankAccess,
        _ dependencies: Dependencies,
        while isCurrent: @escaping () -> Bool,
        storing store: @escaping (BankAccess) -> Bool
    ) {
        self.feed = feed
        self.access = access
        asksForConsent = access.consentID == nil
        self.dependencies = dependencies
        self.isCurrent = isCurrent
        self.store = store
    }

    /// Reads the accounts, then the transactions of all of them, then their balances.
    mutating func read() async throws(BankReadError) -> BankCache {
        let today = dependencies.today(in: "UTC")
        let days = today.adding(days: -Self.days)...today
        let feed = feed
        let report = try await attempt { access async throws(BankFeedError) in
            try await feed.accounts(access, days)
        }
        var cache = BankCache()
        cache.accounts = report.lines.map(\.account)
        (cache.leftOut, cache.messages) = (report.leftOut, report.messages)
        cache.needsConsent = report.needsConsent
        for line in report.lines {
            let account = line.account
            var list = line.transactions
            if list == nil {
                await dependencies.pause(Self.pauseMilliseconds)
                list = try await attempt { access async throws(BankFeedError) in
                    try await feed.transactions(of: account, access, days)
                }
            }
            // An amount in another currency than the account's cannot be added to its balance.
            let rows = list?.rows.filter { $0.money.currency == account.currency }
            cache.transactions[account.id] = rows
            cache.leftOut += (list?.leftOut ?? 0) + (list?.rows.count ?? 0) - (rows?.count ?? 0)
        }
        for (index, line) in report.lines.enumerated() {
            let account = line.account
            var balance = line.balance
            // A provider that reports the transactions with the account has no other balance to ask for.
            if balance == nil, line.transactions == nil {
                if index > 0 { await dependencies.pause(Self.pauseMilliseconds) }
                balance = try await attempt { access async throws(BankFeedError) in
                    try await feed.balance(of: account, access)
                }
            }
            cache.balances[account.id] = balance
        }
        return cache
    }

    /// Whether renewed access has expired since.
    private var hasExpired: Bool { access.expiresAt.map { $0 <= dependencies.now } ?? false }

    /// Sends a request. The access is renewed before it expires, and once after it was refused.
    private mutating func attempt<Value: Sendable>(
        _ request: (BankAccess) async throws(BankFeedError) -> Value
    ) async throws(BankReadError) -> Value {
        guard isCurrent() else { throw .superseded }
        if let end = access.expiresAt, end - dependencies.now < Self.renewalSeconds,
            renewals == 0 || hasExpired
        {
            try await renew()
        }
        try await completeAccess()
        do throws(BankFeedError) { return try await request(access) } catch {
            guard error == .unauthorised else { throw .feed(error) }
        }
        // Fresh access that is refused does not come back by another renewal, unless it has expired by now.
        guard renewals == 0 || hasExpired else { throw .feed(.consentEnded) }
        try await renew()
        try await completeAccess()
        do throws(BankFeedError) { return try await request(access) } catch {
            guard error == .unauthorised else { throw .feed(error) }
            throw .feed(hasExpired ? .unreachable("the renewed access has expired") : .consentEnded)
        }
    }

    private mutating func renew() async throws(BankReadError) {
        guard renewals < Self.mostRenewals else { throw .feed(.unreachable("the access expires at once")) }
        renewals += 1
        let renewed: BankAccess
        do throws(BankFeedError) { renewed = try await feed.renew(access) } catch {
            throw .feed(error == .unauthorised ? .consentEnded : error)
        }
        // Before its first use: the previous access may be invalid already.
        guard store(renewed) else { throw .superseded }
        access = renewed
        asksForConsent = true
    }

    /// Requests what the provider reports of the consent, once for new access, which is stored already.
    private mutating func completeAccess() async throws(BankReadError) {
        guard asksForConsent else { return }
        asksForConsent = false
        let complete = await feed.withConsent(access)
        guard complete != access else { return }
        guard store(complete) else { throw .superseded }
        access = complete
    }
}

// Two connections to the same accounts become one: a user has connected a bank twice, perhaps in two tabs.

import BankFeeds
import DeviceStore
public import Ledger
import Lifecycle
import Storage

extension Device {
    /// The connection that one was joined to since a page showed it; itself if it was not.
    public func presentBank(_ connection: EntityID) -> EntityID { services.banks.present(connection) }

    /// Joins a connection that was just read with others that read the same accounts: all accounts of the same
    /// provider, or the accounts of the same consent.
    /// - Returns: the connection that remains.
    func joinDuplicates(of record: BankConnectionRecord, _ cache: BankCache) throws -> BankConnectionRecord {
        var present = record
        for other in try services.store.bankConnections(of: id)
        where other.id != record.id && other.provider == record.provider && other.sealedAccess != nil {
            guard try isSame(present, cache, other) else { continue }
            present = try join(present, other) ?? present
        }
        return present
    }

    /// Joins a connection that was just read with connections that the user has ended, that need a new consent,
    /// or that were not refreshed for so long that their accounts were removed, if it reads all accounts that
    /// they have read: the list would show the same bank twice.
    /// - Parameters:
    ///   - read: the accounts that it reads.
    ///   - accounts: the accounts of the book.
    func joinEnded(_ connection: EntityID, reading read: [BankAccountKey], _ accounts: [Account]) throws {
        let texts = Set(read.map(\.description))
        for ended in try services.store.bankConnections(of: id)
        where ended.id != presentBank(connection) {
            let isEnded = ended.state == .disconnected && ended.sealedAccess == nil
            guard try isEnded || ended.state == .needsReconnect || isOutdated(ended) else { continue }
            let joined = accounts.filter { $0.bank.connection == ended.id.description }.map(\.bank.account)
            let own =
                try joined
                + reportedAccounts(of: ended).map { account in
                    BankAccountKey(provider: ended.provider, account: account.id).description
                }
            guard !own.isEmpty, own.allSatisfy({ $0.map(texts.contains) ?? false }),
                let fresh = try services.store.bankConnection(presentBank(connection), of: id),
                fresh.sealedAccess != nil, fresh.state != .needsReconnect
            else { continue }
            _ = try join(fresh, ended)
        }
    }

    private func isOutdated(_ record: BankConnectionRecord) throws -> Bool {
        guard record.sealedAccess != nil, record.refreshedAt != nil else { return false }
        return try services.store.bankCaches(of: record.id).isEmpty
    }

    private func isSame(_ record: BankConnectionRecord, _ cache: BankCache, _ other: BankConnectionRecord)
        throws -> Bool
    {
        if let consent = consentID(of: record), consent == consentID(of: other) { return true }
        let accounts = try reportedAccounts(of: other)
        return !accounts.isEmpty && Set(accounts.map(\.id)) == Set(cache.accounts.map(\.id))
    }

    private func reportedAccounts(of record: BankConnectionRecord) throws -> [BankAccount] {
        let stored = try services.store.bankCaches(of: record.id).filter { $0.kind == .accounts }
        return BankCache(stored) { services.seal.open($0, for: id, .bankCache) }.accounts
    }

    private func consentID(of record: BankConnectionRecord) -> String? {
        record.sealedAccess.flatMap { open(BankAccess.self, $0, .bankAccess) }?.consentID
    }

    /// Joins two connections. The older connection remains, with the access that can be used for longer.
    /// - Parameter fresh: the connection that was just read.
    /// - Returns: nil if one of them was changed in the meantime; its next refresh joins them.
    private func join(_ fresh: BankConnectionRecord, _ other: BankConnectionRecord) throws
        -> BankConnectionRecord?
    {
        let (first, second) = fresh.id < other.id ? (fresh, other) : (other, fresh)
        let lastsLonger = (other.accessEndsAt ?? .min) > (fresh.accessEndsAt ?? .min)
        let isOtherUsed = lastsLonger && other.state != .needsReconnect
        let (used, unused) = isOtherUsed ? (other, fresh) : (fresh, other)
        let (state, effects) = first.state.after(.joined)
        var joined = first
        joined.state = state
        (joined.sealedAccess, joined.accessEndsAt) = (used.sealedAccess, used.accessEndsAt)
        joined.plan = try StoredJSON.encode(plan(of: first).joined(with: plan(of: second)))
        joined.refreshedAt = fresh.refreshedAt
        // Of one consent, the end of either access would be the end of both.
        let hasOneConsent = consentID(of: fresh).map { $0 == consentID(of: other) } ?? false
        let takesCaches = first.id != fresh.id
        guard
            let stored = try services.store.join(
                joined,
                with: second,
                of: id,
                takesCaches: takesCaches,
                revoking: hasOneConsent ? nil : unused,
                at: services.dependencies.now
            )
        else { return nil }
        services.banks.noteJoined(second.id, to: first.id)
        try run(effects, of: stored)
        services.bankRevoker.wake()
        services.dependencies.log("two connections to the same bank are one now (device \(id))")
        return stored
    }
}

// The cached reports of a device's banks by account, opened while pages need them.

public import Book
import DeviceStore
public import Ledger
import Lifecycle
import Synchronization

/// The accounts at banks that this device can read.
public final class BankView: Sendable {
    /// An account as its bank has last reported it.
    public struct Account: Hashable, Sendable {
        /// The connection that reports it.
        public let connection: EntityID
        /// Whether the user has to consent again before it is read.
        public let needsReconnect: Bool
        /// The time of the last successful refresh, in UTC seconds; nil before the first.
        public let refreshedAt: Int64?
        /// Nil if the bank reports none, or it was removed since.
        public let balance: BankBalance?
    }

    /// The accounts by their keys. If two connections report the same account, it comes from the connection that was
    /// refreshed last.
    public let accounts: [BankAccountKey: Account]
    /// The connections whose caches were removed, by the text of their ids: accounts of the book name them.
    private let outdated: [String: Account]
    /// Their transactions.
    public let reports: BankReports

    /// Whether an account is to be refreshed in the background.
    /// - Parameter now: UTC seconds.
    public func isStale(at now: Int64) -> Bool {
        (Array(accounts.values) + outdated.values).contains { account in
            guard let time = account.refreshedAt else { return true }
            return BankCacheRecord.Kind.allCases.contains { $0.isStale(ageSeconds: now - time) }
        }
    }

    init(_ accounts: [BankAccountKey: Account], outdated: [String: Account], _ reports: BankReports) {
        self.accounts = accounts
        self.outdated = outdated
        self.reports = reports
    }

    /// The account at the bank that an account of the book is joined to; nil if this device has no access to it.
    public func account(of bank: AccountBank) -> Account? {
        guard let key = bank.key else { return nil }
        return accounts[key] ?? bank.connection.flatMap { outdated[$0] }
    }
}

/// The views of the devices that use them. A view is dropped after a time without use, and when its connections change.
final class BankViews: Sendable {
    /// The time without use after which a view is dropped, in seconds.
    static let unusedSeconds: Int64 = 300
    /// The interval of the checks whether a view is still used, in milliseconds.
    static let checkMilliseconds: Int64 = 60_000
    /// The greatest number of devices whose views are held.
    static let most = 100

    private struct Held {
        let versions: [String]
        /// The time zone of the days.
        let zone: String
        let view: BankView
        var usedAt: Int64

        /// The order in which views give way: views without connections first, which cost nothing to make again.
        var order: (Int, Int64) { (versions.isEmpty ? 0 : 1, usedAt) }
    }

    private let held = Mutex<[EntityID: Held]>([:])

    /// The number of held views.
    var count: Int { held.withLock { $0.count } }

    /// The view of a device if it is held for these versions of its connections and this time zone.
    func view(of device: EntityID, _ versions: [String], in zone: String, at now: Int64) -> BankView? {
        held.withLock { held in
            guard held[device]?.versions == versions, held[device]?.zone == zone else { return nil }
            held[device]?.usedAt = now
            return held[device]?.view
        }
    }

    /// - Returns: whether the device had no view.
    func hold(
        _ view: BankView,
        of device: EntityID,
        _ versions: [String],
        in zone: String,
        at now: Int64
    ) -> Bool {
        held.withLock { held in
            let isFirst = held[device] == nil
            if held.count >= Self.most, isFirst,
                let oldest = held.min(by: { $0.value.order < $1.value.order })?.key
            {
                held[oldest] = nil
            }
            held[device] = Held(versions: versions, zone: zone, view: view, usedAt: now)
            return isFirst
        }
    }

    /// Drops the view of a device if it was not used for a time, or if its connections have changed.
    /// - Returns: whether the device has no view.
    func dropIfUnused(of device: EntityID, _ versions: [String], at now: Int64) -> Bool {
        held.withLock { held in
            guard let view = held[device] else { return true }
            // A clock that was set back drops the view as well.
            guard abs(now - view.usedAt) >= Self.unusedSeconds || view.versions != versions else {
                return false
            }
            held[device] = nil
            return true
        }
    }

    func remove(_ device: EntityID) { held.withLock { $0[device] = nil } }

    func removeAll() { held.withLock { $0 = [:] } }
}

extension Device {
    /// The accounts at banks that this device can read. The caches are opened once, and held while pages use them.
    /// - Parameter zone: the user's time zone: times that a bank states are on their days there.
    public func bankView(in zone: String) throws(DevicesError) -> BankView {
        let (store, dependencies, views) = (services.store, services.dependencies, services.bankViews)
        let now = dependencies.now
        let (records, versions) = try readableBanks()
        if let view = views.view(of: id, versions, in: zone, at: now) { return view }
        var accounts: [BankAccountKey: BankView.Account] = [:]
        var outdated: [String: BankView.Account] = [:]
        var transactions: [BankAccountKey: [BankTransaction]] = [:]
        var followed: [BankAccountKey: [String: String]] = [:]
        // The caches of a connection that was not refreshed for long are removed, so that the last one has data.
        let newestFirst = records.sorted { ($0.refreshedAt ?? .min, $0.id) > ($1.refreshedAt ?? .min, $1.id) }
        for record in newestFirst {
            let stored = try wrapping { () throws(DeviceStoreError) in try store.bankCaches(of: record.id) }
            let cache = BankCache(stored) { services.seal.open($0, for: id, .bankCache) }
                .dated { dependencies.day(of: $0, in: zone) }
            if stored.isEmpty, record.refreshedAt != nil {
                outdated[record.id.description] = BankView.Account(
                    connection: record.id,
                    needsReconnect: record.state == .needsReconnect,
                    refreshedAt: record.refreshedAt,
                    balance: nil
                )
            }
            for account in cache.accounts {
                let key = BankAccountKey(provider: record.provider, account: account.id)
                guard accounts[key] == nil else { continue }
                transactions[key] = cache.transactions[account.id]
                followed[key] = cache.followed[account.id]
                accounts[key] = BankView.Account(
                    connection: record.id,
                    needsReconnect: record.state == .needsReconnect,
                    refreshedAt: record.refreshedAt,
                    balance: cache.balances[account.id]
                )
            }
        }
        let view = BankView(
            accounts,
            outdated: outdated,
            BankReports(
                transactions,
                balances: accounts.compactMapValues(\.balance),
                followed: followed,
                removed: outdated.compactMapValues(\.refreshedAt)
            )
        )
        // One without connections is held as well: its rows, of which there are none, are compared with the book once.
        let isFirst = views.hold(view, of: id, versions, in: zone, at: now)
        // The user has disconnected or signed out since it was read.
        if try readableBanks().versions != versions { views.remove(id) }
        guard isFirst else { return view }
        services.tasks.run { [self] in
            repeat { await dependencies.pause(BankViews.checkMilliseconds) } while keepsBankView()
        }
        return view
    }

    private func readableBanks() throws(DevicesError) -> ([BankConnectionRecord], versions: [String]) {
        let store = services.store
        let records = try wrapping { () throws(DeviceStoreError) in try store.bankConnections(of: id) }
            .filter { $0.sealedAccess != nil }
        return (records, records.map { "\($0.id) \($0.version)" })
    }

    /// Whether the view has to be checked again later.
    private func keepsBankView() -> Bool {
        let versions = (try? readableBanks().versions) ?? []
        return !Task.isCancelled
            && !services.bankViews.dropIfUnused(of: id, versions, at: services.dependencies.now)
    }

    /// Moves the user's notes and records to the ids under which a new report has their transactions.
    /// - Parameter before: the transactions of the last report by account, and pending transactions of earlier reports.
    /// - Returns: the successors by account.
    /// - Throws: if the book cannot be changed. The new report must not replace the last one then.
    func followBank(
        _ record: BankConnectionRecord,
        _ cache: BankCache,
        before: [String: [BankTransaction]]
    ) async throws -> [String: BankSuccessors] {
        let changed = cache.accounts.map(\.id).filter {
            BankSuccessors.arePossible(before: before[$0] ?? [], now: cache.transactions[$0] ?? [])
        }
        guard !changed.isEmpty else { return [:] }
        let lease = try await lease()
        defer { lease.giveBack() }
        let book = lease.book
        let used = try book.choices().accounts.compactMap(\.bank.key)
        var successors: [String: BankSuccessors] = [:]
        for account in changed {
            let key = BankAccountKey(provider: record.provider, account: account)
            guard used.contains(key) else { continue }
            successors[account] = try book.followBank(
                key,
                before: before[account] ?? [],
                now: cache.transactions[account] ?? []
            )
        }
        return successors
    }

    /// Updates the book after a connection was read: the recording without a question, and the time.
    /// - Returns: false if the book could not be changed.
    func bankWasRead(_ record: BankConnectionRecord, _ cache: BankCache) async -> Bool {
        do {
            let lease = try await lease()
            defer { lease.giveBack() }
            let (book, now) = (lease.book, services.dependencies.now)
            let keys = cache.accounts.map { BankAccountKey(provider: record.provider, account: $0.id) }
            let accounts = try wrapping { () throws(BookError) in try book.choices().accounts }
            try joinEnded(record.id, reading: keys, accounts)
            let used = accounts.compactMap(\.bank.key)
            guard keys.contains(where: used.contains) else { return true }
            let zone = try wrapping { () throws(BookError) in try timeZone(in: book) }
            let view = try bankView(in: zone)
            let booked = cache.booked.flatMap { account, ids in
                let key = BankAccountKey(provider: record.provider, account: account)
                return ids.map { BankTransactionKey(key, id: $0) }
            }
            try wrapping { () throws(BookError) in
                try book.mergeBankRecords()
                _ = try book.recordAutomatically(try book.bankRows(of: view.reports), booked: Set(booked))
                try book.noteBankRead(Set(keys), at: now)
            }
            return true
        } catch {
            services.dependencies.log.error("a refresh of a bank is not noted: \(error) (device \(id))")
            return false
        }
    }
}

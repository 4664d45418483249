// Refreshes of a connection, and the effects of its states.

import BankFeeds
import DeviceStore
public import Ledger
import Lifecycle
import Storage

extension Device {
    /// Begins to refresh a connection, unless a refresh is running, or its provider accepts no request yet.
    /// - Returns: false if the user has asked for too many refreshes, so that none begins.
    @discardableResult
    public func refreshBank(_ connection: EntityID) -> Bool {
        let record = (try? services.store.bankConnection(connection, of: id)) ?? nil
        guard record?.state.acceptsNoRequest(at: services.dependencies.now) != true,
            !services.banks.isRefreshing(connection)
        else { return true }
        guard services.banks.mayRefresh(connection, at: services.dependencies.milliseconds()) else {
            return false
        }
        if services.banks.begin(connection) { runRefresh(of: connection) }
        return true
    }

    /// Waits until a connection is not being refreshed, up to a limit.
    public func waitForBank(_ connection: EntityID, withinMilliseconds limit: Int64) async {
        await wait(withinMilliseconds: limit) { !$0.services.banks.isRefreshing(connection) }
    }

    private func runRefresh(of connection: EntityID) {
        let task = services.tasks.run { [self] in
            _ = await refresh(connection, isAutomatic: false)
            endRefresh(connection)
        }
        // The server stops.
        if task == nil { services.banks.drop(connection) }
    }

    /// Ends a refresh that `BankServices.begin` has begun, and begins the refresh that was requested in the meantime.
    func endRefresh(_ connection: EntityID) {
        if !services.banks.end(connection) { runRefresh(of: connection) }
        notify(.rows)
        notify(.idle)
    }

    /// Refreshes a connection, for which `BankServices.begin` was called.
    /// - Returns: whether the beginning of the refresh was stored.
    func refresh(_ connection: EntityID, isAutomatic: Bool) async -> Bool {
        var hasBegun = false
        do {
            let now = services.dependencies.now
            guard var record = try services.store.bankConnection(connection, of: id),
                let feed = services.banks.feed(record.provider), let sealed = record.sealedAccess
            else { return false }
            record.state = record.state.after(.processStarted).state.after(.refreshStarted).state
            guard case .refreshing = record.state else { return false }
            if isAutomatic {
                var plan = plan(of: record)
                plan.began(at: now)
                record.plan = try StoredJSON.encode(plan)
            }
            guard let started = try services.store.keep(record, of: id) else { return false }
            hasBegun = true
            notify(.rows)
            let refresh = BankRefresh(self, started, isAutomatic: isAutomatic)
            // Secrets of another server, after its own was lost: the user has to connect again.
            guard let access = open(BankAccess.self, sealed, .bankAccess) else {
                try refresh.fail(.consentEnded)
                return true
            }
            var reader = BankReader(feed, access, services.dependencies) { [self] in
                isCurrent(connection)
            } storing: {
                refresh.keep($0)
            }
            let cache: BankCache
            do throws(BankReadError) { cache = try await reader.read() } catch {
                switch error {
                case .superseded: break
                case .feed(let error): try refresh.fail(error)
                }
                return true
            }
            do { try await keep(cache, of: started, refresh) } catch {
                services.dependencies.log.error("a report of a bank is not stored: \(error) (device \(id))")
                try refresh.failStoring()
            }
        } catch {
            services.dependencies.log.error("a bank connection is not stored: \(error) (device \(id))")
        }
        return hasBegun
    }

    /// Stores a new report in place of the last one, and updates the book.
    private func keep(_ report: BankCache, of record: BankConnectionRecord, _ refresh: BankRefresh)
        async throws
    {
        let (dependencies, store) = (services.dependencies, services.store)
        let stored = (try? store.bankCaches(of: record.id)) ?? []
        // Days are compared with those of the last report. The first one need not wait for a book that is in use.
        let zone = stored.isEmpty ? dependencies.serverZone : await timeZone()
        func local(_ seconds: Int64) -> CivilDate { dependencies.day(of: seconds, in: zone) }
        var cache = report.dated(local)
        let last = BankCache(stored) { services.seal.open($0, for: id, .bankCache) }.dated(local)
        // With the pending transactions of earlier reports.
        let before = last.transactions.merging(last.vanished) { $0 + $1 }
        // Before the last report is replaced: after a kill in between, it would not be known which transactions the bank
        // has booked under other ids.
        let successors = try await followBank(record, cache, before: before)
        let today = dependencies.today(in: zone)
        cache.remember(before, following: last.followed, but: successors, today: today)
        cache.rememberBanks(of: last)
        // The identifiers of the last report as well, if the book has not recorded their transactions: the process
        // may have ended in between.
        cache.booked = last.booked.merging(successors.mapValues(\.bookedIDs)) { $0.union($1) }
        guard try refresh.succeed(cache) else { return }
        guard await bankWasRead(record, cache) else { return }
        if cache.booked.contains(where: { !$0.value.isEmpty }) { try refresh.forgetBooked(cache) }
    }

    /// Whether a connection that is being read may still be read: it was not removed, and the device is open to its
    /// user.
    private func isCurrent(_ connection: EntityID) -> Bool {
        guard !Task.isCancelled, bankPermission != .none else { return false }
        return (try? services.store.bankConnection(connection, of: id))?.sealedAccess != nil
    }

    func plan(of record: BankConnectionRecord) -> BankRefreshPlan {
        StoredJSON.decode(BankRefreshPlan.self, record.plan) ?? BankRefreshPlan()
    }

    /// Applies an event to a connection, and stores it with the notice that follows from it.
    /// - Parameters:
    ///   - caches: replace all caches of the connection; nil to keep them.
    ///   - consent: the sealed consent that has led to the event; nil for none.
    /// - Returns: nil if the connection was changed or removed since it was read, so that nothing happened.
    @discardableResult
    func apply(
        _ event: BankConnectionEvent,
        to record: BankConnectionRecord,
        replacing caches: [BankCacheRecord]? = nil,
        consuming consent: [UInt8]? = nil
    ) throws -> BankConnectionRecord? {
        var record = record
        let (state, effects) = record.state.after(event)
        record.state = state
        let now = services.dependencies.now
        let notice = Notice(effects, at: now)
        guard
            let stored = try services.store.keep(
                record,
                of: id,
                replacing: caches,
                posting: notice,
                consuming: consent,
                revokingFormerAt: event == .authorised ? now : nil
            )
        else { return nil }
        if let notice { show(notice, of: stored.id) }
        try run(effects, of: stored)
        return stored
    }

    /// Runs the effects of a connection's event, which is stored already with its notice.
    func run(_ effects: [BankConnectionEffect], of record: BankConnectionRecord) throws(DevicesError) {
        for effect in effects {
            switch effect {
            // The result of a refresh that is running belongs to the former access, and is not used.
            case .refresh: if services.banks.beginAfterPresent(record.id) { runRefresh(of: record.id) }
            case .suggestRenewal: break
            case .announceConsentEnd: withdraw(.consentEndsSoon, of: record.id)
            case .withdrawAnnouncement: for notice in BankNotice.allCases { withdraw(notice, of: record.id) }
            case .removeData:
                let now = services.dependencies.now
                try keeping { store throws(DeviceStoreError) in
                    try store.end(bank: record.id, of: id, at: now, keptUntil: now + Self.endedSeconds)
                }
                services.bankViews.remove(id)
                notify(.rows)
            case .forget:
                try keeping { store throws(DeviceStoreError) in
                    try store.removeBankConnection(record.id, of: id)
                }
                notify(.rows)
            // It is stored with the removal of the data.
            case .revoke: services.bankRevoker.wake()
            }
        }
    }

    /// The time for which a connection that the user has ended is shown, so that it can be made again, in seconds.
    static let endedSeconds: Int64 = 7 * 86_400
}

/// A refresh that has begun: it stores its results, unless the connection was changed in the meantime.
private final class BankRefresh {
    private let device: Device
    private var record: BankConnectionRecord
    private let isAutomatic: Bool
    private var isStored = false

    init(_ device: Device, _ record: BankConnectionRecord, isAutomatic: Bool) {
        self.device = device
        self.record = record
        self.isAutomatic = isAutomatic
    }

    /// Stores renewed access.
    /// - Returns: false if the connection was changed or removed.
    func keep(_ access: BankAccess) -> Bool {
        guard let former = record.sealedAccess, let sealed = device.seal(access, .bankAccess) else {
            return false
        }
        (record.sealedAccess, record.accessEndsAt) = (sealed, access.consentEndsAt)
        let (store, now) = (device.services.store, device.services.dependencies.now)
        // The revoker may wait for the identifier of the consent, or for access that can be used.
        defer { device.services.bankRevoker.wake() }
        let isRenewal = device.open(BankAccess.self, former, .bankAccess)?.secret != access.secret
        let stored =
            isRenewal
            ? try? store.keep(renewed: record, inPlaceOf: former, of: device.id, at: now)
            : try? store.keep(record, of: device.id)
        guard let stored else { return false }
        record = stored
        return true
    }

    /// Stores that the book has recorded what it records by itself of the report that was stored last.
    func forgetBooked(_ cache: BankCache) throws {
        let store = device.services.store
        guard let present = try store.bankConnection(record.id, of: device.id), present.sealedAccess != nil,
            let at = present.refreshedAt
        else { return }
        var cache = cache
        cache.booked = [:]
        let records = cache.records(at: at) { device.services.seal.close($0, for: device.id, .bankCache) }
        if let records { _ = try store.keep(present, of: device.id, replacing: records) }
    }

    /// - Returns: false if the connection was changed or removed, so that nothing was stored.
    func succeed(_ cache: BankCache) throws -> Bool {
        let now = device.services.dependencies.now
        let records = cache.records(at: now) {
            device.services.seal.close($0, for: device.id, .bankCache)
        }
        // The system has no random numbers.
        guard let records else { throw DevicesError.busy }
        var plan = device.plan(of: record)
        plan.succeeded()
        var read = record
        read.plan = try StoredJSON.encode(plan)
        read.refreshedAt = now
        let event: BankConnectionEvent = cache.needsConsent ? .consentEnded : .refreshed
        let stored = try device.apply(event, to: read, replacing: records)
        isStored = true
        let outcome: BankOutcome = cache.needsConsent ? .consentEnded : .read
        device.services.banks.counts.count(outcome, of: record.provider)
        guard let stored else { return false }
        guard !cache.needsConsent else { return true }
        try device.suggestRenewal(of: try device.joinDuplicates(of: stored, cache))
        return true
    }

    func fail(_ error: BankFeedError) throws {
        let (log, now) = (device.services.dependencies.log, device.services.dependencies.now)
        log.warning("a bank connection was not refreshed: \(error) (device \(device.id))")
        var (event, until): (BankConnectionEvent, Int64?) = (.consentEnded, nil)
        switch error {
        case .consentEnded, .unauthorised, .proofRefused: break
        case .rateLimited(let end): (event, until) = (.refreshFailed(.rateLimited, at: now, until: end), end)
        case .unreachable: event = .refreshFailed(.unreachable, at: now)
        case .refused: event = .refreshFailed(.refused, at: now)
        case .malformed: event = .refreshFailed(.malformed, at: now)
        }
        try fail(BankOutcome(error), event, until: until)
    }

    /// The accounts were read, and could not be stored. Nothing happens if the connection was stored, and only what follows
    /// from that failed.
    func failStoring() throws {
        guard !isStored else { return }
        let now = device.services.dependencies.now
        try fail(.notStored, .refreshFailed(.notStored, at: now), until: nil)
    }

    private func fail(_ outcome: BankOutcome, _ event: BankConnectionEvent, until: Int64?) throws {
        device.services.banks.counts.count(outcome, of: record.provider)
        var plan = device.plan(of: record)
        plan.failed(at: device.services.dependencies.now, until: until, isAutomatic: isAutomatic)
        record.plan = try StoredJSON.encode(plan)
        try device.apply(event, to: record)
    }
}

extension BankConnectionState {
    /// Whether the provider has named a time before which it accepts no request. A time that is far in the future was
    /// stored before the clock was set back.
    fileprivate func acceptsNoRequest(at now: Int64) -> Bool {
        guard case .failing(let failing) = self, let until = failing.until else { return false }
        return now < until && until - now <= BankRefreshPlan.mostWaitSeconds
    }

    /// Whether a refresh can begin.
    var canRefresh: Bool {
        switch self {
        case .connected, .failing: true
        case .connecting, .refreshing, .needsReconnect, .disconnected: false
        }
    }
}

// Refreshes of a connection, and the effects of its states.

import BankFeeds
import DeviceStore
public import Ledger
import Lifecycle
import Storage
import Texts

extension Device {
    /// The key of the notice that a consent has ended.
    private static let consentNotice = "bank-consent-ended"

    /// Begins to refresh the connections whose caches are stale, within the limits for automatic refreshes.
    public func refreshStaleBanks() {
        guard session != nil, let records = try? services.store.bankConnections(of: id) else { return }
        let (now, tier) = (services.dependencies.now, tier)
        for record in records where record.sealedAccess != nil {
            let plan = plan(of: record)
            let perDay = BankRefreshPlan.perDay(tier)
            guard state(of: record).canRefresh,
                plan.isDue(at: now, readAt: record.refreshedAt, perDay: perDay)
            else { continue }
            refreshBank(record.id, isAutomatic: true)
        }
    }

    /// Begins to refresh a connection, unless a refresh is running.
    public func refreshBank(_ connection: EntityID) { refreshBank(connection, isAutomatic: false) }

    /// Waits until a connection is not being refreshed, up to a limit.
    public func waitForBank(_ connection: EntityID, withinMilliseconds limit: Int64) async {
        await wait(withinMilliseconds: limit) { !$0.services.banks.isRefreshing(connection) }
    }

    private func refreshBank(_ connection: EntityID, isAutomatic: Bool) {
        guard services.banks.begin(connection) else { return }
        let task = services.tasks.run { [self] in
            await refresh(connection, isAutomatic: isAutomatic)
            services.banks.end(connection)
            notify(.rows)
            notify(.idle)
        }
        if task == nil { services.banks.end(connection) }
    }

    private func refresh(_ connection: EntityID, isAutomatic: Bool) async {
        do {
            let now = services.dependencies.now
            guard var record = try services.store.bankConnection(connection, of: id),
                let feed = services.banks.feed(record.provider), let sealed = record.sealedAccess
            else { return }
            record.state = record.state.after(.processStarted).state.after(.refreshStarted).state
            guard case .refreshing = record.state else { return }
            if isAutomatic {
                var plan = plan(of: record)
                plan.began(at: now)
                record.plan = try StoredJSON.encode(plan)
            }
            guard let started = try services.store.keep(record, of: id) else { return }
            notify(.rows)
            let refresh = BankRefresh(self, started)
            // Secrets of another server, after its own was lost: the user has to connect again.
            guard let access = open(BankAccess.self, sealed, .bankAccess) else {
                return try refresh.fail(.consentEnded)
            }
            var reader = BankReader(feed, access, services.dependencies) { refresh.keep($0) }
            let cache: BankCache
            do throws(BankReadError) { cache = try await reader.read() } catch {
                switch error {
                case .superseded: return
                case .feed(let error): return try refresh.fail(error)
                }
            }
            try refresh.succeed(cache)
        } catch {
            services.dependencies.log.error("a bank connection is not stored: \(error) (device \(id))")
        }
    }

    func plan(of record: BankConnectionRecord) -> BankRefreshPlan {
        StoredJSON.decode(BankRefreshPlan.self, record.plan) ?? BankRefreshPlan()
    }

    /// Runs the effects of a connection's event, whose state is stored already.
    func run(_ effects: [BankConnectionEffect], of record: BankConnectionRecord) throws(DevicesError) {
        for effect in effects {
            switch effect {
            case .refresh: refreshBank(record.id, isAutomatic: false)
            case .announceConsentEnd: announceConsentEnd()
            case .withdrawAnnouncement: withdrawConsentEnd(of: record.id)
            case .removeData:
                try keeping { store throws(DeviceStoreError) in
                    try store.removeBankConnection(record.id, of: id)
                }
                notify(.rows)
            case .revoke: revoke(record)
            }
        }
    }

    private func announceConsentEnd() {
        let notice = Notice(
            key: Self.consentNotice,
            at: services.dependencies.now,
            text: Text("notices.bank-consent-ended")
        )
        machine { machine in
            machine.notices.removeAll { $0.key == notice.key }
            machine.notices.append(notice)
        }
        do { try keeping { store throws(DeviceStoreError) in try store.post(notice, to: id) } } catch {
            services.dependencies.log.error("a notice could not be stored: \(error) (device \(id))")
        }
        notify(.status)
    }

    /// Removes the notice, unless it applies to another connection as well.
    private func withdrawConsentEnd(of connection: EntityID) {
        guard notices.contains(where: { $0.key == Self.consentNotice }) else { return }
        do {
            let others = try services.store.bankConnections(of: id).filter { $0.id != connection }
            guard !others.contains(where: { $0.state == .needsReconnect }) else { return }
            try dismiss(notice: Self.consentNotice)
        } catch {
            services.dependencies.log.error("a notice could not be withdrawn: \(error) (device \(id))")
        }
    }

    /// Sends one request, with the access in memory: the stored one is removed already.
    private func revoke(_ record: BankConnectionRecord) {
        guard let feed = services.banks.feed(record.provider), let sealed = record.sealedAccess,
            let access = open(BankAccess.self, sealed, .bankAccess)
        else { return }
        services.tasks.run { [log = services.dependencies.log, id] in
            do throws(BankFeedError) { try await feed.revoke(access) } catch {
                log.warning("a bank consent was not ended at \(feed.provider.name): \(error) (device \(id))")
            }
        }
    }
}

/// A refresh that has begun: it stores its results, unless the connection was changed in the meantime.
private final class BankRefresh {
    private let device: Device
    private var record: BankConnectionRecord

    init(_ device: Device, _ record: BankConnectionRecord) {
        self.device = device
        self.record = record
    }

    /// Stores renewed access.
    /// - Returns: false if the connection was changed or removed.
    func keep(_ access: BankAccess) -> Bool {
        record.sealedAccess = device.seal(access, .bankAccess)
        record.accessEndsAt = access.consentEndsAt
        guard record.sealedAccess != nil,
            let stored = try? device.services.store.keep(record, of: device.id)
        else { return false }
        record = stored
        return true
    }

    func succeed(_ cache: BankCache) throws {
        let now = device.services.dependencies.now
        let records = cache.records(at: now) {
            device.services.seal.close($0, for: device.id, .bankCache)
        }
        var plan = device.plan(of: record)
        plan.succeeded()
        record.plan = try StoredJSON.encode(plan)
        record.refreshedAt = now
        try store(.refreshed, replacing: records)
    }

    func fail(_ error: BankFeedError) throws {
        let (log, now) = (device.services.dependencies.log, device.services.dependencies.now)
        log.warning("a bank connection was not refreshed: \(error) (device \(device.id))")
        var (event, until): (BankConnectionEvent, Int64?) = (.consentEnded, nil)
        switch error {
        case .consentEnded, .unauthorised, .proofRefused: break
        case .rateLimited(let end): (event, until) = (.refreshFailed(.rateLimited, at: now), end)
        case .unreachable: event = .refreshFailed(.unreachable, at: now)
        case .refused: event = .refreshFailed(.refused, at: now)
        case .malformed: event = .refreshFailed(.malformed, at: now)
        }
        var plan = device.plan(of: record)
        plan.failed(at: now, until: until)
        record.plan = try StoredJSON.encode(plan)
        try store(event, replacing: nil)
    }

    private func store(_ event: BankConnectionEvent, replacing caches: [BankCacheRecord]?) throws {
        let (state, effects) = record.state.after(event)
        record.state = state
        let stored = try device.services.store.keep(record, of: device.id, replacing: caches)
        if let stored { try device.run(effects, of: stored) }
    }
}

extension BankConnectionState {
    /// Whether a refresh can begin.
    fileprivate var canRefresh: Bool {
        switch self {
        case .connected, .failing: true
        case .connecting, .refreshing, .needsReconnect, .disconnected: false
        }
    }
}

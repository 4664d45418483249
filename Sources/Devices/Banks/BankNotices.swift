// The notices that a user has to consent again, or should soon.

import DeviceStore
import Ledger
import Lifecycle
import Storage
import Texts

extension Notice {
    /// The notice that effects of a connection ask for; nil for none. Its text contains nothing that a bank says,
    /// because the device store contains it as it is.
    init?(_ effects: [BankConnectionEffect], at now: Int64) {
        if effects.contains(.announceConsentEnd) {
            let text = Text("notices.bank-consent-ended")
            self.init(key: BankNotice.consentEnded.rawValue, at: now, text: text)
        } else if effects.contains(.suggestRenewal) {
            let text = Text("notices.bank-consent-ends-soon")
            self.init(key: BankNotice.consentEndsSoon.rawValue, at: now, text: text)
        } else {
            return nil
        }
    }
}

extension DeviceManager {
    /// Suggests to renew the consents that end within two weeks, also on devices that are not used.
    func suggestRenewals() {
        let now = dependencies.now
        do {
            let ending = try services.store.bankConsentsEnding(
                before: now + BankRefreshPlan.suggestionSeconds
            )
            for (id, connection) in ending { try device(id)?.suggestRenewal(of: connection) }
        } catch { dependencies.log.error("the end of a bank consent is not announced: \(error)") }
    }
}

extension Device {
    /// Suggests to renew a consent, if it ends soon and nothing was suggested yet. A connection that is being refreshed
    /// is left to its refresh.
    fileprivate func suggestRenewal(of connection: EntityID) throws {
        guard services.banks.begin(connection) else { return }
        defer { endRefresh(connection) }
        guard var record = try services.store.bankConnection(connection, of: id) else { return }
        record.state = record.state.after(.processStarted).state
        try suggestRenewal(of: record)
    }

    /// The same for a connection for which `BankServices.begin` was called.
    func suggestRenewal(of record: BankConnectionRecord) throws {
        var (record, plan) = (record, plan(of: record))
        guard let end = record.accessEndsAt, plan.mustSuggestRenewal(end, at: services.dependencies.now),
            !record.state.after(.consentEndsSoon).effects.isEmpty
        else { return }
        plan.suggested(end)
        record.plan = try StoredJSON.encode(plan)
        try apply(.consentEndsSoon, to: record)
    }

    /// Shows a notice of a connection, which is stored already.
    func show(_ notice: Notice, of connection: EntityID) {
        machine { $0.show(notice) }
        // A lock or a sign-out in between has removed the connection with its notices.
        if (try? services.store.bankConnection(connection, of: id)) == nil { banksWereRemoved() }
        notify(.status)
    }

    /// Removes a notice, unless it applies to another connection as well.
    func withdraw(_ notice: BankNotice, of connection: EntityID) {
        guard notices.contains(where: { $0.key == notice.rawValue }) else { return }
        let now = services.dependencies.now
        do {
            let others = try services.store.bankConnections(of: id).filter { $0.id != connection }
            let applies = others.contains { other in
                switch notice {
                case .consentEnded: other.state == .needsReconnect
                case .consentEndsSoon:
                    other.state != .needsReconnect
                        && other.accessEndsAt.map { BankRefreshPlan.endsSoon($0, at: now) } == true
                }
            }
            if !applies { try dismiss(notice: notice.rawValue) }
        } catch {
            services.dependencies.log.error("a notice could not be withdrawn: \(error) (device \(id))")
        }
    }

    /// Drops the notices and the open caches of connections that were removed from the device store, and begins to end
    /// their consents.
    func banksWereRemoved() {
        services.bankViews.remove(id)
        machine { $0.notices.removeAll { BankNotice(rawValue: $0.key) != nil } }
        services.bankRevoker.wake()
    }
}

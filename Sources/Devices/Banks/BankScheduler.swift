// Automatic refreshes: the events that cause them, and the tasks that perform the turns of the plan.

import DeviceStore
import Ledger
import Lifecycle

extension DeviceManager {
    /// The interval of rounds over all connections, in milliseconds.
    private static let roundMilliseconds: Int64 = 300_000
    /// The time without use after which a device's connections are not refreshed any more, in seconds.
    static let unseenSeconds: Int64 = 30 * 86_400

    /// Removes outdated bank data, suggests to renew consents, and refreshes the connections of all devices that were
    /// seen in the last 30 days; now and then every five minutes.
    public func watchBanks() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            while !Task.isCancelled {
                self?.removeOutdatedBankData()
                self?.suggestRenewals()
                self?.planDueBanks()
                await pause(Self.roundMilliseconds)
            }
        }
    }

    /// Plans the connections that the timer may have to refresh.
    func planDueBanks() {
        guard !services.banks.feeds.isEmpty else { return }
        let now = dependencies.now
        do {
            let due = try services.store.devicesWithBanks(
                readBefore: now - BankRefreshPlan.spreadSeconds(perDay: BankRefreshPlan.perDay(.premium)),
                seenAfter: now - Self.unseenSeconds,
                now: now
            )
            for id in due { try device(id)?.planBanks(on: .timer) }
        } catch { dependencies.log.error("banks cannot be refreshed automatically: \(error)") }
    }
}

/// The permission of a device's state and session to read banks.
enum BankPermission: Hashable, Sendable {
    case granted
    /// The lifecycle is passing through a state.
    case notYet
    /// No user is signed in, or the user's book is not open: the device is locked, signing out or barred.
    case none

    /// - Parameter isLocked: nil if no user is signed in.
    init(_ state: State, isLocked: Bool?) {
        guard isLocked == false, state.hasUsersBook else {
            self = .none
            return
        }
        self =
            switch state {
            case .localOnly, .synced, .draining: .granted
            case .switchingToSync, .switchingToLocal, .seedingGuest: .notYet
            case .uninitialized, .initializing, .onboarding, .verifyingAccount, .migratingGuest, .blocked,
                .deletingServerData, .signingOut, .deletingAccount, .error:
                .none
            }
    }
}

extension Device {
    /// Begins to refresh the connections whose caches are stale, within the limits for automatic refreshes. Call it when
    /// a page shows data of the bank. It plans nothing while a bank that has failed must not be asked again.
    public func refreshStaleBanks() {
        guard (try? dueBank(on: .use)) != nil else { return }
        planBanks(on: .use)
    }

    /// Notes that a page has opened its stream of events, as its script does when it comes to the foreground. After
    /// five minutes without a request, the page has returned.
    public func noteStream() { if machine({ $0.noteStream() }) { planBanks(on: .use) } }

    /// Notes the first request after half an hour without one.
    func noteOpening() { planBanks(on: .use, afterMilliseconds: BankSchedule.openingMilliseconds) }

    fileprivate func planBanks(on occasion: BankOccasion, afterMilliseconds delay: Int64 = 0) {
        guard !services.banks.feeds.isEmpty, session != nil else { return }
        let dueAt = services.dependencies.milliseconds().addingClamped(delay)
        services.banks.plan(self, on: occasion, at: dueAt)
        services.tasks.run { [services] in
            if delay > 0 { await services.dependencies.pause(delay) }
            services.beginBankTurns(dueBy: dueAt)
        }
    }

    /// Whether the device may read banks now.
    var bankPermission: BankPermission {
        machine { BankPermission($0.state, isLocked: $0.session?.isLocked) }
    }

    /// The connection that is due and was tried least recently; nil for none.
    private func dueBank(on occasion: BankOccasion) throws -> EntityID? {
        let candidates = try services.store.bankConnections(of: id).filter { record in
            record.sealedAccess != nil && services.banks.feed(record.provider) != nil
                && state(of: record).canRefresh
        }
        return BankCandidate.next(
            of: candidates.map { BankCandidate(id: $0.id, plan: plan(of: $0), readAt: $0.refreshedAt) },
            on: occasion,
            at: services.dependencies.now,
            perDay: bankRefreshesPerDay
        )
    }

    /// Refreshes the connection that is due and was tried least recently.
    func runBankTurn(on occasion: BankOccasion) async -> BankSchedule.Outcome {
        switch bankPermission {
        case .none: return .nothingDue
        case .notYet: return .notYet
        case .granted: break
        }
        do {
            guard let next = try dueBank(on: occasion) else { return .nothingDue }
            // A user may have begun to refresh it in the meantime.
            guard services.banks.begin(next) else { return .refreshed }
            defer { endRefresh(next) }
            // A connection whose beginning cannot be stored would be due forever.
            return await refresh(next, isAutomatic: true) ? .refreshed : .nothingDue
        } catch {
            services.dependencies.log.error("a bank cannot be refreshed: \(error) (device \(id))")
            return .nothingDue
        }
    }
}

extension DeviceServices {
    /// Starts a task for each turn that can begin now.
    /// - Parameter dueBy: the time for which the caller has waited, in UTC milliseconds: a pause and the clock may
    ///   differ.
    fileprivate func beginBankTurns(dueBy: Int64 = .min) {
        let milliseconds = dependencies.milliseconds
        while let (turn, device) = banks.nextTurn(at: max(milliseconds(), dueBy)) {
            let task = tasks.run { [self] in
                let outcome = await device.runBankTurn(on: turn.occasion)
                let now = milliseconds()
                banks.end(turn, outcome, at: now)
                beginBankTurns()
                guard outcome == .notYet else { return }
                await dependencies.pause(BankSchedule.retryMilliseconds)
                beginBankTurns(dueBy: now.addingClamped(BankSchedule.retryMilliseconds))
            }
            // The server stops.
            guard task != nil else { return banks.end(turn, .nothingDue, at: milliseconds()) }
        }
    }
}

// A device and its user's account: signing in and out, what is known of the subscription, and how it is kept known.

import Book
import Entitlements
public import Ledger
import Lifecycle
public import SyncCore

/// Why somebody is not signed in although the cloud let them in. The session that it gave is ended.
public enum SignInRefusal: Error, Hashable, Sendable {
    /// Somebody else is signed in here: sign out first.
    case somebodyElse
    /// The device is busy with something that the whole book hangs on: try again in a moment.
    case notNow
}

extension Device {
    /// Who is signed in; nil for a guest.
    public var session: Session? { standing.withLock { $0.session } }

    /// Who the user is to the app now.
    public var tier: Tier {
        guard let session else { return .guest }
        return session.isPremium(at: house.surroundings.now) ? .premium : .free
    }

    /// The guest that the device is, or was before somebody signed in.
    public var guest: EntityID { standing.withLock { $0.guest } }

    /// Since when the lifecycle is where it is, as far as this process knows, in UTC seconds.
    public var enteredAt: Int64 { standing.withLock { $0.enteredAt } }

    /// Takes over what a sign-in gave.
    /// - Throws: `SignInRefusal`, `DevicesError`.
    public func enter(_ signedIn: SignedIn) throws {
        try standing.withLock { standing in
            let user = signedIn.user
            guard let id = UserID(user.id.description),
                let sealed = house.seal.close(signedIn.token, for: self.id)
            else { throw SignInRefusal.notNow }
            let status = VerifiedEntitlement(signedIn.entitlement, verifiedAt: house.surroundings.now)
            var session = Session(
                user: user,
                token: signedIn.token,
                sealedToken: sealed,
                entitlement: status
            )
            if let present = standing.session {
                // Signed in already, perhaps in another tab a moment ago: the newer token takes over.
                guard present.user.id == user.id else { throw refusing(.somebodyElse, signedIn) }
                session.isAttached = present.isAttached
                session.wantsSync = present.wantsSync
                session.holdings = present.holdings
                standing.session = session
                try keepSession(standing)
                house.farewells.tell()
                try run(.userAuthenticated(SignIn(user: id, isExisting: true)), &standing)
                // A verification that is under way asks with the new token from now on.
                if case .verifyingAccount(let user, _) = standing.state {
                    start(.verifyAccount(user), standing)
                }
                return
            }
            guard standing.state.letsIn else { throw refusing(.notNow, signedIn) }
            let who = SignIn(user: id, isExisting: signedIn.isExistingAccount)
            try run(.userAuthenticated(who), &standing, beginning: session)
        }
        plan.withLock { $0.noteAnswer(at: house.surroundings.now) }
    }

    private func refusing(_ refusal: SignInRefusal, _ signedIn: SignedIn) -> SignInRefusal {
        house.farewells.end(signedIn.token, of: id)
        return refusal
    }

    /// The user's own switch: acts at once.
    public func setSync(_ isOn: Bool) throws(DevicesError) {
        try standing.withLock { standing throws(DevicesError) in
            guard let session = standing.session, session.wantsSync != isOn else { return }
            standing.session?.wantsSync = isOn
            try keepSession(standing)
            let isPremium = session.isPremium(at: house.surroundings.now)
            try run(
                .syncPreferenceChanged(on: isOn, isPremium: isPremium, pending: pending(standing)),
                &standing
            )
        }
    }

    /// What a fresh guest is to be told; nil where there is nothing.
    public func farewell() throws(DevicesError) -> String? {
        let register = house.register
        return try wrapping { () throws(BookError) in try register.notices(of: id).first?.text }
    }

    /// The fresh guest has read it.
    func dismissFarewell() throws(DevicesError) {
        let register = house.register
        _ = try wrapping { () throws(BookError) in
            try register.dismiss(News.accountGone.rawValue, of: id)
        }
    }

    /// Keeps what is known of the session.
    func keepSession(_ standing: Standing) throws(DevicesError) {
        guard let session = standing.session else { return }
        let (register, seal, now) = (house.register, house.seal, house.surroundings.now)
        try wrapping { () throws(BookError) in
            try register.keep(session.record(of: id, seal), of: id, now: now)
        }
    }
}

// MARK: - The subscription

extension Device {
    /// Notes that the device is used, and verifies the subscription in the background where that is due.
    func noteUse() {
        guard session != nil else { return }
        let now = house.surroundings.now
        guard plan.withLock({ $0.use(at: now) }) else { return }
        startAsking()
    }

    /// Verifies the subscription now, and waits for the answer, but not for longer than that. Where none comes, it goes
    /// on by itself.
    /// - Returns: whether there was an answer.
    public func verify(withinMilliseconds limit: Int64) async -> Bool {
        beginVerifying()
        if let task = asking.withLock({ $0 }) { await wait(for: task, limit) }
        return plan.withLock { !$0.isAsking }
    }

    /// Begins to verify the subscription, where that is not under way.
    func beginVerifying() {
        let now = house.surroundings.now
        guard session != nil, plan.withLock({ $0.begin(at: now) }) else { return }
        startAsking()
    }

    private func startAsking() { asking.withLock { $0 = Background.run { await self.ask() } } }

    /// Asks until there is an answer, for as long as the device is used.
    private func ask() async {
        while true {
            guard let token = session?.token, session?.isRevoked == false else {
                return plan.withLock { $0.answered() }
            }
            do {
                let report = try await house.cloud.account(token)
                plan.withLock { $0.answered() }
                return learn(token) { standing throws(DevicesError) in
                    try self.note(report, &standing)
                    return self.consequence(standing)
                }
            } catch {
                switch error {
                case .accountGone:
                    plan.withLock { $0.answered() }
                    return learn(token) { _ in .accountGone }
                case .sessionRevoked:
                    plan.withLock { $0.answered() }
                    return learn(token) { standing throws(DevicesError) in
                        standing.session?.isRevoked = true
                        try self.keepSession(standing)
                        return .sessionRevoked
                    }
                default: break
                }
                let now = house.surroundings.now
                guard let wait = plan.withLock({ $0.failed(at: now) }) else { return }
                await house.surroundings.pause(wait * 1_000)
                if Task.isCancelled { return plan.withLock { $0.answered() } }
            }
        }
    }

    /// Takes over what was learnt with a token, unless somebody else is signed in by now.
    private func learn(_ token: SessionToken, _ body: (inout Standing) throws(DevicesError) -> Event?) {
        do {
            try standing.withLock { standing throws(DevicesError) in
                guard standing.session?.token == token else { return }
                guard let event = try body(&standing) else { return }
                try run(event, &standing)
                try startAnew(&standing)
            }
        } catch {
            house.surroundings.log("what the cloud said could not be kept: \(error) (device \(id))")
        }
    }

    /// Keeps what the cloud says of the account.
    func note(_ report: AccountReport, _ standing: inout Standing) throws(DevicesError) {
        let now = house.surroundings.now
        standing.session?.user = report.user
        standing.session?.holdings = report.holdings
        standing.session?.entitlement = VerifiedEntitlement(report.entitlement, verifiedAt: now)
        try keepSession(standing)
    }

    /// What follows from a status that was verified just now.
    private func consequence(_ standing: Standing) -> Event? {
        guard let session = standing.session, let status = session.entitlement else { return nil }
        let isPremium = status.entitlement.isPremium
        switch standing.state {
        case .localOnly(_, let isAttached):
            if isPremium { return session.wantsSync ? .subscriptionActivated : nil }
            return isAttached ? .subscriptionExpired(pending: pending(standing)) : nil
        case .blocked: return isPremium ? .subscriptionActivated : nil
        case .draining: return isPremium && session.wantsSync ? .subscriptionActivated : nil
        case .synced: return isPremium ? nil : .subscriptionExpired(pending: pending(standing))
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .verifyingAccount, .migratingGuest,
            .deletingServerData, .switchingToSync, .switchingToLocal, .signingOut, .deletingAccount, .error:
            return nil
        }
    }
}

// MARK: - Questions to the cloud

extension Device {
    /// The user's signed-in devices.
    /// - Throws: `CloudError`; `sessionRevoked` for a guest.
    public func devices() async throws(CloudError) -> [DeviceSession] {
        try await house.cloud.devices(try token())
    }

    /// Signs one of the user's devices out.
    public func signOut(device: EntityID) async throws(CloudError) {
        try await house.cloud.signOut(device: device, try token())
    }

    /// Puts another password in the place of the present one.
    public func changePassword(from old: String, to new: String, at address: String) async throws(CloudError)
    {
        try await house.cloud.changePassword(from: old, to: new, at: address, try token())
    }

    private func token() throws(CloudError) -> SessionToken {
        guard let session, let token = session.token, !session.isRevoked else { throw .sessionRevoked }
        return token
    }
}

extension Session {
    /// Whether the user is premium as far as is known without asking.
    /// - Parameter now: UTC seconds.
    public func isPremium(at now: Int64) -> Bool { entitlement?.isTrustedPremium(at: now) ?? false }
}

extension State {
    /// Whether a guest can sign in in it.
    fileprivate var letsIn: Bool {
        switch self {
        case .onboarding(nil), .localOnly(nil, _): true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth == nil
        default: false
        }
    }
}

// A device and its user account: signing in, and verification of the subscription.

public import CloudProtocol
import DeviceStore
import Entitlements
public import Ledger
import Lifecycle
import SyncCore

/// The reason why a device refuses a session that the cloud has opened. That session is ended.
public enum SignInRefusal: Error, Hashable, Sendable {
    /// Another user is signed in here: sign out first.
    case otherUser
    /// A destructive operation is running on the device: try again in a moment.
    case notNow
}

extension Device {
    /// The current rights of the user.
    public var tier: Tier {
        guard let session else { return .guest }
        return session.isPremium(at: services.dependencies.now) ? .premium : .free
    }

    /// Adopts the session of a sign-in.
    /// - Throws: `signInRefused`, and the errors of every event.
    public func enter(_ signedIn: SignedIn) async throws(DevicesError) {
        let now = services.dependencies.now
        guard let sealed = services.seal.close(signedIn.token, for: id) else {
            services.revoker.end(signedIn.token, of: id)
            throw .signInRefused(.notNow)
        }
        let session = Session(
            user: signedIn.user,
            token: signedIn.token,
            sealedToken: sealed,
            entitlement: VerifiedEntitlement(signedIn.entitlement, verifiedAt: now)
        )
        do throws(DevicesError) {
            try await send(.signedIn(session, isExisting: signedIn.isExistingAccount))
        } catch {
            // The revoker is no option here: it stores its tokens on the disk that has just failed.
            if self.session?.token != signedIn.token { try? await services.cloud.signOut(signedIn.token) }
            throw error
        }
        machine { machine in
            machine.plan.noteAnswer(at: now)
            if machine.session?.token == signedIn.token { machine.rates.note(signedIn.rates) }
        }
        withdraw(.guestCount)
        refreshRates()
    }

    /// Whether the cloud is being asked what the next page depends on: whether the account lets the user in, or for the
    /// rates with which a premium user's amounts are converted.
    public var awaitsCloud: Bool {
        machine { machine in
            if case .verifyingAccount = machine.state { return !machine.isCloudIdle }
            return machine.session != nil && machine.rates.isAsking
        }
    }

    /// Waits until that is known, up to a limit.
    public func waitForCloud(withinMilliseconds limit: Int64) async {
        await wait(withinMilliseconds: limit) { !$0.awaitsCloud }
    }

    /// Turns sync on or off, as the user chose.
    public func setSync(_ isOn: Bool) async throws(DevicesError) {
        try await send(.syncSwitched(isOn, at: services.dependencies.now))
    }

    /// Repeats the request of a waiting cloud task at once.
    public func hurryCloudTask() async throws(DevicesError) { try await send(.cloudTaskHurried) }
}

// MARK: - The subscription

extension Device {
    /// Records a use of the device, and verifies the subscription in the background if it is due.
    func noteUse() {
        let now = services.dependencies.now
        let (isDue, isOpening) = machine { machine in
            let namesCopy = machine.session.map { !$0.isAttached && $0.holdings.isServerData } ?? false
            let seconds =
                namesCopy ? VerificationPlan.besideCopySeconds : VerificationPlan.everySeconds
            return (
                machine.session != nil && machine.plan.use(at: now, every: seconds),
                machine.noteRequest(at: now)
            )
        }
        if isDue { startVerifying() }
        if isOpening { noteOpening() }
    }

    /// Verifies the subscription, and waits for the answer up to a limit. After the limit, the verification
    /// continues.
    /// - Returns: whether there was an answer.
    public func verify(withinMilliseconds limit: Int64) async -> Bool {
        beginVerifying()
        await wait(withinMilliseconds: limit) { !$0.machine { $0.plan.isAsking } }
        return machine { !$0.plan.isAsking }
    }

    /// Whether the cloud did not answer when it was last asked about the account. It is asked again.
    public var isAccountUnanswered: Bool {
        let now = services.dependencies.now
        return machine { $0.session != nil && $0.plan.isUnanswered(at: now) }
    }

    /// When the cloud last said what the account has, in UTC seconds; nil for a guest.
    public var accountCheckedAt: Int64? {
        machine { machine in
            [machine.plan.reportedAt, machine.session?.entitlement?.verifiedAt].compactMap(\.self).max()
        }
    }

    /// Starts to verify the subscription, unless a verification is under way.
    func beginVerifying() {
        let now = services.dependencies.now
        let begins = machine { $0.session != nil && $0.plan.begin(at: now) }
        if begins { startVerifying() }
    }

    /// Whether the account's last verification is so old that it is due even on an unused device.
    func isToBeVerified(at now: Int64) -> Bool {
        machine { machine in
            guard let session = machine.session, session.token != nil else { return false }
            // Ended sessions and unused devices are verified rarely: the only news for them are the end of
            // the account, and an order to erase the device.
            let isQuiet =
                session.isRevoked ? !session.isLocked : !session.isAttached && !machine.plan.isUsed
            return machine.plan.isDue(
                at: now,
                every: isQuiet ? VerificationPlan.everySeconds : VerificationPlan.idleSeconds
            )
        }
    }

    private func startVerifying() {
        services.tasks.run { [self] in
            while await verify() {}
            notify(.idle)
        }
    }

    /// Repeats the request until there is an answer, for as long as the device is used.
    /// - Returns: whether to ask again, because of news in the meantime.
    private func verify() async -> Bool {
        // An ended session is verified as well: its account may have been deleted, or the device is to be
        // erased.
        while let token = session?.token {
            let refusal: CloudError
            do throws(CloudError) {
                let report = try await services.cloud.account(token)
                return await learn(.verified(report, token, at: services.dependencies.now))
            } catch { refusal = error }
            if let ending = refusal.sessionEnding { return await learn(.tokenRefused(token, ending)) }
            let now = services.dependencies.now
            guard let wait = machine({ $0.plan.failed(at: now) }) else { return false }
            await services.dependencies.pause(wait * 1_000)
            if Task.isCancelled { break }
        }
        machine { $0.plan.abandon() }
        return false
    }

    /// Sends the cloud's answer as an event, and ends the verification after all its steps.
    /// - Returns: whether to ask again.
    private func learn(_ event: DeviceEvent) async -> Bool {
        do { try await send(event) } catch {
            services.dependencies.log.error("the cloud's answer could not be stored: \(error) (device \(id))")
        }
        let time: Int64? = if case .verified = event { services.dependencies.now } else { nil }
        let asksAgain = machine { $0.plan.answered(withReportAt: time) }
        if !asksAgain { withdraw(.purchaseWaits) }
        return asksAgain
    }
}

// MARK: - Requests to the cloud

extension Device {
    /// The sessions of the user's devices.
    /// - Throws: `CloudError`; `sessionRevoked` for a guest.
    public func devices() async throws(CloudError) -> [DeviceSession] {
        try await services.cloud.devices(try token())
    }

    /// Signs one of the user's devices out and locks it.
    /// - Parameter erases: whether its book is erased as well.
    public func signOut(device: EntityID, erases: Bool) async throws(CloudError) {
        try await services.cloud.signOut(device: device, erases: erases, try token())
    }

    /// Replaces the password.
    public func changePassword(_ update: PasswordUpdate, from address: String) async throws(CloudError) {
        try await services.cloud.changePassword(update, from: address, try token())
    }

    /// Verifies that the request is the user's own, before an operation that cannot be undone.
    public func confirm(_ credentials: Credentials, from address: String) async throws(CloudError) {
        try await services.cloud.confirm(credentials, from: address, try token())
        let now = services.dependencies.now
        machine { $0.confirmedAt = now }
    }

    /// Whether the user has confirmed their identity within the last ten minutes.
    public var isConfirmed: Bool {
        let now = services.dependencies.now
        return machine { machine in machine.confirmedAt.map { (0...600).contains(now - $0) } ?? false }
    }

    /// The tokens of the users who were signed in here before.
    public func formerTokens() -> [SessionToken] {
        let sealed = (try? services.store.formerTokens(of: id)) ?? []
        let present = session?.token
        return ([present] + sealed.map { services.seal.token($0, of: id) }).compactMap { $0 }
    }

    private func token() throws(CloudError) -> SessionToken {
        guard let session, let token = session.token, !session.isRevoked else { throw .sessionRevoked }
        return token
    }
}

extension Session {
    /// Whether the user is premium without a new verification.
    /// - Parameter now: UTC seconds.
    public func isPremium(at now: Int64) -> Bool { entitlement?.isTrustedPremium(at: now) ?? false }
}

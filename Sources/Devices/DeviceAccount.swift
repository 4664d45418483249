// A device and its user's account: signing in, what is known of the subscription, and how it is kept known.

public import DeviceStore
import Entitlements
public import Ledger
import Lifecycle
public import SyncCore

/// The reason why a device does not take a session that the cloud has opened. That session is ended.
public enum SignInRefusal: Error, Hashable, Sendable {
    /// Another user is signed in here: sign out first.
    case otherUser
    /// A destructive operation is running on the device: try again in a moment.
    case notNow
}

extension Device {
    /// The rights of the user now.
    public var tier: Tier {
        guard let session else { return .guest }
        return session.isPremium(at: services.dependencies.now) ? .premium : .free
    }

    /// Begins the session of a sign-in on this device.
    /// - Throws: `signInRefused`; else as any event.
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
            // Not by the revoker, which keeps what it has to tell on the disk that has just failed.
            if self.session?.token != signedIn.token { try? await services.cloud.signOut(signedIn.token) }
            throw error
        }
        machine { $0.plan.noteAnswer(at: now) }
    }

    /// The user's own switch: acts at once.
    public func setSync(_ isOn: Bool) async throws(DevicesError) {
        try await send(.syncSwitched(isOn, at: services.dependencies.now))
    }

    /// Asks again at once, where somebody waits for the cloud.
    public func hurryCloudTask() async throws(DevicesError) { try await send(.cloudTaskHurried) }

    /// The notices to show, oldest first, each until it is dismissed. The end of a subscription is shown once the last
    /// changes are uploaded: sync still runs until then.
    public var notices: [Notice] {
        machine { machine in
            guard case .draining = machine.state else { return machine.notices }
            return machine.notices.filter { $0.key != News.subscriptionEnded.rawValue }
        }
    }

    /// Removes a notice; does nothing where there is none.
    public func dismiss(notice key: String) throws(DevicesError) {
        try keeping { store throws(DeviceStoreError) in _ = try store.dismiss(key, of: id) }
        machine { $0.notices.removeAll { $0.key == key } }
    }
}

// MARK: - The subscription

extension Device {
    /// Notes that the device is used, and verifies the subscription in the background where that is due.
    func noteUse() {
        let now = services.dependencies.now
        let isDue = machine { $0.session != nil && $0.plan.use(at: now) }
        if isDue { startVerifying() }
    }

    /// Verifies the subscription now, and waits for the answer, but not for longer than that. Where none comes, it goes
    /// on by itself.
    /// - Returns: whether there was an answer.
    public func verify(withinMilliseconds limit: Int64) async -> Bool {
        beginVerifying()
        await wait(withinMilliseconds: limit) { !$0.machine { $0.plan.isAsking } }
        return machine { !$0.plan.isAsking }
    }

    /// Begins to verify the subscription, where that is not under way.
    func beginVerifying() {
        let now = services.dependencies.now
        let begins = machine { $0.session != nil && $0.plan.begin(at: now) }
        if begins { startVerifying() }
    }

    /// Whether the account was not asked about for so long that it is, whether anybody uses the device or not.
    func isToBeVerified(at now: Int64) -> Bool {
        machine { machine in
            guard let session = machine.session, session.token != nil else { return false }
            // Of a session that has ended, and of a device that nobody has used for long, there is little to hear but that
            // the account is gone, or the device to be erased.
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
            await verify()
            notify(.idle)
        }
    }

    /// Asks until there is an answer, for as long as the device is used.
    private func verify() async {
        // One that has ended is asked about as well: its account may be gone by now, or its device is to be erased.
        while let token = session?.token {
            let refusal: CloudError
            do throws(CloudError) {
                let report = try await services.cloud.account(token)
                return await learn(.verified(report, token, at: services.dependencies.now))
            } catch { refusal = error }
            if let ending = refusal.sessionEnding { return await learn(.tokenRefused(token, ending)) }
            let now = services.dependencies.now
            guard let wait = machine({ $0.plan.failed(at: now) }) else { return }
            await services.dependencies.pause(wait * 1_000)
            if Task.isCancelled { break }
        }
        machine { $0.plan.answered() }
    }

    /// Sends what the cloud answered, and ends the verification once all steps that follow are done.
    private func learn(_ event: DeviceEvent) async {
        do { try await send(event) } catch {
            services.dependencies.log.error("what the cloud said could not be kept: \(error) (device \(id))")
        }
        machine { $0.plan.answered() }
    }
}

// MARK: - Questions to the cloud

extension Device {
    /// The user's signed-in devices.
    /// - Throws: `CloudError`; `sessionRevoked` for a guest.
    public func devices() async throws(CloudError) -> [DeviceSession] {
        try await services.cloud.devices(try token())
    }

    /// Signs one of the user's devices out and locks it.
    /// - Parameter erases: whether what is on it is erased as well.
    public func signOut(device: EntityID, erases: Bool) async throws(CloudError) {
        try await services.cloud.signOut(device: device, erases: erases, try token())
    }

    /// Puts another password in the place of the present one.
    /// - Parameter locksOthers: whether the user's other devices are signed out and locked.
    public func changePassword(from old: String, to new: String, at address: String, locksOthers: Bool)
        async throws(CloudError)
    {
        try await services.cloud.changePassword(
            from: old,
            to: new,
            at: address,
            locksOthers: locksOthers,
            try token()
        )
    }

    /// Makes sure that whoever asks is the user, before something that cannot be taken back.
    public func confirm(_ credentials: Credentials, from address: String) async throws(CloudError) {
        try await services.cloud.confirm(credentials, from: address, try token())
        let now = services.dependencies.now
        machine { $0.confirmedAt = now }
    }

    /// Whether its user has proved to be that within the last ten minutes.
    public var isConfirmed: Bool {
        let now = services.dependencies.now
        return machine { machine in machine.confirmedAt.map { (0...600).contains(now - $0) } ?? false }
    }

    /// The tokens that show who was signed in here before.
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
    /// Whether the user is premium as far as is known without asking.
    /// - Parameter now: UTC seconds.
    public func isPremium(at now: Int64) -> Bool { entitlement?.isTrustedPremium(at: now) ?? false }
}

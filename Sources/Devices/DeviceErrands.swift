// The effects that ask the cloud: each runs beside the requests, one at a time for a device, and ends when the
// lifecycle leaves the state that asked for it.

import Entitlements
import Ledger
import Lifecycle
import SyncCore
import Synchronization

extension Device {
    /// The longest pause before a cloud that did not answer is asked again, in milliseconds.
    private static let longestPause: Int64 = 5_000

    /// Begins an effect; another one that is under way ends.
    func start(_ effect: Effect, _ standing: Standing) {
        let (generation, session) = (standing.generation, standing.session)
        let task = Background.run { await self.perform(effect, session, generation) }
        errand.withLock { errand in
            errand?.cancel()
            errand = task
        }
    }

    func stopErrand() {
        errand.withLock { errand in
            errand?.cancel()
            errand = nil
        }
    }

    /// Ends whatever is under way with the cloud: the next start takes it up again.
    func rest() {
        stopErrand()
        asking.withLock { $0?.cancel() }
    }

    /// Asks again at once, where somebody waits for the cloud.
    public func hurry() {
        standing.withLock { standing in
            guard case .verifyingAccount(let user, _) = standing.state else { return }
            start(.verifyAccount(user), standing)
        }
    }

    /// Waits until nothing is under way with the cloud, but not for longer than that.
    public func settle(withinMilliseconds limit: Int64) async {
        if let task = errand.withLock({ $0 }) { await wait(for: task, limit) }
    }

    /// Waits for a task, but not for longer than so many milliseconds. The task goes on.
    func wait(for task: Task<Void, Never>, _ limit: Int64) async {
        let pause = house.surroundings.pause
        let once = Mutex<CheckedContinuation<Void, Never>?>(nil)
        await withCheckedContinuation { continuation in
            once.withLock { $0 = continuation }
            let goOn: @Sendable () -> Void = {
                once.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }?.resume()
            }
            let limiting = Background.run {
                await pause(limit)
                goOn()
            }
            Background.run {
                await task.value
                limiting.cancel()
                goOn()
            }
        }
    }

    private func perform(_ effect: Effect, _ session: Session?, _ generation: Int) async {
        guard house.mayBegin(effect) else { return }
        switch effect {
        case .verifyAccount: await verifyAccount(effect, session, generation)
        case .deleteServerData:
            let failure = await trying(session) { token throws(CloudError) in
                try await self.house.cloud.deleteData(token)
            }
            finish(effect, generation) { standing throws(DevicesError) in
                if let failure { return self.failed(failure) }
                standing.session?.holdings = Holdings()
                try self.keepSession(standing)
                return .serverDataDeleted
            }
        case .deleteAccount:
            // Without a session all was done before the process ended, but for saying so.
            var failure: CloudError?
            if session != nil {
                failure = await trying(session) { token throws(CloudError) in
                    try await self.house.cloud.deleteAccount(token)
                }
            }
            let verdict = failure
            finish(effect, generation) { standing throws(DevicesError) in
                if let verdict, verdict != .accountGone { return self.failed(verdict) }
                try self.becomeGuest(&standing, isEnded: true, .chosen)
                return .accountDeleteComplete
            }
        default: break
        }
    }

    /// Asks until there is an answer.
    private func verifyAccount(_ effect: Effect, _ session: Session?, _ generation: Int) async {
        var pause: Int64 = 500
        while !Task.isCancelled {
            guard let token = session?.token else { return finish(effect, generation) { _ in self.isOver() } }
            do {
                let report = try await house.cloud.account(token)
                return finish(effect, generation) { standing throws(DevicesError) in
                    try self.note(report, &standing)
                    return .accountVerified(
                        hasServerData: report.holdings.isServerData,
                        isPremium: report.entitlement.isPremium
                    )
                }
            } catch {
                switch error {
                case .accountGone: return finish(effect, generation) { _ in .accountGone }
                case .sessionRevoked: return finish(effect, generation) { _ in self.isOver() }
                default: house.surroundings.log("the account cannot be verified: \(error) (device \(id))")
                }
            }
            await house.surroundings.pause(pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// The session ended before the account was verified: the guest goes on as before.
    private func isOver() -> Event {
        tell(
            Message(
                key: "signed-out-elsewhere",
                text: "This sign-in was ended on another device. Sign in again."
            )
        )
        return .verificationCancelled
    }

    private func trying(
        _ session: Session?,
        _ call: (SessionToken) async throws(CloudError) -> Void
    ) async -> CloudError? {
        guard let token = session?.token else { return .sessionRevoked }
        do { try await call(token) } catch { return error }
        return nil
    }

    private func failed(_ error: CloudError) -> Event {
        house.surroundings.log("lifecycle: the cloud did not do it: \(error) (device \(id))")
        return .error(what: error.key, at: house.surroundings.now)
    }

    /// What comes of an effect, unless the lifecycle has gone on meanwhile.
    private func finish(
        _ effect: Effect,
        _ generation: Int,
        _ body: (inout Standing) throws(DevicesError) -> Event
    ) {
        do {
            try standing.withLock { standing throws(DevicesError) in
                guard standing.generation == generation else { return }
                let event: Event
                do throws(DevicesError) { event = try body(&standing) } catch {
                    house.surroundings.log("lifecycle: \(effect) failed: \(error) (device \(id))")
                    event = .error(what: error.key, at: house.surroundings.now)
                }
                guard house.mayEnd(effect) else { return }
                try run(event, &standing)
                try startAnew(&standing)
            }
        } catch {
            house.surroundings.log("lifecycle: \(effect) could not be finished: \(error) (device \(id))")
        }
    }
}

extension CloudError {
    /// A short key for the lifecycle's store and log: never personal data.
    var key: String {
        switch self {
        case .unreachable: "cloud_unreachable"
        case .sessionRevoked, .wrongCredentials: "session_revoked"
        case .accountGone: "account_gone"
        case .signUpClosed, .failed, .tooManyAttempts, .emailTaken, .badEmail, .weakPassword, .malformed,
            .subscriptionRequired, .epochChanged, .opGap, .opReused, .cursorExpired, .cursorAhead, .tooLarge,
            .upgradeRequired, .busy:
            "cloud_failed"
        }
    }
}

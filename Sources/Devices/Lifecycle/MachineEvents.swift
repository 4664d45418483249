// The steps that follow from each event.

import CloudProtocol
import Entitlements
import Lifecycle
import SyncEngine

extension DeviceMachine {
    mutating func begin(_ event: DeviceEvent) {
        switch event {
        case .loaded(let now):
            guard !isLoaded else { return }
            current?.isLoad = true
            load(at: now)
        case .lifecycle(let event): steps = [.decide(.lifecycle(event))]
        case .answered(let step):
            let next = step.next
            guard onboarding < next else { return }
            if next == .done, case .onboarding = state {
                // Its end is stored with the state that follows from it.
                steps = [.decide(.lifecycle(.onboardingComplete))]
            } else {
                steps = [.step(.storeOnboarding(next))]
            }
        case .signedIn(let session, let isExisting): signIn(session, isExisting)
        case .syncSwitched(let isOn, let now):
            guard var session, session.wantsSync != isOn else { return }
            session.wantsSync = isOn
            let isPremium = session.isPremium(at: now)
            steps = [
                .step(.storeSession(session)), .step(.countWaiting(isAlone: false)),
                .decide(.syncSwitched(isOn, isPremium: isPremium)),
            ]
        case .verified(let report, let token, let now):
            guard let session, session.token == token else { return }
            let noted = session.noting(report, at: now)
            rates.note(report.rates)
            otherReplicas = report.usage?.others
            // Most reports, which come every minute, repeat the previous one and need no write.
            if !noted.saysTheSame(as: session) { steps.append(.step(.storeSession(noted))) }
            if case .blocked = state {
                guard noted.holdings.isServerData else {
                    let isPremium = report.entitlement.isPremium
                    // The person who asked for the deletion reads of that, and of no other device.
                    let event: Event =
                        session.isDeletionUnanswered
                        ? .serverDataDeleted
                        : .accountVerified(hasServerData: false, isPremium: isPremium)
                    steps.append(.decide(.lifecycle(event)))
                    return
                }
                return loadFirstPage(of: noted)
            }
            // Counting opens the book, which is unnecessary without a consequence.
            if consequence(of: noted) != nil {
                steps += [.step(.countWaiting(isAlone: false)), .decide(.verified)]
            }
        case .tokenRefused(let token, let ending):
            guard let session, session.token == token else { return }
            endSession(ending)
        // A device that was read while its order waits is locked in memory only.
        case .endedHere(let ending): endSession(ending, isStored: false)
        case .cloudTaskEnded(let task, let outcome, let generation, let now):
            guard generation == self.generation, task == cloudTask else { return }
            cloudTask = nil
            end(task, outcome, at: now)
        case .cloudTaskHurried:
            switch state {
            case .verifyingAccount: steps = [.begin(.verifyAccount)]
            case .blocked where session?.awaitsFirstPage == true: steps = [.begin(.loadFirstPage)]
            default: break
            }
        case .syncEnded(let end, let run):
            guard run == syncRun else { return }
            switch end {
            case .drained:
                steps = [.decide(.lifecycle(.queueDrained))]
                // All changes are uploaded, which ends the state in which the user chose to leave.
                if leavingTotal != nil {
                    steps = [.step(.countWaiting(isAlone: true)), .decide(.leave)] + steps
                }
            case .uploadsRefused:
                steps = [.step(.effect(.announce(.changesNotUploaded))), .decide(.lifecycle(.queueDrained))]
            case .sessionEnded(let ending): endSession(ending)
            case .dataDeleted:
                steps = [.step(.effect(.announce(.dataDeleted)))]
                // There is no data left to upload to: the device detaches, and keeps book and outbox.
                // Data that the cloud reports from now on was uploaded after the deletion.
                if var session, session.holdings.isServerData {
                    session.holdings = Holdings()
                    steps.append(.step(.storeSession(session)))
                }
                if case .draining = state { steps.append(.decide(.lifecycle(.queueDrained))) }
            case .notAttached:
                if case .draining = state { steps = [.decide(.lifecycle(.queueDrained))] }
            }
        case .drainStalled(let run):
            if run == syncRun { steps = [.decide(.lifecycle(.queueDrainTimeout))] }
        case .leftOnceSent:
            guard leavingTotal != nil else { return }
            steps = [.step(.countWaiting(isAlone: true)), .decide(.leave)]
        case .downloadLeft:
            hasLeftDownload = true
            guard var session, !session.hasLeftDownload else { return }
            session.hasLeftDownload = true
            // Without room on the disk, the page is left until the process ends.
            steps = [.attempt(.storeSession(session))]
        case .syncStartedAnew:
            guard case .synced(let user, mustSignIn: false) = state else { return }
            syncRun += 1
            steps = [.step(.stopSync), .step(.rejoin), .attempt(.effect(.runSync(user)))]
        }
    }

    /// Loads the first page of a blocked account that has premium: the device leaves the state once it is here, because its
    /// book is empty.
    /// - Parameters:
    ///   - session: with the last verified entitlement.
    ///   - isAnew: whether an attempt that is under way has another token.
    private mutating func loadFirstPage(of session: Session, isAnew: Bool = false) {
        if session.awaitsFirstPage {
            if isAnew || cloudTask == nil { steps.append(.begin(.loadFirstPage)) }
        } else if cloudTask == .loadFirstPage {
            cloudTask = nil
            steps.append(.step(.cancelCloudTask))
        }
    }

    mutating func signIn(_ new: Session, _ isExisting: Bool) {
        guard let token = new.token else { return }
        guard let user = new.userID else { return refuse(token, .notNow) }
        var session = new
        guard let present = self.session else {
            guard state.letsIn else { return refuse(token, .notNow) }
            let who = SignIn(user: user, isExisting: isExisting)
            steps = [.decide(.lifecycle(.userAuthenticated(who), beginning: session))]
            return
        }
        // Signed in already, perhaps in another tab: the newer token replaces the older one.
        guard present.user.id == new.user.id else { return refuse(token, .otherUser) }
        (session.isAttached, session.wantsSync) = (present.isAttached, present.wantsSync)
        session.holdings = present.holdings
        session.isDeletionUnanswered = present.isDeletionUnanswered
        session.hasLeftDownload = present.hasLeftDownload
        steps = [
            .step(.storeSession(session)),
            .decide(.lifecycle(.userAuthenticated(SignIn(user: user, isExisting: true)))),
        ]
        // A running verification, first page or sync uses the new token from now on. The answer to the former one would end
        // the new session.
        switch state {
        case .verifyingAccount: steps.append(.begin(.verifyAccount))
        case .blocked: loadFirstPage(of: session, isAnew: true)
        case .synced(_, mustSignIn: false): steps += restartSync(.runSync(user))
        case .draining(_, _, mustSignIn: false): steps += restartSync(.drainQueue(user))
        default: break
        }
        steps.append(.step(.revokeEnded))
    }

    mutating func restartSync(_ effect: Effect) -> [Work] {
        syncRun += 1
        return [.step(.stopSync), .attempt(.effect(effect))]
    }

    mutating func refuse(_ token: SessionToken, _ refusal: SignInRefusal) {
        failure = .signInRefused(refusal)
        steps = [.step(.revoke(token))]
    }

    /// Handles a token that the cloud rejects: the device continues locally, or stays closed until its user
    /// signs in again, or is erased. The event may repeat.
    /// - Parameter isStored: whether the device store has the session that is in memory.
    mutating func endSession(_ ending: SessionEnding, isStored: Bool = true) {
        guard var session else { return }
        switch ending {
        case .accountGone:
            // The deletion that the user asked for gets the same answer, and says so in its own words.
            guard cloudTask != .deleteAccount else { return }
            steps = [.decide(.lifecycle(.accountGone))]
        case .erased: steps = [.decide(.lifecycle(.sessionErased))]
        case .revoked, .locked:
            session.isRevoked = true
            session.isLocked = session.isLocked || (ending == .locked && state.hasUsersBook)
            let isNews = session != self.session || !isStored
            guard isNews || step(state, .sessionRevoked).state != state else { return }
            if isNews { steps.append(.step(.storeSession(session))) }
            steps.append(.decide(.lifecycle(.sessionRevoked)))
        }
    }

    mutating func end(_ task: CloudTask, _ outcome: CloudTask.Outcome, at now: Int64) {
        switch (task, outcome) {
        case (.verifyAccount, .report(let report)):
            guard let session else { return }
            rates.note(report.rates)
            let event = Event.accountVerified(
                hasServerData: report.holdings.isServerData,
                isPremium: report.entitlement.isPremium
            )
            steps = [.attempt(.storeSession(session.noting(report, at: now))), .decide(.lifecycle(event))]
        case (.verifyAccount, .sessionEnded(.accountGone)): steps = [.decide(.lifecycle(.accountGone))]
        case (.verifyAccount, _):
            // The session ended before the account was verified: the guest continues as before.
            toasts.add(.signedOutElsewhere)
            steps = [.decide(.lifecycle(.verificationCancelled))]
        case (.deleteServerData, .done):
            guard var session else { return }
            session.holdings = Holdings()
            session.isDeletionUnanswered = false
            steps = [.attempt(.storeSession(session)), .decide(.lifecycle(.serverDataDeleted))]
        case (.deleteAccount, .done), (.deleteAccount, .sessionEnded(.accountGone)):
            steps = [
                .attempt(.startOver(StartOver(reason: .chosen, isSessionEnded: true))),
                .decide(.lifecycle(.accountDeleteComplete)),
            ]
        case (.loadFirstPage, .done): steps = [.decide(.verified)]
        case (.loadFirstPage, .sessionEnded(let ending)): endSession(ending)
        case (.deleteServerData, .failed(let what)) where what != CloudError.sessionRevoked.key,
            (.deleteAccount, .failed(let what)) where what != CloudError.sessionRevoked.key:
            // The cloud may have carried it out. The next report says what is left, unless it was asked for before.
            if plan.isAsking { _ = plan.begin(at: now) }
            guard var session else { return }
            session.holdings = Holdings()
            session.isDeletionUnanswered = true
            steps = [
                .attempt(.storeSession(session)), .decide(.lifecycle(.error(what: what, at: now))),
            ]
        case (_, .failed(let what)): steps = [.decide(.lifecycle(.error(what: what, at: now)))]
        case (_, .sessionEnded(let ending)):
            let what = CloudError(ending).key
            steps = [.decide(.lifecycle(.error(what: what, at: now)))]
        case (_, .report), (_, .done): break
        }
    }
}

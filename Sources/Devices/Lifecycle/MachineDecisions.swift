// Transitions: the next state and its effects, after the outcomes that the decision depends on.

import Entitlements
import Lifecycle

extension DeviceMachine {
    mutating func decide(_ decision: Decision) {
        switch decision {
        case .lifecycle(let event, let session):
            let (next, effects) = step(state, event)
            guard next != state || !effects.isEmpty else {
                steps = [.step(.log("lifecycle: \(event.name) changes nothing in \(next.name)"))] + steps
                current?.isIgnored = true
                return
            }
            enter(next, effects, by: event.name, beginning: session)
        case .syncSwitched(let isOn, let isPremium):
            let event = Event.syncPreferenceChanged(on: isOn, isPremium: isPremium, pending: waiting.pending)
            steps = [.decide(.lifecycle(event))]
        case .verified:
            if let session, let event = consequence(of: session) { steps = [.decide(.lifecycle(event))] }
        case .leave:
            // Refused changes would be lost like unsent changes.
            guard leavingTotal != nil, session?.isAttached == true,
                waiting.pending + waiting.refused == 0
            else { return }
            leavingTotal = nil
            // No request is under way that could carry another cookie: the next one gets it.
            isCookieDue = true
            steps = [.step(.expireCookie), .decide(.lifecycle(.userSignedOut))]
        }
    }

    /// The event that follows from a new verification.
    func consequence(of session: Session) -> Event? {
        guard let isPremium = session.entitlement?.entitlement.isPremium else { return nil }
        switch state {
        case .localOnly(_, let isAttached):
            if isPremium { return session.wantsSync ? .subscriptionActivated : nil }
            return isAttached ? .subscriptionExpired(pending: waiting.pending) : nil
        case .blocked: return isPremium ? .subscriptionActivated : nil
        case .draining: return isPremium && session.wantsSync ? .subscriptionActivated : nil
        case .synced: return isPremium ? nil : .subscriptionExpired(pending: waiting.pending)
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .verifyingAccount, .migratingGuest,
            .deletingServerData, .switchingToSync, .switchingToLocal, .signingOut, .deletingAccount, .error:
            return nil
        }
    }

    /// Enters a state: it is stored, then its effects run. The remaining steps come last.
    mutating func enter(
        _ next: State,
        _ effects: [Effect],
        by event: String,
        beginning session: Session? = nil
    ) {
        var work: [Work] = []
        if next != state {
            let change = StateChange(
                from: state,
                to: next,
                event: event,
                session: session.map { .begin($0) } ?? (next.isGuests ? .end : .keep),
                completesOnboarding: effects.contains(.skipOnboarding)
                    || event == Event.onboardingComplete.name,
                announcements: effects.compactMap(\.announcement)
            )
            work.append(.step(.store(change)))
            work.append(.step(.cancelCloudTask))
            if !next.keepsSyncing(since: state) { work.append(.step(.stopSync)) }
            if next.isGuests, self.session != nil { work.append(.step(.revokeEnded)) }
        }
        for effect in effects {
            work.append(effect.cloudTask.map { .begin($0) } ?? .attempt(.effect(effect)))
        }
        // Also after a restart: the page of the device says that the data is on its way, and why it is not here.
        if case .blocked = next, self.session?.awaitsFirstPage == true { work.append(.begin(.loadFirstPage)) }
        steps = work + steps
    }
}

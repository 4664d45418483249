// Properties of states, effects, sessions and onboarding steps that only the machine needs.

import CloudProtocol
import Entitlements
import Lifecycle

extension OnboardingStep {
    /// The step that comes after it.
    var next: OnboardingStep {
        switch self {
        case .welcome: .currency
        case .currency: .secondary
        case .secondary: .calendar
        case .calendar, .done: .done
        }
    }
}

extension Session {
    /// The session with the values of a report.
    func noting(_ report: UserAccountReport, at now: Int64) -> Session {
        var session = self
        session.user = report.user
        session.holdings = report.holdings
        session.isDeletionUnanswered = false
        session.entitlement = VerifiedEntitlement(report.entitlement, verifiedAt: now)
        return session
    }

    /// - Parameters:
    ///   - held: the rows that the cloud holds for a detached book. The cloud's own answer is preferred.
    ///   - beginsDownload: whether the rows of the cloud replace the rows of the book, which has a page of its own.
    mutating func noteAttached(_ isAttached: Bool, leaving held: Holdings?, beginsDownload: Bool) {
        self.isAttached = isAttached
        if beginsDownload { hasLeftDownload = false }
        // Nothing is known of the copy after a deletion that was not answered.
        if let held, !holdings.isServerData, held.changedAt != nil, !isDeletionUnanswered { holdings = held }
    }

    /// Whether a blocked device loads the account's first page with this session.
    var awaitsFirstPage: Bool { !isRevoked && entitlement?.entitlement.isPremium == true }

    /// Whether two sessions differ only in the time of verification, and by less than an hour.
    func saysTheSame(as known: Session) -> Bool {
        guard let entitlement, let before = known.entitlement else { return false }
        let age = entitlement.verifiedAt.subtractingReportingOverflow(before.verifiedAt).partialValue
        var same = self
        same.entitlement = before
        return entitlement.entitlement == before.entitlement && (0..<3_600).contains(age) && same == known
    }
}

extension State {
    /// Whether a guest can sign in in this state.
    var letsIn: Bool {
        switch self {
        case .onboarding(nil), .localOnly(nil, _): true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth == nil
        default: false
        }
    }

    /// Whether the device is a guest's: no user is signed in or signing in.
    var isGuests: Bool {
        switch self {
        case .uninitialized, .onboarding(nil), .localOnly(nil, _): true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth == nil
        default: false
        }
    }

    /// Whether the book belongs to a user, and not to a guest who is signing in.
    var hasUsersBook: Bool {
        switch self {
        case .uninitialized, .initializing, .onboarding(nil), .localOnly(nil, _), .verifyingAccount,
            .migratingGuest:
            false
        case .seedingGuest(let seeding): seeding.user != nil
        case .error(let failure): failure.from.hasUsersBook
        case .onboarding, .localOnly, .blocked, .deletingServerData, .switchingToSync, .synced, .draining,
            .switchingToLocal, .signingOut, .deletingAccount:
            true
        }
    }

    /// Whether the state's effect leads to another state: a device cannot stay in it.
    var isPassedThrough: Bool {
        switch self {
        case .uninitialized, .initializing, .seedingGuest, .migratingGuest, .switchingToSync,
            .switchingToLocal,
            .signingOut, .deletingAccount, .deletingServerData:
            true
        case .onboarding, .localOnly, .verifyingAccount, .blocked, .synced, .draining, .error: false
        }
    }

    /// Whether changes go to the cloud in this state.
    var uploads: Bool {
        switch self {
        case .synced, .draining: true
        default: false
        }
    }

    /// Whether the sync of the previous state continues in this one.
    func keepsSyncing(since before: State) -> Bool {
        if case .draining(_, _, mustSignIn: false) = self, case .draining(_, _, mustSignIn: false) = before {
            return true
        }
        return false
    }
}

extension Effect {
    /// The message of the effect; nil for an effect of another kind.
    var announcement: Announcement? {
        if case .announce(let announcement) = self { announcement } else { nil }
    }

    /// The cloud task of the effect; nil for an effect that does not wait for the cloud.
    var cloudTask: CloudTask? {
        switch self {
        case .verifyAccount: .verifyAccount
        case .deleteServerData: .deleteServerData
        case .deleteAccount: .deleteAccount
        case .gatherContext, .seedDefaults, .clearBook, .skipOnboarding, .moveToAccount, .endSession,
            .signOut, .announce, .attachSync, .detachSync, .runSync, .drainQueue:
            nil
        }
    }
}

// The life of one device, as a pure function: (state, event) → (state, effects).
//
//   uninitialized ─▶ initializing ─▶ onboarding ─▶ seeding_guest ─▶ local_only ◀────────────────────────────┐
//                         │              │               │            │    ▲ │                               │
//                         │              │ signed in     │            │    │ │ signed in                     │
//                         │              ▼               ▼            ▼    │ ▼                               │
//                         │        verifying_account ◀── existing ── new ─▶ migrating_guest_to_auth          │
//                         │          │     │     └─ nothing there ─▶ seeding_guest       │                   │
//                         │          │     └─ server data ─▶ blocked_no_sync ─▶ deleting_server_data         │
//                         │          │ premium                  │ subscribed           │                     │
//                         │          ▼                          ▼                      │                     │
//                         └────▶ switching_to_sync ◀───────────────────────────────────┘                     │
//                                    │      ▲                                                                │
//                                    ▼      │ subscribed again                                               │
//                                  synced ─▶ draining_upload_queue ─▶ switching_to_local ────────────────────┘
//
//   a state with a user ─▶ signing_out or deleting_account ─▶ uninitialized, as a fresh guest
//   a state that runs an effect ── ERROR ─▶ error ── RETRY ─▶ the state in which the effect failed
//
// The function does no I/O and reads no clock: events carry all the facts that it decides on.

/// Returns the state that follows from an event in a state, and the effects of the transition.
///
/// A pair that the table does not name leaves the state unchanged and yields no effect.
public func step(_ state: State, _ event: Event) -> (state: State, effects: [Effect]) {
    // swift-format-ignore
    switch (state, event) {
    // Beginning
    case (.uninitialized, .appStart):                                       enter(.initializing)
    case (.initializing, .initComplete(let found)) where found.needsOnboarding: enter(.onboarding(found.user))
    case (.initializing, .initComplete(let found)) where found.needsSeed:   enter(.seedingGuest(Seeding(user: found.user)))
    case (.initializing, .initComplete(let found)):                         enter(found.destination)
    case (.onboarding(let user), .onboardingComplete):                      enter(.seedingGuest(Seeding(user: user)))
    case (.seedingGuest(let seeding), .seedingComplete(let isPremium)):     enter(seeding.destination(isPremium), isPremium && seeding.pendingAuth == nil && seeding.user != nil ? [.announce(.premiumActivated)] : [])

    // Signing in. A user who signs in as another user does not reach this table: Devices refuses that before
    // the event.
    case (.onboarding(nil), .userAuthenticated(let who)) where who.isExisting: enter(.verifyingAccount(who.user, from: .onboarding))
    case (.onboarding(nil), .userAuthenticated(let who)):                   enter(.onboarding(who.user))
    case (.seedingGuest(let seeding), .userAuthenticated(let who)) where seeding.user == nil: (.seedingGuest(seeding.waiting(for: who)), [])
    case (.localOnly(nil, _), .userAuthenticated(let who)) where who.isExisting: enter(.verifyingAccount(who.user, from: .guest))
    case (.localOnly(nil, _), .userAuthenticated(let who)):                 enter(.migratingGuest(who.user))
    case (.synced(let user, mustSignIn: true), .userAuthenticated(let who)) where who.user == user: enter(.synced(user, mustSignIn: false))
    case (.draining(let user, _, mustSignIn: true), .userAuthenticated(let who)) where who.user == user: enter(.draining(user, isStalled: false, mustSignIn: false))

    case (.verifyingAccount(let user, let origin), .accountVerified(_, isPremium: true)): enter(.switchingToSync(user, .download), origin.skipped)
    case (.verifyingAccount(let user, let origin), .accountVerified(hasServerData: true, _)): enter(.blocked(user), origin.skipped)
    case (.verifyingAccount(let user, let origin), .accountVerified):         enter(.seedingGuest(Seeding(user: user, clearsFirst: true)), origin.skipped + [.announce(.noCloudBackup)])
    case (.verifyingAccount(let user, from: .guest), .verificationCancelled): enter(.localOnly(nil, isAttached: false), [.endSession(user)])
    case (.verifyingAccount(let user, from: .onboarding), .verificationCancelled): enter(.onboarding(nil), [.endSession(user)])
    case (.migratingGuest(let user), .migrationComplete(isPremium: true)):  enter(.switchingToSync(user, .upload), [.announce(.premiumActivated)])
    case (.migratingGuest(let user), .migrationComplete):                   enter(.localOnly(user, isAttached: false))

    // Premium begins and ends
    case (.localOnly(let user?, let isAttached), .subscriptionActivated):   enter(.switchingToSync(user, isAttached ? .resume : .upload), isAttached ? [] : [.announce(.premiumActivated)])
    case (.blocked(let user), .subscriptionActivated):                      enter(.switchingToSync(user, .download), [.announce(.premiumActivated)])
    case (.draining(let user, _, let mustSignIn), .subscriptionActivated):  enter(.synced(user, mustSignIn: mustSignIn), [.announce(.premiumActivated)])
    case (.localOnly(let user?, isAttached: true), .subscriptionExpired(let pending)): enter(leaving(user, pending), [.announce(.subscriptionEnded)])
    case (.synced(let user, let mustSignIn), .subscriptionExpired(let pending)): enter(leaving(user, pending, mustSignIn), [.announce(.subscriptionEnded)])
    case (.localOnly(let user?, let isAttached), .syncPreferenceChanged(on: true, isPremium: true, _)): enter(.switchingToSync(user, isAttached ? .resume : .upload))
    case (.draining(let user, _, let mustSignIn), .syncPreferenceChanged(on: true, isPremium: true, _)): enter(.synced(user, mustSignIn: mustSignIn))
    case (.synced(let user, let mustSignIn), .syncPreferenceChanged(on: false, _, let pending)): enter(leaving(user, pending, mustSignIn))
    case (.switchingToSync(let user, _), .schemaSwitchComplete):            enter(.synced(user, mustSignIn: false))
    case (.draining(let user, isStalled: false, let mustSignIn), .queueDrainTimeout): (.draining(user, isStalled: true, mustSignIn: mustSignIn), [])
    case (.draining(let user, _, _), .queueDrained):                        enter(.switchingToLocal(user))
    case (.switchingToLocal(let user), .schemaSwitchComplete):              enter(.localOnly(user, isAttached: false))
    case (.synced(let user, mustSignIn: false), .sessionRevoked):           (.synced(user, mustSignIn: true), [])
    case (.draining(let user, let isStalled, mustSignIn: false), .sessionRevoked): (.draining(user, isStalled: isStalled, mustSignIn: true), [])

    // Leaving
    case (.localOnly(let user?, _), .userSignedOut), (.synced(let user, _), .userSignedOut),
        (.blocked(let user), .userSignedOut), (.draining(let user, _, _), .userSignedOut):
                                                                            enter(.signingOut(user, why: .chosen))
    case (.signingOut, .signOutComplete):                                   enter(.uninitialized)
    case (.blocked(let user), .serverDataDeleteRequested):                  enter(.deletingServerData(user))
    case (.deletingServerData(let user), .serverDataDeleted):               enter(.seedingGuest(Seeding(user: user)))
    // The answer was lost, and a report says the same later.
    case (.blocked(let user), .serverDataDeleted):                          enter(.seedingGuest(Seeding(user: user)), [.announce(.ownDataDeleted)])
    // Another device has deleted the data. The book is empty.
    case (.blocked(let user), .accountVerified(hasServerData: false, _)):   enter(.seedingGuest(Seeding(user: user)), [.announce(.noCloudBackup)])
    case (.localOnly(let user?, _), .accountDeleteRequested), (.synced(let user, _), .accountDeleteRequested),
        (.blocked(let user), .accountDeleteRequested), (.draining(let user, _, _), .accountDeleteRequested):
                                                                            enter(.deletingAccount(user, from: state))
    case (.deletingAccount, .accountDeleteComplete):                        enter(.uninitialized)
    case (.signingOut, .accountGone), (.signingOut, .sessionErased):        (state, [])
    // The book is still the guest's: the user has not agreed to lose it.
    case (.verifyingAccount(_, from: .guest), .accountGone), (.migratingGuest, .accountGone):
                                                                            enter(.localOnly(nil, isAttached: false), [.announce(.accountGone)])
    case (.verifyingAccount(_, from: .onboarding), .accountGone):           enter(.onboarding(nil), [.announce(.accountGone)])
    case (.seedingGuest(let seeding), .accountGone) where seeding.user == nil && seeding.pendingAuth != nil: (.seedingGuest(Seeding(clearsFirst: seeding.clearsFirst)), [.announce(.accountGone)])
    // The book is still the guest's here as well: only the sign-in ends.
    case (.verifyingAccount(_, from: .guest), .sessionErased), (.migratingGuest, .sessionErased):
                                                                            enter(.localOnly(nil, isAttached: false))
    case (.verifyingAccount(_, from: .onboarding), .sessionErased):         enter(.onboarding(nil))
    case (.seedingGuest(let seeding), .sessionErased) where seeding.user == nil: (.seedingGuest(Seeding(clearsFirst: seeding.clearsFirst)), [])
    // The same holds after a step that failed.
    case (.error(let failure), .accountGone) where failure.from.isOfAGuestsBook,
        (.error(let failure), .sessionErased) where failure.from.isOfAGuestsBook:
                                                                            step(failure.from, event)
    case (_, .sessionErased):                                               state.user.map { enter(.signingOut($0, why: .erased)) } ?? (state, [])
    case (_, .accountGone):                                                 state.user.map { enter(.signingOut($0, why: .accountGone)) } ?? (state, [])

    // Failing
    case (_, .error(let what, let at)) where state.runsAnEffect:            enter(.error(Failure(from: state, what: what, at: at)))
    case (.error(let failure), .retry):                                     enter(failure.from)
    case (.error(let failure), .dismissed):                                 failure.from.beforeTheRequest.map { enter($0) } ?? (state, [])

    // The full product of states and events is more than the compiler can check in reasonable time. A new
    // state has to be named in `enter`, `user` and `name`, and a snapshot test shows every pair.
    default:
        (state, [])
    }
}

/// Returns the state in which a device continues after the process was restarted.
///
/// `localOnly` and `synced` are entered again through `initializing`, so that the decisions of a start are
/// made again. An error older than `staleErrorSeconds` is dropped: its cause has most likely passed. Where the book is not that
/// of the account, the device returns to a state that says so: a start would take the one for the other.
/// - Parameter now: seconds since 1970 (UTC).
public func resume(_ persisted: State, now: Int64) -> (state: State, effects: [Effect]) {
    switch persisted {
    case .localOnly, .synced: enter(.initializing)
    case .error(let failure) where failure.isStale(at: now):
        enter(failure.from.afterStaleError)
    case .uninitialized, .initializing, .onboarding, .seedingGuest, .verifyingAccount, .migratingGuest,
        .blocked,
        .deletingServerData, .switchingToSync, .draining, .switchingToLocal, .signingOut, .deletingAccount,
        .error:
        enter(persisted)
    }
}

/// The age after which an error is dropped at a restart, in seconds.
let staleErrorSeconds: Int64 = 3_600

extension Failure {
    /// Whether the failure is older than `staleErrorSeconds`. A difference that overflows means a damaged
    /// time.
    fileprivate func isStale(at now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(at)
        return overflow || age > staleErrorSeconds
    }
}

/// Returns the state with its own effects, after the effects of the transition to it.
private func enter(_ state: State, _ before: [Effect] = []) -> (State, [Effect]) {
    let own: [Effect] =
        switch state {
        case .initializing: [.gatherContext]
        case .seedingGuest(let seeding): seeding.clearsFirst ? [.clearBook, .seedDefaults] : [.seedDefaults]
        case .verifyingAccount(let user, _): [.verifyAccount(user)]
        case .migratingGuest(let user): [.moveToAccount(user)]
        case .blocked: [.clearBook]
        case .deletingServerData(let user): [.deleteServerData(user)]
        case .switchingToSync(let user, let how): [.attachSync(user, how)]
        case .synced(let user, mustSignIn: false): [.runSync(user)]
        case .draining(let user, _, mustSignIn: false): [.drainQueue(user)]
        case .switchingToLocal(let user): [.detachSync(user)]
        case .signingOut(let user, let why): [.signOut(user, why)]
        case .deletingAccount(let user, _): [.deleteAccount(user)]
        case .uninitialized, .onboarding, .localOnly, .synced, .draining, .error: []
        }
    return (state, before + own)
}

private func leaving(_ user: UserID, _ pending: Int, _ mustSignIn: Bool = false) -> State {
    pending > 0 ? .draining(user, isStalled: false, mustSignIn: mustSignIn) : .switchingToLocal(user)
}

extension Findings {
    fileprivate var destination: State {
        guard let user else { return .localOnly(nil, isAttached: false) }
        guard syncs else { return .localOnly(user, isAttached: isAttached) }
        return .switchingToSync(user, isAttached ? .resume : .upload)
    }
}

extension Seeding {
    fileprivate func waiting(for who: SignIn) -> Seeding {
        Seeding(user: user, pendingAuth: who, clearsFirst: clearsFirst)
    }

    fileprivate func destination(_ isPremium: Bool) -> State {
        if let who = pendingAuth {
            return who.isExisting ? .verifyingAccount(who.user, from: .guest) : .migratingGuest(who.user)
        }
        guard let user, isPremium else { return .localOnly(user, isAttached: false) }
        return .switchingToSync(user, .upload)
    }
}

extension SignInOrigin {
    fileprivate var skipped: [Effect] { self == .onboarding ? [.skipOnboarding] : [] }
}

extension State {
    /// Whether a user has signed in while the book is still the guest's.
    fileprivate var isOfAGuestsBook: Bool {
        switch self {
        case .verifyingAccount, .migratingGuest: true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth != nil
        default: false
        }
    }

    /// The state in which a device continues after an old error of this one.
    fileprivate var afterStaleError: State {
        switch self {
        // The book is the guest's, an empty one, or half of the account's until the state has ended.
        case .verifyingAccount, .migratingGuest, .blocked, .switchingToSync(_, .download): self
        case .seedingGuest(let seeding) where seeding.clearsFirst || isOfAGuestsBook: self
        // The user has confirmed it, and the book may be cleared already.
        case .signingOut: self
        // The book of a blocked account is empty: a start would fill it with defaults although the cloud has data.
        case .deletingServerData(let user), .deletingAccount(_, from: .blocked(let user)): .blocked(user)
        default: .initializing
        }
    }

    /// Whether the state has an effect that can fail.
    fileprivate var runsAnEffect: Bool {
        switch self {
        case .uninitialized, .onboarding, .localOnly, .error: false
        case .initializing, .seedingGuest, .verifyingAccount, .migratingGuest, .blocked, .deletingServerData,
            .switchingToSync, .synced, .draining, .switchingToLocal, .signingOut, .deletingAccount:
            true
        }
    }

    /// The state in which the user asked for the deletion.
    var beforeTheRequest: State? {
        switch self {
        case .deletingAccount(_, let before): before
        case .deletingServerData(let user): .blocked(user)
        default: nil
        }
    }
}

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
//   Whoever is signed in ─▶ signing_out or deleting_account ─▶ uninitialized, as a fresh guest.
//   Whatever runs an effect ── ERROR ─▶ error ── RETRY ─▶ the state it came from.
//
// It does no I/O and reads no clock: whatever it must know arrives in the event.

/// Where a device stands.
public indirect enum State: Hashable, Sendable {
    /// Just opened, or has just become a fresh guest.
    case uninitialized
    /// The local book opens and context is gathered.
    case initializing
    /// A new user has steps left; nothing else is reachable. The user, once signed in with a new account.
    case onboarding(UserID?)
    /// Default data is written.
    case seedingGuest(Seeding)
    /// Runs on the local book alone: a guest, or a user without sync. `isAttached`: sync was attached and is not
    /// detached, because the cached status was too old to be trusted.
    case localOnly(UserID?, isAttached: Bool)
    /// Signed in to an existing account that is being looked at. Nothing is cleared yet.
    case verifyingAccount(UserID, from: SignInOrigin)
    /// The guest's rows become the user's.
    case migratingGuest(UserID)
    /// Existing account, no entitlement, server data: the user must choose.
    case blocked(UserID)
    /// Chosen in blocked.
    case deletingServerData(UserID)
    /// Sync is being attached.
    case switchingToSync(UserID, AttachMode)
    /// Attached.
    case synced(UserID, mustSignIn: Bool)
    /// The entitlement ended or sync was switched off; uploads still finish.
    case draining(UserID, isStalled: Bool, mustSignIn: Bool)
    /// Sync is being detached.
    case switchingToLocal(UserID)
    /// Confirmed; the session ends, the book is cleared.
    case signingOut(UserID, why: SignOutReason)
    /// Confirmed; cloud data, then the account, then as sign-out. `from`: where the user was when asking for it.
    case deletingAccount(UserID, from: State)
    /// The effect of a state failed for good.
    case error(Failure)
}

/// A user of the cloud: letters, digits, `-` and `_`, at most 64.
public struct UserID: Hashable, Sendable {
    /// The id.
    public let text: String

    /// Nil for what is no id.
    public init?(_ text: some StringProtocol) {
        let isAllowed: (UInt8) -> Bool = {
            switch $0 {
            case 48...57, 65...90, 97...122, 45, 95: true
            default: false
            }
        }
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
        self.text = String(text)
    }
}

/// Default data that is being written.
public struct Seeding: Hashable, Sendable {
    /// Whose book it is; nil for a guest's.
    public var user: UserID?
    /// A sign-in that arrived meanwhile.
    public var pendingAuth: SignIn?
    /// Whether the book is cleared first: it is another account's, or was a guest's.
    public var clearsFirst: Bool

    /// Seeding.
    public init(user: UserID? = nil, pendingAuth: SignIn? = nil, clearsFirst: Bool = false) {
        self.user = user
        self.pendingAuth = pendingAuth
        self.clearsFirst = clearsFirst
    }
}

/// Somebody who signed in.
public struct SignIn: Hashable, Sendable {
    /// Who.
    public var user: UserID
    /// Whether the account was there before.
    public var isExisting: Bool

    /// A sign-in.
    public init(user: UserID, isExisting: Bool) {
        self.user = user
        self.isExisting = isExisting
    }
}

/// Where a sign-in came from, and a cancelled one goes back to.
public enum SignInOrigin: String, CaseIterable, Hashable, Sendable {
    case guest, onboarding
}

/// How sync is attached.
public enum AttachMode: String, CaseIterable, Hashable, Sendable {
    /// All of the book is queued for upload, then both sides merge.
    case upload
    /// The book is cleared and loaded from the cloud.
    case download
    /// The book was attached already: nothing is queued.
    case resume = "again"
}

/// Why somebody is signed out.
public enum SignOutReason: String, CaseIterable, Hashable, Sendable {
    case chosen
    case accountGone = "account_gone"
    /// From another device of the user's, or by the operator.
    case erased
}

/// What went wrong, kept so that a person can read it and a retry knows where to go on.
public struct Failure: Hashable, Sendable {
    /// The state whose effect failed.
    public let from: State
    /// A short key such as `damaged_book`: never personal data, no white space.
    public let what: String
    /// When, in seconds since 1970 (UTC).
    public let at: Int64

    /// A failure.
    public init(from: State, what: String, at: Int64) {
        self.from = from
        self.what = what
        self.at = at
    }

    /// Whether the user can go back to before: what failed is a deletion that they asked for.
    public var canLetBe: Bool { from.beforeTheRequest != nil }
}

/// What a device finds when it opens.
public struct Findings: Hashable, Sendable {
    /// Steps of the onboarding are left.
    public var needsOnboarding = false
    /// The default data is not there.
    public var needsSeed = false
    /// Who is signed in.
    public var user: UserID?
    /// The cached status is trusted and premium, and the user's switch is on.
    public var syncs = false
    /// Sync is attached to the book.
    public var isAttached = false

    /// A guest with nothing left to do.
    public init() {}
}

/// What has happened to a device: a decision that was made, outside news, or the result of an effect.
public enum Event: Hashable, Sendable {
    /// The device was opened.
    case appStart
    /// The book is open and says what is left to do.
    case initComplete(Findings)
    /// The last step of onboarding was answered.
    case onboardingComplete
    /// The default data stands in the book.
    case seedingComplete(isPremium: Bool)
    /// Somebody signed in.
    case userAuthenticated(SignIn)
    /// What the cloud says of an existing account.
    case accountVerified(hasServerData: Bool, isPremium: Bool)
    /// The user did not want to wait for that.
    case verificationCancelled
    /// All rows are the user's.
    case migrationComplete(isPremium: Bool)
    /// The entitlement service has confirmed, in this session, that the user is premium.
    case subscriptionActivated
    /// The same, that the user is not. `pending`: changes that wait for the cloud.
    case subscriptionExpired(pending: Int)
    /// The user's own switch.
    case syncPreferenceChanged(on: Bool, isPremium: Bool, pending: Int)
    /// All changes are uploaded.
    case queueDrained
    /// No upload has succeeded for a while.
    case queueDrainTimeout
    /// Sync is attached, or detached.
    case schemaSwitchComplete
    /// The user has confirmed to sign out.
    case userSignedOut
    /// The session has ended and the book is cleared.
    case signOutComplete
    /// The user has confirmed to delete all data on the cloud.
    case serverDataDeleteRequested
    /// There is none any more.
    case serverDataDeleted
    /// The user has confirmed to delete the account.
    case accountDeleteRequested
    /// It is deleted, and the book is cleared.
    case accountDeleteComplete
    /// The cloud says that the account does not exist any more.
    case accountGone
    /// The token is not accepted any more; the account is still there.
    case sessionRevoked
    /// The session was ended by somebody else, who wants the book erased.
    case sessionErased
    /// The effect of the present state failed for good. `at`: seconds since 1970 (UTC).
    case error(what: String, at: Int64)
    /// The user asked to try again.
    case retry
    /// The user let a deletion that failed be.
    case dismissed
}

/// Something that is told once.
public enum News: String, CaseIterable, Hashable, Sendable {
    case noCloudBackup = "no-cloud-backup"
    case premiumActivated = "premium-activated"
    case subscriptionEnded = "subscription-ended"
    /// The account that somebody was about to sign in to was deleted.
    case accountGone = "account-gone"
    /// The data on the cloud was deleted on another device.
    case dataDeleted = "data-deleted"
    /// The subscription has ended, and the cloud takes the last changes no more.
    case changesNotUploaded = "changes-not-uploaded"
}

/// Work that a transition asks for. Every effect is idempotent: it may run again after a crash.
public enum Effect: Hashable, Sendable {
    /// Open the book and find out what is left to do; answered by `initComplete`.
    case gatherContext
    /// Write the default accounts and categories; answered by `seedingComplete`.
    case seedDefaults
    /// Put an empty book in the place of what is there.
    case clearBook
    /// Ask the cloud about the account; answered by `accountVerified`, also later.
    case verifyAccount(UserID)
    /// Make the guest's rows the user's; answered by `migrationComplete`.
    case moveToAccount(UserID)
    /// Count the onboarding as done: the account has been through it.
    case skipOnboarding
    /// Attach sync; answered by `schemaSwitchComplete`.
    case attachSync(UserID, AttachMode)
    /// Detach sync; answered by `schemaSwitchComplete`.
    case detachSync(UserID)
    /// Keep the book and the cloud in step from now on.
    case runSync(UserID)
    /// Upload what waits and nothing else; answered by `queueDrained`, also later.
    case drainQueue(UserID)
    /// End the session on the cloud, now or when it can be reached; nobody waits for it.
    case endSession(UserID)
    /// End the session and clear the book; answered by `signOutComplete`.
    case signOut(UserID, SignOutReason)
    /// Delete all data on the cloud; answered by `serverDataDeleted`.
    case deleteServerData(UserID)
    /// Delete cloud data, account and book; answered by `accountDeleteComplete`.
    case deleteAccount(UserID)
    /// Tell the user.
    case tell(News)
}

/// The machine: what follows from an event in a state.
///
/// A pair that the table does not name leaves the state as it is and yields no effect.
public func step(_ state: State, _ event: Event) -> (state: State, effects: [Effect]) {
    // swift-format-ignore
    switch (state, event) {
    // Beginning
    case (.uninitialized, .appStart):                                       enter(.initializing)
    case (.initializing, .initComplete(let found)) where found.needsOnboarding: enter(.onboarding(found.user))
    case (.initializing, .initComplete(let found)) where found.needsSeed:   enter(.seedingGuest(Seeding(user: found.user)))
    case (.initializing, .initComplete(let found)):                         enter(found.destination)
    case (.onboarding(let user), .onboardingComplete):                      enter(.seedingGuest(Seeding(user: user)))
    case (.seedingGuest(let seeding), .seedingComplete(let isPremium)):     enter(seeding.destination(isPremium), isPremium && seeding.pendingAuth == nil && seeding.user != nil ? [.tell(.premiumActivated)] : [])

    // Signing in. A user who is signed in and another one do not come here: that is refused before the event.
    case (.onboarding(nil), .userAuthenticated(let who)) where who.isExisting: enter(.verifyingAccount(who.user, from: .onboarding))
    case (.onboarding(nil), .userAuthenticated(let who)):                   enter(.onboarding(who.user))
    case (.seedingGuest(let seeding), .userAuthenticated(let who)) where seeding.user == nil: (.seedingGuest(seeding.waiting(for: who)), [])
    case (.localOnly(nil, _), .userAuthenticated(let who)) where who.isExisting: enter(.verifyingAccount(who.user, from: .guest))
    case (.localOnly(nil, _), .userAuthenticated(let who)):                 enter(.migratingGuest(who.user))
    case (.synced(let user, mustSignIn: true), .userAuthenticated(let who)) where who.user == user: enter(.synced(user, mustSignIn: false))
    case (.draining(let user, _, mustSignIn: true), .userAuthenticated(let who)) where who.user == user: enter(.draining(user, isStalled: false, mustSignIn: false))

    case (.verifyingAccount(let user, let origin), .accountVerified(_, isPremium: true)): enter(.switchingToSync(user, .download), origin.skipped)
    case (.verifyingAccount(let user, let origin), .accountVerified(hasServerData: true, _)): enter(.blocked(user), origin.skipped)
    case (.verifyingAccount(let user, let origin), .accountVerified):         enter(.seedingGuest(Seeding(user: user, clearsFirst: true)), origin.skipped + [.tell(.noCloudBackup)])
    case (.verifyingAccount(let user, from: .guest), .verificationCancelled): enter(.localOnly(nil, isAttached: false), [.endSession(user)])
    case (.verifyingAccount(let user, from: .onboarding), .verificationCancelled): enter(.onboarding(nil), [.endSession(user)])
    case (.migratingGuest(let user), .migrationComplete(isPremium: true)):  enter(.switchingToSync(user, .upload), [.tell(.premiumActivated)])
    case (.migratingGuest(let user), .migrationComplete):                   enter(.localOnly(user, isAttached: false))

    // Premium comes and goes
    case (.localOnly(let user?, let isAttached), .subscriptionActivated):   enter(.switchingToSync(user, isAttached ? .resume : .upload), isAttached ? [] : [.tell(.premiumActivated)])
    case (.blocked(let user), .subscriptionActivated):                      enter(.switchingToSync(user, .download), [.tell(.premiumActivated)])
    case (.draining(let user, _, let mustSignIn), .subscriptionActivated):  enter(.synced(user, mustSignIn: mustSignIn), [.tell(.premiumActivated)])
    case (.localOnly(let user?, isAttached: true), .subscriptionExpired(let pending)): enter(leaving(user, pending), [.tell(.subscriptionEnded)])
    case (.synced(let user, let mustSignIn), .subscriptionExpired(let pending)): enter(leaving(user, pending, mustSignIn), [.tell(.subscriptionEnded)])
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
    case (.localOnly(let user?, _), .accountDeleteRequested), (.synced(let user, _), .accountDeleteRequested),
        (.blocked(let user), .accountDeleteRequested), (.draining(let user, _, _), .accountDeleteRequested):
                                                                            enter(.deletingAccount(user, from: state))
    case (.deletingAccount, .accountDeleteComplete):                        enter(.uninitialized)
    case (.signingOut, .accountGone), (.signingOut, .sessionErased):        (state, [])
    // The book is the guest's still: nobody has agreed to lose it.
    case (.verifyingAccount(_, from: .guest), .accountGone), (.migratingGuest, .accountGone):
                                                                            enter(.localOnly(nil, isAttached: false), [.tell(.accountGone)])
    case (.verifyingAccount(_, from: .onboarding), .accountGone):           enter(.onboarding(nil), [.tell(.accountGone)])
    case (.seedingGuest(let seeding), .accountGone) where seeding.user == nil && seeding.pendingAuth != nil: (.seedingGuest(Seeding(clearsFirst: seeding.clearsFirst)), [.tell(.accountGone)])
    // The book is the guest's still, here as well: the sign-in has ended, and that is all.
    case (.verifyingAccount(_, from: .guest), .sessionErased), (.migratingGuest, .sessionErased):
                                                                            enter(.localOnly(nil, isAttached: false))
    case (.verifyingAccount(_, from: .onboarding), .sessionErased):         enter(.onboarding(nil))
    case (.seedingGuest(let seeding), .sessionErased) where seeding.user == nil: (.seedingGuest(Seeding(clearsFirst: seeding.clearsFirst)), [])
    // A step that failed had not been agreed to either.
    case (.error(let failure), .accountGone) where failure.from.isOfAGuestsBook,
        (.error(let failure), .sessionErased) where failure.from.isOfAGuestsBook:
                                                                            step(failure.from, event)
    case (_, .sessionErased):                                               state.user.map { enter(.signingOut($0, why: .erased)) } ?? (state, [])
    case (_, .accountGone):                                                 state.user.map { enter(.signingOut($0, why: .accountGone)) } ?? (state, [])

    // Failing
    case (_, .error(let what, let at)) where state.runsAnEffect:            enter(.error(Failure(from: state, what: what, at: at)))
    case (.error(let failure), .retry):                                     enter(failure.from)
    case (.error(let failure), .dismissed):                                 failure.from.beforeTheRequest.map { enter($0) } ?? (state, [])

    // Written out for every state it would be more than the compiler can check. A new state has to be named in `enter`,
    // `user` and `name`, and every pair is shown by a test.
    default:
        (state, [])
    }
}

/// Where a device goes on whose state was read back after the process had ended.
///
/// A state at rest is entered anew through `initializing`, so that what was decided at its start is decided again. An
/// error older than an hour is dropped: what caused it has most likely passed.
/// - Parameter now: seconds since 1970 (UTC).
public func resume(_ persisted: State, now: Int64) -> (state: State, effects: [Effect]) {
    switch persisted {
    case .localOnly, .synced: enter(.initializing)
    case .error(let failure) where failure.isStale(at: now): enter(.initializing)
    case .uninitialized, .initializing, .onboarding, .seedingGuest, .verifyingAccount, .migratingGuest,
        .blocked,
        .deletingServerData, .switchingToSync, .draining, .switchingToLocal, .signingOut, .deletingAccount,
        .error:
        enter(persisted)
    }
}

/// How long an error is kept, in seconds.
public let staleErrorSeconds: Int64 = 3_600

extension Failure {
    /// Whether it is older than an error is kept. A moment too far off to be subtracted is a damaged one.
    fileprivate func isStale(at now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(at)
        return overflow || age > staleErrorSeconds
    }
}

/// A state with the effects that it runs, after those of the way to it.
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
    /// Who is signed in.
    public var user: UserID? {
        switch self {
        case .uninitialized, .initializing: nil
        case .onboarding(let user), .localOnly(let user, _): user
        case .seedingGuest(let seeding): seeding.user ?? seeding.pendingAuth?.user
        case .verifyingAccount(let user, _), .migratingGuest(let user), .blocked(let user),
            .deletingServerData(let user), .switchingToSync(let user, _), .synced(let user, _),
            .draining(let user, _, _), .switchingToLocal(let user), .signingOut(let user, _),
            .deletingAccount(let user, _):
            user
        case .error(let failure): failure.from.user
        }
    }

    /// Whether somebody has signed in and the book is still that of the guest before.
    fileprivate var isOfAGuestsBook: Bool {
        switch self {
        case .verifyingAccount, .migratingGuest: true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth != nil
        default: false
        }
    }

    /// Whether it can fail.
    fileprivate var runsAnEffect: Bool {
        switch self {
        case .uninitialized, .onboarding, .localOnly, .error: false
        case .initializing, .seedingGuest, .verifyingAccount, .migratingGuest, .blocked, .deletingServerData,
            .switchingToSync, .synced, .draining, .switchingToLocal, .signingOut, .deletingAccount:
            true
        }
    }

    /// Where the user was who asked for a deletion.
    fileprivate var beforeTheRequest: State? {
        switch self {
        case .deletingAccount(_, let before): before
        case .deletingServerData(let user): .blocked(user)
        default: nil
        }
    }
}

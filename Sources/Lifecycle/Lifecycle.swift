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

/// The state of a device.
///
/// The device store contains it as JSON with the names of these cases, labels and fields: a changed name makes
/// stored states unreadable.
public indirect enum State: Codable, Hashable, Sendable {
    /// The device was just opened, or is a fresh guest again.
    case uninitialized
    /// The local book is being opened and its context gathered.
    case initializing
    /// A new user has steps left, and no other page is reachable. The associated user has signed in with a
    /// new account.
    case onboarding(UserID?)
    /// The default data is being written.
    case seedingGuest(Seeding)
    /// The device uses the local book only: a guest, or a user without sync. `isAttached`: sync is still
    /// attached, because the cached status was too old to detach it on its account.
    case localOnly(UserID?, isAttached: Bool)
    /// The user has signed in to an existing account that is being checked. Nothing is cleared yet.
    case verifyingAccount(UserID, from: SignInOrigin)
    /// The guest's rows are being made the user's.
    case migratingGuest(UserID)
    /// The account exists, has data on the cloud and no entitlement: the user must choose how to continue.
    case blocked(UserID)
    /// The user chose, in `blocked`, to delete the data on the cloud.
    case deletingServerData(UserID)
    /// Sync is being attached.
    case switchingToSync(UserID, AttachMode)
    /// Sync is attached.
    case synced(UserID, mustSignIn: Bool)
    /// The entitlement has ended or sync was switched off; the remaining changes are being uploaded.
    case draining(UserID, isStalled: Bool, mustSignIn: Bool)
    /// Sync is being detached.
    case switchingToLocal(UserID)
    /// The user has confirmed: the session is being ended and the book cleared.
    case signingOut(UserID, why: SignOutReason)
    /// The user has confirmed: the cloud data and the account are being deleted, then the device signs out.
    /// `from`: the state in which the user asked for it.
    case deletingAccount(UserID, from: State)
    /// The effect of a state has failed permanently.
    case error(Failure)
}

/// The id of a user account: letters, digits, `-` and `_`, at most 64.
public struct UserID: Hashable, Sendable {
    /// The id as the cloud writes it.
    public let text: String

    /// Returns nil if the text is not a valid id.
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

/// The parameters of writing the default data.
public struct Seeding: Codable, Hashable, Sendable {
    /// The user who owns the book; nil for a guest.
    public var user: UserID?
    /// A sign-in that completed while the data was being written.
    public var pendingAuth: SignIn?
    /// Whether the book is cleared first, because it belongs to another account or belonged to a guest.
    public var clearsFirst: Bool

    /// The default is a guest's empty book.
    public init(user: UserID? = nil, pendingAuth: SignIn? = nil, clearsFirst: Bool = false) {
        self.user = user
        self.pendingAuth = pendingAuth
        self.clearsFirst = clearsFirst
    }
}

/// A completed sign-in.
public struct SignIn: Codable, Hashable, Sendable {
    /// The user who signed in.
    public var user: UserID
    /// Whether the account existed before the sign-in.
    public var isExisting: Bool

    /// A sign-in to an account that exists already or was just created.
    public init(user: UserID, isExisting: Bool) {
        self.user = user
        self.isExisting = isExisting
    }
}

/// The place where a sign-in began. A cancelled sign-in returns to it.
public enum SignInOrigin: String, CaseIterable, Codable, Hashable, Sendable {
    case guest, onboarding
}

/// The way in which sync is attached.
public enum AttachMode: String, CaseIterable, Codable, Hashable, Sendable {
    /// All rows of the book are queued for upload, then both sides merge.
    case upload
    /// The book is cleared and loaded from the cloud.
    case download
    /// The book was attached before: nothing is queued.
    case resume = "again"
}

/// The reason why a device signs out.
public enum SignOutReason: String, CaseIterable, Codable, Hashable, Sendable {
    case chosen
    case accountGone = "account_gone"
    /// Another device of the user, or the operator, ended the session and asked for the book to be erased.
    case erased
}

/// A failure of an effect, stored so that a page can show it and a retry can return to the state.
public struct Failure: Codable, Hashable, Sendable {
    /// The state whose effect failed.
    public let from: State
    /// A short key such as `damaged_book`, without personal data and white space.
    public let what: String
    /// The time of the failure, in seconds since 1970 (UTC).
    public let at: Int64

    /// A failure at a time in seconds since 1970 (UTC).
    public init(from: State, what: String, at: Int64) {
        self.from = from
        self.what = what
        self.at = at
    }

    /// Whether the user can dismiss the failure: it is of a deletion that the user asked for.
    public var canLetBe: Bool { from.beforeTheRequest != nil }
}

/// The facts that a device reads from its store and its book when it opens.
public struct Findings: Hashable, Sendable {
    /// Whether steps of the onboarding are left.
    public var needsOnboarding = false
    /// Whether the default data is missing.
    public var needsSeed = false
    /// The signed-in user.
    public var user: UserID?
    /// Whether the cached status is trusted and premium, and the user's switch is on.
    public var syncs = false
    /// Whether sync is attached to the book.
    public var isAttached = false

    /// The facts of a guest who has finished the onboarding.
    public init() {}
}

/// An event of a device: a decision of the user, news from outside, or the result of an effect.
public enum Event: Hashable, Sendable {
    /// The device was opened.
    case appStart
    /// The book is open; the facts tell what to do next.
    case initComplete(Findings)
    /// The user answered the last step of the onboarding.
    case onboardingComplete
    /// The default data has been written.
    case seedingComplete(isPremium: Bool)
    /// A user signed in.
    case userAuthenticated(SignIn)
    /// The cloud answered about an existing account.
    case accountVerified(hasServerData: Bool, isPremium: Bool)
    /// The user cancelled the check of the account.
    case verificationCancelled
    /// All rows of the guest are the user's now.
    case migrationComplete(isPremium: Bool)
    /// The entitlement service confirmed, in this session, that the user is premium.
    case subscriptionActivated
    /// The entitlement service confirmed, in this session, that the user is not premium. `pending`: the
    /// number of changes that wait for the cloud.
    case subscriptionExpired(pending: Int)
    /// The user turned sync on or off.
    case syncPreferenceChanged(on: Bool, isPremium: Bool, pending: Int)
    /// All changes have been uploaded.
    case queueDrained
    /// No upload has succeeded within the time limit.
    case queueDrainTimeout
    /// Sync has been attached or detached.
    case schemaSwitchComplete
    /// The user confirmed to sign out.
    case userSignedOut
    /// The session has ended and the book is cleared.
    case signOutComplete
    /// The user confirmed to delete all data on the cloud.
    case serverDataDeleteRequested
    /// The data on the cloud has been deleted.
    case serverDataDeleted
    /// The user confirmed to delete the account.
    case accountDeleteRequested
    /// The account has been deleted and the book is cleared.
    case accountDeleteComplete
    /// The cloud reported that the account does not exist any more.
    case accountGone
    /// The cloud rejected the token; the account still exists.
    case sessionRevoked
    /// Another device or the operator ended the session and asked for the book to be erased.
    case sessionErased
    /// The effect of the current state failed permanently. `at`: seconds since 1970 (UTC).
    case error(what: String, at: Int64)
    /// The user asked to try again.
    case retry
    /// The user dismissed a deletion that failed.
    case dismissed
}

/// A message that a transition shows to the user once.
public enum Announcement: String, CaseIterable, Hashable, Sendable {
    case noCloudBackup = "no-cloud-backup"
    case premiumActivated = "premium-activated"
    case subscriptionEnded = "subscription-ended"
    /// The account that the user was signing in to was deleted.
    case accountGone = "account-gone"
    /// The data on the cloud was deleted on another device.
    case dataDeleted = "data-deleted"
    /// The subscription has ended, and the cloud no longer accepts the remaining changes.
    case changesNotUploaded = "changes-not-uploaded"
}

/// Work that a transition asks for. Every effect is idempotent: it may run again after a crash.
public enum Effect: Hashable, Sendable {
    /// Opens the book and reads the facts about it; answered by `initComplete`.
    case gatherContext
    /// Writes the default accounts and categories; answered by `seedingComplete`.
    case seedDefaults
    /// Replaces the book by an empty one.
    case clearBook
    /// Asks the cloud about the account; answered by `accountVerified`, possibly much later.
    case verifyAccount(UserID)
    /// Makes the guest's rows the user's; answered by `migrationComplete`.
    case moveToAccount(UserID)
    /// Marks the onboarding as done, because the account has completed it before.
    case skipOnboarding
    /// Attaches sync; answered by `schemaSwitchComplete`.
    case attachSync(UserID, AttachMode)
    /// Detaches sync; answered by `schemaSwitchComplete`.
    case detachSync(UserID)
    /// Keeps the book and the cloud in sync from now on.
    case runSync(UserID)
    /// Uploads the waiting changes and nothing else; answered by `queueDrained`, possibly much later.
    case drainQueue(UserID)
    /// Ends the session on the cloud, now or once it can be reached; no event answers it.
    case endSession(UserID)
    /// Ends the session and clears the book; answered by `signOutComplete`.
    case signOut(UserID, SignOutReason)
    /// Deletes all data on the cloud; answered by `serverDataDeleted`.
    case deleteServerData(UserID)
    /// Deletes cloud data, account and book; answered by `accountDeleteComplete`.
    case deleteAccount(UserID)
    /// Shows a message.
    case announce(Announcement)
}

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
/// made again. An error older than `staleErrorSeconds` is dropped: its cause has most likely passed.
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

/// The age after which an error is dropped at a restart, in seconds.
public let staleErrorSeconds: Int64 = 3_600

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
    /// The user who is signed in, or whose sign-in is under way.
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

    /// Whether a user has signed in while the book is still the guest's.
    fileprivate var isOfAGuestsBook: Bool {
        switch self {
        case .verifyingAccount, .migratingGuest: true
        case .seedingGuest(let seeding): seeding.user == nil && seeding.pendingAuth != nil
        default: false
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
    fileprivate var beforeTheRequest: State? {
        switch self {
        case .deletingAccount(_, let before): before
        case .deletingServerData(let user): .blocked(user)
        default: nil
        }
    }
}

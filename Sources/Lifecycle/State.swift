// The states of a device.

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
}

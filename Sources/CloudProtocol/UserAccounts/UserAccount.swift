// User accounts as the cloud answers about them: the account, its sessions and what it holds.

public import Ledger

/// A user account: a login in the cloud's directory.
public struct UserAccount: Hashable, Sendable, Identifiable {
    /// Its identity in Breadly; the same whatever its provider later says of it.
    public var id: EntityID
    /// For showing only.
    public var email: String?
    /// For showing only.
    public var name: String?
    /// UTC seconds.
    public var createdAt: Int64
    /// Whether they sign in with a password that this cloud keeps, and so can change it.
    public var hasPassword: Bool

    /// A user account.
    public init(id: EntityID, email: String?, name: String?, createdAt: Int64, hasPassword: Bool) {
        self.id = id
        self.email = email
        self.name = name
        self.createdAt = createdAt
        self.hasPassword = hasPassword
    }
}

/// The result of a sign-in.
public struct SignedIn: Hashable, Sendable {
    /// The user who signed in.
    public var user: UserAccount
    /// The session of this device.
    public var token: SessionToken
    /// False where this guest's sign-in made the account, also when the same guest asks again because the first
    /// answer was lost.
    public var isExistingAccount: Bool
    /// Whether the user is premium.
    public var entitlement: Entitlement

    /// A sign-in.
    public init(user: UserAccount, token: SessionToken, isExistingAccount: Bool, entitlement: Entitlement) {
        self.user = user
        self.token = token
        self.isExistingAccount = isExistingAccount
        self.entitlement = entitlement
    }
}

/// A device that asks to be signed in.
public struct NewDevice: Hashable, Sendable {
    /// The name of the device in the list of signed-in devices: at most 100 characters are kept.
    public var name: String
    /// The guest that signs in: made on the device, another one after each sign-out.
    public var guest: EntityID
    /// Tokens of sessions that have ended on it: whoever signs in again to one of their accounts is not slowed by others
    /// who guess its password. At most `mostFormer` are looked at.
    public var former: [SessionToken]
    /// The most tokens of sessions that have ended.
    public static let mostFormer = 5

    /// A device.
    public init(name: String, guest: EntityID, former: [SessionToken] = []) {
        self.name = name
        self.guest = guest
        self.former = former
    }
}

/// The account of a session.
public struct AccountReport: Hashable, Sendable {
    /// The owner of the account.
    public var user: UserAccount
    /// The amount of data that the cloud holds for the user.
    public var holdings: Holdings
    /// Whether they are premium.
    public var entitlement: Entitlement
    /// How much of its limits the account has used; nil where the cloud does not say.
    public var usage: AccountUsage?
    /// The most that it may hold; nil where the cloud does not say.
    public var limits: AccountLimits?

    /// A report.
    public init(
        user: UserAccount,
        holdings: Holdings,
        entitlement: Entitlement,
        usage: AccountUsage? = nil,
        limits: AccountLimits? = nil
    ) {
        self.user = user
        self.holdings = holdings
        self.entitlement = entitlement
        self.usage = usage
        self.limits = limits
    }
}

/// The amount of a user's data in the cloud, as far as it counts as server data.
public struct Holdings: Hashable, Sendable {
    /// Live accounts.
    public var accounts = 0
    /// Live transactions.
    public var transactions = 0
    /// Live categories.
    public var categories = 0
    /// When something last changed, in UTC seconds; nil where there is nothing.
    public var changedAt: Int64?

    /// Nothing.
    public init() {}

    /// Holdings.
    public init(accounts: Int, transactions: Int, categories: Int, changedAt: Int64?) {
        self.accounts = accounts
        self.transactions = transactions
        self.categories = categories
        self.changedAt = changedAt
    }

    /// Whether that is server data: at least one live account, transaction or category.
    public var isServerData: Bool { max(accounts, transactions, categories) > 0 }
}

/// A device that is signed in to an account.
public struct DeviceSession: Hashable, Sendable, Identifiable {
    /// The session's own identity: no part of the token.
    public var id: EntityID
    /// The name that the user reads, such as `Firefox on Linux`.
    public var name: String
    /// UTC seconds.
    public var signedInAt: Int64
    /// UTC seconds, to the hour.
    public var seenAt: Int64
    /// Whether it is the one that asks.
    public var isThisDevice: Bool
    /// Whether it was signed out by another one, and nobody has signed in on it since.
    public var isLocked: Bool

    /// A session.
    public init(
        id: EntityID,
        name: String,
        signedInAt: Int64,
        seenAt: Int64,
        isThisDevice: Bool,
        isLocked: Bool = false
    ) {
        self.id = id
        self.name = name
        self.signedInAt = signedInAt
        self.seenAt = seenAt
        self.isThisDevice = isThisDevice
        self.isLocked = isLocked
    }
}

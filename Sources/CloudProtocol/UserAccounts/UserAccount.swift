// User accounts: the account, its sessions and its data, as the cloud reports them.

public import Ledger

/// A user account: a login in the cloud's directory.
public struct UserAccount: Hashable, Sendable, Identifiable {
    /// The id in Breadly. It is independent of the provider's current values.
    public var id: EntityID
    /// The e-mail address, for display only.
    public var email: String?
    /// The name, for display only.
    public var name: String?
    /// The time of creation in UTC seconds.
    public var createdAt: Int64
    /// Whether the user signs in with a password that this cloud stores. Only then can it be changed here.
    public var hasPassword: Bool

    /// A user account; the e-mail address and the name are nil if they are unknown.
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
    /// The token of the new session.
    public var token: SessionToken
    /// False if this guest's sign-in created the account, also when the same guest repeats the request
    /// because the first answer was lost.
    public var isExistingAccount: Bool
    /// Whether the user is premium.
    public var entitlement: Entitlement
    /// The version of the latest exchange rates; nil if the cloud has none or does not report it.
    public var rates: RatesVersion?

    /// The result for a device, with the token that only this device receives.
    public init(
        user: UserAccount,
        token: SessionToken,
        isExistingAccount: Bool,
        entitlement: Entitlement,
        rates: RatesVersion? = nil
    ) {
        self.user = user
        self.token = token
        self.isExistingAccount = isExistingAccount
        self.entitlement = entitlement
        self.rates = rates
    }
}

/// A device that requests a sign-in.
public struct NewDevice: Hashable, Sendable {
    /// The name in the list of signed-in devices. At most 100 characters are stored.
    public var name: String
    /// The id of the guest that signs in. The device creates it, and another one after each sign-out.
    public var guest: EntityID
    /// Tokens of sessions that have ended on the device. A new sign-in to one of their accounts is not
    /// delayed by other clients that guess its password. At most `mostFormer` tokens are used.
    public var former: [SessionToken]
    /// The maximum number of tokens of ended sessions.
    public static let mostFormer = 5

    /// A device without ended sessions unless they are given.
    public init(name: String, guest: EntityID, former: [SessionToken] = []) {
        self.name = name
        self.guest = guest
        self.former = former
    }
}

/// The user account of a session, with its data, entitlement, usage and limits.
public struct UserAccountReport: Hashable, Sendable {
    /// The user of the session.
    public var user: UserAccount
    /// The amount of data that the cloud stores for the user.
    public var holdings: Holdings
    /// Whether the user is premium.
    public var entitlement: Entitlement
    /// The usage of the limits; nil if the cloud does not report it.
    public var usage: UserAccountUsage?
    /// The limits; nil if the cloud does not report them.
    public var limits: UserAccountLimits?
    /// The version of the latest exchange rates; nil if the cloud has none or does not report it.
    public var rates: RatesVersion?

    /// A report without usage, limits and rates unless they are given.
    public init(
        user: UserAccount,
        holdings: Holdings,
        entitlement: Entitlement,
        usage: UserAccountUsage? = nil,
        limits: UserAccountLimits? = nil,
        rates: RatesVersion? = nil
    ) {
        self.user = user
        self.holdings = holdings
        self.entitlement = entitlement
        self.usage = usage
        self.limits = limits
        self.rates = rates
    }
}

/// The amount of a user's data in the cloud, as far as it counts as server data.
public struct Holdings: Hashable, Sendable {
    /// The number of live accounts.
    public var accounts = 0
    /// The number of live transactions.
    public var transactions = 0
    /// The number of live categories.
    public var categories = 0
    /// The time of the last change in UTC seconds; nil if there is no data.
    public var changedAt: Int64?

    /// No data.
    public init() {}

    /// Counts of live rows.
    public init(accounts: Int, transactions: Int, categories: Int, changedAt: Int64?) {
        self.accounts = accounts
        self.transactions = transactions
        self.categories = categories
        self.changedAt = changedAt
    }

    /// Whether there is server data: at least one live account, transaction or category.
    public var isServerData: Bool { max(accounts, transactions, categories) > 0 }
}

/// A device that is signed in to a user account, or locked.
public struct DeviceSession: Hashable, Sendable, Identifiable {
    /// The id of the session. It is not derived from the token.
    public var id: EntityID
    /// The name that the user reads, such as `Firefox on Linux`.
    public var name: String
    /// The time of the sign-in in UTC seconds.
    public var signedInAt: Int64
    /// The time of the last use in UTC seconds, to the hour.
    public var seenAt: Int64
    /// Whether it is the session of the request.
    public var isThisDevice: Bool
    /// Whether another device or the operator ended the session, and no sign-in on the device followed.
    public var isLocked: Bool

    /// A session that is not locked unless stated otherwise.
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

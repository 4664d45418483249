// User accounts between a device and the cloud: identities, sessions, holdings and errors.

import Encoding
public import Ledger

/// An identity that an identity provider has verified. Accounts are known by issuer and subject alone: an
/// e-mail address can be given to somebody else (OpenID Connect Core 1.0, section 5.7).
public struct Identity: Hashable, Sendable {
    /// The exact issuer of an ID token, or `localIssuer` for the accounts of this server.
    public var issuer: String
    /// The person, unique with that issuer and never given to another.
    public var subject: String
    /// For showing only.
    public var email: String?
    /// For showing only.
    public var name: String?

    /// An identity.
    public init(issuer: String, subject: String, email: String? = nil, name: String? = nil) {
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.name = name
    }
}

/// An account of the cloud.
public struct User: Hashable, Sendable, Identifiable {
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

    /// An account.
    public init(id: EntityID, email: String?, name: String?, createdAt: Int64, hasPassword: Bool) {
        self.id = id
        self.email = email
        self.name = name
        self.createdAt = createdAt
        self.hasPassword = hasPassword
    }
}

/// Proves a device's session to the cloud. The token is opaque, and the cloud stores only its hash.
public struct SessionToken: Hashable, Sendable {
    /// 64 hexadecimal digits.
    public let text: String

    /// A new token.
    public init(using generator: inout some RandomNumberGenerator) {
        text = Hex.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Nil for anything but 64 hexadecimal digits in lower case.
    public init?(_ text: String) {
        guard text.utf8.count == 64, Hex.decode(text) != nil else { return nil }
        self.text = text
    }
}

/// The result of a sign-in.
public struct SignedIn: Hashable, Sendable {
    /// The user who signed in.
    public var user: User
    /// The session of this device.
    public var token: SessionToken
    /// False where this guest's sign-in made the account, also when the same guest asks again because the first
    /// answer was lost.
    public var isExistingAccount: Bool
    /// Whether the user is premium.
    public var entitlement: Entitlement

    /// A sign-in.
    public init(user: User, token: SessionToken, isExistingAccount: Bool, entitlement: Entitlement) {
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
    public var user: User
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
        user: User,
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

/// Why the cloud did not do what it was asked. Nothing was changed where one is thrown.
public enum CloudError: Error, Hashable, Sendable {
    /// The token is not accepted any more; the account is still there, as far as that is known: sign in again.
    case sessionRevoked
    /// The session was ended by somebody else: what is on the device is for whoever signs in as the same user.
    case sessionLocked
    /// As `sessionLocked`, and what is on the device is to be erased.
    case sessionErased
    /// The account does not exist any more.
    case accountGone
    /// This cloud takes no new accounts.
    case signUpClosed
    /// Nobody answers, or nothing that could be understood: try again later. The text is for the log.
    case unreachable(String)
    /// A push or a page did not get through: the connection stopped in the middle of it. A smaller one may. The text is
    /// for the log.
    case timedOut(String)
    /// The cloud's own disk or file failed; the text is for the log.
    case failed(String)
    /// No account has this address and password; which of the two is wrong, nobody is told.
    case wrongCredentials
    /// There were many wrong attempts: wait so long, in seconds.
    case tooManyAttempts(retryAfterSeconds: Int64)
    /// The address has an account already.
    case emailTaken
    /// This is no e-mail address.
    case badEmail
    /// The password is too short or too long.
    case weakPassword
    /// The password is one that many have, or made of the address or of the product's name.
    case commonPassword
    /// The request is out of bounds: an issuer or a subject that is empty or longer than 255 characters.
    case malformed
    /// Sync is for premium. A replica that was attached before the end may still push, until that moment in UTC seconds;
    /// nil where the one that asks was not, and may push nothing.
    case subscriptionRequired(drainUntil: Int64?)
    /// All data of the account was deleted since; the epoch now.
    case epochChanged(Int64)
    /// There is an operation missing; the number that is expected.
    case opGap(expected: Int64)
    /// Another operation was sent under this number: the book was cloned, or restored from a backup.
    case opReused
    /// The replica was away for so long that the cloud has forgotten deletions since: it needs all rows anew.
    case cursorExpired
    /// The replica has seen more than the cloud has: the cloud's data was restored from a backup.
    case cursorAhead
    /// More was sent than is taken at once; the most operations that are.
    case tooLarge(max: Int)
    /// As many devices of the user sync as may, and all are in use: one of them has to be signed out.
    case tooManyReplicas(max: Int)
    /// The cloud does not take operations of this schema, but those from `oldest` to `newest`: the older side of the
    /// two has to be upgraded.
    case upgradeRequired(oldest: Int64, newest: Int64)
    /// The cloud has too much to do: wait so long, in seconds.
    case busy(retryAfterSeconds: Int64)
}

/// How a session ended.
public enum SessionEnding: String, CaseIterable, Hashable, Sendable {
    /// By its own device, by its age, or nobody knows.
    case revoked
    /// By somebody else: what is on the device is for whoever signs in as the same user.
    case locked
    /// The same, and what is on the device is to be erased.
    case erased
    /// With its account.
    case accountGone = "gone"
}

extension CloudError {
    /// That a session has ended.
    public init(_ ending: SessionEnding) {
        self =
            switch ending {
            case .revoked: .sessionRevoked
            case .locked: .sessionLocked
            case .erased: .sessionErased
            case .accountGone: .accountGone
            }
    }

    /// How the session ended; nil where it is another error.
    public var sessionEnding: SessionEnding? {
        switch self {
        case .sessionRevoked: .revoked
        case .sessionLocked: .locked
        case .sessionErased: .erased
        case .accountGone: .accountGone
        default: nil
        }
    }
}

/// The requests of a device to the cloud about accounts. The embedded cloud and the one behind HTTP answer alike.
public protocol AccountsAPI: Sendable {
    /// Signs a device in, and makes the account where there is none.
    /// - Parameter address: where the credentials come from, for counting wrong ones.
    func signIn(_ credentials: Credentials, device: NewDevice, from address: String) async throws(CloudError)
        -> SignedIn

    /// The user of a session, their holdings and their entitlement. Notes that the device was seen.
    func account(_ token: SessionToken) async throws(CloudError) -> AccountReport

    /// Puts another password in the place of the present one.
    /// - Parameters:
    ///   - address: where the request comes from, for counting wrong passwords.
    ///   - locksOthers: whether the user's other sessions end, and their devices are locked.
    /// - Throws: `wrongCredentials` where the old one is wrong or the account has none; `weakPassword`,
    ///   `tooManyAttempts`.
    func changePassword(
        from old: String,
        to new: String,
        at address: String,
        locksOthers: Bool,
        _ token: SessionToken
    ) async throws(CloudError)

    /// Makes sure that whoever asks is the user of the session: before something that cannot be taken back.
    /// - Parameters:
    ///   - credentials: a password, whose e-mail address is not looked at, or a token of an identity provider.
    ///   - address: where they come from, for counting wrong ones.
    /// - Throws: `wrongCredentials`, also where they are another user's; `tooManyAttempts`.
    func confirm(_ credentials: Credentials, from address: String, _ token: SessionToken)
        async throws(CloudError)

    /// The user's signed-in devices, the one seen last first, and those that are locked.
    func devices(_ token: SessionToken) async throws(CloudError) -> [DeviceSession]

    /// Signs one of the user's devices out and locks it; one that has signed out by itself, or another user's, is left as
    /// it is.
    /// - Parameter erases: whether what is on it is erased as well, also where it is locked already.
    func signOut(device: EntityID, erases: Bool, _ token: SessionToken) async throws(CloudError)

    /// Ends this session. A token that is not accepted any more is no error: it has ended.
    func signOut(_ token: SessionToken) async throws(CloudError)

    /// Deletes all data of the user; the account and its sessions stay.
    func deleteData(_ token: SessionToken) async throws(CloudError)

    /// Deletes the account with its data and sessions. An account that is gone already is no error.
    func deleteAccount(_ token: SessionToken) async throws(CloudError)
}

extension CloudError {
    /// The line of the log about credentials that were not accepted, as fail2ban and its like look for it; nil for errors
    /// that say nothing about whoever sent them.
    public func refusalLine(from address: String) -> String? {
        switch self {
        case .wrongCredentials: "sign-in refused from \(address): wrong e-mail address or password"
        case .tooManyAttempts: "sign-in refused from \(address): too many wrong attempts"
        default: nil
        }
    }
}

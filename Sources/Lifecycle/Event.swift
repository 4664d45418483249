// The events of a device, and the facts that they carry.

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

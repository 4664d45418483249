// The effects of transitions.

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

/// A message that a transition shows to the user once.
public enum Announcement: String, CaseIterable, Hashable, Sendable {
    case noCloudBackup = "no-cloud-backup"
    case premiumActivated = "premium-activated"
    case subscriptionEnded = "subscription-ended"
    /// The account that the user was signing in to was deleted.
    case accountGone = "account-gone"
    /// The data on the cloud was deleted on another device.
    case dataDeleted = "data-deleted"
    /// The data on the cloud was deleted by this device, which did not get the answer.
    case ownDataDeleted = "own-data-deleted"
    /// The subscription has ended, and the cloud no longer accepts the remaining changes.
    case changesNotUploaded = "changes-not-uploaded"
    /// Sync has ended, and the cloud did not take some files of receipts.
    case filesNotUploaded = "files-not-uploaded"
}

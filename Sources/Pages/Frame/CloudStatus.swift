// The cloud icon in the header, and its sentence.

/// The state of the copy in the cloud, in words.
public struct CloudStatus: Hashable, Sendable {
    /// The picture: a cloud with a slash, a check mark, moving arrows or an exclamation mark.
    public enum Look: String, Sendable {
        case slash, check, sync, alert
    }

    /// The picture.
    public var look: Look
    /// Two to four words beside it.
    public var label: String
    /// One sentence that explains it.
    public var text: String
    /// Whether trying again is offered.
    public var canRetry: Bool

    /// A state in words.
    public init(look: Look, label: String, text: String, canRetry: Bool = false) {
        self.look = look
        self.label = label
        self.text = text
        self.canRetry = canRetry
    }

    /// No user is signed in.
    public static let guest = CloudStatus(
        look: .slash,
        label: "Only on this device",
        text: "Your data is only on this device. Sign in and upgrade to protect your data."
    )

    /// Signed in without premium.
    public static let free = CloudStatus(
        look: .slash,
        label: "Not backed up",
        text: "You are signed in, but your data is NOT backed up to the cloud. "
            + "Upgrade to Premium to enable cloud backup."
    )

    /// Premium, nothing waits.
    public static func backedUp(lastSynced: String?) -> CloudStatus {
        CloudStatus(
            look: .check,
            label: "Backed up",
            text: lastSynced.map { "All changes backed up, last synced \($0)." } ?? "All changes backed up."
        )
    }

    /// Premium, changes are on their way.
    public static func uploading(pending: Int) -> CloudStatus {
        let changes = pending == 1 ? "1 change is" : "\(pending) changes are"
        return CloudStatus(look: .sync, label: "Syncing", text: "\(changes) on the way to the cloud.")
    }

    /// The subscription ended, or sync was switched off: what waits still goes up.
    public static func draining(pending: Int, isStalled: Bool) -> CloudStatus {
        let changes = pending == 1 ? "1 change is" : "\(pending) changes are"
        let text =
            isStalled
            ? "The cloud cannot be reached. \(changes) kept here and will follow."
            : "\(changes) on the way to the cloud. After that this device goes on alone."
        return CloudStatus(
            look: isStalled ? .alert : .sync,
            label: "Syncing your data...",
            text: text,
            canRetry: isStalled
        )
    }

    /// Premium, data arrives.
    public static func downloading(done: Int, total: Int) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: "Downloading",
            text: "Your data is arriving: \(done) of \(total). You can already use Breadly."
        )
    }

    /// Premium, the cloud cannot be reached.
    public static func offline(pending: Int) -> CloudStatus {
        let waiting = pending == 1 ? "1 change waits" : "\(pending) changes wait"
        return CloudStatus(
            look: .alert,
            label: "Offline",
            text: pending == 0
                ? "The cloud cannot be reached. What you enter is kept here and follows by itself."
                : "The cloud cannot be reached. \(waiting) here and will follow.",
            canRetry: true
        )
    }

    /// Premium, the last attempt failed.
    public static func failed(_ reason: String) -> CloudStatus {
        CloudStatus(look: .alert, label: "Sync failed", text: reason, canRetry: true)
    }

    /// Premium, sync is being attached.
    public static let connecting = CloudStatus(
        look: .sync,
        label: "Connecting",
        text: "Cloud sync is being set up. You can go on using Breadly meanwhile."
    )

    /// The last verification is too old to count.
    public static let verifying = CloudStatus(
        look: .slash,
        label: "Verifying subscription...",
        text:
            "Your subscription could not be checked for some days. All your data is here; it syncs again once the "
            + "check is done."
    )

    /// The session was ended on another device.
    public static let signInAgain = CloudStatus(
        look: .alert,
        label: "Sign in again to sync",
        text: "This device was signed out. Your data is all here, and syncs again once you sign in."
    )

    /// Free, and the session was ended on another device.
    public static let signedOut = CloudStatus(
        look: .slash,
        label: "Signed out",
        text:
            "Your session on this device has ended. Your data is all here, and only here: sign in again to go on."
    )

    /// Premium, switched off by the user.
    public static let off = CloudStatus(
        look: .slash,
        label: "Sync is off",
        text: "Sync is off. Your data stays on this device until you switch it on in the settings."
    )
}

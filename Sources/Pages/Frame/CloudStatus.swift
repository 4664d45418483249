// The cloud icon in the header, and its sentence.

public import Texts

/// The state of the copy in the cloud, in words.
public struct CloudStatus: Hashable, Sendable {
    /// The picture: a cloud with a slash, a check mark, moving arrows or an exclamation mark.
    public enum Look: String, Sendable {
        case slash, check, sync, alert
    }

    /// The picture.
    public var look: Look
    /// Two to four words beside it.
    public var label: Text
    /// One sentence that explains it.
    public var text: Text
    /// Whether trying again is offered.
    public var canRetry: Bool
    /// Whether signing in again is offered.
    public var canSignIn: Bool

    /// By default, the page offers neither a retry nor signing in.
    public init(look: Look, label: Text, text: Text, canRetry: Bool = false, canSignIn: Bool = false) {
        self.look = look
        self.label = label
        self.text = text
        self.canRetry = canRetry
        self.canSignIn = canSignIn
    }

    /// No user is signed in.
    public static let guest = CloudStatus(
        look: .slash,
        label: Text("chrome.only-on-this-device"),
        text: Text("chrome.sign-in-and-upgrade-to-protect")
    )

    /// Signed in without premium.
    public static let free = CloudStatus(
        look: .slash,
        label: Text("chrome.not-backed-up"),
        text: Text("chrome.signed-in-but-not-backed-up")
    )

    /// The user's data is in the cloud, and needs premium.
    public static let blocked = CloudStatus(
        look: .slash,
        label: Text("chrome.only-in-the-cloud"),
        text: Text("chrome.your-data-is-only-in-the-cloud")
    )

    /// The file of the book cannot be opened, so that the page can say nothing about its copies.
    public static let unreadable = CloudStatus(
        look: .alert,
        label: Text("chrome.your-book-cannot-be-opened"),
        text: Text("chrome.nothing-is-saved-until")
    )

    /// Premium, no change waits.
    public static func backedUp(lastSynced: Text?) -> CloudStatus {
        CloudStatus(
            look: .check,
            label: Text("chrome.backed-up"),
            text: lastSynced.map { Text("chrome.all-backed-up-at", ["last": .text($0)]) }
                ?? Text("chrome.all-backed-up")
        )
    }

    /// Premium, changes are on their way.
    /// - Parameter files: the number of files that follow the changes.
    public static func uploading(pending: Int, files: Int = 0) -> CloudStatus {
        let words = words(pending, files)
        return CloudStatus(
            look: .sync,
            label: Text("chrome.syncing"),
            text: files == 0
                ? Text("chrome.changes-on-the-way", words)
                : Text("chrome.changes-and-files-on-the-way", words)
        )
    }

    private static func words(_ changes: Int, _ files: Int) -> [String: Text.Argument] {
        ["count": .count(changes), "files": .count(files), "total": .count(changes + files)]
    }

    /// Premium, no change waits, and files of receipts are on their way.
    public static func uploading(files: Int) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.syncing"),
            text: Text("chrome.files-on-the-way", ["files": .count(files)])
        )
    }

    /// Premium, no change waits, and files of receipts wait for the cloud.
    public static func waiting(files: Int) -> CloudStatus {
        CloudStatus(
            look: .alert,
            label: Text("chrome.not-all-backed-up"),
            text: Text("chrome.files-wait-here", ["files": .count(files)]),
            canRetry: true
        )
    }

    /// Premium, no change waits, and the cloud does not take files of receipts.
    public static func backedUp(without files: Int) -> CloudStatus {
        CloudStatus(
            look: .alert,
            label: Text("chrome.not-all-backed-up"),
            text: Text("chrome.files-not-backed-up", ["files": .count(files)])
        )
    }

    /// The subscription ended, or sync was switched off: the waiting changes are still uploaded.
    /// - Parameter files: the number of files that follow the changes.
    public static func draining(pending: Int, files: Int = 0, isStalled: Bool) -> CloudStatus {
        let words = words(pending, files)
        let text =
            switch (pending, files) {
            case (_, 0) where isStalled: Text("chrome.changes-are-kept-here", words)
            case _ where isStalled: Text("chrome.changes-and-files-are-kept-here", words)
            case (_, 0): Text("chrome.changes-on-the-way-at-last", words)
            case (0, _): Text("chrome.files-on-the-way-at-last", words)
            default: Text("chrome.changes-and-files-on-the-way-at-last", words)
            }
        return CloudStatus(
            look: isStalled ? .alert : .sync,
            label: Text("chrome.syncing-your-data"),
            text: text,
            canRetry: isStalled
        )
    }

    /// Premium, data arrives.
    public static func downloading(done: Int, total: Int) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.downloading"),
            text: Text("chrome.your-data-is-arriving", ["done": .count(done), "total": .count(total)])
        )
    }

    /// Premium, the cloud cannot be reached.
    /// - Parameter files: the number of files that wait as well.
    public static func offline(pending: Int, files: Int = 0) -> CloudStatus {
        let words = words(pending, files)
        return CloudStatus(
            look: .alert,
            label: Text("chrome.offline"),
            text: files == 0
                ? Text("chrome.changes-wait-here", words) : Text("chrome.changes-and-files-wait-here", words),
            canRetry: true
        )
    }

    /// Premium, the last attempt failed.
    public static func failed(_ reason: Text) -> CloudStatus {
        CloudStatus(look: .alert, label: Text("chrome.sync-failed"), text: reason, canRetry: true)
    }

    /// Premium, sync is being attached.
    public static let connecting = CloudStatus(
        look: .sync,
        label: Text("chrome.connecting"),
        text: Text("chrome.sync-is-being-set-up")
    )

    /// The last verification is too old to count.
    public static let verifying = CloudStatus(
        look: .slash,
        label: Text("settings.verifying-subscription"),
        text: Text("chrome.subscription-not-checked")
    )

    /// Premium, and the session has ended.
    public static let signInAgain = CloudStatus(
        look: .alert,
        label: Text("chrome.sign-in-again-to-sync"),
        text: Text("sync.session-has-ended"),
        canSignIn: true
    )

    /// Free, and the session has ended.
    public static let signedOut = CloudStatus(
        look: .slash,
        label: Text("chrome.signed-out"),
        text: Text("chrome.your-session-has-ended"),
        canSignIn: true
    )

    /// Premium, switched off by the user.
    public static let off = CloudStatus(
        look: .slash,
        label: Text("chrome.sync-is-off"),
        text: Text("chrome.sync-is-off-until")
    )
}

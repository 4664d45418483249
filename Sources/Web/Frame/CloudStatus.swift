// The cloud icon in the header, and its sentence.

import Ledger
import Texts

/// The state of the copy in the cloud, in words.
package struct CloudStatus: Hashable, Sendable {
    /// The picture: a cloud with a slash, a check mark, moving arrows or an exclamation mark.
    enum Look: String, Sendable {
        case slash, check, sync, alert
    }

    /// The picture.
    var look: Look
    /// Two to four words beside it.
    var label: Text
    /// One sentence that explains it.
    var text: Text
    /// Whether trying again is offered.
    var canRetry: Bool
    /// Whether signing in again is offered.
    var canSignIn: Bool
    /// Whether the way to the switch of sync is offered.
    var canSwitchOn = false
    /// Whether this device has a book to show.
    var hasBook = true
    /// Whether rows of the cloud are missing on this device, so that no total is complete.
    var isIncomplete = false
    /// Whether the sentence names a copy that the cloud keeps as it was.
    var hasRetainedCopy = false
    /// Whether the user has subscribed, and the cloud has not confirmed it.
    var isBought = false
    /// Whether it is not known if the cloud still has the user's data.
    var isUnknown = false
    /// Whether the book is the one of a guest who has signed in, which is replaced soon: it can be read only.
    var isFormerBook = false
    /// Whether the user's data in the cloud was deleted on another device, which may have uploaded its own since.
    var isDeletedElsewhere = false
    /// Whether the sentence counts files that the cloud does not have, whose list is offered.
    var countsFiles = false
    /// Whether sync works and the cloud has all changes. It may lack files of receipts.
    var hasAllChanges = false
    /// The sentences of `text` without the sentences on a failure, and on files that another device or a person has to
    /// look after. The page of sync has notes of its own for these two subjects.
    var textBesideNotes: Text?
    /// Whether `text` is the reason of a failure alone.
    var isReason = false

    /// By default, the page offers neither a retry nor signing in.
    init(look: Look, label: Text, text: Text, canRetry: Bool = false, canSignIn: Bool = false) {
        self.look = look
        self.label = label
        self.text = text
        self.canRetry = canRetry
        self.canSignIn = canSignIn
    }

    /// The same status of a device on which rows of the cloud are missing.
    func missing(allBut rows: ReceivedRows) -> CloudStatus {
        adding(Text("chrome.so-many-are-here-and-the-rest", rows.words))
    }

    /// The same status of a device that lacks the changes since its first download began.
    var missingNewest: CloudStatus { adding(Text("chrome.newest-changes-are-missing")) }

    /// The same status on pages whose totals are not complete.
    var countingWhatIsHere: CloudStatus { adding(nil) }

    private func adding(_ missing: Text?) -> CloudStatus {
        var copy = self
        let here = Text.sentences([missing, Self.totals].compactMap(\.self))
        copy.isIncomplete = true
        copy.text = .sentences([text, here])
        copy.textBesideNotes = textBesideNotes.map { .sentences([$0, here]) } ?? (isReason ? here : nil)
        return copy
    }

    static let totals = Text("chrome.totals-count-what-is-here")

    /// The same while the answer to a request is awaited for some seconds.
    var awaitingAnswer: CloudStatus {
        var copy = self
        copy.text = .sentences([text, Text("chrome.waiting-for-an-answer")])
        return copy
    }

    /// The same status of a device that has no book to show.
    var withoutBook: CloudStatus {
        var copy = self
        copy.hasBook = false
        return copy
    }

    /// No user is signed in.
    package static let guest = CloudStatus(
        look: .slash,
        label: Text("chrome.only-on-this-device"),
        text: Text("chrome.sign-in-and-upgrade-to-protect")
    )

    /// Signed in without premium.
    static let free = CloudStatus(
        look: .slash,
        label: Text("chrome.not-backed-up"),
        text: Text("chrome.signed-in-but-not-backed-up")
    )

    /// Signed in, and the cloud is asked about the account.
    static let checking = CloudStatus(
        look: .sync,
        label: Text("user-account.verifying-account"),
        text: Text("user-account.breadly-is-looking-up")
    )

    /// A status of a user whose copy in the cloud stays as it was.
    private static func retained(_ copy: RetainedCopy, _ label: Text, _ why: Text? = nil, then help: Text)
        -> CloudStatus
    {
        var status = CloudStatus(look: .slash, label: label, text: copy.text(why, then: help))
        status.hasRetainedCopy = true
        return status
    }

    /// Signed in without premium, and the cloud keeps a copy of earlier.
    static func ended(_ copy: RetainedCopy) -> CloudStatus {
        retained(copy, Text("chrome.backup-has-ended"), then: Text("chrome.renew-to-continue"))
    }

    /// The user has subscribed, and the cloud has not confirmed it.
    /// - Parameter copy: nil if the cloud has none.
    static func bought(_ copy: RetainedCopy?) -> CloudStatus {
        let label = Text("chrome.waiting-for-premium")
        var status =
            copy.map { retained($0, label, then: Text("chrome.syncs-once-confirmed")) }
            ?? CloudStatus(look: .slash, label: label, text: Text("chrome.backed-up-once-confirmed"))
        status.isBought = true
        return status
    }

    /// The same with data that is in the cloud only.
    static let boughtWhileBlocked: CloudStatus = {
        var status = awaited
        status.text = Text("chrome.loaded-once-confirmed")
        status.isBought = true
        return status
    }()

    /// The user's data is in the cloud, and needs premium.
    static let blocked = CloudStatus(
        look: .slash,
        label: Text("chrome.only-in-the-cloud"),
        text: Text("chrome.your-data-is-only-in-the-cloud")
    ).withoutBook

    /// The user's data is in the cloud, and there is premium: it is loaded once the cloud answers.
    static let awaited = CloudStatus(
        look: .sync,
        label: Text("chrome.only-in-the-cloud"),
        text: Text("chrome.your-data-is-loaded-once-the-cloud-answers")
    ).withoutBook

    /// A guest has signed in to an account with premium, whose first page is loaded.
    /// - Parameters:
    ///   - keepsBook: whether the guest's book can be read until then.
    ///   - isStuck: whether the last attempt has failed.
    static func awaitingFirstPage(keepsBook: Bool, isStuck: Bool) -> CloudStatus {
        var status = CloudStatus(
            look: isStuck ? .alert : .sync,
            label: isStuck ? Text("chrome.only-in-the-cloud") : Text("chrome.downloading"),
            text: keepsBook
                ? Text("chrome.your-book-can-be-read-until-then")
                : Text("chrome.your-data-is-loaded-once-the-cloud-answers")
        )
        status.isFormerBook = keepsBook
        return keepsBook ? status : status.withoutBook
    }

    /// The user's data in the cloud is being deleted.
    static let deletingData = deleting(Text("user-account.your-data-is-being-deleted"))

    /// The account is being deleted, with its data.
    static let deletingAccount = deleting(Text("user-account.your-account-is-being-deleted"))

    private static func deleting(_ what: Text) -> CloudStatus {
        CloudStatus(look: .sync, label: Text("chrome.being-deleted"), text: what).withoutBook
    }

    /// A deletion of the user's data in the cloud was not answered.
    /// - Parameters:
    ///   - hasBook: whether the data is on this device as well.
    ///   - asks: whether the cloud is asked without a step of the user.
    static func deletionUnanswered(hasBook: Bool, asks: Bool = true) -> CloudStatus {
        let next =
            asks
            ? Text("chrome.cloud-is-asked-until-it-is-known") : Text("chrome.a-step-has-to-be-done-first")
        var status = CloudStatus(
            look: .alert,
            label: Text("chrome.not-known-yet"),
            text: .sentences([Text("chrome.deletion-was-not-answered"), next])
        )
        (status.isUnknown, status.hasBook) = (true, hasBook)
        return status
    }

    /// A deletion was not answered, the data is on this device as well, and its session has ended: the cloud cannot be asked.
    static let unknownUntilSignIn: CloudStatus = {
        var status = CloudStatus(
            look: .alert,
            label: Text("chrome.signed-out"),
            text: .sentences([Text("chrome.session-ended"), Text("chrome.sign-in-to-know")]),
            canSignIn: true
        )
        status.isUnknown = true
        return status
    }()

    /// A step of the device has failed, and nothing is synced before it is done.
    static let halted = CloudStatus(
        look: .alert,
        label: Text("chrome.not-synced"),
        text: Text("chrome.syncs-once-the-step-is-done")
    )

    /// A step of the device has failed, which does not sync.
    static let stepFailed = CloudStatus(
        look: .alert,
        label: Text("chrome.not-finished"),
        text: Text("chrome.a-step-has-to-be-done-first")
    )

    /// The session has ended on a device without an open book, which says nothing about the user's data.
    static let sessionEnded = CloudStatus(
        look: .slash,
        label: Text("chrome.signed-out"),
        text: .sentences([Text("chrome.session-ended"), Text("chrome.sign-in-to-continue")]),
        canSignIn: true
    ).withoutBook

    /// The file of the book cannot be opened, so that the page can say nothing about its copies.
    static let unreadable = CloudStatus(
        look: .alert,
        label: Text("chrome.your-book-cannot-be-opened"),
        text: Text("chrome.nothing-is-saved-until")
    ).withoutBook

    /// The last verification of a subscription is too old to count.
    /// - Parameters:
    ///   - copy: nil if the cloud has none.
    ///   - wantsSync: whether the user has sync switched on, so that it continues after the check.
    static func verifying(_ copy: RetainedCopy?, wantsSync: Bool) -> CloudStatus {
        let label = Text("settings.verifying-subscription")
        guard wantsSync else {
            var status = off(copy)
            status.label = label
            status.text = .sentences([Text("chrome.not-checked"), status.text])
            return status
        }
        guard let copy else {
            return CloudStatus(look: .slash, label: label, text: Text("chrome.subscription-not-checked"))
        }
        return retained(
            copy,
            label,
            Text("chrome.not-checked"),
            then: Text("chrome.it-syncs-again-once-checked")
        )
    }

    /// Free, and the session has ended.
    /// - Parameter copy: nil if the cloud has none.
    static func signedOut(_ copy: RetainedCopy?) -> CloudStatus {
        let label = Text("chrome.signed-out")
        var status =
            copy.map {
                retained($0, label, Text("chrome.session-ended"), then: Text("chrome.sign-in-to-continue"))
            }
            ?? CloudStatus(look: .slash, label: label, text: Text("chrome.your-session-has-ended"))
        status.canSignIn = true
        return status
    }

    /// Premium, switched off by the user.
    /// - Parameter copy: nil if the cloud has none.
    static func off(_ copy: RetainedCopy?) -> CloudStatus {
        let label = Text("chrome.sync-is-off")
        var status =
            copy.map {
                retained(
                    $0,
                    label,
                    Text("chrome.sync-was-switched-off"),
                    then: Text("chrome.switch-on-to-continue")
                )
            }
            ?? CloudStatus(look: .slash, label: label, text: Text("chrome.sync-is-off-until"))
        status.canSwitchOn = true
        return status
    }
}

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
    /// Whether rows of the cloud are missing on this device, so that no total is complete.
    var isIncomplete = false
    /// Whether the sentence names a copy that the cloud keeps as it was.
    var hasRetainedCopy = false
    /// Whether the sentence counts files that the cloud does not have, whose list is offered.
    var countsFiles = false
    /// Whether sync works and the cloud has all changes. It may lack files of receipts.
    var hasAllChanges = false
    /// The sentences of `text` without the sentences on a failure, and on files that another device or a person has to
    /// look after. The page of sync has notes of its own for these two subjects.
    private(set) var textBesideNotes: Text?
    /// Whether `text` is the reason of a failure alone.
    private var isReason = false

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

    /// The same while the answer to a request is awaited for some seconds.
    var awaitingAnswer: CloudStatus {
        var copy = self
        copy.text = .sentences([text, Text("chrome.waiting-for-an-answer")])
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

    /// The user's data is in the cloud, and needs premium.
    static let blocked = CloudStatus(
        look: .slash,
        label: Text("chrome.only-in-the-cloud"),
        text: Text("chrome.your-data-is-only-in-the-cloud")
    )

    /// The user's data is in the cloud, and there is premium: it is loaded once the cloud answers.
    static let awaited = CloudStatus(
        look: .sync,
        label: Text("chrome.only-in-the-cloud"),
        text: Text("chrome.your-data-is-loaded-once-the-cloud-answers")
    )

    /// The user's data in the cloud is being deleted.
    static let deletingData = deleting(Text("user-account.your-data-is-being-deleted"))

    /// The account is being deleted, with its data.
    static let deletingAccount = deleting(Text("user-account.your-account-is-being-deleted"))

    private static func deleting(_ what: Text) -> CloudStatus {
        CloudStatus(look: .sync, label: Text("chrome.being-deleted"), text: what)
    }

    /// A deletion of the user's data in the cloud was not answered.
    static let deletionUnanswered = CloudStatus(
        look: .alert,
        label: Text("chrome.not-known-yet"),
        text: Text("chrome.deletion-was-not-answered")
    )

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
    )

    /// The file of the book cannot be opened, so that the page can say nothing about its copies.
    static let unreadable = CloudStatus(
        look: .alert,
        label: Text("chrome.your-book-cannot-be-opened"),
        text: Text("chrome.nothing-is-saved-until")
    )

    /// The states in which this device has no book to show.
    static let ofClosedBook: Set<CloudStatus> = [
        .blocked, .awaited, .unreadable, .deletingData, .deletingAccount, .deletionUnanswered, .sessionEnded,
    ]

    /// Premium, no change waits.
    static func backedUp(lastSynced: Text?) -> CloudStatus {
        CloudStatus(
            look: .check,
            label: Text("chrome.backed-up"),
            text: lastSynced.map { Text("chrome.all-backed-up-at", ["last": .text($0)]) }
                ?? Text("chrome.all-backed-up")
        ).havingAllChanges
    }

    private var havingAllChanges: CloudStatus {
        var copy = self
        copy.hasAllChanges = true
        return copy
    }

    /// Premium, changes are on their way.
    /// - Parameter files: the number of files that follow the changes.
    static func uploading(pending: Int, files: Int = 0) -> CloudStatus {
        let words = words(pending, files)
        return CloudStatus(
            look: .sync,
            label: Text("chrome.syncing"),
            text: files == 0
                ? Text("chrome.changes-on-the-way", words)
                : Text("chrome.changes-and-files-on-the-way", words)
        ).counting(files)
    }

    private func counting(_ files: Int) -> CloudStatus {
        var copy = self
        copy.countsFiles = files > 0
        return copy
    }

    private static func words(_ changes: Int, _ files: Int) -> [String: Text.Argument] {
        ["count": .count(changes), "files": .count(files), "total": .count(changes + files)]
    }

    /// Premium, no change waits, and files of receipts are on their way.
    static func uploading(files: Int) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.syncing"),
            text: Text("chrome.files-on-the-way", ["files": .count(files)])
        ).counting(files)
    }

    /// Premium, no change waits, and files of receipts wait for the cloud.
    static func waiting(files: Int) -> CloudStatus {
        CloudStatus(
            look: .alert,
            label: Text("chrome.not-all-backed-up"),
            text: Text("chrome.files-wait-here", ["files": .count(files)]),
            canRetry: true
        ).counting(files)
    }

    /// Premium, no change waits, and the cloud does not have all files of receipts. One of the numbers is not 0.
    /// - Parameters:
    ///   - files: the number of files on this device, which the cloud does not accept.
    ///   - absent: the numbers of the files that are not on this device either.
    static func backedUp(without files: Int, absent: AbsentFiles = AbsentFiles()) -> CloudStatus {
        let backedUp =
            files > 0
            ? Text("chrome.files-not-backed-up", ["files": .count(files)]) : Text("chrome.all-backed-up")
        let expected = absent.expected > 0 ? [areExpected(absent.expected)] : []
        return CloudStatus(
            look: .alert,
            label: Text("chrome.not-all-backed-up"),
            text: .sentences([backedUp] + expected)
        ).counting(files + absent.count).havingAllChanges.noting(refused: 0, absent)
    }

    /// The same status beside files that are not on their way: another device or a person has to look after them.
    /// - Parameter refused: the number of files on this device that are not sent.
    func noting(refused: Int, _ absent: AbsentFiles) -> CloudStatus {
        var notes: [Text] = []
        if refused > 0 { notes.append(Text("sync.files-were-refused", ["count": .count(refused)])) }
        if absent.lost > 0 { notes.append(Text("chrome.files-are-lost", ["files": .count(absent.lost)])) }
        if absent.overdue > 0 {
            notes.append(Text("chrome.files-are-absent", ["files": .count(absent.overdue)]))
        }
        guard !notes.isEmpty else { return self }
        var copy = self
        copy.text = .sentences([text] + notes)
        copy.textBesideNotes = text
        return copy
    }

    /// Premium, no change waits, and another device is about to send files of receipts.
    static func expecting(files: Int) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.syncing"),
            text: .sentences([Text("chrome.all-backed-up"), areExpected(files)])
        ).counting(files).havingAllChanges
    }

    private static func areExpected(_ files: Int) -> Text {
        Text("chrome.files-are-expected", ["files": .count(files)])
    }

    /// The subscription ended, or sync was switched off: the waiting changes are still uploaded.
    /// - Parameter files: the number of files that follow the changes.
    static func draining(pending: Int, files: Int = 0, isStalled: Bool) -> CloudStatus {
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
        ).counting(files)
    }

    /// Premium, all rows are loaded again while the present rows stay.
    static func downloading(_ rows: ReceivedRows) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.downloading"),
            text: Text("chrome.your-data-is-loaded-again", rows.words)
        )
    }

    /// Premium, and changes of other devices are on their way.
    static let catchingUp = CloudStatus(
        look: .sync,
        label: Text("chrome.syncing"),
        text: Text("chrome.newer-changes-are-on-their-way")
    )

    /// Premium, all rows of the first download are here, and the changes since it began are asked for.
    static let catchingUpAtFirst = CloudStatus(
        look: .sync,
        label: Text("chrome.syncing"),
        text: Text("chrome.newest-changes-are-asked-for")
    ).countingWhatIsHere

    /// Premium, the first download is under way.
    /// - Parameter pending: the number of changes that wait here.
    static func incomplete(_ rows: ReceivedRows, pending: Int = 0) -> CloudStatus {
        let downloading =
            rows.total == nil
            ? Text("chrome.your-data-begins-to-arrive") : Text("chrome.your-data-is-arriving", rows.words)
        var status = CloudStatus(
            look: .sync,
            label: Text("chrome.downloading"),
            text: pending == 0 ? downloading : .sentences([downloading, waitHere(pending)])
        )
        status.isIncomplete = true
        return status
    }

    /// Premium, the first download is not complete, and the cloud cannot be reached.
    /// - Parameter pending: the number of changes that wait here.
    static func interrupted(_ rows: ReceivedRows, pending: Int) -> CloudStatus {
        let here =
            rows.total == nil
            ? Text("chrome.nothing-is-here-yet")
            : .sentences([Text("chrome.so-many-are-here", rows.words), totals])
        var status = CloudStatus(
            look: .alert,
            label: Text("chrome.offline"),
            text: pending == 0 ? here : .sentences([here, waitHere(pending)]),
            canRetry: true
        )
        status.isIncomplete = true
        return status
    }

    /// Premium, the cloud cannot be reached, and the changes since the first download began are missing.
    /// - Parameter pending: the number of changes that wait here.
    static func behind(pending: Int) -> CloudStatus {
        let here = Text("chrome.newest-changes-come-with-a-connection")
        return CloudStatus(
            look: .alert,
            label: Text("chrome.offline"),
            text: pending == 0 ? here : .sentences([here, waitHere(pending)]),
            canRetry: true
        ).countingWhatIsHere
    }

    private static let totals = Text("chrome.totals-count-what-is-here")

    private static func waitHere(_ pending: Int) -> Text {
        Text("chrome.so-many-changes-wait-here", ["count": .count(pending)])
    }

    /// Premium, the cloud cannot be reached.
    /// - Parameter files: the number of files that wait as well.
    static func offline(pending: Int, files: Int = 0) -> CloudStatus {
        let words = words(pending, files)
        return CloudStatus(
            look: .alert,
            label: Text("chrome.offline"),
            text: files == 0
                ? Text("chrome.changes-wait-here", words) : Text("chrome.changes-and-files-wait-here", words),
            canRetry: true
        ).counting(files)
    }

    /// Premium, the last attempt failed.
    /// - Parameter pending: the number of changes that wait here.
    static func failed(_ reason: Text, pending: Int = 0) -> CloudStatus {
        var status = CloudStatus(
            look: .alert,
            label: Text("chrome.sync-failed"),
            text: pending == 0 ? reason : .sentences([reason, waitHere(pending)]),
            canRetry: true
        )
        status.isReason = pending == 0
        if pending > 0 { status.textBesideNotes = waitHere(pending) }
        return status
    }

    /// Premium, sync is being attached.
    static let connecting = CloudStatus(
        look: .sync,
        label: Text("chrome.connecting"),
        text: Text("chrome.sync-is-being-set-up")
    )

    /// The last verification is too old to count.
    /// - Parameter copy: nil if the cloud has none.
    static func verifying(_ copy: RetainedCopy?) -> CloudStatus {
        let label = Text("settings.verifying-subscription")
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

    /// Premium, and the session has ended.
    /// - Parameters:
    ///   - pending: the number of changes that wait here.
    ///   - isComplete: whether all data is here.
    static func signInAgain(pending: Int, isComplete: Bool) -> CloudStatus {
        let ended =
            isComplete ? Text("sync.session-has-ended") : Text("chrome.session-ended-and-syncs-again")
        return CloudStatus(
            look: .alert,
            label: Text("chrome.sign-in-again-to-sync"),
            text: pending == 0 ? ended : .sentences([ended, waitHere(pending)]),
            canSignIn: true
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

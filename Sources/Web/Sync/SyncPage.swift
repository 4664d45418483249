// The changes in the outbox and the changes that the cloud has refused, each as text with its actions.

import Ledger
import Links
import Templates
import Texts

/// The status of sync.
struct SyncPage: Page {
    /// The name of the page's template.
    static let template = "sync/index"

    let chrome: Chrome
    let last: Text?
    let error: Text?
    let deadline: Text?
    let isStopped: Bool
    let canRetry: Bool
    let changes: [ChangeLine]
    let more: Int
    let unreadable: [UnreadableLine]
    let waitingFiles: Int
    let refusedFiles: Int
    let absentFiles: AbsentFiles
    let cloud: ReceiptCloud
    let unsaved: [UnsavedEntry]

    /// - Parameters:
    ///   - last: the time of the last complete sync, as text.
    ///   - error: the reason why sync does not continue; nil if it does.
    ///   - deadline: the day until which the changes can be uploaded after the subscription has ended; nil if it has
    ///     not.
    ///   - isStopped: whether the data on the cloud was deleted elsewhere; the user can upload it again.
    ///   - more: the number of changes that are not listed.
    ///   - unreadable: the rows of the cloud that do not fit into this book.
    ///   - waitingFiles: the number of files of receipts that follow the changes.
    ///   - refusedFiles: the number of files that the cloud has refused.
    ///   - absentFiles: the numbers of files that are neither on this device nor in the cloud.
    ///   - cloud: whether files are sent to the cloud.
    ///   - unsaved: transactions with files that were not recorded, and are not sent.
    init(
        chrome: Chrome,
        last: Text?,
        error: Text?,
        deadline: Text?,
        isStopped: Bool,
        canRetry: Bool,
        changes: [ChangeLine],
        more: Int,
        unreadable: [UnreadableLine] = [],
        waitingFiles: Int = 0,
        refusedFiles: Int = 0,
        absentFiles: AbsentFiles = AbsentFiles(),
        cloud: ReceiptCloud = .on,
        unsaved: [UnsavedEntry] = []
    ) {
        self.chrome = chrome.on(.settings)
        self.last = last
        self.error = error
        self.deadline = deadline
        self.isStopped = isStopped
        self.canRetry = canRetry
        self.changes = changes
        self.more = more
        self.unreadable = unreadable
        self.waitingFiles = waitingFiles
        self.refusedFiles = refusedFiles
        self.absentFiles = absentFiles
        self.cloud = cloud
        self.unsaved = unsaved
    }

    /// Whether there are files that the cloud does not have.
    private var hasFiles: Bool { waitingFiles + refusedFiles + absentFiles.count > 0 }

    /// Files that the cloud has refused are sent again on request.
    private var canRetryFiles: Bool {
        switch cloud {
        case .on, .away, .outdated: refusedFiles > 0
        case .ending, .off, .needsPremium, .switchedOff, .needsSignIn: false
        }
    }

    /// The values for the template.
    static let keys = Keys<SyncPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("unsaved", of: UnsavedEntry.self) { $0.unsaved }
        // A failure is in the alert already, and files that are nowhere are in the notes.
        .optionalMessage("status") { page in
            let cloud = page.chrome.cloud
            return page.error == cloud.text ? nil : cloud.textBesideNotes ?? cloud.text
        }
        .optionalMessage("last") { $0.last }
        .optionalMessage("error") { $0.error }
        .optionalMessage("deadline") { $0.deadline }
        .flag("stopped") { $0.isStopped }
        .flag("can_retry") { $0.canRetry || $0.canRetryFiles }
        .optionalMessage("files_waiting") {
            guard $0.waitingFiles > 0 else { return nil }
            let count = ["count": Text.Argument.count($0.waitingFiles)]
            switch $0.cloud {
            case .on, .ending: return Text("sync.files-are-on-the-way", count)
            case .off, .needsPremium, .switchedOff, .needsSignIn:
                return Text("sync.files-are-here-only", count)
            case .away: return Text("sync.files-wait-for-the-cloud", count)
            case .outdated: return Text("sync.files-are-not-taken", count)
            }
        }
        .optionalMessage("files_refused") {
            $0.refusedFiles > 0 ? Text("sync.files-were-refused", ["count": .count($0.refusedFiles)]) : nil
        }
        .optionalMessage("files_absent") {
            let count = $0.absentFiles.overdue
            return count > 0 ? Text("sync.files-are-absent", ["count": .count(count)]) : nil
        }
        .optionalMessage("files_lost") {
            let count = $0.absentFiles.lost
            return count > 0 ? Text("sync.files-are-lost", ["count": .count(count)]) : nil
        }
        .flag("has_files") { $0.hasFiles }
        .link("files_href") { _ in ReceiptsPage.ofThoseNotBackedUp }
        .flag("has_changes") { !$0.changes.isEmpty }
        // Said only where it is so: not of data that was deleted in the cloud, and not before all of it is here.
        .flag("is_all_in_the_cloud") { page in
            page.error == nil && page.chrome.sync == "idle" && !page.chrome.cloud.isIncomplete
                && !page.hasFiles
        }
        .list("changes", of: ChangeLine.self) { $0.changes }
        .flag("has_unreadable") { !$0.unreadable.isEmpty }
        .list("unreadable", of: UnreadableLine.self) { $0.unreadable }
        .optionalMessage("more") {
            $0.more > 0 ? Text("sync.and-more-changes", ["count": .count($0.more)]) : nil
        }
}

/// A change that waits for the cloud or was refused.
struct ChangeLine: TemplateModel {
    let id: Int64
    let title: Text
    let detail: Text
    let waiting: Text
    let refusal: Text?
    let canRevert: Bool

    /// - Parameters:
    ///   - title: the name of the changed entity: `Groceries`.
    ///   - detail: the change: `12.50 → 13.00`.
    ///   - waiting: the time since the change: `waiting 3 min`.
    ///   - refusal: the reason why the cloud refused it; nil if it waits.
    init(id: Int64, title: Text, detail: Text, waiting: Text, refusal: Text?, canRevert: Bool) {
        self.id = id
        self.title = title
        self.detail = detail
        self.waiting = waiting
        self.refusal = refusal
        self.canRevert = canRevert
    }

    /// The change in one line of text.
    var line: Text {
        Text("sync.change-line", ["title": .text(title), "detail": .text(detail), "waiting": .text(waiting)])
    }

    /// The values for the template.
    static let keys = Keys<ChangeLine>()
        .text("id") { String($0.id) }
        .link("retry_action", to: Link.operationRetry) { $0.id }
        .link("revert_action", to: Link.operationRevert) { $0.id }
        .message("title") { $0.title }
        .message("detail") { $0.detail }
        .message("waiting") { $0.waiting }
        .optionalMessage("refusal") { $0.refusal }
        .flag("can_retry") { $0.refusal != nil }
        .flag("can_revert") { $0.canRevert }
}

/// A row of the cloud that this book cannot read.
struct UnreadableLine: TemplateModel {
    let kind: String
    let id: String
    let title: Text
    let reason: Text

    /// - Parameters:
    ///   - kind: the name of the kind in the sync protocol.
    ///   - title: the name of the entity, as far as it can be read: `Groceries`.
    ///   - reason: what does not fit.
    init(kind: String, id: String, title: Text, reason: Text) {
        self.kind = kind
        self.id = id
        self.title = title
        self.reason = reason
    }

    /// The values for the template.
    static let keys = Keys<UnreadableLine>()
        .text("kind") { $0.kind }
        .text("id") { $0.id }
        .message("title") { $0.title }
        .message("reason") { $0.reason }
}

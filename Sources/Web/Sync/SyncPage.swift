// The changes in the outbox and the changes that the cloud has refused, each as text with its actions.

import Ledger
import Links
import Templates
import Texts

/// The status of sync.
struct SyncPage: Page {
    static let template = "sync/index"

    let chrome: Chrome
    /// The time of the last complete sync, as text.
    let last: Text?
    /// The reason why sync does not continue; nil if it does.
    let error: Text?
    /// The page where the user can remove that reason; nil for none, and for a reason that is not the user's.
    var way: Way? = nil
    /// The day until which the changes can be uploaded after the subscription has ended; nil if it has not.
    let deadline: Text?
    /// Whether the data on the cloud was deleted elsewhere; the user can upload it again.
    let isStopped: Bool
    let canRetry: Bool
    let changes: [ChangeLine]
    /// The number of changes that are not listed.
    let more: Int
    /// The rows of the cloud that do not fit into this book.
    var unreadable: [UnreadableLine] = []
    /// The number of files of receipts that follow the changes.
    var waitingFiles: Int = 0
    /// The number of files that the cloud has refused.
    var refusedFiles: Int = 0
    /// The numbers of files that are neither on this device nor in the cloud.
    var absentFiles: AbsentFiles = AbsentFiles()
    /// Whether files are sent to the cloud.
    var cloud: ReceiptCloud = .on
    /// Transactions with files that were not recorded, and are not sent.
    var unsaved: [UnsavedEntry] = []

    /// Whether there are files that the cloud does not have.
    private var hasFiles: Bool { waitingFiles + refusedFiles + absentFiles.count > 0 }

    /// Files that the cloud has refused are sent again on request.
    private var canRetryFiles: Bool {
        switch cloud {
        case .on, .away, .outdated: refusedFiles > 0
        case .ending, .off, .needsPremium, .switchedOff, .needsSignIn: false
        }
    }

    static let keys = Keys<SyncPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .list("unsaved", of: UnsavedEntry.self) { $0.unsaved }
        // A failure is in the alert already, and files that are nowhere are in the notes.
        .optionalMessage("status") { page in
            let cloud = page.chrome.cloud
            return page.error == cloud.text ? nil : cloud.textBesideNotes ?? cloud.text
        }
        .optionalMessage("last") { $0.last }
        .optionalMessage("error") { $0.error }
        .model("way", of: Way.self) { $0.way ?? ($0.deadline == nil ? nil : .premium) }
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
                && !page.chrome.cloud.isUnknown && !page.hasFiles
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
    /// The name of the changed entity: `Groceries`.
    let title: Text
    /// Both values, as text: `12.50 → 13.00`.
    let detail: Text
    /// The time since the change: `waiting 3 min`.
    let waiting: Text
    /// The reason why the cloud refused it; nil if it waits.
    let refusal: Text?
    let canRevert: Bool
    /// The page of the entity; nil if it has none, or was deleted.
    var href: Link? = nil

    /// The change in one line of text.
    var line: Text {
        refusal.map {
            Text(
                "sync.refused-change-line",
                ["title": .text(title), "detail": .text(detail), "refusal": .text($0)]
            )
        }
            ?? Text(
                "sync.change-line",
                ["title": .text(title), "detail": .text(detail), "waiting": .text(waiting)]
            )
    }

    static let keys = Keys<ChangeLine>()
        .text("id") { String($0.id) }
        .link("retry_action", to: Link.operationRetry) { $0.id }
        .link("revert_action", to: Link.operationRevert) { $0.id }
        .message("title") { $0.title }
        .optionalLink("href") { $0.href }
        .message("detail") { $0.detail }
        .message("waiting") { $0.waiting }
        .optionalMessage("refusal") { $0.refusal }
        .flag("can_retry") { $0.refusal != nil }
        .flag("can_revert") { $0.canRevert }
}

/// A row of the cloud that this book cannot read.
struct UnreadableLine: TemplateModel {
    /// The name of the kind in the sync protocol.
    let kind: String
    let id: String
    /// The name of the entity, as far as it can be read: `Groceries`.
    let title: Text
    /// The reason why the row does not fit.
    let reason: Text

    static let keys = Keys<UnreadableLine>()
        .text("kind") { $0.kind }
        .text("id") { $0.id }
        .message("title") { $0.title }
        .message("reason") { $0.reason }
}

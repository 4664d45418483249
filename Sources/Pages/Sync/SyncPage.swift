// The changes that wait for the cloud, and those that it has refused, each in words and with its actions.

import Links
public import Templates
public import Texts

/// The status of sync.
public struct SyncPage: Page {
    /// The name of the page's template.
    public static let template = "sync/index"

    let chrome: Chrome
    let last: Text?
    let error: Text?
    let isStopped: Bool
    let canRetry: Bool
    let changes: [ChangeLine]
    let more: Int

    /// The page.
    /// - Parameters:
    ///   - last: when it was last in step, in words.
    ///   - error: why it does not go on.
    ///   - isStopped: the data on the cloud was deleted elsewhere; the user can begin anew.
    ///   - more: how many changes are not listed.
    public init(
        chrome: Chrome,
        last: Text?,
        error: Text?,
        isStopped: Bool,
        canRetry: Bool,
        changes: [ChangeLine],
        more: Int
    ) {
        self.chrome = chrome.on(.settings)
        self.last = last
        self.error = error
        self.isStopped = isStopped
        self.canRetry = canRetry
        self.changes = changes
        self.more = more
    }

    /// The values for the template.
    public static let keys = Keys<SyncPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optionalMessage("last") { $0.last }
        .optionalMessage("error") { $0.error }
        .flag("stopped") { $0.isStopped }
        .flag("can_retry") { $0.canRetry }
        .flag("has_changes") { !$0.changes.isEmpty }
        .list("changes", of: ChangeLine.self) { $0.changes }
        .optionalMessage("more") {
            $0.more > 0 ? Text("sync.and-more-changes", ["count": .count($0.more)]) : nil
        }
}

/// One change on its way.
public struct ChangeLine: TemplateModel {
    let id: Int64
    let title: Text
    let detail: Text
    let waiting: Text
    let refusal: Text?
    let canRevert: Bool

    /// A change.
    /// - Parameters:
    ///   - title: what it is about: `Groceries`.
    ///   - detail: what is done: `12.50 → 13.00`.
    ///   - waiting: for how long: `waiting 3 min`.
    ///   - refusal: why the cloud does not take it; nil where it waits.
    public init(id: Int64, title: Text, detail: Text, waiting: Text, refusal: Text?, canRevert: Bool) {
        self.id = id
        self.title = title
        self.detail = detail
        self.waiting = waiting
        self.refusal = refusal
        self.canRevert = canRevert
    }

    /// In one line.
    public var line: Text {
        Text("sync.change-line", ["title": .text(title), "detail": .text(detail), "waiting": .text(waiting)])
    }

    /// The values for the template.
    public static let keys = Keys<ChangeLine>()
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

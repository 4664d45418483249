// The changes that wait for the cloud, and those that it has refused, each in words and with its actions.

import Links
public import Templates

/// The status of sync.
public struct SyncPage: Page {
    /// Where its template is.
    public static let template = "sync/index"

    let chrome: Chrome
    let last: String?
    let error: String?
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
        last: String?,
        error: String?,
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
        .optional("last") { $0.last }
        .optional("error") { $0.error }
        .flag("stopped") { $0.isStopped }
        .flag("can_retry") { $0.canRetry }
        .flag("has_changes") { !$0.changes.isEmpty }
        .list("changes", of: ChangeLine.self) { $0.changes }
        .optional("more") { $0.more > 0 ? "And \(counted($0.more, "more change"))." : nil }
}

/// One change on its way.
public struct ChangeLine: TemplateModel {
    let id: Int64
    let title: String
    let detail: String
    let waiting: String
    let refusal: String?
    let canRevert: Bool

    /// A change.
    /// - Parameters:
    ///   - title: what it is about: `Groceries`.
    ///   - detail: what is done: `12.50 → 13.00`.
    ///   - waiting: for how long: `waiting 3 min`.
    ///   - refusal: why the cloud does not take it; nil where it waits.
    public init(id: Int64, title: String, detail: String, waiting: String, refusal: String?, canRevert: Bool)
    {
        self.id = id
        self.title = title
        self.detail = detail
        self.waiting = waiting
        self.refusal = refusal
        self.canRevert = canRevert
    }

    /// In one line.
    public var line: String { "\(title) \(detail), \(waiting)" }

    /// The values for the template.
    public static let keys = Keys<ChangeLine>()
        .text("id") { String($0.id) }
        .link("retry_action", to: Link.operationRetry) { $0.id }
        .link("revert_action", to: Link.operationRevert) { $0.id }
        .text("title") { $0.title }
        .text("detail") { $0.detail }
        .text("waiting") { $0.waiting }
        .optional("refusal") { $0.refusal }
        .flag("can_retry") { $0.refusal != nil }
        .flag("can_revert") { $0.canRevert }
}

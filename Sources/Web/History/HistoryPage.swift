// The history of the book: all changes as texts, grouped by day, each with Undo.

import Links
import Templates
import Texts

/// Changes, newest first.
struct HistoryPage: Page {
    static let template = "history/index"

    let chrome: Chrome
    let days: [HistoryDay]
    /// The link to earlier changes; nil if there are none.
    let olderHref: Link?
    /// Whether there were earlier changes that are not kept.
    let isShortened: Bool

    static let keys = Keys<HistoryPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .flag("has_days") { !$0.days.isEmpty }
        .flag("has_entries") { !$0.days.isEmpty || $0.isShortened }
        .message("empty_text") { page in
            page.chrome.cloud.isIncomplete
                ? Text("overview.not-all-is-here") : Text("history.nothing-has-been-changed")
        }
        .list("days", of: HistoryDay.self) { $0.days }
        .optionalLink("older_href") { $0.olderHref }
        .flag("is_shortened") { $0.isShortened && $0.olderHref == nil }
}

/// The changes of one day.
struct HistoryDay: TemplateModel {
    let title: Text
    let lines: [HistoryLine]

    static let keys = Keys<HistoryDay>()
        .message("title") { $0.title }
        .list("lines", of: HistoryLine.self) { $0.lines }
}

/// One change.
struct HistoryLine: TemplateModel {
    /// The action, for the icon.
    enum Deed: Sendable { case added, changed, deleted, begun, loaded }

    let id: Int64
    let deed: Deed
    var title: Text
    var detail: Text
    let when: String
    let device: Text
    let more: Text?
    let canUndo: Bool

    /// - Parameters:
    ///   - title: the name of the changed entity: `Groceries`.
    ///   - detail: the change: `12.50 → 13.00`.
    ///   - when: the time of day.
    ///   - device: the device that made the change: `this device`.
    ///   - more: the number of further rows; nil if there are none.
    init(
        id: Int64,
        deed: Deed,
        title: Text,
        detail: Text,
        when: String,
        device: Text,
        more: Int,
        canUndo: Bool
    ) {
        self.id = id
        self.deed = deed
        self.title = title
        self.detail = detail
        self.when = when
        self.device = device
        self.more = more > 0 ? Text("history.and-more-changes", ["count": .count(more)]) : nil
        self.canUndo = canUndo
    }

    private var icon: String {
        switch deed {
        case .added: "plus"
        case .changed: "edit"
        case .deleted: "trash"
        case .begun: "book"
        case .loaded: "download"
        }
    }

    static let keys = Keys<HistoryLine>()
        .text("id") { String($0.id) }
        .link("href", to: Link.historyChange) { $0.id }
        .link("undo_action", to: Link.historyUndo) { $0.id }
        .text("icon") { $0.icon }
        .message("title") { $0.title }
        .message("detail") { $0.detail }
        .text("when") { $0.when }
        .message("device") { $0.device }
        .optionalMessage("more") { $0.more }
        .flag("can_undo") { $0.canUndo }
}

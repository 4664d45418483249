// One change with all its rows, and the question whether to undo it.

import Links
import Templates
import Texts

/// A single change of the book.
struct HistoryChangePage: Page {
    static let template = "history/change"

    let chrome: Chrome
    let id: Int64
    /// Day and time.
    let when: Text
    /// The device that made the change.
    let device: Text
    /// The number of rows, if the same was done to all; nil otherwise.
    let count: Text?
    /// The changed rows of this page.
    let lines: [HistoryLine]
    /// The number of rows on later pages.
    let more: Int
    /// The next page; nil if there is none.
    let next: Link?
    let canUndo: Bool
    /// Whether undoing it overwrites values that were changed again later.
    let isChangedSince: Bool
    /// The reason why it cannot be undone at present; nil if it can.
    let error: Text?

    static let keys = Keys<HistoryChangePage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .link("undo_action", to: Link.historyUndo) { $0.id }
        .message("when") { $0.when }
        .message("device") { $0.device }
        .optionalMessage("count") { $0.count }
        .optionalLink("next_href") { $0.next }
        .list("lines", of: HistoryLine.self) { $0.lines }
        .optionalMessage("more") {
            $0.more > 0 ? Text("sync.and-more-changes", ["count": .count($0.more)]) : nil
        }
        .flag("can_undo") { $0.canUndo }
        .flag("changed_since") { $0.isChangedSince }
        .optionalMessage("error") { $0.error }
}

/// The page of a change that the history no longer has.
struct RemovedChangePage: Page {
    static let template = "history/removed"

    let chrome: Chrome

    static let keys = Keys<RemovedChangePage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
}

/// The reason why a change cannot be undone in the current state of the book.
enum UndoRefusal: Hashable, Sendable {
    /// A row that it changed is deleted.
    case deleted
    /// There are transactions on the account that the change added.
    case accountInUse(transactions: Int)
    /// There are schedules for the account that the change added.
    case accountScheduled(schedules: Int)
    /// The category that the change added is in use.
    case categoryInUse
    /// The account that the change refers to is deleted.
    case accountGone
    /// The category that the change refers to is deleted.
    case categoryGone
    /// Another budget exists in its place.
    case budgetExists
    /// Any other reason.
    case other

    /// The text for the user.
    var words: Text {
        switch self {
        case .deleted: Text("history.deleted-since")
        case .accountInUse(let transactions):
            Text("history.account-in-use", ["count": .count(transactions)])
        case .accountScheduled(let schedules):
            Text("accounts.schedules-use-it", ["count": .count(schedules)])
        case .categoryInUse: Text("history.category-in-use")
        case .accountGone: Text("history.its-account-was-deleted")
        case .categoryGone: Text("history.its-category-was-deleted")
        case .budgetExists: Text("history.there-is-another-budget")
        case .other: Text("history.it-does-not-fit")
        }
    }
}

// One change with all that it did, and the question whether it is to be undone.

import Links
public import Templates

/// A single change of the book.
public struct HistoryChangePage: Page {
    /// Where its template is.
    public static let template = "history/change"

    let chrome: Chrome
    let id: Int64
    let when: String
    let device: String
    let lines: [HistoryLine]
    let more: Int
    let canUndo: Bool
    let isChangedSince: Bool
    let error: String?

    /// The page.
    /// - Parameters:
    ///   - when: day and time.
    ///   - device: who did it.
    ///   - lines: what it did, row by row.
    ///   - more: how many rows are not listed.
    ///   - isChangedSince: whether undoing it puts back values that were changed again.
    ///   - error: why it cannot be undone as the book is now.
    public init(
        chrome: Chrome,
        id: Int64,
        when: String,
        device: String,
        lines: [HistoryLine],
        more: Int,
        canUndo: Bool,
        isChangedSince: Bool,
        error: String?
    ) {
        self.chrome = chrome.on(.settings)
        self.id = id
        self.when = when
        self.device = device
        self.lines = lines
        self.more = more
        self.canUndo = canUndo
        self.isChangedSince = isChangedSince
        self.error = error
    }

    /// The values for the template.
    public static let keys = Keys<HistoryChangePage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .link("undo_action", to: Link.historyUndo) { $0.id }
        .text("when") { $0.when }
        .text("device") { $0.device }
        .list("lines", of: HistoryLine.self) { $0.lines }
        .optional("more") { $0.more > 0 ? "And \(counted($0.more, "more change"))." : nil }
        .flag("can_undo") { $0.canUndo }
        .flag("changed_since") { $0.isChangedSince }
        .optional("error") { $0.error }
}

/// Why a change cannot be undone as the book is now.
public enum UndoRefusal: Hashable, Sendable {
    /// A row that it changed is deleted.
    case deleted
    /// There are transactions on the account that it made.
    case accountInUse(transactions: Int)
    /// Something is in the category that it made.
    case categoryInUse
    /// The account that it names is deleted.
    case accountGone
    /// The category that it names is deleted.
    case categoryGone
    /// There is another budget in its place.
    case budgetExists
    /// Something else is in the way.
    case other

    /// The text for the user.
    public var words: String {
        switch self {
        case .deleted: "What it changed was deleted since: undo the deletion first."
        case .accountInUse(let transactions):
            "The account has \(counted(transactions, "transaction")) on it: delete or move them first."
        case .categoryInUse:
            "The category is in use: move its transactions, and delete its budgets and "
                + "subcategories, first."
        case .accountGone: "Its account was deleted since: undo that deletion first."
        case .categoryGone: "Its category was deleted since: undo that deletion first."
        case .budgetExists:
            "There is another budget for the same category from the same month on: delete that first."
        case .other: "It does not fit into the book as it is now. Change the entry itself instead."
        }
    }
}

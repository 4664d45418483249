// Conflicts: values that two devices gave to one field concurrently. The user decides between them.

import Ledger
import Links
import Templates
import Texts

/// The conflicts and losses for the user to decide.
struct ReviewPage: Page {
    static let template = "sync/review"

    let chrome: Chrome
    let lines: [ReviewLine]
    var losses: [LossLine] = []

    static let keys = Keys<ReviewPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .flag("has_lines") { !$0.lines.isEmpty }
        .list("lines", of: ReviewLine.self) { $0.lines }
        .flag("has_losses") { !$0.losses.isEmpty }
        .list("losses", of: LossLine.self) { $0.losses }
        .flag("has_nothing") { $0.lines.isEmpty && $0.losses.isEmpty }
}

/// A field with its two conflicting values.
struct ReviewLine: TemplateModel {
    let id: EntityID
    let title: Text
    let field: Text
    let mine: Side
    let theirs: Side
    /// The time of the conflict, as text.
    let when: Text

    /// One of the two values.
    struct Side: Sendable {
        let value: Text
        let device: Text
        let stands: Bool
    }

    static let keys = Keys<ReviewLine>()
        .text("id") { $0.id.description }
        .link("action", to: Link.reviewed) { $0.id }
        .message("title") { $0.title }
        .message("field") { $0.field }
        .message("when") { $0.when }
        .message("mine") { $0.mine.value }
        .message("mine_device") { $0.mine.device }
        .flag("mine_stands") { $0.mine.stands }
        .message("theirs") { $0.theirs.value }
        .message("theirs_device") { $0.theirs.device }
        .flag("theirs_stands") { $0.theirs.stands }
}

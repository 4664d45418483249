// Conflicts: values that two devices gave to one field concurrently. The user decides between them.

import Ledger
import Links
import Templates
import Texts

/// The conflicts and losses for the user to decide.
struct ReviewPage: Page {
    /// The name of the page's template.
    static let template = "sync/review"

    let chrome: Chrome
    let lines: [ReviewLine]
    let losses: [LossLine]

    /// - Parameter chrome: the frame of the page.
    init(chrome: Chrome, lines: [ReviewLine], losses: [LossLine] = []) {
        self.chrome = chrome.on(.settings)
        self.lines = lines
        self.losses = losses
    }

    /// The values for the template.
    static let keys = Keys<ReviewPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
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
    let when: Text

    /// One of the two values.
    struct Side: Sendable {
        let value: Text
        let device: Text
        let stands: Bool

        /// A value with the device that wrote it.
        init(value: Text, device: Text, stands: Bool) {
            self.value = value
            self.device = device
            self.stands = stands
        }
    }

    /// - Parameter when: the time of the conflict, as text.
    init(id: EntityID, title: Text, field: Text, mine: Side, theirs: Side, when: Text) {
        self.id = id
        self.title = title
        self.field = field
        self.mine = mine
        self.theirs = theirs
        self.when = when
    }

    /// The values for the template.
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

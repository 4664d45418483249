// Values that two devices gave to one field without knowing of each other: the user looks at both, and decides.

public import Ledger
import Links
public import Templates

/// A conflict for the user to decide.
public struct ReviewPage: Page {
    /// Where its template is.
    public static let template = "sync/review"

    let chrome: Chrome
    let lines: [ReviewLine]
    let losses: [LossLine]

    /// - Parameter chrome: the frame of the page.
    public init(chrome: Chrome, lines: [ReviewLine], losses: [LossLine] = []) {
        self.chrome = chrome.on(.settings)
        self.lines = lines
        self.losses = losses
    }

    /// The values for the template.
    public static let keys = Keys<ReviewPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .flag("has_lines") { !$0.lines.isEmpty }
        .list("lines", of: ReviewLine.self) { $0.lines }
        .flag("has_losses") { !$0.losses.isEmpty }
        .list("losses", of: LossLine.self) { $0.losses }
        .flag("has_nothing") { $0.lines.isEmpty && $0.losses.isEmpty }
}

/// One field with its two values.
public struct ReviewLine: TemplateModel {
    let id: EntityID
    let title: String
    let field: String
    let mine: Side
    let theirs: Side
    let when: String

    /// A value.
    public struct Side: Sendable {
        let value: String
        let device: String
        let stands: Bool

        /// A value with the device that wrote it.
        public init(value: String, device: String, stands: Bool) {
            self.value = value
            self.device = device
            self.stands = stands
        }
    }

    /// A line.
    /// - Parameter when: when they met, in words.
    public init(id: EntityID, title: String, field: String, mine: Side, theirs: Side, when: String) {
        self.id = id
        self.title = title
        self.field = field
        self.mine = mine
        self.theirs = theirs
        self.when = when
    }

    /// The values for the template.
    public static let keys = Keys<ReviewLine>()
        .text("id") { $0.id.description }
        .link("action", to: Link.reviewed) { $0.id }
        .text("title") { $0.title }
        .text("field") { $0.field }
        .text("when") { $0.when }
        .text("mine") { $0.mine.value }
        .text("mine_device") { $0.mine.device }
        .flag("mine_stands") { $0.mine.stands }
        .text("theirs") { $0.theirs.value }
        .text("theirs_device") { $0.theirs.device }
        .flag("theirs_stands") { $0.theirs.stands }
}

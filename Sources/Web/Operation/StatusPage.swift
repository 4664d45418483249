// The state of the device, for curious users and for support.

import Templates

/// The current state, the transitions to it, and the diagram of all states.
struct StatusPage: Page {
    static let template = "status/index"
    let chrome: Chrome
    /// The lifecycle's state, such as `local_only`.
    let state: String
    /// The id, for looking it up in logs; nil before the device exists.
    let device: String?
    /// Newest first.
    let transitions: [TransitionLine]

    static let keys = Keys<StatusPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .text("state") { $0.state }
        .optionalMessage("meaning") { LifecycleDiagram.meaning(of: $0.state) }
        .optional("device") { $0.device }
        .messageMarkup("diagram") { LifecycleDiagram.markup(current: $0.state, $1) }
        .flag("has_transitions") { !$0.transitions.isEmpty }
        .list("transitions", of: TransitionLine.self) { $0.transitions }
}

/// One transition.
struct TransitionLine: TemplateModel {
    /// Day and time, UTC.
    let at: String
    let event: String
    let from: String
    let to: String

    static let keys = Keys<TransitionLine>()
        .text("at") { $0.at }
        .text("event") { $0.event }
        .text("from") { $0.from }
        .text("to") { $0.to }
}

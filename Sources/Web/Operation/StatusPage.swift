// The state of the device, for curious users and for support.

import Templates

/// The current state, the transitions to it, and the diagram of all states.
struct StatusPage: Page {
    /// The name of the page's template.
    static let template = "status/index"
    let chrome: Chrome
    let state: String
    let device: String?
    let transitions: [TransitionLine]

    /// The page of a device.
    /// - Parameters:
    ///   - state: the lifecycle's state, such as `local_only`.
    ///   - device: the id, for looking it up in logs; nil before the device exists.
    ///   - transitions: newest first.
    init(chrome: Chrome, state: String, device: String?, transitions: [TransitionLine]) {
        self.chrome = chrome.on(.settings)
        self.state = state
        self.device = device
        self.transitions = transitions
    }

    /// The values for the template.
    static let keys = Keys<StatusPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("state") { $0.state }
        .optionalMessage("meaning") { LifecycleDiagram.meaning(of: $0.state) }
        .optional("device") { $0.device }
        .messageMarkup("diagram") { LifecycleDiagram.markup(current: $0.state, $1) }
        .flag("has_transitions") { !$0.transitions.isEmpty }
        .list("transitions", of: TransitionLine.self) { $0.transitions }
}

/// One transition.
struct TransitionLine: TemplateModel {
    let at: String
    let event: String
    let from: String
    let to: String

    /// - Parameter at: day and time, UTC.
    init(at: String, event: String, from: String, to: String) {
        self.at = at
        self.event = event
        self.from = from
        self.to = to
    }

    /// The values for the template.
    static let keys = Keys<TransitionLine>()
        .text("at") { $0.at }
        .text("event") { $0.event }
        .text("from") { $0.from }
        .text("to") { $0.to }
}

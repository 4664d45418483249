// The help: keyboard shortcuts, and questions with their answers.

import Templates

/// Questions and answers about the app.
struct HelpPage: Page {
    static let template = "help/index"
    let chrome: Chrome

    static let keys = Keys<HelpPage>().model("chrome", of: Chrome.self) { $0.chrome.on(.help) }
}

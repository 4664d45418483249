// The help: keyboard shortcuts, and questions with their answers.

public import Templates

/// Questions and answers about the app.
public struct HelpPage: Page {
    /// The name of the page's template.
    public static let template = "help/index"
    let chrome: Chrome

    /// The same content for all users.
    public init(chrome: Chrome) { self.chrome = chrome.on(.help) }

    /// The values for the template.
    public static let keys = Keys<HelpPage>().model("chrome", of: Chrome.self) { $0.chrome }
}

// The help: keyboard shortcuts and the few things worth knowing.

public import Templates

/// The help.
public struct HelpPage: Page {
    /// Where its template is.
    public static let template = "help/index"
    let chrome: Chrome

    /// The help.
    public init(chrome: Chrome) { self.chrome = chrome.on(.help) }

    /// What the template reads.
    public static let keys = Keys<HelpPage>().model("chrome", of: Chrome.self) { $0.chrome }
}

// Shows the values of a form from a page that was open for too long, with a button that sends it again.

public import Templates

/// The values of an outdated form. None of them was applied.
public struct StaleFormPage: Page {
    /// The name of the page's template.
    public static let template = "errors/stale"

    let chrome: Chrome
    let kept: PreservedForm

    /// - Parameter kept: the values of the form, which the page shows again.
    public init(chrome: Chrome, kept: PreservedForm) {
        self.chrome = chrome
        self.kept = kept
    }

    /// The values for the template.
    public static let keys = Keys<StaleFormPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .flag("can_repeat") { $0.kept.action != nil }
        .model("kept", of: PreservedForm.self) { $0.kept }
}

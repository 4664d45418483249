// A form came back from a page that was open for too long: what was typed in it, and one button to send it again.

public import Templates

/// What an old form held. Nothing of it was carried out.
public struct StaleFormPage: Page {
    /// Where its template is.
    public static let template = "errors/stale"

    let chrome: Chrome
    let kept: KeptForm

    /// The page.
    public init(chrome: Chrome, kept: KeptForm) {
        self.chrome = chrome
        self.kept = kept
    }

    /// What the template reads.
    public static let keys = Keys<StaleFormPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .flag("can_repeat") { $0.kept.action != nil }
        .model("kept", of: KeptForm.self) { $0.kept }
}

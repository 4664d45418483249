// Shown while an existing account is verified. Nothing is cleared yet, and the user can cancel.

import Templates

/// Waiting for the cloud. It reloads itself.
struct VerifyingPage: Page {
    /// The name of the page's template.
    static let template = "user-account/verifying"
    let chrome: Chrome
    let email: String?
    let takesLong: Bool

    /// - Parameters:
    ///   - email: the address of the account.
    ///   - takesLong: whether the page offers Retry and Cancel.
    init(chrome: Chrome, email: String?, takesLong: Bool) {
        self.chrome = chrome
        self.email = email
        self.takesLong = takesLong
    }

    /// The values for the template.
    static let keys = Keys<VerifyingPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optional("email") { $0.email }
        .flag("takes_long") { $0.takesLong }
}

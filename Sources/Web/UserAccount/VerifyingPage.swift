// Shown while an existing account is verified. Nothing is cleared yet, and the user can cancel.

import Templates

/// Waiting for the cloud. It reloads itself.
struct VerifyingPage: Page {
    static let template = "user-account/verifying"
    let chrome: Chrome
    /// The address of the account.
    let email: String?
    /// Whether the page offers Retry and Cancel.
    let takesLong: Bool

    static let keys = Keys<VerifyingPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optional("email") { $0.email }
        .flag("takes_long") { $0.takesLong }
}

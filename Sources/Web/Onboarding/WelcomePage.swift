// The first page: an introduction to Breadly, and the ways to begin.

import Templates

/// Step one. It posts only `csrf` and `once`.
struct WelcomePage: Page {
    /// The name of the page's template.
    static let template = "onboarding/welcome"
    let chrome: Chrome
    let canSignIn: Bool
    let takesGuests: Bool
    let hasLostSignIn: Bool
    let once: String

    /// - Parameters:
    ///   - canSignIn: false for a user who is already signed in.
    ///   - takesGuests: whether the user can begin without an account.
    ///   - hasLostSignIn: whether the answer to a sign-in has not reached this browser.
    ///   - once: the idempotency key of the form: sending the form twice creates one device.
    init(
        chrome: Chrome,
        canSignIn: Bool,
        takesGuests: Bool = true,
        hasLostSignIn: Bool = false,
        once: String = ""
    ) {
        self.chrome = chrome
        self.canSignIn = canSignIn
        self.takesGuests = takesGuests
        self.hasLostSignIn = hasLostSignIn
        self.once = once
    }

    /// The values for the template.
    static let keys = Keys<WelcomePage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("steps", of: ProgressStep.self) { _ in ProgressStep.steps(current: 0) }
        .flag("can_sign_in") { $0.canSignIn }
        .flag("takes_guests") { $0.takesGuests }
        .flag("has_lost_sign_in") { $0.hasLostSignIn }
        .text("once") { $0.once }
}

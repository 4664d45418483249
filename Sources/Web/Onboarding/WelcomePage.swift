// The first page: an introduction to Breadly, and the ways to begin.

import Templates

/// Step one. It posts only `csrf` and `once`.
struct WelcomePage: Page {
    static let template = "onboarding/welcome"
    let chrome: Chrome
    /// False for a user who is already signed in.
    let canSignIn: Bool
    /// Whether the user can begin without an account.
    var takesGuests: Bool = true
    /// Whether the answer to a sign-in has not reached this browser.
    var hasLostSignIn: Bool = false
    /// The idempotency key of the form: sending the form twice creates one device.
    var once: String = ""

    static let keys = Keys<WelcomePage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("steps", of: ProgressStep.self) { _ in ProgressStep.steps(current: 0) }
        .flag("can_sign_in") { $0.canSignIn }
        .flag("takes_guests") { $0.takesGuests }
        .flag("has_lost_sign_in") { $0.hasLostSignIn }
        .text("once") { $0.once }
}

// The first page of all: what Breadly is, and the way in.

public import Templates

/// Step one. It posts only `csrf`.
public struct WelcomePage: Page {
    /// Where its template is.
    public static let template = "onboarding/welcome"
    let chrome: Chrome
    let canSignIn: Bool
    let takesGuests: Bool

    /// The welcome.
    /// - Parameters:
    ///   - canSignIn: false for a user who is already signed in.
    ///   - takesGuests: whether one can begin without an account.
    public init(chrome: Chrome, canSignIn: Bool, takesGuests: Bool = true) {
        self.chrome = chrome
        self.canSignIn = canSignIn
        self.takesGuests = takesGuests
    }

    /// What the template reads.
    public static let keys = Keys<WelcomePage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("steps", of: OnboardingStep.self) { _ in OnboardingStep.steps(current: 0) }
        .flag("can_sign_in") { $0.canSignIn }
        .flag("takes_guests") { $0.takesGuests }
}

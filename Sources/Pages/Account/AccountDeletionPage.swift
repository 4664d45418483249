// Deleting the account: for good, and everywhere.

public import Templates

/// The last question. It posts `csrf`, `confirm`.
public struct AccountDeletionPage: Page {
    /// Where its template is.
    public static let template = "account/delete"
    let chrome: Chrome
    let email: String?
    let hasSubscription: Bool
    let confirmation: Confirmation

    /// The page.
    /// - Parameter hasSubscription: whether something is to be cancelled first.
    public init(
        chrome: Chrome,
        email: String?,
        hasSubscription: Bool,
        confirmation: Confirmation = .account
    ) {
        self.chrome = chrome
        self.email = email
        self.hasSubscription = hasSubscription
        self.confirmation = confirmation
    }

    /// What the template reads.
    public static let keys = Keys<AccountDeletionPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optional("email") { $0.email }
        .flag("has_subscription") { $0.hasSubscription }
        .model("confirmation", of: Confirmation.self) { $0.confirmation }
}

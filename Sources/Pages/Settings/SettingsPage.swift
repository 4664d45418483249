// The settings: preferences, the account, the user's data.

public import Templates

/// The settings.
public struct SettingsPage: Page {
    /// Where its template is.
    public static let template = "settings/index"
    let chrome: Chrome
    let form: PreferencesForm
    let email: String?

    /// The settings.
    /// - Parameter email: of the signed-in user; nil for a guest.
    public init(chrome: Chrome, form: PreferencesForm, email: String?) {
        self.chrome = chrome.on(.settings)
        self.form = form
        self.email = email
    }

    /// What the template reads.
    public static let keys = Keys<SettingsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("form", of: PreferencesForm.self) { $0.form }
        .text("account_title") { page in
            switch page.chrome.tier {
            case .guest: "Guest"
            case .free: "Free account"
            case .premium: "Premium"
            }
        }
        .text("account_text") { page in
            switch page.chrome.tier {
            case .guest: "Your data is only on this device. Sign in to protect your data."
            case .free, .premium: page.email.map { "Signed in as \($0)." } ?? "Signed in."
            }
        }
        .optional("warning") { page in
            switch page.chrome.tier {
            case .guest:
                "Not signed in – your data is only on this device. "
                    + "Sign in and upgrade to back up your data in the cloud."
            case .free: "Your data is only on this device. Upgrade to back up your data in the cloud."
            case .premium: nil
            }
        }
        .text("data_text") { _ in "It is yours. Take a copy whenever you like." }
}

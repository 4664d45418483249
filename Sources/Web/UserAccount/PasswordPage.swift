// The page that changes the password.

import Templates

/// The form. It posts `csrf`, `password`, `new_password`, `others`.
struct PasswordPage: Page {
    static let template = "user-account/password"
    let chrome: Chrome
    let state: FormState
    /// The address of the account, for the browser's password manager.
    let email: String
    /// Whether the form preselects that the other devices are signed out.
    let locksOthers: Bool
    let forgotten: ForgottenPassword

    static let keys = Keys<PasswordPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .text("email") { $0.email }
        .flag("locks_others") { $0.locksOthers }
        .model("forgotten", of: ForgottenPassword.self) { $0.forgotten }
        .model("password", of: Field.self) { page in
            Field(name: "password", value: "", error: page.state.errors["password"])
        }
        .model("new_password", of: Field.self) { page in
            Field(name: "new_password", value: "", error: page.state.errors["new_password"])
        }
}

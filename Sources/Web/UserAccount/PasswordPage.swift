// The page that changes the password.

import Templates

/// The form. It posts `csrf`, `password`, `new_password`, `others`.
struct PasswordPage: Page {
    /// The name of the page's template.
    static let template = "user-account/password"
    let chrome: Chrome
    let state: FormState
    let email: String
    let locksOthers: Bool

    /// - Parameters:
    ///   - email: the address of the account, for the browser's password manager.
    ///   - locksOthers: whether the form preselects that the other devices are signed out.
    init(chrome: Chrome, state: FormState, email: String, locksOthers: Bool) {
        self.chrome = chrome.on(.settings)
        self.state = state
        self.email = email
        self.locksOthers = locksOthers
    }

    /// The values for the template.
    static let keys = Keys<PasswordPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("email") { $0.email }
        .flag("locks_others") { $0.locksOthers }
        .model("password", of: Field.self) { page in
            Field(name: "password", value: "", error: page.state.errors["password"])
        }
        .model("new_password", of: Field.self) { page in
            Field(name: "new_password", value: "", error: page.state.errors["new_password"])
        }
}

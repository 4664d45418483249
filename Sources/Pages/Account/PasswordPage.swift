// Another password.

public import Templates

/// The form. It posts `csrf`, `password`, `new_password`.
public struct PasswordPage: Page {
    /// Where its template is.
    public static let template = "account/password"
    let chrome: Chrome
    let state: FormState
    let email: String

    /// The page.
    /// - Parameter email: for the browser's keeper of passwords.
    public init(chrome: Chrome, state: FormState, email: String) {
        self.chrome = chrome.on(.settings)
        self.state = state
        self.email = email
    }

    /// What the template reads.
    public static let keys = Keys<PasswordPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("email") { $0.email }
        .model("password", of: Field.self) { page in
            Field(name: "password", value: "", error: page.state.errors["password"])
        }
        .model("new_password", of: Field.self) { page in
            Field(name: "new_password", value: "", error: page.state.errors["new_password"])
        }
}

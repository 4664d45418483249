// The page for signing in to an account, for creating one, and for signing in at an identity provider.

import Templates
import Texts

/// Signing in. Both forms post `csrf`, `once`, `email`, `password`.
package struct SignInPage: Page {
    package static let template = "user-account/sign-in"

    /// The ways to sign in on this server.
    package struct Methods: Hashable, Sendable {
        /// Whether the server has accounts with a password.
        var passwords: Bool
        /// The name of the identity provider; nil if there is none.
        var provider: String?
        /// Whether the server creates new accounts.
        var acceptsNewAccounts: Bool
        /// Whether the accounts are in the cloud of another server, where its operator sets passwords.
        var isOfRemoteCloud: Bool

        /// The ways to sign in on a server.
        package init(
            passwords: Bool,
            provider: String?,
            acceptsNewAccounts: Bool,
            isOfRemoteCloud: Bool = false
        ) {
            self.passwords = passwords
            self.provider = provider
            self.acceptsNewAccounts = acceptsNewAccounts
            self.isOfRemoteCloud = isOfRemoteCloud
        }
    }

    let chrome: Chrome
    let methods: Methods
    let known: FormState
    let new: FormState
    let entries: Int
    let files: Int
    let again: Owner?
    let message: Text?
    let once: String

    /// The user whose session was ended.
    struct Owner: Hashable, Sendable {
        let name: String
        /// The address, which the form has when it is shown; nil if it is unknown.
        let email: String?
        /// Whether the book stays closed until the user signs in.
        let isLocked: Bool

        fileprivate var heading: Text {
            isLocked
                ? Text("user-account.sign-in-to-open-this-book", ["name": .string(name)])
                : Text("settings.sign-in-again")
        }

        fileprivate var words: Text {
            isLocked
                ? Text("user-account.this-device-was-locked")
                : Text("user-account.the-session-was-ended", ["name": .string(name)])
        }
    }

    /// - Parameters:
    ///   - known: the entered values of the form that signs in.
    ///   - new: the entered values of the form that creates an account.
    ///   - entries: the number of the guest's entries that an existing account's data would replace.
    ///   - files: the number of files beside these entries.
    ///   - again: the user whose session was ended, and who must sign in again; nil otherwise.
    ///   - message: an error that concerns no field.
    ///   - once: an id made for these forms, so that sending one twice signs in once.
    init(
        chrome: Chrome,
        methods: Methods,
        known: FormState = FormState(),
        new: FormState = FormState(),
        entries: Int = 0,
        files: Int = 0,
        again: Owner? = nil,
        message: Text? = nil,
        once: String = ""
    ) {
        self.chrome = chrome
        self.methods = methods
        self.known = known
        self.new = new
        self.entries = entries
        self.files = files
        self.again = again
        self.message = message
        self.once = once
    }

    static let keys = Keys<SignInPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .message("heading") { $0.again?.heading ?? Text("common.sign-in") }
        .optionalMessage("again") { $0.again?.words }
        .flag("may_leave") { $0.again?.isLocked != true }
        .optionalMessage("message") { $0.message }
        .text("once") { $0.once }
        .optionalMessage("warning") { page in
            page.entries > 0
                ? Text("user-account.entries-on-this-device", ["count": .count(page.entries)]) : nil
        }
        .optionalMessage("files_warning") { page in
            page.files > 0 ? Text("user-account.files-on-this-device", ["count": .count(page.files)]) : nil
        }
        .flag("passwords") { $0.methods.passwords }
        .optional("provider") { $0.methods.provider }
        .flag("both") { $0.methods.passwords && $0.methods.provider != nil }
        .flag("takes_new") { $0.methods.passwords && $0.methods.acceptsNewAccounts && $0.again == nil }
        .flag("is_closed") { !$0.methods.acceptsNewAccounts && $0.again == nil }
        .flag("has_device") { $0.chrome.hasDevice }
        .model("email", of: Field.self) { page in
            page.known.values["email"] == nil && page.again != nil
                ? Field(name: "email", value: page.again?.email ?? "") : page.known.field("email")
        }
        .model("forgotten", of: ForgottenPassword.self) { page in
            ForgottenPassword(
                of: page.known.values["email"] ?? page.again?.name ?? "",
                page.methods,
                isOpen: page.known.errors["password"] != nil
            )
        }
        .model("password", of: Field.self) { $0.known.field("password") }
        .model("new_email", of: Field.self) { $0.new.field("email") }
        .model("new_password", of: Field.self) { $0.new.field("password") }
}

// The way on for a user who has forgotten the password: no mail is sent, so that only the operator can help.

import CloudProtocol
import Encoding
import Templates
import Texts

/// The command with which the operator sets a new password. It says nothing about the address: it is the same for one
/// without an account.
struct ForgottenPassword: TemplateModel {
    let command: String
    let isOfRemoteCloud: Bool
    /// The identity provider that the user may have signed in with instead; nil if there is none.
    let provider: String?
    /// Whether the help is open: a password has just been refused.
    let isOpen: Bool

    /// - Parameters:
    ///   - email: the address of the account, or any text that was entered in its place.
    ///   - methods: the ways to sign in on this server.
    init(of email: String, _ methods: SignInPage.Methods, isOpen: Bool) {
        let typed = email.asLine
        let isAddress = typed.utf8.count <= 254 && typed.split(separator: "@").count == 2
        let who = isAddress ? ShellWord.quote(typed) : "EMAIL"
        // A word that begins with a hyphen would be an option.
        command = "breadly reset-password \(isAddress && typed.hasPrefix("-") ? "-- " : "")\(who)"
        isOfRemoteCloud = methods.isOfRemoteCloud
        provider = methods.provider
        self.isOpen = isOpen
    }

    static let keys = Keys<ForgottenPassword>()
        .text("command") { $0.command }
        .message("who") { help in
            help.isOfRemoteCloud
                ? Text("user-account.forgot-who-of-the-cloud") : Text("user-account.forgot-who")
        }
        .optionalMessage("instead") { help in
            help.provider.map {
                Text("user-account.forgot-or-the-provider", ["provider": .string($0.isolated)])
            }
        }
        .flag("is_open") { $0.isOpen }
}

extension CloudError {
    /// Whether a password was refused, or is not checked because others were.
    var isAboutThePassword: Bool {
        switch self {
        case .signIn(.wrongCredentials), .signIn(.tooManyAttempts): true
        default: false
        }
    }
}

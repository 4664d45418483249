// The confirmation before a user account is permanently deleted on the cloud and on all devices.

public import Templates
import Texts

/// Asks for confirmation. Its form posts `csrf`, `confirm` and, if it is required, `password`.
public struct UserAccountDeletionPage: Page {
    /// The name of the page's template.
    public static let template = "user-account/delete"
    let chrome: Chrome
    let email: String?
    let hasSubscription: Bool
    let confirmation: Confirmation
    let proof: Proof
    let hasFiles: Bool
    let filesElsewhere: Int
    let state: FormState

    /// The proof of identity that the deletion requires.
    public enum Proof: Hashable, Sendable {
        /// The user types the password of the account.
        case password
        /// The user signs in again at the provider of this name.
        case provider(String)
        /// The user has confirmed it already, or it could not be checked.
        case given
    }

    /// - Parameters:
    ///   - hasSubscription: whether a subscription must be cancelled first.
    ///   - hasFiles: whether files of receipts are on this device.
    ///   - filesElsewhere: the number of those that are not.
    public init(
        chrome: Chrome,
        email: String?,
        hasSubscription: Bool,
        confirmation: Confirmation = .account,
        proof: Proof = .given,
        hasFiles: Bool = false,
        filesElsewhere: Int = 0,
        state: FormState = FormState()
    ) {
        self.proof = proof
        self.hasFiles = hasFiles
        self.filesElsewhere = filesElsewhere
        self.state = state
        self.chrome = chrome
        self.email = email
        self.hasSubscription = hasSubscription
        self.confirmation = confirmation
    }

    /// The values for the template.
    public static let keys = Keys<UserAccountDeletionPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optional("email") { $0.email }
        .flag("has_subscription") { $0.hasSubscription }
        .flag("has_files") { $0.hasFiles }
        .optionalMessage("files_elsewhere") {
            $0.filesElsewhere > 0
                ? Text("user-account.files-are-elsewhere", ["count": .count($0.filesElsewhere)]) : nil
        }
        .model("confirmation", of: Confirmation.self) { $0.confirmation }
        .flag("asks_password") { $0.proof == .password }
        .optional("provider") { if case .provider(let name) = $0.proof { name } else { nil } }
        .model("password", of: Field.self) { $0.state.field("password") }
}

// The confirmation before a user account is permanently deleted on the cloud and on all devices.

import Ledger
import Templates
import Texts

/// Asks for confirmation. Its form posts `csrf`, `confirm` and, if it is required, `password`.
struct UserAccountDeletionPage: Page {
    static let template = "user-account/delete"
    let chrome: Chrome
    let email: String?
    /// Whether a subscription must be cancelled first.
    let hasSubscription: Bool
    var confirmation: Confirmation = .account
    var proof: Proof = .given
    var loss: Loss = Loss()
    var state: FormState = FormState()
    /// The way on without the password that it asks for.
    var forgotten: ForgottenPassword?

    /// The proof of identity that the deletion requires.
    enum Proof: Hashable, Sendable {
        /// The user types the password of the account.
        case password
        /// The user signs in again at the provider of this name.
        case provider(String)
        /// The user has confirmed it already, or it could not be checked.
        case given
    }

    /// The changes and files that are deleted with the account and are not in the cloud, or cannot be downloaded.
    struct Loss: Sendable {
        /// The number of changes that the cloud does not have.
        var changes: Int = 0
        /// The number of files of receipts that the cloud does not have.
        var files: Int = 0
        /// The files that are not on this device.
        var filesNotHere: FilesNotHere = FilesNotHere()
        /// Whether files can be fetched before the deletion, because sync is on.
        var canFetch: Bool = true
        /// Whether files of receipts are on this device.
        var hasFiles: Bool = false
        /// Transactions with files that were not recorded.
        var unsaved: [UnsavedEntry] = []
    }

    static let keys = Keys<UserAccountDeletionPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optional("email") { $0.email }
        .flag("has_subscription") { $0.hasSubscription }
        .flag("has_files") { $0.loss.hasFiles }
        .optionalMessage("only_here") { page in
            RetainedCopy(day: nil, changes: page.loss.changes, files: page.loss.files).onlyHere
        }
        .flag("has_files_here_only") { $0.loss.files > 0 }
        .link("files_href") { _ in ReceiptsPage.ofThoseNotBackedUp }
        .list("unsaved", of: UnsavedEntry.self) { $0.loss.unsaved }
        .optionalMessage("files_elsewhere") { $0.loss.filesElsewhere }
        .model("confirmation", of: Confirmation.self) { $0.confirmation }
        .flag("asks_password") { $0.proof == .password }
        .optional("provider") { if case .provider(let name) = $0.proof { name } else { nil } }
        .model("password", of: Field.self) { $0.state.field("password") }
        .model("forgotten", of: ForgottenPassword.self) { $0.proof == .password ? $0.forgotten : nil }
}

extension UserAccountDeletionPage.Loss {
    /// The sentences about the files that are not on this device; nil if there are none.
    fileprivate var filesElsewhere: Text? {
        var files = filesNotHere
        var texts: [Text] = []
        if case let count = files.fetchable + files.unanswered, count > 0 {
            let values: [String: Text.Argument] = ["count": .count(count)]
            texts.append(
                canFetch
                    ? Text("user-account.files-are-elsewhere", values)
                    : Text("user-account.files-are-not-in-the-download", values)
            )
            (files.fetchable, files.unanswered) = (0, 0)
        }
        texts += files.texts
        return texts.isEmpty ? nil : .sentences(texts)
    }
}

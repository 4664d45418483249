// Shown while an operation on the whole book is running.

import Templates
import Texts

/// The waiting page of an operation. It reloads itself.
struct WaitingPage: Page {
    static let template = "user-account/waiting"

    /// The operation that is running.
    enum Work: Sendable {
        case deletingAccount, deletingServerData, signingOut

        fileprivate var text: Text {
            switch self {
            case .deletingAccount: Text("user-account.your-account-is-being-deleted")
            case .deletingServerData: Text("user-account.your-data-is-being-deleted")
            case .signingOut: Text("user-account.you-are-being-signed-out")
            }
        }
    }

    let chrome: Chrome
    let work: Work

    static let keys = Keys<WaitingPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .message("work") { $0.work.text }
}

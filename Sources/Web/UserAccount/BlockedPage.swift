// The page for an account whose data in the cloud needs a subscription. It offers three choices.

import Templates
import Texts

/// The choices. Its second form posts `csrf`, `confirm`.
struct BlockedPage: Page {
    static let template = "user-account/blocked"

    /// The amount of data in the cloud.
    struct Amounts: Hashable, Sendable {
        let accounts: Int
        let transactions: Int
        let categories: Int
        /// The day of the last change, formatted; nil if it is unknown.
        let changed: String?
    }

    let chrome: Chrome
    let email: String?
    /// The amounts; nil if it is not known whether the cloud still has the data.
    let amounts: Amounts?
    /// Whether there is a subscription now, and the first choice is to wait for the data.
    var hasPremium: Bool = false
    /// Whether the cloud did not answer when it was last asked about the account.
    var isUnanswered: Bool = false
    var confirmation: Confirmation = .serverData

    /// Whether the user has subscribed, and the cloud has not confirmed it.
    private var isBought: Bool { !hasPremium && chrome.cloud.isBought }

    static let keys = Keys<BlockedPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optional("email") { $0.email }
        .flag("is_known") { $0.amounts != nil }
        .message("unknown_text") { $0.chrome.cloud.text }
        .message("transactions") { .transactions($0.amounts?.transactions ?? 0) }
        .message("accounts") { Text("accounts.account-count", ["count": .count($0.amounts?.accounts ?? 0)]) }
        .message("categories") {
            Text("categories.category-count", ["count": .count($0.amounts?.categories ?? 0)])
        }
        .optional("changed") { $0.amounts?.changed }
        .model("confirmation", of: Confirmation.self) { $0.confirmation }
        .flag("has_premium") { $0.hasPremium }
        .flag("is_bought") { $0.isBought }
        .flag("needs_subscription") { !$0.hasPremium && !$0.isBought }
        .message("bought_text") { $0.chrome.cloud.text }
        .flag("is_unanswered") { $0.isUnanswered }
        .flag("is_refused") { $0.confirmation.error != nil }
}

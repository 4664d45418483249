// Shown until the first page of an account is on its device. The book is still the one of before, or an empty one.

import Templates
import Texts

/// Waiting for the accounts and the first entries of a user account. It reloads itself.
struct FirstDownloadPage: Page {
    static let template = "sync/first"

    /// The state of the device until then.
    enum Origin: Sendable {
        /// The book belongs to the guest who has signed in, who can go back to it.
        case guest
        /// The account needed a subscription, so that the book is empty.
        case blocked
    }

    let chrome: Chrome
    let origin: Origin
    /// The reason why nothing has arrived; nil if there is none.
    let trouble: Text?
    /// Whether the reason is the number of the user's devices, to which the page leads then.
    var hasTooManyDevices: Bool = false
    /// Whether the book of the guest who has signed in can be read meanwhile.
    var readsFormerBook: Bool = false
    /// Whether a retry and a way back are offered although nothing has failed.
    let takesLong: Bool

    static let keys = Keys<FirstDownloadPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optionalMessage("trouble") { $0.trouble }
        .message("here") {
            $0.origin == .guest
                ? Text("user-account.nothing-on-this-device") : Text("sync.your-book-opens-then")
        }
        .flag("has_too_many_devices") { $0.hasTooManyDevices }
        .flag("reads_former_book") { $0.readsFormerBook }
        .flag("is_guest") { $0.origin == .guest }
        .flag("offers") { $0.takesLong || $0.trouble != nil }
}

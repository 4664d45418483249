// Shown until the first page of an account is on its device. The book is still the one of before, or an empty one.

import Templates
import Texts

/// Waiting for the accounts and the first entries of a user account. It reloads itself.
struct FirstDownloadPage: Page {
    /// The name of the page's template.
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
    let trouble: Text?
    let hasTooManyDevices: Bool
    let takesLong: Bool

    /// - Parameters:
    ///   - trouble: the reason why nothing has arrived; nil if there is none.
    ///   - hasTooManyDevices: whether the reason is the number of the user's devices, to which the page leads then.
    ///   - takesLong: whether a retry and a way back are offered although nothing has failed.
    init(
        chrome: Chrome,
        origin: Origin,
        trouble: Text?,
        hasTooManyDevices: Bool = false,
        takesLong: Bool
    ) {
        self.chrome = chrome
        self.origin = origin
        self.trouble = trouble
        self.hasTooManyDevices = hasTooManyDevices
        self.takesLong = takesLong
    }

    /// The values for the template.
    static let keys = Keys<FirstDownloadPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optionalMessage("trouble") { $0.trouble }
        .message("here") {
            $0.origin == .guest
                ? Text("user-account.nothing-on-this-device") : Text("sync.your-book-opens-then")
        }
        .flag("has_too_many_devices") { $0.hasTooManyDevices }
        .flag("is_guest") { $0.origin == .guest }
        .flag("offers") { $0.takesLong || $0.trouble != nil }
}

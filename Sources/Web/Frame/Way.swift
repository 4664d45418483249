// The way to a place that a sentence names.

import Links
import Templates
import Texts

/// A link to the page where a user can do what a message asks for.
struct Way: TemplateModel, Hashable {
    let href: Link
    let label: Text

    init(_ href: Link, _ label: Text) {
        self.href = href
        self.label = label
    }

    static let keys = Keys<Way>()
        .link("href") { $0.href }
        .message("label") { $0.label }

    static let accounts = Way(.accounts, Text("common.accounts"))
    static let banks = Way(.banks, Text("chrome.banks"))
    static let files = Way(ReceiptsPage.ofThoseNotBackedUp, Text("user-account.see-the-files"))
    static let premium = Way(.subscription, Text("chrome.see-premium"))
    static let signIn = Way(.signIn, Text("common.sign-in"))
    static let signInAgain = Way(.signIn, Text("settings.sign-in-again"))
    static let signedInDevices = Way(.signedInDevices, Text("user-account.signed-in-devices"))
    static let subscription = Way(.subscription, Text("common.subscription"))
    static let sync = Way(.sync, Text("chrome.sync"))
}

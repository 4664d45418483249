// A notice on every page until it is dismissed.

import Links
import Templates
import Texts

/// A message that the user must not miss.
package struct NoticeLine: TemplateModel {
    let key: String
    let text: Text
    /// Whether the page is the list of files that a notice leads to.
    var isOnListOfFiles = false

    /// - Parameter key: its subject, such as `subscription-ended`, for tests, scripts and the address that
    ///   dismisses it.
    init(key: String, text: Text) {
        self.key = key
        self.text = text
    }

    static let keys = Keys<NoticeLine>()
        .text("key") { $0.key }
        .message("text") { $0.text }
        .flag("is_of_guest") { $0.key == "guest-count" }
        .flag("is_of_banks") { $0.key.hasPrefix("bank-") }
        .flag("is_of_files") {
            ["files-not-uploaded", "files-damaged"].contains($0.key) && !$0.isOnListOfFiles
        }
        .link("files_href") { _ in ReceiptsPage.ofThoseNotBackedUp }
        .link("action", to: Link.noticeDismiss, printed: { $0.key })
}

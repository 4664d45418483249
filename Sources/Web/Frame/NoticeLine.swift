// A notice on every page until it is dismissed.

import Devices
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
        .flag("can_dismiss") { $0.canDismiss }
        .model("way", of: Way.self) { $0.isOnListOfFiles && $0.way == .files ? nil : $0.way }
        .link("action", to: Link.noticeDismiss, printed: { $0.key })

    /// The page where the user can do what the notice asks for; nil where there is nothing to do.
    var way: Way? { Self.ways[key] }

    /// Whether the user can dismiss it. What was paid for is said until the cloud has answered.
    var canDismiss: Bool { key != Device.NoticeKind.purchaseWaits.rawValue }

    /// The keys are those of `Announcement`, `Device.NoticeKind` and `BankNotice`.
    private static let ways: [String: Way] = [
        "bank-consent-ended": .banks,
        "bank-consent-ends-soon": .banks,
        "changes-not-uploaded": .premium,
        "data-deleted": .sync,
        "files-damaged": .files,
        "files-not-uploaded": .files,
        "guest-count": .signIn,
        "no-cloud-backup": .premium,
        "purchase-waits": .subscription,
        "subscription-ended": .premium,
    ]
}

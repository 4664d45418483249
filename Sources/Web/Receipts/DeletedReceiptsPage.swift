// The question whether deleted receipts are to be removed for good.

import Ledger
import Links
import Templates
import Texts

/// The question, with the room that it makes and all that cannot be undone afterwards.
struct DeletedReceiptsPage: Page {
    /// The name of the page's template.
    static let template = "receipts/deleted"
    let chrome: Chrome
    let formats: Formats
    let space: ReceiptSpace
    let limit: Int64

    /// - Parameter limit: the greatest number of bytes of all files of the device.
    init(chrome: Chrome, formats: Formats, space: ReceiptSpace, limit: Int64) {
        self.chrome = chrome.on(.transactions)
        self.formats = formats
        self.space = space
        self.limit = limit
    }

    /// The values for the template.
    static let keys = Keys<DeletedReceiptsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .flag("has_deleted") { $0.space.deleted.count > 0 }
        .message("summary") { page in
            page.space.deleted.count == 0
                ? Text("receipts.nothing-deleted")
                : ReceiptsPage.spaceText(page.space, limit: page.limit, page.formats)
        }
        .message("submit") { Text("receipts.remove-files", ["count": .count($0.space.deleted.count)]) }
}

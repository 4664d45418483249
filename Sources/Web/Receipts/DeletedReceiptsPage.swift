// The question whether deleted receipts are to be removed for good.

import Ledger
import Links
import Templates
import Texts

/// The question, with the room that it makes and all that cannot be undone afterwards.
struct DeletedReceiptsPage: Page {
    static let template = "receipts/deleted"
    let chrome: Chrome
    let formats: Formats
    let space: ReceiptSpace
    /// The greatest number of bytes of all files of the device.
    let limit: Int64

    static let keys = Keys<DeletedReceiptsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .flag("has_deleted") { $0.space.deleted.count > 0 }
        .message("summary") { page in
            page.space.deleted.count == 0
                ? Text("receipts.nothing-deleted")
                : ReceiptsPage.spaceText(page.space, limit: page.limit, page.formats)
        }
        .message("submit") { Text("receipts.remove-files", ["count": .count($0.space.deleted.count)]) }
}

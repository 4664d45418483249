// Removing deleted receipts for good, which makes room on this device before their time is over.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /attachments/deleted`: the question, with its consequences.
enum DeletedReceiptsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(
            DeletedReceiptsPage(
                chrome: context.chrome(),
                formats: try context.formats(),
                space: try context.book().receiptSpace(),
                limit: context.site.devices.receiptLimits.deviceBytes
            )
        )
    }
}

/// `POST /attachments/deleted`: removes the files, and says how much room there is now.
enum DeletedReceiptsRemove {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let removed = try device.removeDeletedReceipts(from: context.book())
        let size = try context.formats().fileSize(removed.bytes)
        let text = Text("receipts.removed-for-good", ["count": .count(removed.count), "size": .text(size)])
        device.show(Device.Toast(key: "receipts-removed", text: text))
        return context.redirect(to: .receipts)
    }
}

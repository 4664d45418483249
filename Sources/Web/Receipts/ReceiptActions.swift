// The actions of receipts that take no file: deleting them, removing deleted ones for good, and trying an upload again.

import Book
import Devices
import HTTPServer
package import Ledger
package import Links
import Texts

extension Link {
    package static let receipts = Link(declared: "/attachments")
    static let receipt = LinkTo<EntityID>("/attachments/*")
    package static let receiptThumbnail = LinkTo<EntityID>("/attachments/*/thumbnail")
    static let receiptDelete = LinkTo<EntityID>("/attachments/*/delete")
    static let receiptRetry = LinkTo<EntityID>("/attachments/*/retry")
    static let deletedReceipts = Link(declared: "/attachments/deleted")
    static let transactionReceipts = LinkTo<EntityID>("/transactions/*/attachments")
    /// Adds files to a transaction that is still being entered.
    static let newTransactionReceipts = Link(declared: "/transactions/new/attachments")
    /// Removes the files of a transaction that was not saved.
    static let unsavedReceipts = Link(declared: "/transactions/new/attachments/discard")
}

extension Feature {
    static let receipts = Feature(
        routes: [
            get(.receipts, ReceiptsShow.answer),
            get(to: Link.receipt, ReceiptFileShow.answer),
            get(to: Link.receiptThumbnail, ReceiptFileShow.thumbnail),
            post(to: Link.receiptThumbnail, ReceiptThumbnailAdd.answer),
            post(to: Link.receiptDelete, ReceiptDelete.answer),
            post(to: Link.receiptRetry, ReceiptRetry.answer),
            get(.deletedReceipts, DeletedReceiptsShow.answer),
            post(.deletedReceipts, DeletedReceiptsRemove.answer),
            post(to: Link.transactionReceipts, ReceiptsAdd.answer),
            post(.newTransactionReceipts, DraftReceiptsAdd.answer),
            post(.unsavedReceipts, UnsavedReceiptsDiscard.answer),
        ],
        refills: [
            post(to: Link.transactionReceipts, ReceiptsAdd.refilled),
            post(.newTransactionReceipts, DraftReceiptsAdd.refilled),
        ],
        pages: [ReceiptsPage.self, DeletedReceiptsPage.self],
        links: [
            "receipts": .receipts,
            "deleted_receipts": .deletedReceipts,
            "unsaved_receipts": .unsavedReceipts,
        ]
    )
}

/// `POST /attachments/ID/delete`: deletes a receipt; the next page offers Undo.
enum ReceiptDelete {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        if let draft = try context.book().draftReceipt(id) { return try deleteDraft(draft, context) }
        let book = try context.book()
        let change = try book.deleteReceipt(id)
        try context.knownDevice().recountDamage(in: book)
        let toast = Device.Toast(
            key: "receipt-deleted",
            text: Text("receipts.deleted"),
            undo: change.map { Link.historyUndo($0).text }
        )
        try context.knownDevice().show(toast)
        return try ReceiptPlace.answer(id, context)
    }

    /// There is no Undo: the file can be chosen again.
    private static func deleteDraft(_ draft: Receipt, _ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        try device.removeDraftReceipt(draft.id, from: context.book())
        device.show(Device.Toast(key: "receipt-deleted", text: Text("receipts.deleted")))
        return try DraftReceiptsAdd.page(context, AddedFiles())
    }
}

/// `POST /transactions/new/attachments/discard`: removes the files of a transaction that was not saved.
enum UnsavedReceiptsDiscard {
    static func answer(_ context: RequestContext) throws -> Response {
        guard let transaction = context.knownOnceID else { throw Refusal.malformed }
        let device = try context.knownDevice()
        try device.removeDraftReceipts(of: transaction, from: context.book())
        device.show(Device.Toast(key: "receipt-deleted", text: Text("receipts.discarded")))
        return context.redirect(to: context.originPage ?? .receipts)
    }
}

/// `POST /attachments/ID/retry`: lets a refused upload be tried again.
enum ReceiptRetry {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard try book.transaction(ofReceipt: id) != nil else { throw Refusal.notFound }
        if let file = try book.receipt(id)?.file, file.failure != ReceiptFile.missing,
            file.status == .failed || file.isDamaged
        {
            try book.retryReceiptFile(file)
            let device = try context.knownDevice()
            try device.recountDamage(in: book)
            device.retrySync()
        }
        return try ReceiptPlace.answer(id, context)
    }
}

enum ReceiptPlace {
    /// The page that the form was sent from: the page of the transaction with what was typed there, also if
    /// the receipt or the transaction was deleted meanwhile, or the list of all receipts with its filters.
    static func answer(_ receipt: EntityID, _ context: RequestContext) throws -> Response {
        if let list = context.request.form.first("list") { return context.redirect(to: self.list(list)) }
        guard let id = try context.book().transaction(ofReceipt: receipt) else {
            return context.redirect(to: .receipts)
        }
        return try answer(beside: id, context)
    }

    /// The list of receipts with the filters of an address, which may come from anywhere; without filters
    /// if it is the address of another page.
    static func list(_ address: String) -> Link {
        guard let link = Link(address), link.path == Link.receipts.path, address.utf8.count <= 2_000,
            !address.utf8.contains(UInt8(ascii: "#"))
        else { return .receipts }
        return link
    }

    /// The page of a transaction, with what was typed there.
    static func answer(beside id: EntityID, _ context: RequestContext) throws -> Response {
        let (book, form) = (try context.book(), context.request.form)
        guard try book.transaction(id) != nil else {
            guard form.names.contains(where: TransactionEntry.fields.contains) else {
                return context.redirect(to: .receipts)
            }
            return try EntityChange<TransactionEntry>.gone(context, id)
        }
        let sent = try SentTransaction(id, context)
        return sent.isChanged
            ? try ReceiptsAdd.page(context, sent, AddedFiles())
            : context.redirect(to: Link.transaction(id).adding(fragment: "receipts"))
    }
}

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

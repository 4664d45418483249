// Deleting a receipt, and trying an upload again.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Pages
import Texts

/// `POST /transactions/ID/attachments`: adds files. Those that cannot be added are named with the reason, and the others
/// are added nevertheless.
enum ReceiptsAdd {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        // Throws if the device has no book to show.
        guard try context.book().transaction(id) != nil else {
            return try EntityChange<TransactionEntry>.gone(context, id)
        }
        let uploads = context.request.files
        let keepsLocation = context.request.form.first("keep_location") != nil
        let fileBytes = context.site.devices.receiptLimits.fileBytes
        return context.later {
            CheckedFile.all(uploads, keepsLocation: keepsLocation, fileBytes: fileBytes)
        } then: { context, files in
            try add(files, to: id, context)
        }
    }

    private static func add(_ files: [CheckedFile], to id: EntityID, _ context: RequestContext) throws
        -> Response
    {
        let formats = try context.formats()
        var errors: [(text: Text, status: Status)] = []
        var surplus: [String] = []
        var outcome = ReceiptsSection.Outcome()
        var ready: [(receipt: Receipt, file: CheckedFile.Ready)] = []
        // Receipts of the same second are listed by their ids: those of a form have its order.
        for (file, receipt) in zip(files, files.map { _ in context.newID() }.sorted()) {
            switch file.result {
            case .success(let found): ready.append((receipt(found, of: id, context), found))
            case .failure(.tooMany): surplus.append(file.sentName)
            case .failure(let problem):
                if case .failed(let reason) = problem {
                    context.site.devices.dependencies.log.error("a file cannot be stored: \(reason)")
                }
                errors.append((problem.text(about: file.sentName, formats), problem.status))
            }
        }
        if files.isEmpty { errors.append((Text("receipts.choose-a-file"), .unprocessable)) }
        var added = 0
        if !ready.isEmpty {
            switch try store(ready, of: id, context) {
            case .success(let count): added = count
            case .failure(.tooManyOfTransaction): surplus = ready.map(\.file.name) + surplus
            case .failure(.quota(let space)):
                let limit = context.site.devices.receiptLimits.deviceBytes
                let text = ReceiptsPage.overQuotaText(space, limit: limit, formats)
                errors.append((text, .insufficientStorage))
                outcome.offersRemoval = space.deleted.count > 0
            }
        }
        if !surplus.isEmpty { errors.append((tooMany(surplus), .unprocessable)) }
        if added > 0 {
            let text = Text("receipts.added", ["count": .count(added)])
            try context.knownDevice().show(Device.Toast(key: "receipt-added", text: text))
        } else if errors.isEmpty {
            let text = Text("receipts.are-there-already", ["count": .count(ready.count)])
            try context.knownDevice().show(Device.Toast(key: "receipt-already", text: text))
        }
        let sent = try SentTransaction(id, context)
        guard let worst = errors.map(\.status).max(by: { $0.rawValue < $1.rawValue }) else {
            return sent.isChanged
                ? try page(context, sent, outcome, .ok)
                : context.redirect(to: Link.transaction(id).adding(fragment: "receipts"))
        }
        (outcome.errors, outcome.hasAdded) = (errors.map(\.text), added > 0)
        var response = try page(context, sent, outcome, worst)
        if worst == .unavailable { response.add("Retry-After", "30") }
        return response
    }

    private static func tooMany(_ names: [String]) -> Text {
        let files = names.map(\.shortened.isolated).joined(separator: ", ")
        return Text(
            "receipts.too-many",
            ["files": .string(files), "limit": .count(Receipt.mostOfTransaction)]
        )
    }

    private static func receipt(_ file: CheckedFile.Ready, of id: EntityID, _ context: RequestContext)
        -> Receipt
    {
        Receipt(
            id: id,
            transaction: transaction,
            name: file.name,
            type: file.inspection.type.rawValue,
            size: Int64(file.file.size),
            sha256: "\(file.hash)",
            width: file.inspection.width.map { Int64($0) },
            height: file.inspection.height.map { Int64($0) },
            created: context.site.devices.dependencies.now
        )
    }

    private static func store(
        _ ready: [(receipt: Receipt, file: CheckedFile.Ready)],
        of id: EntityID,
        _ context: RequestContext
    ) throws -> Result<Int, ReceiptRefusal> {
        let folder = try context.knownDevice().files
        let files = Dictionary(
            ready.map { ($0.receipt.id, $0.file) },
            uniquingKeysWith: { first, _ in first }
        )
        let limit = context.site.devices.receiptLimits.deviceBytes
        return try context.book().add(ready.map(\.receipt), to: id, quota: limit) { receipt in
            guard let file = files[receipt.id] else { return }
            do throws(FileStoreError) {
                try folder.place(file.file)
                // Without it the page shows an icon.
                if let thumbnail = file.thumbnail { try folder.place(thumbnail: thumbnail, of: file.hash) }
            } catch { throw BookError(error) }
        }
    }

    /// The page of a transaction with what was typed there, and with the reasons why files were not added.
    static func page(
        _ context: RequestContext,
        _ sent: SentTransaction,
        _ outcome: ReceiptsSection.Outcome,
        _ status: Status
    ) throws -> Response {
        let catalog = try context.catalog()
        var outcome = outcome
        if sent.isChanged { outcome.notice = Text("receipts.changes-are-not-saved") }
        return try TransactionFormPage.make(
            context,
            sent.state,
            sent.id,
            catalog,
            status,
            receipts: outcome
        )
    }

    /// A form with a token of another session: the browser does not send the files again by itself.
    static func refilled(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard try context.book().transaction(id) != nil else {
            return try EntityChange<TransactionEntry>.gone(context, id, .forbidden)
        }
        let outcome = ReceiptsSection.Outcome(errors: [Text("receipts.choose-the-files-again")])
        return try page(context, SentTransaction(id, context), outcome, .forbidden)
    }
}

extension ReceiptProblem {
    fileprivate var status: Status {
        switch self {
        case .empty, .unknownType, .unreadable, .tooMany, .tooManyPixels: .unprocessable
        case .tooLarge: .contentTooLarge
        case .diskFull: .insufficientStorage
        case .busy: .unavailable
        case .failed: .internalError
        }
    }

    fileprivate func text(about name: String, _ formats: Formats) -> Text {
        let file = Text.Argument.string(name.shortened.isolated)
        return switch self {
        case .empty: Text("receipts.is-empty", ["file": file])
        case .unknownType: Text("receipts.is-of-no-known-type", ["file": file])
        case .unreadable: Text("receipts.is-damaged", ["file": file])
        case .tooMany:
            Text("receipts.too-many", ["files": file, "limit": .count(Receipt.mostOfTransaction)])
        case .tooLarge(let limit):
            Text("receipts.is-too-large", ["file": file, "limit": .text(formats.fileSize(Int64(limit)))])
        case .tooManyPixels(let width, let height):
            Text(
                "receipts.has-too-many-pixels",
                ["file": file, "width": .string("\(width)"), "height": .string("\(height)")]
            )
        case .diskFull: Text("receipts.no-room-for", ["file": file])
        case .busy: Text("receipts.too-many-at-once", ["file": file])
        case .failed: Text("receipts.could-not-be-stored", ["file": file])
        }
    }
}

extension String {
    /// The name of a file in a sentence: one line, and short.
    fileprivate var shortened: String {
        let line = asLine
        return line.count <= 80 ? line : line.prefix(60) + "…" + line.suffix(15)
    }
}

/// `POST /attachments/ID/delete`: deletes a receipt; the next page offers Undo.
enum ReceiptDelete {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        if let draft = try context.book().draftReceipt(id) { return try deleteDraft(draft, context) }
        let change = try context.book().deleteReceipt(id)
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
        _ = try context.book().deleteDraftReceipt(draft.id)
        let toast = Device.Toast(key: "receipt-deleted", text: Text("receipts.deleted"))
        try context.knownDevice().show(toast)
        return try DraftReceiptsAdd.page(context, AddedFiles())
    }
}

/// `POST /attachments/ID/retry`: lets a refused upload be tried again.
enum ReceiptRetry {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard try book.transaction(ofReceipt: id) != nil else { throw Refusal.notFound }
        if let file = try book.receipt(id)?.file, file.status == .failed, file.failure != ReceiptFile.missing
        {
            try book.setReceiptFile(file.sha256, .localOnly)
            try context.knownDevice().retrySync()
        }
        return try ReceiptPlace.answer(id, context)
    }
}

enum ReceiptPlace {
    /// The page that the form was sent from: that of the transaction with what was typed there, also if the receipt or the
    /// transaction was deleted meanwhile, or the list of all receipts with its filters.
    static func answer(_ receipt: EntityID, _ context: RequestContext) throws -> Response {
        if let list = context.request.form.first("list") { return context.redirect(to: self.list(list)) }
        guard let id = try context.book().transaction(ofReceipt: receipt) else {
            return context.redirect(to: .receipts)
        }
        return try answer(beside: id, context)
    }

    /// The list of receipts with the filters of an address, which may come from anywhere; without filters if it is that of
    /// another page.
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
            ? try ReceiptsAdd.page(context, sent, ReceiptsSection.Outcome(), .ok)
            : context.redirect(to: Link.transaction(id).adding(fragment: "receipts"))
    }
}

// The forms that add files: to a transaction, and to a transaction that is still being entered.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `POST /transactions/ID/attachments`: adds files. Files that cannot be added are named with the reason, and the
/// others are added nevertheless.
enum ReceiptsAdd {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        // Throws if the device has no book to show.
        guard try context.book().transaction(id) != nil else { return try gone(context, id) }
        guard context.hasFiles else {
            let none = AddedFiles(Text("receipts.choose-a-file"), .unprocessable)
            return try page(context, SentTransaction(id, context), none)
        }
        return AddedFiles.store(context, in: .recorded(id)) { context, added in
            try tell(added, context)
            let sent = try SentTransaction(id, context)
            guard added.errors.isEmpty, added.placeNote == nil, !sent.isChanged else {
                return try page(context, sent, added)
            }
            return context.redirect(to: Link.transaction(id).adding(fragment: "receipts"))
        }
    }

    /// The page for a transaction that was deleted while its form was open: the files belong to the transaction that
    /// can be added in its place.
    static func gone(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard context.hasFiles, let once = context.knownOnceID,
            try context.book().deletion(of: Transaction.self, id) != nil
        else {
            return try EntityChange<TransactionEntry>.gone(context, id)
        }
        return AddedFiles.store(context, in: .entered(once)) { context, added in
            guard !added.errors.isEmpty else {
                try tellOfPlaces(added, context)
                return try EntityChange<TransactionEntry>.gone(context, id)
            }
            return try DraftReceiptsAdd.page(context, added, notice: added.entryIsNotSaved)
        }
    }

    /// Shows what was added with the next page.
    static func tell(_ added: AddedFiles, _ context: RequestContext) throws {
        if added.count > 0 {
            let text = Text("receipts.added", ["count": .count(added.count)])
            try context.knownDevice().show(Device.Toast(key: "receipt-added", text: text))
        }
        if added.repaired > 0 {
            let text = Text("receipts.are-whole-again", ["count": .count(added.repaired)])
            try context.knownDevice().show(Device.Toast(key: "receipt-repaired", text: text))
        }
        if added.count + added.repaired == 0, added.errors.isEmpty {
            let text = Text("receipts.are-there-already", ["count": .count(added.known)])
            try context.knownDevice().show(Device.Toast(key: "receipt-already", text: text))
        }
    }

    /// Shows with the next page which photos may still have their place, if that page has no section for files.
    static func tellOfPlaces(_ added: AddedFiles, _ context: RequestContext) throws {
        guard let text = added.placeNote else { return }
        try context.knownDevice().show(Device.Toast(key: "receipt-place", text: text))
    }

    /// The page of a transaction with what was typed there, and with the reasons why files were not added.
    static func page(_ context: RequestContext, _ sent: SentTransaction, _ added: AddedFiles) throws
        -> Response
    {
        let catalog = try context.catalog()
        var outcome = added.outcome
        // A message above the form may say so already.
        if sent.isChanged, sent.state.notice == nil {
            outcome.notice = Text("receipts.changes-are-not-saved")
        }
        return try TransactionFormPage.make(
            context,
            sent.state,
            sent.id,
            catalog,
            added.status,
            receipts: outcome
        )
        .askingForPatience(added)
    }

    /// A form with a token of another session: the browser does not send the files again by itself.
    static func refilled(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard try context.book().transaction(id) != nil else {
            return try EntityChange<TransactionEntry>.gone(context, id, .forbidden)
        }
        return try page(context, SentTransaction(id, context), .withOutdatedForm(context.request))
    }
}

/// `POST /transactions/new/attachments`: adds files to a transaction that is still being entered. Whatever was typed comes
/// back.
enum DraftReceiptsAdd {
    static func answer(_ context: RequestContext) throws -> Response {
        guard let transaction = context.knownOnceID else { throw Refusal.malformed }
        guard context.hasFiles else {
            return try page(context, AddedFiles(Text("receipts.choose-a-file"), .unprocessable))
        }
        return AddedFiles.store(context, in: .entered(transaction)) { context, added in
            try page(context, added)
        }
    }

    static func refilled(_ context: RequestContext) throws -> Response {
        try page(context, .withOutdatedForm(context.request))
    }

    /// The page of a new transaction with what was typed there, and with the reasons why files were not added.
    /// - Parameter notice: the message above the form.
    static func page(_ context: RequestContext, _ added: AddedFiles, notice: Text? = nil) throws -> Response {
        let catalog = try context.catalog()
        var state = FormState(context.request.form, TransactionEntry.fields, lists: TransactionEntry.lists)
        // The script sends files alone.
        if state.values.isEmpty { state = try TransactionNew.blank(context, catalog) }
        (state.back, state.notice) = (context.postedList, notice)
        return try TransactionFormPage.make(
            context,
            state,
            nil,
            catalog,
            added.status,
            receipts: added.outcome
        )
        .askingForPatience(added)
    }
}

extension RequestContext {
    /// Whether the form has files. A field without a choice is no file.
    var hasFiles: Bool { request.files.contains { $0.field == "file" } }
}

extension AddedFiles {
    /// None, because the page was too old. A form that the script sends has no names of files that it does not send.
    static func withOutdatedForm(_ request: Request) -> AddedFiles {
        let names = request.namesOfFiles
        let text =
            names.isEmpty
            ? Text("receipts.choose-the-files-again")
            : Text("receipts.choose-these-files-again", ["files": ReceiptProblem.names(names)])
        return AddedFiles(text, .forbidden, files: max(1, names.count))
    }

    /// The message above a form that was not saved, because files that were sent with it were not added.
    var entryIsNotSaved: Text {
        Text("receipts.entry-is-not-saved", ["count": .count(refused)])
    }
}

extension Response {
    /// Says when to send files again that were not accepted for a passing reason.
    fileprivate func askingForPatience(_ added: AddedFiles) -> Response {
        guard added.status == .unavailable else { return self }
        var response = self
        response.add("Retry-After", "30")
        return response
    }
}

// The forms that record and change a transaction, with the files that were chosen beside it.

import HTTPServer
import Ledger

/// `POST /transactions`: adds a transaction, with the files that were chosen beside it.
enum TransactionAdd {
    static func answer(_ context: RequestContext) throws -> Response {
        guard context.hasFiles else { return try EntityAdd<TransactionEntry>.answer(context) }
        guard let transaction = context.knownOnceID else { throw Refusal.malformed }
        // Before the transaction: a form that is refused loses no file.
        return AddedFiles.store(context, in: .entered(transaction)) { context, added in
            guard added.errors.isEmpty else {
                return try DraftReceiptsAdd.page(context, added, notice: added.entryIsNotSaved)
            }
            return try EntityAdd<TransactionEntry>.answer(context)
        }
    }
}

/// `POST /transactions/ID`: changes a transaction, and adds the files that were chosen beside it.
enum TransactionChange {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard context.hasFiles else { return try EntityChange<TransactionEntry>.answer(context, id) }
        guard try context.book().transaction(id) != nil else { return try ReceiptsAdd.gone(context, id) }
        return AddedFiles.store(context, in: .recorded(id)) { context, added in
            try ReceiptsAdd.tell(added, context)
            var sent = try SentTransaction(id, context)
            guard added.errors.isEmpty else {
                if sent.isChanged { sent.state.notice = added.entryIsNotSaved }
                return try ReceiptsAdd.page(context, sent, added)
            }
            guard sent.isChanged else {
                let value = try context.book().transaction(id)
                return context.redirect(to: context.list(of: id, or: TransactionEntry.list(around: value)))
            }
            return try EntityChange<TransactionEntry>.answer(context, id)
        }
    }
}

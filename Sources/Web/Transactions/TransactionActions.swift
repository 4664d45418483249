// The actions of transactions. The list is in `TransactionsShow.swift`.

import HTTPServer
import Ledger
package import Links

extension Link {
    package static let transactions = Link(declared: "/transactions")
    static let newTransaction = Link(declared: "/transactions/new")
    static let transactionsBulk = Link(declared: "/transactions/bulk")
    static let transaction = LinkTo<EntityID>("/transactions/*")
    static let transactionDelete = LinkTo<EntityID>("/transactions/*/delete")
    static let transactionRestore = LinkTo<EntityID>("/transactions/*/restore")
    /// The search field of the list.
    static let search = transactions.adding(fragment: "q")
}

extension Feature {
    static let transactions = Feature(
        routes: [
            get(.transactions, TransactionsShow.answer),
            get(.newTransaction, TransactionNew.answer),
            post(.transactionsBulk, TransactionsBulk.answer),
        ]
            + entities(
                TransactionEntry.self,
                .transactions,
                Link.transaction,
                add: TransactionAdd.answer,
                change: TransactionChange.answer
            ),
        refills: refills(TransactionEntry.self, .transactions, Link.transaction),
        pages: [TransactionsPage.self, TransactionEditPage.self, BulkPage.self],
        links: [
            "transactions": .transactions,
            "new_transaction": .newTransaction,
            "transactions_bulk": .transactionsBulk,
            "search": .search,
        ]
    )
}

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
            try ReceiptsAdd.tellOfPlaces(added, context)
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
            try ReceiptsAdd.tellOfPlaces(added, context)
            guard sent.isChanged else {
                let value = try context.book().transaction(id)
                return context.redirect(to: context.list(of: id, or: TransactionEntry.list(around: value)))
            }
            return try EntityChange<TransactionEntry>.answer(context, id)
        }
    }
}

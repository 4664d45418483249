// The actions of transactions. The list is in `TransactionsShow.swift`.

import Book
import Devices
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let transactions = Link(declared: "/transactions")
    static let newTransaction = Link(declared: "/transactions/new")
    static let transactionsBulk = Link(declared: "/transactions/bulk")
    static let transaction = LinkTo<EntityID>("/transactions/*")
    static let transactionDelete = LinkTo<EntityID>("/transactions/*/delete")
    static let transactionRestore = LinkTo<EntityID>("/transactions/*/restore")
    static let transactionDuplicate = LinkTo<EntityID>("/transactions/*/duplicate")
    static let transactionStar = LinkTo<EntityID>("/transactions/*/star")
    /// The search field of the list.
    static let search = transactions.adding(fragment: "q")
}

extension Feature {
    static let transactions = Feature(
        routes: [
            get(.transactions, TransactionsShow.answer),
            get(.newTransaction, TransactionNew.answer),
            post(.transactionsBulk, TransactionsBulk.answer),
            get(.uncategorized, UncategorizedShow.answer),
            post(.uncategorized, UncategorizedChange.answer),
            post(to: Link.transactionDuplicate, TransactionDuplicate.answer),
            post(to: Link.transactionStar, TransactionStar.answer),
        ]
            + entities(
                TransactionEntry.self,
                .transactions,
                Link.transaction,
                add: TransactionAdd.answer,
                change: TransactionChange.answer
            ),
        refills: refills(TransactionEntry.self, .transactions, Link.transaction),
        pages: [TransactionsPage.self, TransactionEditPage.self, BulkPage.self, UncategorizedPage.self],
        links: [
            "transactions": .transactions,
            "new_transaction": .newTransaction,
            "transactions_bulk": .transactionsBulk,
            "uncategorised": .uncategorized,
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

/// `POST /transactions/ID/duplicate`: adds a copy of a transaction, of today. If that is not possible, the form of a new
/// transaction shows why.
enum TransactionDuplicate {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (book, formats) = (try context.book(), try context.formats())
        guard var copy = try book.transaction(id) else {
            return try EntityShow<TransactionEntry>.gone(context, id)
        }
        copy = copy.copy(context.newID(), on: formats.today)
        do {
            let result = try book.duplicate(.rows([id]), on: copy.date) { copy.id }
            guard result.change != nil else { return try EntityShow<TransactionEntry>.gone(context, id) }
            let text = try TransactionEntry.addedText(copy, context)
            let undo = result.change.map { Link.historyUndo($0).text }
            try context.knownDevice().show(Device.Toast(key: "transaction-added", text: text, undo: undo))
            return context.redirect(to: TransactionEntry.list(around: copy).adding(fragment: "t\(copy.id)"))
        } catch let error as BookError {
            guard let (field, text) = TransactionEntry.refusal(error) else { throw error }
            let catalog = try context.catalog()
            var state = TransactionForm.values(of: copy, catalog: catalog, formats: formats)
            state.order = TransactionEntry.fields
            state.refuse(field, text)
            return try TransactionFormPage.make(context, state, nil, catalog, .unprocessable)
        }
    }
}

/// `POST /transactions/ID/star`: makes a transaction a template, or none, by `star`: `on` or `off`.
enum TransactionStar {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let star = context.request.form.first("star"), ["on", "off"].contains(star) else {
            throw Refusal.malformed
        }
        let book = try context.book()
        guard try book.transaction(id) != nil else {
            return try EntityShow<TransactionEntry>.gone(context, id)
        }
        let change = try book.star(id, star == "on")
        let text = star == "on" ? Text("transactions.starred") : Text("transactions.no-longer-starred")
        let undo = change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: "transaction-starred", text: text, undo: undo))
        return context.redirect(to: Link.transaction(id))
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

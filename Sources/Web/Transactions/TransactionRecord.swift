import Book
import Devices
import HTTPServer
import Ledger
import Pages

/// `POST /transactions`: records what was typed.
enum TransactionRecord {
    static func answer(_ context: RequestContext) throws -> Response {
        let form = context.request.form
        let formats = try context.formats()
        let catalog = try context.catalog()
        var entry = try TransactionEntry(context, id: context.onceID(), catalog)
        if let transaction = entry.transaction {
            let completed = try withUsualCategory(transaction, context)
            do {
                try record(completed, context)
                return try recorded(completed, context, formats)
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        // The quick form beside the list has no note.
        guard form.names.contains("note") else {
            var query = TransactionQuery()
            query.month = (CivilDate(iso: entry.state["date"]) ?? formats.today).yearMonth
            return try TransactionsShow.page(context, query, entry.state, .unprocessable)
        }
        return try TransactionPage.make(context, entry.state, nil, catalog, .unprocessable)
    }

    /// A payee brings its last category along, where none was chosen.
    private static func withUsualCategory(_ transaction: Transaction, _ context: RequestContext) throws
        -> Transaction
    {
        guard transaction.category == nil, transaction.kind != .transfer, !transaction.payee.isEmpty else {
            return transaction
        }
        var completed = transaction
        completed.category = try context.book().lastCategory(
            forPayee: transaction.payee,
            kind: transaction.kind
        )
        return completed
    }

    private static func record(_ transaction: Transaction, _ context: RequestContext) throws {
        let book = try context.book()
        do {
            try book.record(transaction)
        } catch {
            guard case .idTaken = error else { throw error }
            // A page that came back through the browser's history and was filled in anew: that is another one.
            let other = try book.transaction(transaction.id)
            guard other?.isSameBut(forCategoryOf: transaction) != true else { return }
            try book.record(transaction.with(id: context.newID()))
        }
    }

    private static func recorded(_ transaction: Transaction, _ context: RequestContext, _ formats: Formats)
        throws
        -> Response
    {
        let device = try context.knownDevice()
        let count = try context.book().counts().transactions
        if device.session == nil, let reminder = Chrome.guestReminder(afterRecording: count) {
            device.show(Device.Toast(key: RequestContext.reminder, text: reminder))
        }
        let currency = transaction.amount.currency
        if let caution = LeftOut.caution(
            context,
            kind: transaction.kind.rawValue,
            currency: currency.rawValue,
            formats
        ) {
            device.show(Device.Toast(key: RequestContext.caution, text: caution))
        }
        guard context.request.form.first("again") == nil else {
            return .seeOther(
                Routes.newTransaction.link
                    + "?kind=\(transaction.kind.rawValue)&date=\(transaction.date)&account=\(transaction.account)"
            )
        }
        return .seeOther(Routes.list(around: transaction))
    }
}

/// `POST /transactions/ID`: corrects it.
enum TransactionChange {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard try book.transaction(id) != nil else { throw Refusal.notFound }
        let catalog = try context.catalog()
        var entry = try TransactionEntry(context, id: id, catalog)
        if let transaction = entry.transaction {
            do {
                try book.change(transaction)
                try context.knownDevice().show(
                    Device.Toast(key: "transaction-changed", text: "Transaction changed")
                )
                return .seeOther(Routes.list(around: transaction))
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try TransactionPage.make(context, entry.state, id, catalog, .unprocessable)
    }
}

/// `POST /transactions/ID/delete`: with a way back on the next page.
enum TransactionDelete {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let transaction = try book.transaction(id)
        try book.deleteTransaction(id)
        let device = try context.knownDevice()
        let toast = Toast.transactionDeleted(id)
        device.show(Device.Toast(key: toast.key, text: toast.text, undo: toast.undo))
        return .seeOther(transaction.map { Routes.list(around: $0) } ?? Routes.transactions.link)
    }
}

/// `POST /transactions/ID/restore`: takes a deletion back.
enum TransactionRestore {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let device = try context.knownDevice()
        let living: EntityID
        do {
            living = try book.restoreTransaction(id)
            device.show(Device.Toast(key: "transaction-restored", text: "Transaction restored"))
        } catch {
            guard error.keepsItDeleted else { throw error }
            let text = "It cannot come back: its account is gone, or the balance would grow too large."
            device.show(Device.Toast(key: "transaction-not-restored", text: text))
            return .seeOther(Routes.transactions.link)
        }
        return .seeOther(
            try book.transaction(living).map { Routes.list(around: $0) } ?? Routes.transactions.link
        )
    }
}

extension TransactionEntry {
    init(_ context: RequestContext, id: EntityID, _ catalog: Catalog) throws {
        self.init(
            context.request.form,
            id: id,
            catalog: catalog,
            currencies: context.site.tables.currencies,
            amounts: try context.amounts()
        )
    }

    /// Puts a refusal of the book beside the field that it is about.
    /// - Returns: whether it is about a field.
    mutating func refuse(_ error: BookError) -> Bool {
        switch error {
        case .overflow: refuse("amount", "This amount is too large for the account's balance.")
        case .unknownAccount: refuse("account", "This account was deleted in the meantime. Choose another.")
        case .unknownCategory:
            refuse("category", "This category was deleted in the meantime. Choose another.")
        case .categoryKind: refuse("category", "This category is for another kind of transaction.")
        case .invalid(.amount), .invalid(.accountAmount): refuse("amount", "This amount cannot be kept.")
        case .invalid(.toAmount): refuse("to_amount", "This amount cannot be kept.")
        case .invalid(.toAccount): refuse("to_account", "The money cannot go there.")
        case .invalid(.payee): refuse("payee", "Keep it to \(TextLimit.payee) characters.")
        case .invalid(.note): refuse("note", "Keep it to \(TextLimit.note) characters.")
        case .invalid(.tags): refuse("tags", "Keep each tag to \(TextLimit.tag) characters.")
        default: return false
        }
        return true
    }
}

extension Routes {
    /// The month of a transaction in the list.
    static func list(around transaction: Transaction) -> String {
        transactions.link + "?month=\(transaction.date.yearMonth)"
    }
}

extension Transaction {
    func with(id: EntityID) -> Transaction {
        var copy = self
        copy.id = id
        return copy
    }

    /// Whether this is the other, recorded when its payee had another usual category.
    fileprivate func isSameBut(forCategoryOf other: Transaction) -> Bool {
        var copy = other
        copy.category = category
        return copy == self
    }
}

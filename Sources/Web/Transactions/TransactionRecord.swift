import Book
import Devices
import HTTPServer
import Ledger
import Pages

/// `POST /transactions`: records what was typed.
enum TransactionRecord {
    static func answer(_ visit: Visit) throws -> Response {
        let form = visit.request.form
        let formats = try visit.formats()
        let catalog = try visit.catalog()
        var entry = try TransactionEntry(visit, id: visit.onceID(), catalog)
        if let transaction = entry.transaction {
            let completed = try withUsualCategory(transaction, visit)
            do {
                try record(completed, visit)
                return try recorded(completed, visit, formats)
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        // The quick form beside the list has no note.
        guard form.names.contains("note") else {
            var query = TransactionQuery()
            query.month = (CivilDate(iso: entry.state["date"]) ?? formats.today).yearMonth
            return try TransactionsShow.page(visit, query, entry.state, .unprocessable)
        }
        return try TransactionPage.make(visit, entry.state, nil, catalog, .unprocessable)
    }

    /// A payee brings its last category along, where none was chosen.
    private static func withUsualCategory(_ transaction: Transaction, _ visit: Visit) throws -> Transaction {
        guard transaction.category == nil, transaction.kind != .transfer, !transaction.payee.isEmpty else {
            return transaction
        }
        var completed = transaction
        completed.category = try visit.book().lastCategory(
            forPayee: transaction.payee,
            kind: transaction.kind
        )
        return completed
    }

    private static func record(_ transaction: Transaction, _ visit: Visit) throws {
        let book = try visit.book()
        do {
            try book.record(transaction)
        } catch {
            guard case .idTaken = error else { throw error }
            // A page that came back through the browser's history and was filled in anew: that is another one.
            let other = try book.transaction(transaction.id)
            guard other?.isSameBut(forCategoryOf: transaction) != true else { return }
            try book.record(transaction.with(id: visit.newID()))
        }
        try visit.knownDevice().bookChanged()
    }

    private static func recorded(_ transaction: Transaction, _ visit: Visit, _ formats: Formats) throws
        -> Response
    {
        let device = try visit.knownDevice()
        let count = try visit.book().counts().transactions
        if device.session == nil, let reminder = Chrome.guestReminder(afterRecording: count) {
            device.tell(Device.Message(key: Visit.reminder, text: reminder))
        }
        let currency = transaction.amount.currency
        if let caution = LeftOut.caution(
            visit,
            kind: transaction.kind.rawValue,
            currency: currency.rawValue,
            formats
        ) {
            device.tell(Device.Message(key: Visit.caution, text: caution))
        }
        guard visit.request.form.first("again") == nil else {
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
    static func answer(_ visit: Visit, _ id: EntityID) throws -> Response {
        let book = try visit.book()
        guard try book.transaction(id) != nil else { throw Refusal.notFound }
        let catalog = try visit.catalog()
        var entry = try TransactionEntry(visit, id: id, catalog)
        if let transaction = entry.transaction {
            do {
                try book.change(transaction)
                let device = try visit.knownDevice()
                device.bookChanged()
                device.tell(Device.Message(key: "transaction-changed", text: "Transaction changed"))
                return .seeOther(Routes.list(around: transaction))
            } catch let error as BookError {
                guard entry.refuse(error) else { throw error }
            }
        }
        return try TransactionPage.make(visit, entry.state, id, catalog, .unprocessable)
    }
}

/// `POST /transactions/ID/delete`: with a way back on the next page.
enum TransactionDelete {
    static func answer(_ visit: Visit, _ id: EntityID) throws -> Response {
        let book = try visit.book()
        let transaction = try book.transaction(id)
        try book.deleteTransaction(id)
        let device = try visit.knownDevice()
        device.bookChanged()
        let toast = Toast.transactionDeleted(id)
        device.tell(Device.Message(key: toast.key, text: toast.text, undo: toast.undo))
        return .seeOther(transaction.map { Routes.list(around: $0) } ?? Routes.transactions.link)
    }
}

/// `POST /transactions/ID/restore`: takes a deletion back.
enum TransactionRestore {
    static func answer(_ visit: Visit, _ id: EntityID) throws -> Response {
        let book = try visit.book()
        let device = try visit.knownDevice()
        let living: EntityID
        do {
            living = try book.restoreTransaction(id)
            device.bookChanged()
            device.tell(Device.Message(key: "transaction-restored", text: "Transaction restored"))
        } catch {
            guard error.keepsItDeleted else { throw error }
            let text = "It cannot come back: its account is gone, or the balance would grow too large."
            device.tell(Device.Message(key: "transaction-not-restored", text: text))
            return .seeOther(Routes.transactions.link)
        }
        return .seeOther(
            try book.transaction(living).map { Routes.list(around: $0) } ?? Routes.transactions.link
        )
    }
}

extension TransactionEntry {
    init(_ visit: Visit, id: EntityID, _ catalog: Catalog) throws {
        self.init(
            visit.request.form,
            id: id,
            catalog: catalog,
            currencies: visit.site.tables.currencies,
            amounts: try visit.amounts()
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

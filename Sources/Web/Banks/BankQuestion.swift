import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// The question whether a transaction that was entered otherwise was recorded from a bank already.
enum BankQuestion {
    /// Asks it on the next page, if there is such a record.
    static func ask(about transaction: Transaction, _ context: RequestContext) throws {
        guard let record = try context.book().bankRecords(like: transaction).first else { return }
        let formats = try context.formats()
        let question = Text(
            "bankrows.perhaps-recorded",
            [
                "amount": .string(formats.money(record.amount)),
                "day": .string(formats.style.shortDay(record.date)),
                "payee": .string(record.payee),
            ]
        )
        let same = Link.transactionBankRecord(transaction.id).adding(query: [("record", "\(record.id)")])
        try context.knownDevice().show(
            Device.Toast(key: "bank-perhaps-recorded", text: question, same: same.text)
        )
    }
}

extension BankQuestion {
    /// The questions about an account, which also come up by sync and by the recording without a question.
    static func waiting(on account: Account, beside rows: BankRows?, _ context: RequestContext) throws
        -> [BankDoubleLine]
    {
        guard account.bank.key != nil else { return [] }
        let formats = try context.formats()
        let doubles = try context.book().bankDoubles(
            of: account.id,
            since: formats.today.adding(days: -30),
            beside: rows
        )
        return doubles.prefix(5).map {
            BankDoubleLine(entered: $0.entered, record: $0.record, formats: formats)
        }
    }
}

/// `POST /transactions/ID/bank-record`: the transaction is the same as the one in `record`, which was recorded from a bank,
/// or with `two` another one.
enum TransactionBankRecord {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let record = context.request.query.first("record").flatMap({ EntityID($0) }) else {
            throw Refusal.malformed
        }
        let book = try context.book()
        if context.request.form.first("two") == "on" {
            try book.note(id, isNot: record)
            let toast = Device.Toast(key: "bank-rows-are-two", text: Text("bankrows.noted-two"))
            try context.knownDevice().show(toast)
            return context.redirect(to: context.originList ?? .transactions)
        }
        let change = try book.replace(record: record, by: id)
        let undo = change.map { Link.historyUndo($0).text }
        let text = change == nil ? Text("forms.nothing-was-changed") : Text("bankrows.connected")
        try context.knownDevice().show(Device.Toast(key: "bank-row-recorded", text: text, undo: undo))
        // Both sides of a transfer may be recorded.
        if change != nil, let transaction = try book.transaction(id) {
            try BankQuestion.ask(about: transaction, context)
        }
        return context.redirect(to: context.originList ?? .transactions)
    }
}

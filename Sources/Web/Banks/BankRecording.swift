import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /accounts/ID/record-bank`: the transactions of the bank that can be recorded in some days.
enum AccountRecordBankShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let account = try context.book().account(id)?.account, account.bank.isUsed else {
            throw Refusal.notFound
        }
        let rows = try rows(context, of: id)
        let today = try context.formats().today
        let query = context.request.query
        let first = rows.days?.lowerBound ?? today
        let days = try AccountRecordBank.days(
            query.first("from"),
            query.first("to"),
            otherwise: first...max(today, rows.days?.upperBound ?? today)
        )
        let chosen = rows.within(days)
        return context.page(
            BankRecordPage(
                chrome: context.chrome(),
                formats: try context.formats(),
                catalog: try context.catalog(),
                account: account,
                days: days,
                rows: chosen.certain.map(\.transaction),
                entered: try chosen.entered.compactMap { row in
                    guard case .entered(let id) = row.state else { return nil }
                    return try context.book().transaction(id).map {
                        (row.transaction, $0, row.reported.isPending ? .pending : .booked)
                    }
                },
                sides: chosen.sides.map(\.transaction)
            )
        )
    }

    /// The rows of an account that can be recorded on this device.
    static func rows(_ context: RequestContext, of account: EntityID) throws -> RecordableBankRows {
        guard let rows = try context.bankRows() else { return RecordableBankRows() }
        return try context.book().recordable(of: account, among: rows)
    }
}

/// `POST /accounts/ID/record-bank`: records the transactions of the bank from one day to another, as one change, and
/// switches the recording without a question on or off. `same` notes of these days instead that all that were perhaps
/// entered already are the same.
enum AccountRecordBank {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (book, form) = (try context.book(), context.request.form)
        guard let account = try book.account(id)?.account, account.bank.isUsed else { throw Refusal.notFound }
        if let automatic = form.first("automatic") {
            let isOn = automatic == "on"
            let change = try book.recordBank(of: id, from: isOn ? try context.formats().today : nil)
            let done = isOn ? Text("bankrows.switched-on") : Text("bankrows.switched-off")
            try show(context, change, change == nil ? Text("forms.nothing-was-changed") : done)
        }
        if form.first("from") != nil || form.first("to") != nil {
            let everything = CivilDate(dayNumber: .min)...CivilDate(dayNumber: .max)
            let days = try days(form.first("from"), form.first("to"), otherwise: everything)
            let rows = try AccountRecordBankShow.rows(context, of: id).within(days)
            if form.first("same") == "on" {
                let connected = try book.connectEntered(rows.entered)
                let count: [String: Text.Argument] = ["count": .count(connected.count)]
                let text =
                    connected.count > 0
                    ? Text("bankrows.connected-count", count) : Text("forms.nothing-was-changed")
                try show(context, connected.change, text)
                return context.redirect(to: Link.accountTransactions(id))
            }
            let records = try book.record(rows.certain, again: true)
            let count: [String: Text.Argument] = ["count": .count(records.count)]
            let text =
                records.count > 0
                ? Text("bankrows.recorded-count", count) : Text("bankrows.nothing-recorded")
            try show(context, records.change, text)
        }
        return context.redirect(to: Link.accountTransactions(id))
    }

    /// The days from one to the other, in either order.
    static func days(_ from: String?, _ to: String?, otherwise: ClosedRange<CivilDate>) throws
        -> ClosedRange<CivilDate>
    {
        func day(_ text: String?, _ otherwise: CivilDate) throws -> CivilDate {
            guard let text, !text.isEmpty else { return otherwise }
            guard let day = CivilDate(typed: text) else { throw Refusal.malformed }
            return day
        }
        let (first, last) = (try day(from, otherwise.lowerBound), try day(to, otherwise.upperBound))
        return min(first, last)...max(first, last)
    }

    private static func show(_ context: RequestContext, _ change: Int64?, _ text: Text) throws {
        let undo = change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: "bank-recorded", text: text, undo: undo))
    }
}

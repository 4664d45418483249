import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `POST /accounts/ID/close`: closes an account. The message names a balance that still counts; the balance
/// of an account at a bank is the sum of its transactions from now on.
enum AccountClose {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let change = try book.closeAccount(id)
        guard let account = try book.account(id) else { throw Refusal.notFound }
        let amount: [String: Text.Argument] = [
            "amount": .string(try context.formats().money(account.balanceMinor, account.account.currency))
        ]
        var done = Text("accounts.closed")
        if account.account.bank.key != nil {
            done = Text("accounts.closed-without-its-bank", amount)
        } else if account.balanceMinor != 0 {
            done = Text("accounts.closed-with-a-balance", amount)
        }
        return try AccountReopen.done(context, id, change, "account-closed", done)
    }
}

/// `POST /accounts/ID/reopen`: reopens a closed account.
enum AccountReopen {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let change = try context.book().reopenAccount(id)
        return try done(context, id, change, "account-reopened", Text("accounts.reopened"))
    }

    /// The answer after an account was closed or reopened.
    /// - Parameter change: the change that Undo takes back; nil if the account was in this state before.
    static func done(_ context: RequestContext, _ id: EntityID, _ change: Int64?, _ key: String, _ text: Text)
        throws -> Response
    {
        let text = change == nil ? Text("forms.nothing-was-changed") : text
        let undo = change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: key, text: text, undo: undo))
        return context.redirect(to: context.list(of: id, or: context.originList ?? .accounts))
    }
}

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /banks/ID/accounts`: the accounts of a connection, each with the account of the book that it is joined to.
enum BankAccountsShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (connection, provider) = try BankAccountsJoin.connection(context, id)
        // The accounts are not read yet.
        guard !connection.accounts.isEmpty else { return context.redirect(to: .banks) }
        return try page(context, connection, of: provider, values: [:], errors: [:], .ok)
    }

    /// - Parameters:
    ///   - values: the chosen values by the provider's identifier; other accounts have their present values.
    ///   - errors: the reasons why values were refused.
    static func page(
        _ context: RequestContext,
        _ connection: BankConnection,
        of provider: String,
        values: [String: String],
        errors: [String: Text],
        _ status: Status
    ) throws -> Response {
        let accounts = try context.book().choices().accounts
        var hasError = false
        let choices = connection.accounts.enumerated().map { number, line in
            let account = line.account
            let error = errors[account.id]
            defer { hasError = hasError || error != nil }
            return BankAccountChoice(
                account,
                among: connection.accounts.map(\.account),
                number: number,
                accounts: accounts.filter { !$0.isClosed && $0.currency == account.currency },
                value: values[account.id] ?? present(account, of: provider, connection, among: accounts),
                error: error,
                isFirstError: error != nil && !hasError
            )
        }
        return context.page(
            BankAccountsPage(
                chrome: context.chrome(),
                title: BankWords.title(of: connection),
                connection: connection.id,
                accounts: choices
            ),
            status
        )
    }

    /// The value that an account at the bank has before it is chosen.
    private static func present(
        _ account: BankAccount,
        of provider: String,
        _ connection: BankConnection,
        among accounts: [Account]
    ) -> String {
        let key = BankAccountKey(provider: provider, account: account.id)
        if let joined = accounts.first(where: { $0.bank.key == key && !$0.isClosed }) {
            return "\(joined.id)"
        }
        // An account that has left the bank comes back only if the user says so.
        guard !accounts.contains(where: { $0.bank.account == key.description }) else {
            return BankAccountChoice.skip
        }
        // A provider that names its accounts anew must not make a second account with the same transactions.
        let reported = Set(
            connection.accounts.map { BankAccountKey(provider: provider, account: $0.account.id) }
        )
        let unread = accounts.filter { other in
            other.bank.connection == connection.id.description && !other.isClosed
                && other.currency == account.currency
                && other.bank.key.map { !reported.contains($0) } ?? false
        }
        // The user may have chosen another bank than before.
        let ofSameBank = unread.filter { isOfSameBank($0, account, connection) }
        let namesake =
            ofSameBank.first { $0.name == account.name } ?? (ofSameBank.count == 1 ? ofSameBank[0] : nil)
        return namesake.map { "\($0.id)" } ?? BankAccountChoice.new
    }

    /// Whether an account of the book was joined to one of the same bank. If neither an earlier report nor the
    /// identifier tells, only one of the same name counts.
    private static func isOfSameBank(_ other: Account, _ account: BankAccount, _ connection: BankConnection)
        -> Bool
    {
        guard let former = other.bank.key?.account else { return false }
        if let bank = connection.formerBanks[String(former)] { return bank == account.bank }
        if let organisation = account.organisation, former.contains("/") {
            return former.hasPrefix("\(organisation)/")
        }
        return other.name == account.name
    }
}

/// `POST /banks/ID/accounts`: joins accounts of the book to accounts of the bank.
enum BankAccountsJoin {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (connection, provider) = try connection(context, id)
        let (device, book) = (try context.knownDevice(), try context.book())
        let accounts = try book.choices().accounts
        var (values, errors): ([String: String], [String: Text]) = ([:], [:])
        var joins: [BankJoin] = []
        var chosen: Set<EntityID> = []
        for line in connection.accounts {
            let account = line.account
            let field = BankAccountChoice.field(of: account, among: connection.accounts.map(\.account))
            guard let value = context.request.form.first(field) else { continue }
            values[account.id] = value
            switch value {
            case BankAccountChoice.new: joins.append(BankJoin(account, of: provider, .new))
            case BankAccountChoice.skip: joins.append(BankJoin(account, of: provider, .skip))
            default:
                guard let known = accounts.first(where: { "\($0.id)" == value && !$0.isClosed }) else {
                    errors[account.id] = Text("accounts.choose-another")
                    continue
                }
                if known.currency != account.currency {
                    let currency: Text.Argument = .string(account.currency.rawValue)
                    errors[account.id] = Text("banks.the-account-needs-currency", ["currency": currency])
                } else if !chosen.insert(known.id).inserted {
                    errors[account.id] = Text("banks.choose-each-once")
                }
                joins.append(BankJoin(account, of: provider, .existing(known.id)))
            }
        }
        guard errors.isEmpty else {
            return try BankAccountsShow.page(
                context,
                connection,
                of: provider,
                values: values,
                errors: errors,
                .unprocessable
            )
        }
        let change = try book.join(joins, connection: id, refreshedAt: connection.refreshedAt)
        let text = change == nil ? Text("forms.nothing-was-changed") : Text("banks.accounts-joined")
        let undo = change.map { Link.historyUndo($0).text }
        device.show(Device.Toast(key: "bank-accounts-joined", text: text, undo: undo))
        return context.redirect(to: .accounts)
    }

    /// A connection of the device whose provider is set up, and the key of the provider.
    static func connection(_ context: RequestContext, _ id: EntityID) throws -> (BankConnection, String) {
        let device = try context.knownDevice()
        // Another tab may show a connection that was joined with this one.
        let present = device.presentBank(id)
        let connections = try device.bankConnections()
        guard let connection = connections.first(where: { $0.id == present }),
            let provider = connection.provider
        else { throw Refusal.notFound }
        return (connection, provider.key)
    }
}

/// `POST /accounts/ID/leave-bank`: makes a bank account an ordinary one.
enum AccountLeaveBank {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let change = try context.book().leaveBank(id)
        return try AccountReopen.done(context, id, change, "account-left-bank", Text("accounts.left-bank"))
    }
}

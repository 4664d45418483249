// The pages of accounts.

import Book
import HTTPServer
import Ledger
import Texts

/// `GET /accounts`: all accounts with their balances, and the form that adds one.
enum AccountsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        try page(context, AccountForm.blank(formats: try context.formats()), .ok)
    }

    static func page(_ context: RequestContext, _ state: FormState, _ status: Status) throws -> Response {
        let formats = try context.formats()
        let accounts = try context.book().accountBalances()
        let shown = try BankBalances(accounts, context)
        let form = AccountForm(
            state: state,
            editing: nil,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: accounts.map(\.account), categories: [])),
            formats: formats
        )
        let page = AccountsPage(
            chrome: context.chrome(),
            formats: formats,
            accounts: shown.accounts,
            banks: shown.badges,
            form: form
        )
        return context.page(page, status)
    }
}

extension AccountEntry {
    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Text?,
        _ status: Status
    ) throws -> Response {
        guard let editing else { return try AccountsShow.page(context, state, status) }
        guard let account = try context.book().account(editing) else { throw Refusal.notFound }
        let shown = try context.book().balances([account], beside: context.bankRows()).first ?? account
        let isRead = account.account.bank.key != nil && !account.account.isClosed
        let formats = try context.formats()
        let form = AccountForm(
            state: state,
            editing: editing,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: [account.account], categories: [])),
            formats: formats
        )
        let page = AccountEditPage(
            chrome: context.chrome(),
            formats: formats,
            account: shown,
            recordedMinor: isRead ? account.balanceMinor : nil,
            form: form,
            deleteError: obstacle
        )
        return context.page(page, status)
    }
}

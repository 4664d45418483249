// The actions of accounts: the list, the register, closing and opening again.

import Book
import Devices
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let accounts = Link(declared: "/accounts")
    static let account = LinkTo<EntityID>("/accounts/*")
    static let accountTransactions = LinkTo<EntityID>("/accounts/*/transactions")
    static let accountMove = LinkTo<EntityID>("/accounts/*/move")
    static let accountClose = LinkTo<EntityID>("/accounts/*/close")
    static let accountReopen = LinkTo<EntityID>("/accounts/*/reopen")
    static let accountDelete = LinkTo<EntityID>("/accounts/*/delete")
    static let accountRestore = LinkTo<EntityID>("/accounts/*/restore")
}

extension Feature {
    static let accounts = Feature(
        routes: [
            get(.accounts, AccountsShow.answer),
            get(to: Link.accountTransactions, AccountRegisterShow.answer),
            get(to: Link.accountMove, AccountMoveShow.answer),
            post(to: Link.accountMove, AccountMove.answer),
            post(to: Link.accountClose, AccountClose.answer),
            post(to: Link.accountReopen, AccountReopen.answer),
        ]
            + entities(AccountEntry.self, .accounts, Link.account),
        refills: refills(AccountEntry.self, .accounts, Link.account),
        pages: [AccountsPage.self, AccountEditPage.self, AccountRegisterPage.self, AccountMovePage.self],
        links: ["accounts": .accounts]
    )
}

/// `GET /accounts`: all accounts with their balances, and the form that adds one.
enum AccountsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        try page(context, AccountForm.blank(formats: try context.formats()), .ok)
    }

    static func page(_ context: RequestContext, _ state: FormState, _ status: Status) throws -> Response {
        let formats = try context.formats()
        let accounts = try context.book().balances(beside: context.bankRows(), through: formats.today)
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
            accounts: accounts,
            banks: try context.bankBadges(accounts),
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
        obstacle: Obstacle?,
        _ status: Status
    ) throws -> Response {
        guard let editing else { return try AccountsShow.page(context, state, status) }
        let (book, formats) = (try context.book(), try context.formats())
        guard let account = try book.account(editing, through: formats.today) else { throw Refusal.notFound }
        let shown =
            try book.balances(beside: context.bankRows(), through: formats.today)
            .first { $0.account.id == editing } ?? account
        let isRead = account.account.bank.key != nil && !account.account.isClosed
        let form = AccountForm(
            state: state,
            editing: editing,
            once: "\(context.newID())",
            catalog: Catalog(BookChoices(accounts: [account.account], categories: [])),
            formats: formats,
            firstDay: account.account.openingDay == nil ? try book.firstDay(ofAccount: editing) : nil
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

/// `GET /accounts/ID/transactions`: the register of an account.
enum AccountRegisterShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let filters = try TransactionsShow.filters(context, try context.formats(), of: id)
        let editing = try RowEditing(context, on: AccountRegisterPage.href(id, filters.query))
        let status: Status = filters.refusedAmount == nil ? .ok : .unprocessable
        return try page(context, id, filters, nil, editing: editing, status)
    }

    /// The register.
    /// - Parameters:
    ///   - refused: the entered values of a quick form that was refused; nil for none.
    ///   - editing: the transaction whose form is in the place of its row; nil for none.
    static func page(
        _ context: RequestContext,
        _ id: EntityID,
        _ filters: ListFilters,
        _ refused: FormState?,
        editing: RowEditing? = nil,
        _ status: Status
    ) throws -> Response {
        let (query, formats) = (filters.query, try context.formats())
        let bankRows = try context.bankRows()
        guard
            let register = try context.book().register(
                of: id,
                query,
                current: formats.today.yearMonth,
                beside: bankRows,
                through: formats.today
            )
        else { return try EntityShow<AccountEntry>.gone(context, id) }
        let catalog = context.catalog(register.choices)
        let rows = register.page.rows
        if let page = try editing?.pageOfItsOwn(context, besides: rows, catalog, status) { return page }
        let isClosed = register.account.account.isClosed
        let form: TransactionForm? =
            isClosed && refused == nil
            ? nil : try quickForm(context, id, query, refused, catalog: catalog, formats: formats)
        let accounts = try context.book().balances(beside: bankRows, through: formats.today)
        return context.page(
            AccountRegisterPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                filters: filters,
                register: register,
                bank: try context.bankBadges(accounts)[id],
                doubles: try BankQuestion.waiting(on: register.account.account, beside: bankRows, context),
                undecidedCount: register.account.account.bank.isUsed
                    ? try AccountRecordBankShow.rows(context, of: id).undecidedCount : 0,
                isSelecting: context.request.query.first(TransactionsPage.select) == "on",
                editing: try editing.map { ($0.id, try $0.form(context, catalog)) },
                form: form
            ),
            status
        )
    }

    private static func quickForm(
        _ context: RequestContext,
        _ id: EntityID,
        _ query: TransactionQuery,
        _ refused: FormState?,
        catalog: Catalog,
        formats: Formats
    ) throws -> TransactionForm {
        var state = refused ?? TransactionForm.blank(account: id, catalog: catalog, formats: formats)
        if state.back == nil { state.back = AccountRegisterPage.href(id, query) }
        return TransactionForm(
            state: state,
            editing: nil,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats,
            payees: try context.payees(),
            repeats: [],
            kept: ["account"],
            takesFocus: false,
            offersEveryCurrency: false
        )
    }
}

/// `POST /accounts/ID/close`: closes an account. The message names a balance that still counts; the balance
/// of an account at a bank is the sum of its transactions from now on.
enum AccountClose {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let change = try book.closeAccount(id)
        let formats = try context.formats()
        guard let account = try book.account(id, through: formats.today) else { throw Refusal.notFound }
        let currency = account.account.currency
        let amount: [String: Text.Argument] = [
            "amount": .string(formats.money(account.balanceMinor, currency))
        ]
        var done = Text("accounts.closed")
        let isSayable = !account.balanceMinor.isTooLarge
        if isSayable, account.account.bank.key != nil {
            done = Text("accounts.closed-without-its-bank", amount)
        } else if isSayable, account.balanceMinor != 0 {
            done = Text("accounts.closed-with-a-balance", amount)
        }
        if account.toComeMinor != 0 {
            let toCome = formats.signed(account.toComeMinor, currency)
            done =
                account.toComeMinor.isTooLarge
                ? Text(
                    "accounts.closed-and",
                    ["done": .text(done), "more": .text(Text("common.too-large-to-come"))]
                )
                : Text("accounts.closed-and-to-come", ["done": .text(done), "amount": .string(toCome)])
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

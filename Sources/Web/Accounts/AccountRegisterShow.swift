import Book
import HTTPServer
import Ledger

/// `GET /accounts/ID/transactions`: the register of an account.
enum AccountRegisterShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let query = try TransactionsShow.query(context.request.query, try context.formats(), of: id)
        return try page(context, id, query, nil, .ok)
    }

    /// The register.
    /// - Parameter refused: the entered values of a quick form that was refused; nil for none.
    static func page(
        _ context: RequestContext,
        _ id: EntityID,
        _ query: TransactionQuery,
        _ refused: FormState?,
        _ status: Status
    ) throws -> Response {
        let formats = try context.formats()
        let bankRows = try context.bankRows()
        guard
            var register = try context.book().register(
                of: id,
                query,
                current: formats.today.yearMonth,
                beside: bankRows
            )
        else { throw Refusal.notFound }
        let catalog = context.catalog(register.choices)
        let isClosed = register.account.account.isClosed
        let form: TransactionForm? =
            isClosed && refused == nil
            ? nil : try quickForm(context, id, query, refused, catalog: catalog, formats: formats)
        let shown = try BankBalances(try context.book().accountBalances(), context)
        register.account = shown.accounts.first { $0.account.id == id } ?? register.account
        return context.page(
            AccountRegisterPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                query: query,
                register: register,
                bank: shown.badges[id],
                doubles: try BankQuestion.waiting(on: register.account.account, beside: bankRows, context),
                undecidedCount: register.account.account.bank.isUsed
                    ? try AccountRecordBankShow.rows(context, of: id).undecidedCount : 0,
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
            offersEveryCurrency: false
        )
    }
}

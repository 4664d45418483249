import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /accounts/ID/move`: asks for the account that all transactions move to, then for a confirmation.
enum AccountMoveShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let chosen = context.request.query.first("to"), !chosen.isEmpty else {
            return try page(context, id, FormState(), plan: nil, .ok)
        }
        return try page(context, id, chosen: chosen, notice: nil, .ok)
    }

    /// The confirmation, or the reason why the chosen account does not fit.
    /// - Parameter notice: a caution above the confirmation.
    static func page(
        _ context: RequestContext,
        _ id: EntityID,
        chosen: String,
        notice: Text?,
        _ status: Status
    ) throws -> Response {
        let (book, bank) = (try context.book(), try context.bankRows())
        let today = try context.formats().today
        var state = FormState(values: ["to": chosen])
        state.notice = notice
        let plan: TransactionMove
        do throws(BookError) {
            plan = try AccountMove.plan(book, from: id, chosen, beside: bank, through: today)
        } catch {
            return try refused(context, id, state, error)
        }
        return try page(context, id, state, plan: plan, status)
    }

    /// The choice of the account again, with the reason beside it.
    static func refused(_ context: RequestContext, _ id: EntityID, _ state: FormState, _ error: BookError)
        throws -> Response
    {
        guard let account = try context.book().account(id)?.account else { throw Refusal.notFound }
        guard let reason = AccountMove.refusal(error, account.currency) else { throw error }
        var state = state
        state.notice = nil
        state.refuse("to", reason)
        return try page(context, id, state, plan: nil, .unprocessable)
    }

    private static func page(
        _ context: RequestContext,
        _ id: EntityID,
        _ state: FormState,
        plan: TransactionMove?,
        _ status: Status
    ) throws -> Response {
        guard let account = try context.book().account(id)?.account else { throw Refusal.notFound }
        return context.page(
            AccountMovePage(
                chrome: context.chrome(),
                formats: try context.formats(),
                catalog: try context.catalog(),
                account: account,
                state: state,
                plan: plan
            ),
            status
        )
    }
}

/// `POST /accounts/ID/move`: moves all transactions of an account as one change. If `count` is sent, it is the number
/// of transactions that the confirmation named.
enum AccountMove {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (book, form) = (try context.book(), context.request.form)
        let today = try context.formats().today
        let chosen = form.first("to") ?? ""
        let moved: MovedTransactions
        do throws(BookError) {
            let plan = try plan(book, from: id, chosen, through: today)
            let count = form.first("count").map { Int($0) ?? -1 }
            moved = try book.moveTransactions(from: id, to: plan.target.account.id, expecting: count)
        } catch {
            if case .changedMeanwhile = error {
                let notice = Text("accounts.numbers-have-changed")
                return try AccountMoveShow.page(context, id, chosen: chosen, notice: notice, .unprocessable)
            }
            let state = FormState(values: ["to": chosen])
            return try AccountMoveShow.refused(context, id, state, error)
        }
        let name = try context.catalog().account(EntityID(chosen))?.name.isolated ?? ""
        let done = Text("accounts.moved", ["count": .count(moved.count), "target": .string(name)])
        let undo = moved.change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: "transactions-moved", text: done, undo: undo))
        return context.redirect(to: .account(id))
    }

    /// The effect of moving the transactions to a chosen account.
    /// - Throws: as `Book.planMove`; `invalid(.toAccount)` if the choice is not an id.
    static func plan(
        _ book: Book,
        from id: EntityID,
        _ chosen: String,
        beside bank: BankRows? = nil,
        through today: CivilDate
    ) throws(BookError) -> TransactionMove {
        guard let target = EntityID(chosen) else { throw .invalid(.toAccount) }
        return try book.planMove(from: id, to: target, beside: bank, through: today)
    }

    /// The reason beside the choice of the account; nil for errors that do not concern it.
    static func refusal(_ error: BookError, _ currency: CurrencyCode) -> Text? {
        switch error {
        case .invalid(.toAccount): Text("accounts.choose-another")
        case .invalid(.currency):
            Text("accounts.move-within-one-currency", ["currency": .string(currency.rawValue)])
        case .accountClosed: Text("transactions.account-is-closed")
        case .overflow: Text("accounts.balance-too-large")
        default: nil
        }
    }
}

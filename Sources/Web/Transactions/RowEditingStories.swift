// A transaction that is edited in its row of a list.

import Ledger
import Texts

enum RowEditingStories {
    static let all: [Story] = [
        Story("transactions-editing", .transactions, "A row is edited in its place") { $0.editing() },
        Story("transactions-editing-refused", .transactions, "Refused: an amount that is none, in its row") {
            $0.editing { state in
                state.values["amount"] = "nothing"
                state.order = ["amount"]
                state.refuse("amount", Text("forms.amount-cannot-be-kept"))
            }
        },
    ]
}

extension Sample {
    fileprivate func editing(_ change: (inout FormState) -> Void = { _ in }) -> TransactionsPage {
        let rows = Array(transactions.prefix(3))
        var query = TransactionQuery()
        query.month = formats.today.yearMonth
        let editing = rows.first.map { transaction in
            var state = TransactionForm.values(of: transaction, catalog: catalog, formats: formats)
            state.back = TransactionsPage.href(query)
            change(&state)
            let form = TransactionForm(
                state: state,
                editing: transaction.id,
                once: Self.once,
                catalog: catalog,
                formats: formats,
                hasParts: true,
                isInRow: true
            )
            return (id: transaction.id, form: form)
        }
        return TransactionsPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            filters: ListFilters(query: query),
            result: TransactionPage(rows: rows, days: [], totals: [], next: nil),
            form: quickForm(formats),
            bookIsEmpty: false,
            editing: editing
        )
    }
}

// Changes of many transactions at once.

import Ledger
import Texts

enum BulkStories {
    static let all: [Story] = [
        Story("transactions-bulk", .transactions, "The category of what is selected") { $0.bulk(.category) },
        Story("transactions-bulk-which", .transactions, "What is to be changed of it") { $0.bulk(nil) },
        Story("transactions-bulk-account", .transactions, "Its account") { $0.bulk(.account) },
        Story("transactions-bulk-payee", .transactions, "Its payee") { $0.bulk(.payee) },
        Story("transactions-bulk-note", .transactions, "Its note") { $0.bulk(.note) },
        Story("transactions-bulk-refused", .transactions, "Refused: a year that is perhaps wrong") {
            var state = FormState(values: ["value": "0026-11-21"])
            state.order = ["value"]
            state.ask(aboutYear: 26, of: "value")
            return $0.bulk(.date, state)
        },
        Story("transactions-bulk-tags", .transactions, "Refused: no tag was entered") {
            var state = FormState(values: ["value": ""])
            state.order = ["value"]
            state.refuse("value", Text("bulk.enter-a-tag"))
            return $0.bulk(.tagsAdd, state)
        },
        Story("transactions-bulk-nothing", .transactions, "Nothing is selected") {
            var state = FormState()
            state.notice = Text("bulk.nothing-is-selected")
            return $0.bulk(.delete, state, rows: [])
        },
    ]
}

extension Sample {
    fileprivate func bulk(
        _ action: BulkAction?,
        _ state: FormState = FormState(),
        rows: [Transaction]? = nil
    ) -> BulkPage {
        let rows = rows ?? transactions
        return BulkPage(
            chrome: chrome,
            action: action,
            state: state,
            rows: rows.prefix(3).map {
                TransactionRow($0, catalog: catalog, formats: formats, isSelected: true)
            },
            selected: SelectionLine(rows, formats: formats),
            fields: rows.map { HiddenField(name: "id", value: "\($0.id)") },
            catalog: catalog,
            payees: []
        )
    }
}

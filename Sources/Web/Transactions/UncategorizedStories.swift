// Transactions without a category, by payee.

import Ledger
import Texts

enum UncategorizedStories {
    static let all: [Story] = [
        Story("transactions-by-payee", .transactions, "What has no category, by payee") {
            $0.uncategorized()
        },
        Story("transactions-by-payee-refused", .transactions, "Refused: a category of income for expenses") {
            var state = FormState(values: ["category": ""])
            state.order = ["category"]
            state.refuse("category", TransactionsBulk.obstacle(.incomeCategory, 12))
            return $0.uncategorized(state)
        },
        Story("transactions-by-payee-none", .transactions, "Everything has a category") {
            UncategorizedPage(chrome: $0.chrome, groups: [], count: 0, payeeCount: 0, skipped: 0)
        },
    ]
}

extension Sample {
    fileprivate func uncategorized(_ state: FormState? = nil) -> UncategorizedPage {
        let total = CurrencyTotal(currency: Self.eur, incomeMinor: 0, expenseMinor: 24_000, count: 12)
        let groups = [typed("Shell"), ""].enumerated().map { place, name in
            var payee = UncategorizedPayee(
                name: name,
                first: Self.date(2026, 1, 3),
                last: Self.today
            )
            (payee.count, payee.totals) = (12, [total])
            return UncategorizedGroup(
                payee,
                at: place,
                rows: Array(transactions.dropFirst(3 * place).prefix(3)),
                usual: nil,
                recent: catalog.categories.prefix(2).map(\.id),
                refused: place == 0 ? state : nil,
                catalog: catalog,
                formats: formats
            )
        }
        return UncategorizedPage(chrome: chrome, groups: groups, count: 24, payeeCount: 12, skipped: 0)
    }
}

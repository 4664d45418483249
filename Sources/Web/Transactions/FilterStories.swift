// The list of transactions with filters that were typed, and in other orders.

import Ledger
import Texts

enum FilterStories {
    static let all: [Story] = [
        Story("transactions-words", .transactions, "Filters that were typed, one of them no filter") {
            sample in
            sample.list(notes: [Text("filters.searched-as-text", ["word": .string(">>5".isolated)])]) {
                $0.setPeriod(.thisYear, on: Sample.today)
                ($0.tags, $0.isWithReceipt, $0.isFromBank) = ([sample.typed("trip"), "rome"], true, true)
                $0.amount = try? AmountFilter(">10 <=100", decimalSign: ".")
                $0.text = ">>5"
            }
        },
        Story("transactions-amount-refused", .transactions, "Refused: an amount that is no filter") {
            sample in
            let error = AmountExamples(sign: ".").enterAnAmount
            return sample.list(refusedAmount: .init(typed: sample.typed("ten & more"), error: error))
        },
        Story("transactions-by-amount", .transactions, "A saved view, the largest amount first") { sample in
            sample.list(views: sample.savedViews, view: sample.savedViews[0]) {
                $0.setPeriod(.thisMonth, on: Sample.today)
                $0.sort = TransactionSort(.amount, isDescending: true)
                $0.amount = try? AmountFilter(">100", decimalSign: ".")
            }
        },
    ]
}

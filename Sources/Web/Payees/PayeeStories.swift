// The payees.

import Ledger
import Texts

enum PayeeStories {
    static let all: [Story] = [
        Story("payees", .transactions, "Names that are probably one") { $0.payees($0.summaries) },
        Story("payees-empty", .transactions, "None yet") { $0.payees([]) },
        Story("payees-none", .transactions, "A search without results") {
            $0.payees([], search: "nobody & nothing")
        },
        Story("payees-long", .transactions, "Long names, and names from right to left") {
            let sample = $0.of(.longLived)
            return sample.payees(sample.summaries)
        },
        Story("payees-suggested", .transactions, "What a typed text can mean") {
            PayeeSuggestionsPage(chrome: $0.chrome, repeats: $0.repeats)
        },
        Story("payee", .transactions, "Its months and its newest transactions") { $0.payee() },
        Story("payee-refused", .transactions, "Refused: an empty name") {
            var state = FormState(values: ["to": ""])
            state.order = ["to"]
            state.refuse("to", Text("payees.enter-a-name"))
            return $0.payee(state)
        },
        Story("payee-usual-refused", .transactions, "Refused: a usual category that was deleted") { sample in
            var state = FormState(values: ["category": "x", "note": sample.typed("Full tank")])
            state.order = ["category", "note"]
            state.refuse("category", Text("forms.category-deleted-meanwhile"))
            return sample.payee(usual: state)
        },
        Story("payees-rename", .transactions, "What another name changes") {
            PayeeRenamingPage(
                chrome: $0.chrome,
                from: [$0.typed("Shell"), "SHELL 4711"],
                to: $0.typed("Shell"),
                plan: PayeeRenaming(transactionCount: 12, scheduleCount: 1)
            )
        },
        Story("payees-rename-nothing", .transactions, "All have the name already") {
            PayeeRenamingPage(
                chrome: $0.chrome,
                from: ["Shell"],
                to: "Shell",
                plan: PayeeRenaming(transactionCount: 0, scheduleCount: 0)
            )
        },
    ]
}

extension Sample {
    fileprivate var summaries: [PayeeSummary] {
        let names = transactions.map(\.payee).filter { !$0.isEmpty } + [typed("Shell"), "SHELL 4711"]
        return Set(names).sorted().enumerated().map { index, name in
            PayeeSummary(
                name: name,
                count: index + 1,
                lastDay: Self.date(2026, 11, 1 + index)
            )
        }
    }

    private func spent(_ minor: Int) -> CurrencyTotal {
        CurrencyTotal(currency: Self.eur, incomeMinor: 0, expenseMinor: Int128(minor), count: 1)
    }

    fileprivate func payees(_ payees: [PayeeSummary], search: String = "") -> PayeesPage {
        PayeesPage(
            chrome: chrome,
            search: search,
            order: .name,
            lines: payees.map {
                PayeeLine($0, [spent(1_250 * $0.count)], category: nil, formats: formats)
            },
            alike: AlikePayees.groups(of: payees),
            count: payees.count,
            skipped: 0
        )
    }

    fileprivate func payee(_ state: FormState? = nil, usual: FormState = FormState()) -> PayeePage {
        let summary = PayeeSummary(
            name: typed("Shell"),
            count: 14,
            lastDay: Self.today
        )
        return PayeePage(
            chrome: chrome,
            line: PayeeLine(summary, [], category: catalog.categories.first, formats: formats),
            months: [0, 1].map { back in
                PayeeMonth(
                    title: formats.monthTitle(YearMonth(index: Self.today.yearMonth.index - back)),
                    sums: PayeeLine.lines([spent(24_000)], formats),
                    href: .transactions
                )
            },
            rows: transactions.prefix(3).map { TransactionRow($0, catalog: catalog, formats: formats) },
            state: state ?? FormState(values: ["to": summary.name]),
            usual: usual,
            catalog: catalog,
            payees: []
        )
    }
}

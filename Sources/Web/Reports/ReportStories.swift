// The reports, each with its amounts and without any.

import Ledger
import Texts

enum ReportStories {
    static let all = ofKinds + empty + converted + others

    private static let ofKinds = ReportKind.allCases.map { kind in
        Story("reports-\(kind)", .reports, "By \(kind), in the base currency") {
            $0.report(.guest, kind, $0.content(of: kind))
        }
    }

    private static let empty = ReportKind.allCases.map { kind in
        Story("reports-\(kind)-empty", .reports, "By \(kind), without any amount") {
            $0.report(.guest, kind, $0.nothing(of: kind))
        }
    }

    private static let converted = ReportGroup.allCases.map { group in
        Story("reports-\(group)-converted", .reports, "By \(group), in several currencies, converted") {
            $0.mixedReport(.fresh, group)
        }
    }

    private static let others: [Story] = [
        Story("reports-arriving", .reports, "Without any amount, and not all data is here yet") { sample in
            ReportsPage(
                chrome: sample.framed(.incomplete).chrome,
                formats: sample.formats(.none),
                catalog: sample.catalog,
                kind: .category,
                state: FormState(values: ["from": "2025-12", "to": "2026-11"]),
                content: sample.nothing(of: .category)
            )
        },
        Story("reports-worth-converted", .reports, "Net worth in several currencies, converted") {
            $0.mixedWorth(.fresh)
        },
        Story("reports-worth-unread", .reports, "Net worth without the balances that are unknown") {
            $0.report(.none, .worth, .worth($0.worth, $0.heldPartly))
        },
        Story("reports-flow-unread", .reports, "Cash flow without a balance that is unknown") {
            $0.report(.none, .flow, .flow($0.flowsOfUnread))
        },
        Story("reports-worth-opened", .reports, "Net worth with an opening balance in one of the months") {
            $0.report(.none, .worth, .worth($0.worth, $0.heldSince))
        },
        Story("reports-flow-opened", .reports, "Cash flow with an opening balance in one of the months") {
            $0.report(.none, .flow, .flow($0.flowsWithOpening))
        },
        Story("reports-to-come", .reports, "Income and expenses were entered for later days") {
            let query = TransactionQuery.ofMonth($0.formats.today.yearMonth).toCome(after: Sample.today)
            let toCome = ReportToCome(totals: [.toCome], query: query)
            return $0.report(.guest, .month, $0.content(of: .month), toCome: toCome)
        },
        Story("reports-later", .reports, "Months for which something was entered") {
            let state = FormState(values: ["from": "2026-12", "to": "2027-01"])
            return $0.report(.guest, .category, $0.content(of: .category), state: state)
        },
        Story("reports-guest", .reports, "Several currencies of a guest") {
            $0.mixedReport(.guest, .category)
        },
        Story("reports-stale", .reports, "Converted by rates that are two days old") {
            $0.mixedReport(.stale, .month)
        },
        Story("reports-day-rates", .reports, "Converted by the rates of each day") { $0.reportByDayRates },
        Story("reports-without-day-rates", .reports, "The rates of each day are not here yet") {
            $0.reportWithoutDayRates
        },
        Story("reports-refused", .reports, "Refused: months that cannot be read") {
            var state = FormState(values: ["from": "2026-13", "to": "2025-01"])
            state.errors = ["from": Text("forms.enter-a-month"), "to": Text("reports.last-before-first")]
            return $0.report(.guest, .category, .totals([]), state: state)
        },
        Story("reports-long", .reports, "Long names, names from right to left, and large amounts") {
            $0.of(.longLived).report(.guest, .category, .totals($0.of(.longLived).byCategory))
        },
        Story("reports-month-long", .reports, "Months with large amounts") {
            $0.of(.longLived).report(.guest, .month, .totals($0.of(.longLived).byMonth))
        },
    ]
}

extension Sample {
    /// The amounts of a report in the base currency; the amounts of some accounts are in dollars.
    fileprivate func content(of kind: ReportKind) -> ReportContent {
        switch kind {
        case .category: .totals(byCategory)
        case .payee: .totals(byPayee)
        case .account: .totals(byAccount)
        case .month: .totals(byMonth)
        case .flow: .flow(flows)
        case .worth: .worth(worth, held)
        case .comparison: .comparison(comparison)
        }
    }

    fileprivate func nothing(of kind: ReportKind) -> ReportContent {
        switch kind {
        case .category, .payee, .account, .month: .totals([])
        case .flow: .flow([])
        case .worth: .worth([], [])
        case .comparison:
            .comparison(
                SpendingComparison(of: formats.today.yearMonth, today: formats.today, since: nil) { _ in [] }
            )
        }
    }

    private var byPayee: [ReportRow] {
        transactions.filter { $0.kind == .expense }.map { row in
            let total = CurrencyTotal(
                currency: row.amount.currency,
                incomeMinor: 0,
                expenseMinor: Int128(row.amount.minor),
                count: 1
            )
            return ReportRow(key: .payee(row.payee), total: total)
        }
    }

    private var byAccount: [ReportRow] {
        balances.map { entry in
            let total = CurrencyTotal(
                currency: entry.account.currency,
                incomeMinor: 900,
                expenseMinor: abs(entry.balanceMinor),
                count: 4
            )
            return ReportRow(key: .account(entry.account.id), total: total)
        }
    }

    private var flows: [CashFlow] {
        worth.enumerated().map { place, point in
            var flow = CashFlow(month: point.month, currency: point.currency)
            flow.add(
                income: 270_000,
                expense: 190_000 + Int128(place) * 3_100,
                moved: place % 3 == 0 ? -50_000 : 0
            )
            flow.endMinor = point.balanceMinor
            return flow
        }
    }

    private var held: [AccountWorth] {
        balances.map { entry in
            AccountWorth(
                account: entry.account.id,
                currency: entry.account.currency,
                beforeMinor: entry.balanceMinor - 4_200,
                afterMinor: entry.balanceMinor
            )
        }
    }

    /// The same without two accounts that this device cannot read.
    fileprivate var heldPartly: [AccountWorth] {
        held.enumerated().map { place, entry in
            var entry = entry
            if [2, 4].contains(place) { entry.unknown = Self.unknown }
            return entry
        }
    }

    /// The same with an account that begins in these months.
    fileprivate var heldSince: [AccountWorth] {
        held.enumerated().map { place, entry in
            var entry = entry
            if place == 1 { (entry.beforeMinor, entry.openedMinor) = (0, 200_000) }
            return entry
        }
    }

    fileprivate var flowsWithOpening: [CashFlow] {
        flows.enumerated().map { place, flow in
            var flow = flow
            if place == 3 { flow.openedMinor = 200_000 }
            return flow
        }
    }

    fileprivate var flowsOfUnread: [CashFlow] {
        flows.map { flow in
            var flow = flow
            flow.unknownCount = 1
            return flow
        }
    }

    /// The spending of this month, and of earlier months less by one euro for each.
    private var comparison: SpendingComparison {
        let month = formats.today.yearMonth
        let first = YearMonth(index: month.index - 5)
        return SpendingComparison(of: month, today: formats.today, since: first) { days in
            byCategory.map { row in
                var row = row
                row.total.expenseMinor -= Int128(month.index - days.lowerBound.yearMonth.index) * 100
                return row
            }
        }
    }
}

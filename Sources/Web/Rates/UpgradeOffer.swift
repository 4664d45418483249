// The hint that converted totals come with Premium, on the pages that show amounts of other currencies.

import Ledger
import Texts

extension Formats {
    /// The hint for a user without Premium; nil if no amount is in another currency than the base.
    /// - Parameter shown: all amounts of the page. Amounts of zero need no rate, so they do not count.
    func upgradeOffer(_ tier: Tier, _ shown: some Sequence<MoneySum>) -> Text? {
        guard tier != .premium, shown.contains(where: { $0.currency != base && $0.minor != 0 }) else {
            return nil
        }
        return Chrome.upgradeForTotals
    }
}

extension CurrencyTotal {
    /// Its income and its spending.
    fileprivate var amounts: [MoneySum] {
        [incomeMinor, expenseMinor].map { MoneySum(minor: $0, currency: currency) }
    }

    /// False for transfers alone, and for refunds that make up for all spending.
    var hasAmounts: Bool { incomeMinor != 0 || expenseMinor != 0 }
}

extension Sequence<CurrencyTotal> {
    /// Their income and their spending.
    var amounts: [MoneySum] { flatMap(\.amounts) }
}

extension Sequence<AccountBalance> {
    /// The balances that are known.
    var knownAmounts: [MoneySum] {
        compactMap { entry in
            entry.knownMinor.map { MoneySum(minor: $0, currency: entry.account.currency) }
        }
    }

    /// The sums to come on the accounts whose balances are known.
    var amountsToCome: [MoneySum] {
        filter { $0.unknown == nil }
            .map { MoneySum(minor: $0.toComeMinor, currency: $0.account.currency) }
    }
}

extension ReportContent {
    /// The amounts that its figures have, without the lines between them.
    var shownAmounts: [MoneySum] {
        switch self {
        case .totals, .comparison: amounts.map(\.money)
        case .flow(let flows):
            flows.flatMap { flow in
                [flow.incomeMinor, flow.expenseMinor, flow.movedMinor, flow.endMinor]
                    .map { MoneySum(minor: $0, currency: flow.currency) }
            }
        case .worth(let points, _):
            points.map { MoneySum(minor: $0.balanceMinor, currency: $0.currency) }
        }
    }
}

// The naive book on a day: later transactions are to come.
import Ledger

@testable import Book

extension Model {
    /// The same book without the transactions and the opening balances after a day.
    func through(_ today: CivilDate) -> Model {
        var model = self
        model.today = today
        model.transactions = transactions.filter { $0.value.transaction.date <= today }
        return model
    }

    /// The live transactions of some days up to a day and after it; all of them first, if the day is not among the days.
    func parted(_ days: ClosedRange<CivilDate>, _ today: CivilDate) -> (soFar: [Transaction], [Transaction]) {
        let rows = live.filter { days.contains($0.date) }
        guard days.contains(today) else { return (rows, []) }
        return (rows.filter { $0.date <= today }, rows.filter { $0.date > today })
    }

    /// The page of a list whose totals are up to a day, if the list begins by then.
    func page(
        _ query: TransactionQuery,
        of found: [Transaction],
        knownIn base: CurrencyCode?,
        through today: CivilDate
    ) -> TransactionPage {
        var page = page(query, of: found, knownIn: base)
        let later = found.filter { $0.date > today }
        guard query.days?.contains(today) ?? true, !later.isEmpty else { return page }
        let soFar = found.filter { $0.date <= today }
        func totals(_ rows: [Transaction]) -> [CurrencyTotal] {
            self.totals(
                rows.flatMap { wanted($0, query) },
                knownIn: base,
                asCharged: query.isOfDailyUse || query.isAsCharged
            )
        }
        (page.totals, page.toCome) = (totals(soFar), totals(later))
        (page.moved, page.movedToCome) = (moved(soFar, query), moved(later, query))
        return page
    }
}

extension BudgetStatus {
    /// The same without what is to come.
    var withoutToCome: BudgetStatus {
        var status = self
        status.toComeMinor = 0
        return status
    }
}

extension [CurrencyTotal] {
    /// The same without currencies of which there is no transaction.
    var withTransactions: Self { filter { $0.count > 0 } }
}

// The days after today in the stories.

import Ledger

extension CurrencyTotal {
    /// A salary and an expense.
    static let toCome = CurrencyTotal(
        currency: .eur,
        incomeMinor: 300_000,
        expenseMinor: 900,
        count: 2
    )
}

extension BudgetStatus {
    /// The same budget with an expense of a later day.
    var toCome: BudgetStatus {
        var status = self
        status.toComeMinor = 900
        return status
    }
}

extension Sample {
    /// The accounts with a salary and an expense of later days.
    var balancesToCome: [AccountBalance] {
        var balances = balances
        (balances[1].toComeMinor, balances[2].toComeMinor) = (300_000, -900)
        return balances
    }

    /// An expense of tomorrow on the card.
    var laterExpense: Transaction { later(Self.today.adding(days: 1), Self.id(140)) }

    /// The same of the next month.
    var expenseOfNextMonth: Transaction { later(formats.today.yearMonth.next.firstDay, Self.id(141)) }

    private func later(_ date: CivilDate, _ id: EntityID) -> Transaction {
        Transaction(
            id: id,
            kind: .expense,
            date: date,
            amount: Money(minor: 900, currency: Self.eur),
            account: balances[2].account.id,
            accountMinor: 900,
            category: Self.id(11),
            payee: typed("Trattoria Luca")
        )
    }
}

// The budgets of a book under another base currency: with the same numbers, or converted.

import Book
import Ledger

/// The budgets after each of the two answers to the question about a new base currency.
struct BudgetsInNewCurrency {
    /// All budgets, with their present limits.
    let budgets: [Budget]
    private let base: CurrencyCode
    private let currencies: CurrencyTable
    private let rates: ExchangeRates?

    init(_ base: CurrencyCode, _ context: RequestContext) throws {
        self.base = base
        budgets = try context.book().allBudgets()
        currencies = context.site.tables.currencies
        rates = context.rates
    }

    /// The budgets with the same numbers: 100.00 euro become 100 yen. Nil if a number has too many decimals.
    var kept: [Budget]? { all { keeping($0.limit) } }

    /// The budgets at the latest rates; nil without a rate for each.
    var converted: [Budget]? { all { converting($0.limit) } }

    /// The question with the limits that each answer would give.
    func question(_ context: RequestContext) throws -> PreferencesForm.BudgetQuestion {
        let catalog = try context.catalog()
        return PreferencesForm.BudgetQuestion(
            new: base,
            budgets: budgets.map {
                .init($0, catalog: catalog, kept: keeping($0.limit), converted: converting($0.limit))
            },
            day: rates?.day
        )
    }

    private func all(_ limit: (Budget) -> Money?) -> [Budget]? {
        var changed: [Budget] = []
        for budget in budgets {
            guard let limit = limit(budget) else { return nil }
            var copy = budget
            copy.limit = limit
            changed.append(copy)
        }
        return changed
    }

    private func keeping(_ limit: Money) -> Money? {
        let old = currencies[limit.currency]?.minorPerUnit ?? 100
        let new = currencies[base]?.minorPerUnit ?? 100
        let (scaled, overflow) = limit.minor.multipliedReportingOverflow(by: new)
        guard !overflow, scaled.isMultiple(of: old), scaled / old > 0 else { return nil }
        return Money(minor: scaled / old, currency: base)
    }

    private func converting(_ limit: Money) -> Money? {
        guard limit.currency != base else { return limit }
        guard let rates else { return nil }
        let converter = CurrencyConverter(rates: rates, currencies: currencies)
        guard let money = try? converter.convert(limit, to: base), money.minor > 0 else { return nil }
        return money
    }
}

// On any day, every figure is that of a naive book without what is later, and the rest is to come.
import Ledger
import Testing

@testable import Book

extension Run {
    /// Compares the figures of several days in the middle of the transactions, which begin in January and end in May 2025;
    /// and of a day after all of them.
    mutating func compareToday() throws {
        for text in ["2025-01-31", "2025-02-10", "2025-04-01", "2025-05-20", "2026-01-01"] {
            let today = day(text)
            for _ in 0..<25 { try compareList(randomQuery(), on: today) }
            try compareBalances(on: today)
            try compareReports(on: today)
            try compareBudgets(on: today)
        }
    }

    private func compareList(_ query: TransactionQuery, on today: CivilDate) throws {
        var query = query
        query.after = nil
        let found = model.found(query)
        for base in [nil, CurrencyCode.eur] {
            let page = try book.transactions(query, knownIn: base, through: today).page
            let expected = model.page(query, of: found, knownIn: base, through: today)
            let place: Comment = "\(today): \(query)"
            #expect(page.rows == expected.rows && page.days == expected.days, place)
            #expect(page.totals.withTransactions == expected.totals, place)
            #expect(page.toCome == expected.toCome, place)
            #expect(page.moved == expected.moved && page.movedToCome == expected.movedToCome, place)
        }
    }

    private func compareBalances(on today: CivilDate) throws {
        let (present, all) = (model.through(today).balances(), model.balances())
        for shown in try book.balances(beside: nil, through: today) {
            let id = shown.account.id
            #expect(shown.balanceMinor == present[id], "\(today)")
            #expect(shown.balanceMinor + shown.toComeMinor == all[id], "\(today)")
            #expect(try book.account(id, through: today) == shown)
            let register = try book.register(of: id, TransactionQuery(), through: today)
            #expect(register?.account == shown)
            let newest = register?.page.rows.first?.date
            let opened = newest.map { shown.opening.minor(after: $0) } ?? 0
            #expect(register?.balancesMinor.first == (newest == nil ? nil : all[id].map { $0 - opened }))
        }
    }

    private func compareReports(on today: CivilDate) throws {
        for (first, last) in [("2025-01", "2025-12"), ("2025-04", "2025-04"), ("2024-11", "2025-02")] {
            let asked = month(first)...month(last)
            let isPresent = asked.lowerBound.firstDay <= today
            let model = isPresent && today <= asked.upperBound.lastDay ? model.through(today) : model
            let end = isPresent ? min(asked.upperBound, today.yearMonth) : asked.upperBound
            let span = asked.lowerBound...end
            for base in [nil, CurrencyCode.eur] {
                for group in ReportGroup.allCases {
                    let rows = try book.report(
                        from: asked.lowerBound,
                        to: asked.upperBound,
                        group: group,
                        knownIn: base,
                        through: today
                    )
                    #expect(Set(rows) == model.report(span, group, knownIn: base), "\(today) \(group)")
                }
            }
            let worth = try book.netWorth(from: asked.lowerBound, to: asked.upperBound, through: today)
            #expect(worth == model.netWorth(span), "\(today) \(asked)")
            let accounts = try book.accountWorth(
                from: asked.lowerBound,
                to: asked.upperBound,
                through: today
            )
            #expect(Set(accounts) == model.accountWorth(span), "\(today) \(asked)")
            let flows = try book.cashFlow(from: asked.lowerBound, to: asked.upperBound, through: today)
            #expect(flows == model.cashFlow(span), "\(today) \(asked)")
            let days = asked.lowerBound.firstDay...asked.upperBound.lastDay
            let spent = try book.spending(of: days, knownIn: .eur, through: today)
                .filter { $0.total.expenseMinor != 0 }.map { [$0.total.expenseMinor] }
            let wanted = model.spending(days).map { [$0.total.expenseMinor] }
            #expect(Set(spent) == Set(wanted), "\(today) \(asked)")
        }
    }

    private func compareBudgets(on today: CivilDate) throws {
        let present = model.through(today)
        let shown = today.yearMonth
        let view = try book.budgets(month: shown, current: shown, base: .eur, through: today)
        #expect(view.statuses.map(\.withoutToCome) == present.statuses(shown, current: shown), "\(today)")
        let all = model.statuses(shown, current: shown)
        #expect(view.statuses.map { $0.spentMinor + $0.toComeMinor } == all.map(\.spentMinor), "\(today)")
    }
}

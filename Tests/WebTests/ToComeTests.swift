// The amounts beside a figure that ends today, and the words about a time that has not begun. Today is 21 November 2026.
import Ledger
import Testing
import Texts

@testable import Web

@Suite struct WhatIsToCome {
    private let formats = Sample().formats
    private let today = Sample.today

    private func days(_ first: CivilDate, _ last: CivilDate) -> TransactionQuery {
        var query = TransactionQuery()
        query.days = first...last
        return query
    }

    @Test func hasTheListOfExactlyItsDays() {
        let november = TransactionQuery.ofMonth(today.yearMonth)
        let open = TransactionQuery()
        for (query, href) in [
            (november, "/transactions?from=2026-11-22&to=2026-11-30"),
            (open, "/transactions?from=2026-11-22"),
            (
                TransactionQuery.spending(in: today.yearMonth),
                "/transactions?from=2026-11-22&to=2026-11-30&kind=spending"
            ),
            // A time that has not begun is a list of its own.
            (days(Sample.date(2026, 12, 1), Sample.date(2026, 12, 31)), "/transactions?month=2026-12"),
        ] {
            #expect(TransactionsPage.href(query.toCome(after: today)).text == href)
        }
    }

    @Test func isNoLineWithoutAnAmount() {
        let nothing = MoneySum(minor: 0, currency: Sample.eur)
        #expect(ToComeLine(nothing, of: TransactionQuery(), formats) == nil)
        let line = ToComeLine(MoneySum(minor: -900, currency: Sample.eur), of: TransactionQuery(), formats)
        #expect(line?.sum.minor == -900 && line?.rateDate == nil)
    }

    @Test func isSaidOfATimeThatHasNotBegunAndOfNoOther() {
        let tomorrow = today.adding(days: 1)
        #expect(formats.wordsToCome(nil as ClosedRange<CivilDate>?) == nil)
        #expect(formats.wordsToCome(today...CivilDate.distantFuture) == nil)
        #expect(formats.wordsToCome(tomorrow...CivilDate.distantFuture) != nil)
        #expect(formats.wordsToCome(today.yearMonth) == nil)
        #expect(formats.wordsToCome(today.yearMonth.next) != nil)
        #expect(formats.wordsToCome(today.yearMonth.previous) == nil)
    }

    @Test func ofIncomeAndSpendingOpensEachOfThem() {
        let pair = ToComePair(.toCome, of: .ofMonth(today.yearMonth), formats)
        #expect(pair.income?.href.text == "/transactions?from=2026-11-22&to=2026-11-30&kind=income")
        #expect(pair.expense?.href.text == "/transactions?from=2026-11-22&to=2026-11-30&kind=spending")
        #expect(pair.income?.sum.minor == 300_000 && pair.expense?.sum.minor == -900)
        var only = TransactionQuery.ofMonth(today.yearMonth)
        only.kind = .expense
        let expense = ToComePair(.toCome, of: only, formats).expense
        #expect(expense?.href.text == "/transactions?from=2026-11-22&to=2026-11-30&kind=expense")
    }

    @Test func ofACurrencyThatHasNothingYetHasALine() {
        let dollars = CurrencyTotal(currency: Sample.usd, incomeMinor: 0, expenseMinor: 5, count: 1)
        let all = [CurrencyTotal.toCome].including([dollars, .toCome])
        #expect(all.map(\.currency) == [Sample.eur, Sample.usd] && all.last?.expenseMinor == 0)
    }
}

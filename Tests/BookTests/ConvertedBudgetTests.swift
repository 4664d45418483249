// With rates, every expense counts in a budget, and the overview, the list and the report have the same totals.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct ConvertedBudgets {
    private let folder = Scratch()
    private let book: Book
    private let converter: CurrencyConverter
    private let rub: CurrencyCode
    private let chf: CurrencyCode

    init() throws {
        book = try .scratch(folder)
        rub = try #require(CurrencyCode("RUB"))
        chf = try #require(CurrencyCode("CHF"))
        let rates = [
            CurrencyCode.usd: try #require(ExchangeRate("1.0823")), chf: try #require(ExchangeRate("0.9317")),
        ]
        converter = CurrencyConverter(
            rates: ExchangeRates(day: day("2025-11-20"), source: .europeanCentralBank, rates: rates),
            currencies: try CurrencyTable(
                tsv: "CHF\t2\tCHF\tSwiss franc\nEUR\t2\t€\tEuro\nRUB\t2\tRUB\tRouble\nUSD\t2\t$\tDollar\n"
            )
        )
        try book.add(Account.sample(1))
        try book.add(Account.sample(2, .usd))
        try book.add(Account.sample(3, chf))
        try book.add(Account.sample(4, rub))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12, parent: 11))
        try book.record(.sample(50, category: 11, payee: "Lidl"))
        // Charged in the base currency: exact.
        try book.record(.sample(51, .expense, "2025-11-15", 1_000, .usd, accountMinor: 931, category: 12))
        // Paid in the base currency from another account: exact too.
        try book.record(.sample(52, .expense, "2025-11-16", 500, account: 2, accountMinor: 555, category: 11))
        try book.record(.sample(53, .expense, "2025-11-17", 777, .usd, account: 2, category: 12))
        try book.record(.sample(54, .expense, "2025-11-17", 333, .usd, account: 2, category: 11))
        try book.record(.sample(55, .expense, "2025-11-18", 1_299, chf, account: 3))
        try book.record(.sample(56, .income, "2025-11-18", 90_001, chf, account: 3))
        try book.record(.sample(57, .income, "2025-11-19", 101, .usd, account: 2, category: 11))
        try book.record(.sample(58, .expense, "2025-11-19", 5_000, rub, account: 4, category: 11))
        try book.add(Budget.sample(31, category: nil, limit: 10_000, from: "2025-10", rollover: true))
        try book.add(Budget.sample(32, category: 11, limit: 5_000, from: "2025-11"))
    }

    private func status(_ number: Int, _ converter: CurrencyConverter?, in iso: String = "2025-11") throws
        -> BudgetStatus
    {
        let view = try book.budgets(month: month(iso), base: .eur, converter: converter)
        return try #require(view.statuses.first { $0.budget.id == .number(number) })
    }

    @Test func everyExpenseWithARateCounts() throws {
        // 777 + 333 - 101 = 1,009 cents of a dollar are 932 cents; 1,299 centimes are 1,394.
        let known: Int64 = 1_250 + 931 + 500
        let all = try status(31, converter)
        #expect(all.spentMinor == known + 932 + 1_394)
        #expect(all.convertedCount == 4 && all.leftOutCount == 1)
        let category = try status(32, converter)
        #expect(category.spentMinor == known + 932 && category.leftOutCount == 1)
        #expect(try status(31, nil).spentMinor == known)
        // December has what November leaves, with the converted amounts.
        let december = try status(31, converter, in: "2025-12")
        #expect(december.carriedMinor == 2 * 10_000 - all.spentMinor)
        #expect(try book.budgets(month: month("2025-11"), base: .eur, converter: converter).leftOutCount == 1)
        let suggested = try book.budgets(
            month: month("2025-12"),
            current: month("2025-12"),
            base: .eur,
            converter: converter
        ).suggestions
        let category12 = try #require(suggested.first { $0.category == .number(12) })
        #expect(category12.average == Money(minor: 1_649, currency: .eur))
    }

    @Test func theTotalsOfAMonthAgreeEverywhere() throws {
        let november = month("2025-11")
        let overview = try book.overview(
            month: november,
            today: day("2025-11-21"),
            base: .eur,
            converter: converter
        )
        let total = converter.total(overview.totals, in: .eur)
        #expect(total.total.expenseMinor == overview.budgets.first?.spentMinor)
        // 90,001 centimes.
        #expect(total.total.incomeMinor == 96_599 && total.leftOut.map(\.currency) == [rub])
        for limit in [2, 3, 500] {
            let query = TransactionQuery {
                $0.month = november
                $0.limit = limit
            }
            let list = try book.transactions(query, knownIn: .eur).page
            #expect(converter.total(list.totals, in: .eur).total == total.total, "\(limit)")
        }
        for group in [ReportGroup.category, .month, .account] {
            let rows = try book.report(from: november, to: november, group: group, knownIn: .eur)
            #expect(converter.total(rows.map(\.total), in: .eur).total == total.total, "\(group)")
        }
        let spending = try book.transactions(
            TransactionQuery {
                $0.month = november
                $0.isSpending = true
            },
            knownIn: .eur
        ).page
        #expect(converter.total(spending.totals, in: .eur).total.expenseMinor == total.total.expenseMinor)
        let found = try book.transactions(TransactionQuery { $0.text = "Lidl" }, knownIn: .eur).page
        #expect(found.totals.map(\.expenseMinor) == [1_250])
    }

    @Test func anotherMonthHasItsOwnTransactionsAndBalances() throws {
        try book.record(.sample(60, .expense, "2025-12-24", 9_000))
        let november = try book.overview(month: month("2025-11"), today: day("2025-12-31"), base: .eur)
        #expect(november.latest.first?.id == .number(58) && november.latest.count == 8)
        #expect(november.accounts.first?.balanceMinor == -2_181)
        let december = try book.overview(month: month("2025-12"), today: day("2025-12-31"), base: .eur)
        #expect(december.accounts.first?.balanceMinor == -11_181)
        let october = try book.overview(month: month("2025-10"), today: day("2025-12-31"), base: .eur)
        #expect(october.latest == [] && october.accounts.allSatisfy { $0.balanceMinor == 0 })
    }
}

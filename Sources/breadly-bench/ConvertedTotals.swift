// The totals of a month in six currencies, by currency and converted into one.

import Book
import BreadlyApp
import Ledger
import Web

/// The times of the totals of a month in a book of six currencies, in microseconds.
struct ConvertedTotals {
    /// The overview and the first page of the list, by currency.
    let plain: Double
    /// The same, converted.
    let converted: Double
    /// The slowest report over five years by category, account or month, converted.
    let reports: Double
    /// The report by payee over five years, converted.
    let payees: Double
    /// The cash flow and the net worth over five years, converted.
    let flow: Double
    let worth: Double
    /// The comparison of the present month, up to the day, with up to twelve earlier months, converted.
    let comparison: Double
    /// The slowest report by the rates of each day.
    let dayRates: Double
    /// The report by category by the rates of each day, after a change today, and at the first request after the
    /// book was opened.
    let dayRatesAfterChange: Double
    let dayRatesFirst: Double

    private static let rates = [
        ("USD", "1.1172"), ("CHF", "0.9194"), ("GBP", "0.8338"), ("JPY", "175.68"), ("PLN", "4.4038"),
    ]

    /// Fills a book with a number of transactions and measures it.
    init(_ count: Int, in folder: String, resources: Resources, today: CivilDate) throws {
        let book = try Book.open(at: folder + "/currencies.sqlite") { 0 }
        defer { book.close() }
        var rates: [CurrencyCode: ExchangeRate] = [:]
        for (code, text) in Self.rates {
            if let code = CurrencyCode(code), let rate = ExchangeRate(text) { rates[code] = rate }
        }
        let currencies = [CurrencyCode.eur] + rates.keys.sorted()
        let accounts = currencies.enumerated().map { number, code in
            Account(
                id: EntityID(high: 2, low: UInt64(number)),
                name: "\(code)",
                type: .bank,
                currency: code,
                openingMinor: 0
            )
        }
        let categories = (0..<12).map { number in
            Ledger.Category(
                id: EntityID(high: 3, low: UInt64(number)),
                name: "\(number)",
                kind: number < 10 ? .expense : .income,
                icon: "",
                color: "",
                parent: nil
            )
        }
        try book.seed(categories: categories, accounts: accounts, for: EntityID(high: 4, low: 0))
        var generator = Generator(accounts: accounts.map(\.id), categories: categories, today: today)
        let byID = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.currency) })
        try book.record(
            all: generator.transactions(count).map { transaction in
                var transaction = transaction
                transaction.amount.currency = byID[transaction.account] ?? .eur
                // Over five years instead of three.
                let daysAgo = Int(today.dayNumber - transaction.date.dayNumber)
                transaction.date = today.adding(days: -daysAgo * 5 / 3)
                return transaction
            }.sorted { $0.date < $1.date }
        )
        let converter = CurrencyConverter(
            rates: ExchangeRates(day: today, source: .europeanCentralBank, rates: rates),
            currencies: try resources.currencies()
        )
        func totals(_ converter: CurrencyConverter?) throws {
            var query = TransactionQuery()
            query.month = today.yearMonth
            let overview = try book.overview(
                month: today.yearMonth,
                today: today,
                base: .eur,
                converter: converter
            )
            let list = try book.transactions(query, knownIn: .eur)
            guard let converter else { return }
            _ = converter.total(overview.totals, in: .eur)
            _ = converter.total(list.page.totals, in: .eur)
            for day in list.page.days { _ = converter.total(day.totals, in: .eur) }
        }
        plain = try median(of: 500) { try totals(nil) }
        converted = try median(of: 500) { try totals(converter) }
        let (first, last) = (YearMonth(index: today.yearMonth.index - 59), today.yearMonth)
        let days = (0..<5 * 366).map { ago in
            ExchangeRates(day: today.adding(days: -ago), source: .europeanCentralBank, rates: rates)
        }
        let byDay = DayConverter(
            RateHistory(version: "", days: days),
            to: .eur,
            currencies: try resources.currencies()
        )
        func slowest(_ groups: [ReportGroup], of count: Int, _ days: DayConverter?) throws -> Double {
            try groups.map { group in
                try median(of: count) {
                    let rows = try book.report(
                        from: first,
                        to: last,
                        group: group,
                        knownIn: .eur,
                        valued: days
                    )
                    if days == nil { _ = converter.total(rows.map(\.total), in: .eur) }
                }
            }.max() ?? 0
        }
        reports = try slowest([.category, .account, .month], of: 100, nil)
        payees = try slowest([.payee], of: 100, nil)
        flow = try median(of: 100) {
            let flows = try book.cashFlow(from: first, to: last)
            _ = converter.sum(flows.map { MoneySum(minor: $0.endMinor, currency: $0.currency) }, in: .eur)
        }
        worth = try median(of: 100) {
            let points = try book.netWorth(from: first, to: last)
            _ = converter.sum(
                points.map { MoneySum(minor: $0.balanceMinor, currency: $0.currency) },
                in: .eur
            )
            _ = try book.accountWorth(from: first, to: last)
        }
        comparison = try median(of: 20) {
            let begun = try book.firstMonth()
            let comparison = try SpendingComparison(of: last, today: today, since: begun) {
                days throws(BookError) in
                try book.spending(of: days, knownIn: .eur)
            }
            guard comparison.days.upperBound == today else {
                throw BenchError("the comparison has other days")
            }
        }
        dayRates = try slowest(ReportGroup.allCases, of: 100, byDay)
        func byCategory(_ book: Book) throws -> Double {
            let begun = ContinuousClock.now
            _ = try book.report(from: first, to: last, group: .category, knownIn: .eur, valued: byDay)
            return taken(since: begun)
        }
        dayRatesAfterChange = try (0..<21).map { number in
            var transaction = generator.transaction(20_000_000 + number)
            transaction.date = today
            transaction.amount.currency = byID[transaction.account] ?? .eur
            try book.record(transaction)
            return try byCategory(book)
        }.sorted()[10]
        dayRatesFirst = try (0..<3).map { _ in
            let other = try Book.open(at: folder + "/currencies.sqlite") { 0 }
            defer { other.close() }
            return try byCategory(other)
        }.sorted()[1]
    }
}

extension Bench {
    static func show(_ totals: ConvertedTotals) {
        add("totals of a month in six currencies, 100,000", micro(totals.plain), "", nil)
        add(
            "the same, converted",
            micro(totals.converted),
            "≤ 1.5 ×",
            totals.converted <= totals.plain * 1.5
        )
        add(
            "the slowest report over five years by category, account or month, converted",
            micro(totals.reports),
            "≤ 3 ×",
            totals.reports <= totals.converted * 3
        )
        add(
            "the report over five years by payee, converted",
            micro(totals.payees),
            "≤ 3 ×",
            totals.payees <= totals.converted * 3
        )
        for (what, time) in [("cash flow", totals.flow), ("net worth", totals.worth)] {
            let ratio = time / totals.converted
            add(
                "the \(what) over five years, converted",
                "\(micro(time)), \(times(ratio)) the month",
                "≤ 3 ×",
                ratio <= 3
            )
        }
        add(
            "the comparison of a month with twelve, up to the day",
            "\(micro(totals.comparison)), \(times(totals.comparison / totals.converted)) the month",
            "≤ 3 ×",
            totals.comparison <= totals.converted * 3
        )
        add(
            "the slowest report over five years by the rates of each day",
            "\(micro(totals.dayRates)), \(times(totals.dayRates / totals.converted)) the month",
            "≤ 3 ×",
            totals.dayRates <= totals.converted * 3
        )
        add("the same by category, after a change of today", micro(totals.dayRatesAfterChange), "", nil)
        add("the same, when the book was just opened", micro(totals.dayRatesFirst), "", nil)
    }
}

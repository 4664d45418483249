// The exchange rates of many days in a book, and reports by the rates of each day.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct RatesOfDaysInABook {
    private let folder = Scratch()

    private func set(_ iso: String, _ texts: [(CurrencyCode, String)]) throws -> ExchangeRates {
        var rates: [CurrencyCode: ExchangeRate] = [:]
        for (code, text) in texts {
            let rate = try #require(ExchangeRate(text))
            rates[code] = rate
        }
        return ExchangeRates(day: day(iso), source: .europeanCentralBank, rates: rates)
    }

    @Test func aHistoryReplacesTheOneBeforeAndIsNoChangeOfTheUser() throws {
        var book = try Book.scratch(folder)
        #expect(try book.rateHistory() == nil)
        let range = RateHistoryRange(from: day("2025-01-01"), currencies: [.eur, .usd])
        let first = RateHistory(version: "a", days: [try set("2025-01-02", [(.usd, "1.03")])])
        try book.store(first, of: range)
        #expect(try book.rateHistory() == StoredRateHistory(range: range, history: first))
        let days = [try set("2025-01-03", [(.usd, "1.04")]), try set("2025-01-06", [])]
        let second = RateHistory(version: "b", days: days)
        try book.store(second, of: range)
        book.close()
        #expect(throws: BookError.closed) { try book.rateHistory() }
        book = try Book.scratch(folder)
        #expect(try book.rateHistory() == StoredRateHistory(range: range, history: second))
        #expect(try book.history(limit: 10) == [])
        try book.store(RateHistory(version: "none", days: []), of: range)
        #expect(try book.rateHistory()?.history.days == [])
        #expect(try book.rateHistory()?.range == range, "it is known that there are none")
    }

    @Test func aRangeBeginsWithTheYearOfTheFirstTransaction() throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2, .usd))
        #expect(
            try book.rateHistoryRange(from: month("2025-11"), to: .eur)
                == RateHistoryRange(from: day("2025-01-01"), currencies: [.eur, .usd])
        )
        try book.record(.sample(50, .expense, "2019-05-15", 1_000))
        #expect(try book.rateHistoryRange(from: month("2025-11"), to: .eur).from == day("2019-01-01"))
        #expect(try book.rateHistoryRange(from: month("2018-11"), to: .eur).from == day("2018-01-01"))
    }

    /// Every report by every group against sums that are computed from the transactions alone.
    @Test(arguments: [1, 2, 3] as [UInt64]) func reportsAreTheSumsOfTheValuesOfTransactions(_ seed: UInt64)
        throws
    {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let book = try Book.scratch(folder)
        let chf = try #require(CurrencyCode("CHF"))
        let codes: [CurrencyCode] = [.eur, .usd, chf]
        for (number, code) in codes.enumerated() { try book.add(Account.sample(number + 1, code)) }
        for number in 0..<3 { try book.add(Ledger.Category.sample(11 + number)) }
        // Dollars have rates from the second month on, and francs from the first.
        var sets: [ExchangeRates] = []
        for index in 0..<62 where index % 7 < 5 {
            let date = day("2025-09-01").adding(days: index)
            var rates = [chf: try #require(ExchangeRate("0.9\(index + 10)"))]
            let dollar = try #require(ExchangeRate("1.0\(index + 10)"))
            if index >= 30 { rates[.usd] = dollar }
            sets.append(ExchangeRates(day: date, source: .europeanCentralBank, rates: rates))
        }
        let table = try CurrencyTable(tsv: "CHF\t2\tCHF\tFranc\nEUR\t2\t€\tEuro\nUSD\t2\t$\tDollar\n")
        let converter = DayConverter(RateHistory(version: "1", days: sets), to: .eur, currencies: table)
        var expected: [ReportRow.Key: Int128] = [:]
        var leftOut: [ReportRow.Key: Int128] = [:]
        let count = 120
        var parts = 0
        for number in 0..<count {
            let account = Int.random(in: 0..<3, using: &random)
            let paid = codes.randomElement(using: &random) ?? .eur
            let (code, minor) = (codes[account], Int64.random(in: 100...99_999, using: &random))
            let date = day("2025-09-01").adding(days: Int.random(in: 0..<61, using: &random))
            var transaction = Transaction.sample(100 + number, .expense, "\(date)", minor, paid)
            transaction.account = .number(account + 1)
            transaction.accountMinor = paid == code ? minor : minor / 2 + 1
            transaction.payee = "Payee \(number % 4)"
            let category = number % 5 == 0 ? nil : EntityID.number(11 + number % 3)
            transaction.category = category
            var shares: [(EntityID?, Int64)] = [(category, transaction.accountMinor)]
            // Refunds and parts in the currency of the account, whose shares are known.
            if number % 7 == 3, category != nil { transaction.kind = .income }
            if number % 4 == 1, paid == code, transaction.kind == .expense {
                transaction.category = nil
                shares = [(.number(11), minor / 3), (nil, minor - minor / 3)]
                transaction.split = .parts(shares.map { SplitPart(category: $0.0, minor: $0.1) })
            }
            try book.record(transaction)
            parts += shares.count
            for (category, charged) in shares {
                let share =
                    paid == .eur && code != .eur
                    ? MoneySum(minor: Int128(minor), currency: .eur)
                    : MoneySum(minor: Int128(charged), currency: code)
                let value = converter.value(of: share, on: date)
                let sign: Int128 = transaction.kind == .income ? -1 : 1
                let keys: [ReportRow.Key] = [
                    .category(category), .month(date.yearMonth), .account(transaction.account),
                    .payee(transaction.payee),
                ]
                for key in keys {
                    if let value {
                        expected[key, default: 0] += sign * value
                    } else {
                        leftOut[key, default: 0] += sign * share.minor
                    }
                }
            }
        }
        #expect(!leftOut.isEmpty)
        for group in ReportGroup.allCases {
            let rows = try book.report(
                from: month("2025-09"),
                to: month("2025-10"),
                group: group,
                knownIn: .eur,
                valued: converter
            )
            var values: [ReportRow.Key: Int128] = [:]
            var missing: [ReportRow.Key: Int128] = [:]
            for row in rows {
                #expect(row.total.incomeMinor == 0 && row.value?.incomeMinor ?? 0 == 0)
                if let counted = row.total.currency == .eur ? row.total : row.value {
                    values[row.key, default: 0] += counted.expenseMinor
                } else {
                    #expect(row.total.currency == .usd)
                    missing[row.key, default: 0] += row.total.expenseMinor
                }
            }
            // A transaction counts once, and in each of its categories.
            #expect(
                rows.reduce(0) { $0 + $1.total.count } == (group == .category ? parts : count),
                "\(group)"
            )
            let own = expected.filter { group == ReportGroup(of: $0.key) }
            #expect(values.filter { $0.value != 0 } == own.filter { $0.value != 0 }, "\(group)")
            #expect(
                missing.filter { $0.value != 0 }
                    == leftOut.filter { group == ReportGroup(of: $0.key) && $0.value != 0 }
            )
        }
        // Some days of a month have the same values as all of its transactions on them.
        let days = day("2025-10-01")...day("2025-10-15")
        let early = try book.spending(of: days, knownIn: .eur, valued: converter)
        let late = try book.spending(
            of: day("2025-10-16")...day("2025-10-31"),
            knownIn: .eur,
            valued: converter
        )
        let sum = (early + late).reduce(Int128(0)) { sum, row in
            sum + ((row.total.currency == .eur ? row.total : row.value)?.expenseMinor ?? 0)
        }
        #expect(sum == expected[.month(month("2025-10"))])
    }
}

extension ReportGroup {
    fileprivate init(of key: ReportRow.Key) {
        switch key {
        case .category: self = .category
        case .month: self = .month
        case .account: self = .account
        case .payee: self = .payee
        }
    }
}

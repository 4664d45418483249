// Income and spending without a payee, in reports by payee and in lists.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct WithoutPayee {
    private let folder = Scratch()
    private let book: Book
    private let november = YearMonth(year: 2025, month: 11)

    init() throws {
        book = try .scratch(folder)
        for number in 1...2 { try book.add(Account.sample(number)) }
        try book.add(Account.sample(3, .usd))
        for number in 11...12 { try book.add(Ledger.Category.sample(number)) }
        try book.record(.sample(50, .expense, "2025-11-15", 7_000, category: 11))
        try book.record(.sample(51, .expense, "2025-11-16", 3_000, payee: "X"))
        try book.record(.sample(52, .transfer, "2025-11-16", 900, to: 2, toMinor: 900))
        // A refund of spending, and income.
        try book.record(.sample(53, .income, "2025-11-17", 500, category: 11))
        try book.record(.sample(54, .income, "2025-11-18", 200))
        try book.record(.sample(55, .expense, "2025-12-01", 40))
    }

    private func rows(_ base: CurrencyCode?, through today: String = "2025-12-31") throws -> [String:
        [Int128]]
    {
        let today = try #require(CivilDate(iso: today))
        let rows = try book.report(
            from: november,
            to: november.next,
            group: .payee,
            knownIn: base,
            through: today
        )
        return Dictionary(
            uniqueKeysWithValues: rows.map {
                ("\($0.key) \($0.total.currency)", [$0.total.incomeMinor, $0.total.expenseMinor])
            }
        )
    }

    @Test(arguments: [nil, CurrencyCode.eur]) func theyAreARowOfReports(base: CurrencyCode?) throws {
        let (none, named) = ("\(ReportRow.Key.payee("")) EUR", "\(ReportRow.Key.payee("X")) EUR")
        #expect(try rows(base) == [none: [200, 6_540], named: [0, 3_000]])
        #expect(try rows(base, through: "2025-11-17") == [none: [0, 6_500], named: [0, 3_000]])
        try book.record(.sample(56, .expense, "2025-11-19", 10, .usd, account: 3))
        let foreign = "\(ReportRow.Key.payee("")) USD"
        #expect(try rows(base) == [none: [200, 6_540], named: [0, 3_000], foreign: [0, 10]])
    }

    @Test func noneIsLeftIfAllHaveOne() throws {
        for number in [50, 53, 54, 55] { try book.deleteTransaction(.number(number)) }
        #expect(try rows(nil).count == 1)
        #expect(try rows(.eur).count == 1)
    }

    private static func query(_ narrow: (inout TransactionQuery) -> Void = { _ in }) -> TransactionQuery {
        var query = TransactionQuery()
        query.payee = ""
        narrow(&query)
        return query
    }

    @Test(arguments: [
        ([50, 53, 54, 55], query()),
        ([53, 54], query { $0.kind = .income }),
        ([54, 55], query { $0.category = .uncategorized }),
        ([50, 53, 55], query { $0.isSpending = true }),
        ([50, 53], query { $0.category = .family(.number(11)) }),
        ([50, 53, 54, 55], query { $0.account = .number(1) }),
        ([], query { $0.account = .number(2) }),
        ([], query { $0.kind = .transfer }),
    ])
    func theyAreAList(_ expected: [Int], _ query: TransactionQuery) throws {
        let page = try book.transactions(query).page
        #expect(page.rows.map(\.id) == expected.reversed().map { .number($0) })
        let spent = page.totals.reduce(0) { $0 + $1.expenseMinor }
        let wanted = page.rows.reduce(Int128(0)) { sum, row in
            switch row.kind {
            case .expense: sum + Int128(row.amount.minor)
            case .income: row.category == nil ? sum : sum - Int128(row.amount.minor)
            case .transfer: sum
            }
        }
        #expect(spent == wanted)
    }
}

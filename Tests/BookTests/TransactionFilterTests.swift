// Filters by amount, tags, receipts and banks, and the orders of a list.
import GRDB
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct TransactionFilters {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        for number in 1...2 { try book.add(Account.sample(number)) }
        try book.add(Account.sample(3, try #require(CurrencyCode("JPY"))))
        try book.add(Account.sample(4, try #require(CurrencyCode("KWD"))))
        let (yen, dinar) = (try #require(CurrencyCode("JPY")), try #require(CurrencyCode("KWD")))
        var recorded = Transaction.sample(57, .expense, "2025-11-07", 99, payee: "bank")
        recorded.bankTransaction = "k1:t1"
        try book.record(all: [
            .sample(51, .expense, "2025-11-01", 1_250, payee: "Lidl", tags: ["food", "Übung"]),
            .sample(52, .expense, "2025-11-02", 10_000, payee: "LIDL", note: "food", tags: ["seafood"]),
            .sample(
                53,
                .expense,
                "2025-11-03",
                100,
                yen,
                account: 3,
                accountMinor: 100,
                payee: "Aldi",
                tags: ["100%_a"]
            ),
            .sample(
                54,
                .expense,
                "2025-11-04",
                100_001,
                dinar,
                account: 4,
                accountMinor: 100_001,
                tags: ["FOOD", "🎉"]
            ),
            .sample(55, .transfer, "2025-11-05", 500, to: 2, payee: "Zoo"),
            .sample(56, .income, "2025-11-06", 1_250, payee: "aldi", tags: ["1250"]),
            recorded,
        ])
    }

    private func found(_ change: (inout TransactionQuery) -> Void) throws -> [Int] {
        let page = try book.transactions(TransactionQuery(change)).page
        #expect(page.totals.reduce(0) { $0 + $1.count } == page.rows.count)
        return page.rows.map { Int($0.id.low) }
    }

    static let amounts: [(String, [Int])] = [
        ("12.50", [56, 51]), (">100", [54]), (">=100", [54, 53, 52]), ("100", [53, 52]), ("<5", [57]),
        ("5..12.5", [56, 55, 51]), ("100.001", [54]), ("12.345", []), ("<=0", []),
        (">99999999999999999999", []),
    ]

    @Test(arguments: amounts)
    func amountsAreOfTheCurrencyThatWasPaid(text: String, ids: [Int]) throws {
        let amount = try AmountFilter(text, decimalSign: ".")
        #expect(try found { $0.amount = amount } == ids)
        #expect(try found { ($0.amount, $0.sort) = (amount, TransactionSort(.date)) } == ids.reversed())
        #expect(
            try Set(book.ids(of: TransactionQuery { $0.amount = amount }).map { Int($0.low) }) == Set(ids)
        )
    }

    static let tags: [([String], [Int])] = [
        (["food"], [54, 51]), (["Food", "übung"], [51]), (["seafood"], [52]), (["sea"], []), (["foo"], []),
        (["100%_a"], [53]), (["100%"], []), (["%"], []), (["1250"], [56]), (["🎉"], [54]),
        (["food", "🎉"], [54]),
        (["\""], []), (["food'"], []),
    ]

    @Test(arguments: tags)
    func tagsAreWholeAndInAnySpelling(tags: [String], ids: [Int]) throws {
        #expect(try found { $0.tags = tags } == ids)
        #expect(
            try found { ($0.tags, $0.text) = (tags, "food") } == ids.filter { [51, 52, 54].contains($0) }
        )
    }

    @Test func receiptsAndBanksAreFilters() throws {
        let receipt = Receipt(
            id: .number(900),
            transaction: .number(52),
            name: "receipt.pdf",
            type: "application/pdf",
            size: 100,
            sha256: String(repeating: "a", count: 64),
            created: noon
        )
        _ = try book.add([receipt], to: .recorded(.number(52)), quota: .max) { _ in }
        #expect(try found { $0.isWithReceipt = true } == [52])
        #expect(try found { ($0.isWithReceipt, $0.text) = (true, "lidl") } == [52])
        #expect(try found { ($0.isWithReceipt, $0.kind) = (true, .income) } == [])
        #expect(try found { $0.isFromBank = true } == [57])
        _ = try book.deleteReceipt(.number(900))
        #expect(try found { $0.isWithReceipt = true } == [])
    }

    static let orders: [(String, [Int])] = [
        ("date", [51, 52, 53, 54, 55, 56, 57]), ("amount", [57, 55, 56, 51, 53, 52, 54]),
        ("-amount", [54, 53, 52, 56, 51, 55, 57]), ("payee", [56, 53, 57, 52, 51, 55, 54]),
        ("-payee", [55, 52, 51, 57, 56, 53, 54]),
    ]

    @Test(arguments: orders)
    func pagesGoOnInEveryOrderAlsoIfTheLastRowIsGone(order: String, ids: [Int]) throws {
        let sort = try #require(TransactionSort(order))
        #expect(try found { $0.sort = sort } == ids)
        var (seen, query) = ([Int](), TransactionQuery { ($0.sort, $0.limit) = (sort, 2) })
        repeat {
            let page = try book.transactions(query).page
            #expect(page.totals.reduce(0) { $0 + $1.count } + seen.count / 2 == ids.count)
            #expect(page.days.isEmpty == (sort.key != .date))
            seen += page.rows.map { Int($0.id.low) }
            query.after = page.next
            if let last = page.rows.last, page.next != nil { try book.deleteTransaction(last.id) }
        } while query.after != nil
        #expect(seen == ids)
    }

    @Test func aPositionOfAnotherOrderIsIgnored() throws {
        let first = try book.transactions(TransactionQuery { $0.limit = 2 }).page
        #expect(try found { ($0.sort, $0.after) = (TransactionSort(.amount), first.next) }.count == 7)
    }

    @Test func theRegisterAndASelectionHaveTheirOwnOrder() throws {
        let query = TransactionQuery { $0.sort = TransactionSort(.amount) }
        let register = try #require(try book.register(of: .number(1), query))
        #expect(register.page.rows.map { Int($0.id.low) } == [57, 56, 55, 52, 51])
        #expect(try book.selected(.all(query)).rows.map { Int($0.id.low) } == [57, 56, 55, 54, 53, 52, 51])
    }

    @Test func anOrderByPayeeReadsPayeesAndNotAllRows() throws {
        let row = Transaction.sample(1, payee: "Lidl")
        for order in ["payee", "-payee"] {
            let sort = try #require(TransactionSort(order))
            let steps = try book.reading { db, lookups in
                let query = TransactionQuery { ($0.sort, $0.after) = (sort, sort.cursor(after: row)) }
                let page = try TransactionList(db, lookups, query).byPayee
                return try db.all("EXPLAIN QUERY PLAN \(page.sql)", StatementArguments(page.arguments)) {
                    $0.text(3)
                }
            }
            #expect(steps.first?.hasPrefix("SEARCH n USING COVERING INDEX payee_names_by_key") == true)
            #expect(steps.contains { $0.hasPrefix("SEARCH transactions USING INDEX transactions_by_payee") })
            #expect(
                !steps.contains { $0.hasPrefix("SCAN") || $0 == "USE TEMP B-TREE FOR ORDER BY" },
                "\(steps)"
            )
        }
    }

    @Test(arguments: orders.map(\.0))
    func aPageCostsAsManyStatementsHoweverManyRowsItHas(order: String) throws {
        let sort = try #require(TransactionSort(order))
        let amount = try AmountFilter(">1", decimalSign: ".")
        let counts = try [1, 3].map { limit in
            let query = TransactionQuery { ($0.sort, $0.amount, $0.limit) = (sort, amount, limit) }
            // The values that all pages have in common are cached.
            _ = try book.transactions(query)
            return try book.countingStatements { _ = try book.transactions(query) }
        }
        #expect(counts[0] == counts[1] && counts[0] <= 12, "\(counts)")
    }

    @Test func tagsAndSingleAmountsAreFoundByTheSearchIndex() throws {
        let single = try AmountFilter("12.50", decimalSign: ".")
        let queries = [TransactionQuery { $0.tags = ["food"] }, TransactionQuery { $0.amount = single }]
        let plans = try book.reading { db, lookups in
            try queries.map { query in
                let list = try TransactionList(db, lookups, query)
                let matches = list.matches(selecting: "kind", days: list.days)
                return try db.all("EXPLAIN QUERY PLAN \(matches.sql)", StatementArguments(matches.arguments))
                {
                    $0.text(3)
                }
            }
        }
        for plan in plans {
            #expect(plan.first?.contains("transactions_search VIRTUAL TABLE INDEX") == true, "\(plan)")
            #expect(
                plan.contains { $0.hasPrefix("SEARCH transactions USING INTEGER PRIMARY KEY") },
                "\(plan)"
            )
        }
    }
}

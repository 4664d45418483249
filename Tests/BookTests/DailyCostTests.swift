// The cost of daily work, counted in statements: it must not grow with the size of the book.
import GRDB
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct TheCostOfDailyWork {
    private let folder = Scratch()

    /// A book with one transaction for each of some payees.
    private func book(payees count: Int) throws -> Book {
        let book = try Book.scratch(folder, "\(count).sqlite")
        try book.add(Account.sample(1))
        for number in 11...12 { try book.add(Ledger.Category.sample(number)) }
        try book.record(
            all: (0..<count).map { .sample(1_000 + $0, category: 11, payee: "Shop \($0) north") }
        )
        return book
    }

    /// The names are folded once, so that a letter more costs as many statements as there are suggestions.
    @Test func suggestionsCostAsMuchAmongTenThousandNames() throws {
        let counts = try [10, 10_000].map { payees in
            let book = try book(payees: payees)
            #expect(try book.payeeUses(matching: "shop").count == 8)
            return try book.countingStatements { _ = try book.payeeUses(matching: "nor sho") }
        }
        #expect(counts[0] == counts[1] && counts[0] <= 40, "\(counts)")
    }

    /// Undoing it as well: each row costs as much, however many there are.
    @Test func aChangeOfManyRowsCostsAsMuchForEach() throws {
        let book = try book(payees: 600)
        func ids(_ range: Range<Int>) -> TransactionSelection { .rows(range.map { .number(1_000 + $0) }) }
        _ = try book.change(ids(0..<10), by: .category(.sample(12)))
        var numbers: [Int64] = []
        let counts = try [10..<110, 110..<310].map { range in
            try book.countingStatements {
                let result = try book.change(ids(range), by: .category(.sample(12)))
                #expect(result.changedCount == range.count)
                numbers += [try #require(result.change)]
            }
        }
        // The index of words merges its parts now and then.
        #expect(counts[1] * 10 <= counts[0] * 22, "\(counts)")
        let undoing = try numbers.map { number in
            try book.countingStatements { _ = try book.undo(number, overriding: false) }
        }
        #expect(undoing[1] * 10 <= undoing[0] * 22, "\(undoing)")
    }

    /// Searching must read the index of words and the rows that it finds, and no other row.
    @Test(arguments: ["shop", "12.50", "north 12.50"])
    func aSearchReadsNoOtherRows(text: String) throws {
        let book = try book(payees: 10)
        let plans = try book.reading { db, lookups in
            let query = TransactionQuery { $0.text = text }
            let list = try TransactionList(db, lookups, query)
            let matches = list.matches(selecting: "kind", days: list.days)
            return try db.all("EXPLAIN QUERY PLAN \(matches.sql)", StatementArguments(matches.arguments)) {
                $0.text(3)
            }
        }
        #expect(plans.first?.contains("transactions_search VIRTUAL TABLE INDEX") == true, "\(plans)")
        #expect(plans.contains { $0.hasPrefix("SEARCH transactions USING INTEGER PRIMARY KEY") }, "\(plans)")
        #expect(!plans.contains { $0.hasPrefix("SCAN transactions ") }, "\(plans)")
    }
}

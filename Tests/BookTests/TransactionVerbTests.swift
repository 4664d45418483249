// Recording, changing, deleting and restoring: what is refused, and what twice the same does.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct TransactionVerbTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2, .usd))
        try book.add(Account.sample(3))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12, .income))
    }

    private static let gone = EntityID.number(99)

    static let refused: [(Transaction, BookError)] = [
        (.sample(50, .expense, "2025-11-15", 0), .invalid(.amount)),
        (.sample(50, .expense, "2025-11-15", -1), .invalid(.amount)),
        (.sample(50, accountMinor: 0), .invalid(.accountAmount)),
        (.sample(50, accountMinor: 99), .invalid(.accountAmount)),
        (.sample(50, account: 99), .unknownAccount(gone)),
        (.sample(50, .transfer), .invalid(.toAccount)),
        (.sample(50, .transfer, to: 1), .invalid(.toAccount)),
        (.sample(50, .transfer, to: 2, toMinor: 0), .invalid(.toAmount)),
        (.sample(50, .transfer, to: 99), .unknownAccount(gone)),
        (.sample(50, .transfer, "2025-11-15", 5, .usd, accountMinor: 4, to: 2), .invalid(.currency)),
        (.sample(50, .transfer, to: 2, category: 11), .invalid(.category)),
        (.sample(50, .expense, to: 2), .invalid(.toAccount)),
        (.sample(50, .expense, toMinor: 5), .invalid(.toAmount)),
        (.sample(50, category: 99), .unknownCategory(gone)),
        (.sample(50, category: 12), .categoryKind),
        (.sample(50, payee: String(repeating: "x", count: 201)), .invalid(.payee)),
        (.sample(50, payee: "a\0b"), .invalid(.payee)),
        (.sample(50, payee: "a" + String(repeating: "\u{301}", count: 2_000)), .invalid(.payee)),
        (.sample(50, note: String(repeating: "x", count: 2_001)), .invalid(.note)),
        (.sample(50, tags: ["a,b"]), .invalid(.tags)),
        (.sample(50, tags: [""]), .invalid(.tags)),
        (.sample(50, tags: ["a", "a"]), .invalid(.tags)),
        (.sample(50, tags: [String(repeating: "x", count: 41)]), .invalid(.tags)),
        (.sample(50, tags: (0..<21).map { "t\($0)" }), .invalid(.tags)),
    ]

    @Test(arguments: refused)
    func whatCannotBeIsRefusedAndChangesNothing(transaction: Transaction, error: BookError) throws {
        #expect(throws: error) { try book.record(transaction) }
        #expect(throws: error) { try book.record(all: [.sample(51), transaction]) }
        try book.record(.sample(50))
        #expect(throws: error) { try book.change(transaction) }
        #expect(try book.transaction(.number(50)) == .sample(50))
        #expect(try book.counts().transactions == 1)
        #expect(try book.verifySums() == [])
    }

    static let kept: [Transaction] = [
        .sample(50),
        .sample(50, .income, "0001-01-01", 1),
        .sample(50, .expense, "9999-12-31", .max, note: "all there is"),
        .sample(50, .transfer, to: 2, toMinor: 7),
        .sample(50, .expense, "2024-02-29", 100, .usd, accountMinor: 93, category: 11),
        .sample(50, payee: "Café \"O'Neil\" ; DROP TABLE", note: "👩‍👩‍👧‍👦\nтекст 中文", tags: ["a b", "ü", "%_"]),
        .sample(50, payee: String(repeating: "👩‍👩‍👧‍👦", count: 100)),
    ]

    @Test(arguments: kept)
    func whatIsRecordedIsReadBackTheSameAlsoAfterReopening(transaction: Transaction) throws {
        #expect(try book.record(transaction) == .new)
        #expect(try book.transaction(transaction.id) == transaction)
        book.close()
        let again = try Book.scratch(folder)
        #expect(try again.transaction(transaction.id) == transaction)
        #expect(try again.transactions(TransactionQuery()).page.rows == [transaction])
        #expect(try again.verifySums() == [])
    }

    @Test func aFormSentTwiceIsRecordedOnce() throws {
        #expect(try book.record(.sample(50)) == .new)
        #expect(try book.record(.sample(50)) == .already)
        #expect(throws: BookError.idTaken(.number(50))) { try book.record(.sample(50, note: "other")) }
        try book.deleteTransaction(.number(50))
        #expect(try book.record(.sample(50)) == .already)
        #expect(try book.transaction(.number(50)) == nil)
        #expect(try book.record(all: [.sample(50), .sample(51), .sample(51)]) == 1)
    }

    @Test func deletingAndRestoringTwiceIsAsOnce() throws {
        try book.record(.sample(50))
        for _ in 1...2 {
            try book.deleteTransaction(.number(50))
            #expect(try book.account(.number(1))?.balanceMinor == 0)
        }
        #expect(throws: BookError.deletedTransaction(.number(50))) {
            try book.change(Transaction.sample(50, note: "x"))
        }
        for _ in 1...2 {
            try book.restoreTransaction(.number(50))
            #expect(try book.account(.number(1))?.balanceMinor == -1_250)
        }
        #expect(throws: BookError.unknownTransaction(Self.gone)) { try book.deleteTransaction(Self.gone) }
        #expect(throws: BookError.unknownTransaction(Self.gone)) { try book.restoreTransaction(Self.gone) }
        #expect(throws: BookError.unknownTransaction(Self.gone)) { try book.change(Transaction.sample(99)) }
    }

    @Test func aRestoredTransactionNeedsItsAccountsAndDropsAGoneCategory() throws {
        try book.record(.sample(50, account: 3, category: 11))
        try book.deleteTransaction(.number(50))
        try book.deleteCategory(.number(11))
        try book.deleteAccount(.number(3))
        #expect(throws: BookError.unknownAccount(.number(3))) { try book.restoreTransaction(.number(50)) }
        try book.restoreAccount(.number(3))
        try book.restoreTransaction(.number(50))
        #expect(try book.transaction(.number(50)) == .sample(50, account: 3))
        #expect(try book.verifySums() == [])
    }

    @Test func aBalanceOrTotalBeyond64BitsIsRefusedAndChangesNothing() throws {
        try book.record(.sample(50, .income, "2025-11-15", .max - 10))
        #expect(throws: BookError.overflow) { try book.record(.sample(51, .income, "2025-11-15", 11)) }
        #expect(throws: BookError.overflow) {
            try book.record(.sample(51, .income, "2001-01-01", 11, account: 3))
        }
        #expect(throws: BookError.overflow) { try book.change(Account.sample(1, opening: 11)) }
        try book.record(.sample(51, .income, "2025-11-15", 10))
        try book.add(Account.sample(4, opening: .min + 5))
        try book.record(.sample(52, .expense, "2025-11-15", 5, account: 4))
        #expect(try book.account(.number(4))?.balanceMinor == Int128(Int64.min))
        // One below the least that fits rounds to exactly that as a real number.
        #expect(throws: BookError.overflow) {
            try book.record(.sample(53, .expense, "2025-11-15", 1, account: 4))
        }
        #expect(throws: BookError.overflow) {
            try book.record(all: (100..<1_200).map { .sample($0, .income, "2025-11-15", 1) })
        }
        #expect(try book.account(.number(1))?.balanceMinor == Int128(Int64.max))
        #expect(try book.counts().transactions == 3)
        #expect(try book.verifySums() == [])
    }

    @Test func manyAtOnceSayTheSameAsOneByOne() throws {
        let rows = (100..<2_100).map { number in
            Transaction.sample(
                number,
                number % 7 == 0 ? .transfer : .expense,
                day("2025-01-01").adding(days: number % 90).description,
                Int64(number),
                to: number % 7 == 0 ? 2 : nil,
                category: number % 7 == 0 ? nil : 11,
                payee: "payee \(number % 13)"
            )
        }
        #expect(try book.record(all: rows) == 2_000)
        let other = try Book.scratch(folder, "other.sqlite")
        for number in 1...3 { try other.add(Account.sample(number, number == 2 ? .usd : .eur)) }
        try other.add(Ledger.Category.sample(11))
        for row in rows { try other.record(row) }
        #expect(try book.verifySums() == [] && other.verifySums() == [])
        #expect(try book.accountBalances() == other.accountBalances())
        // A second batch, smaller than what is there.
        let more = (3_000..<4_000).map { Transaction.sample($0, payee: "more") }
        #expect(try book.record(all: more) == 1_000 && book.record(all: more) == 0)
        #expect(try book.verifySums() == [])
        // The triggers and indexes are back.
        try book.record(.sample(50, payee: "after"))
        #expect(try book.transactions(TransactionQuery { $0.text = "after" }).page.rows.count == 1)
        #expect(try book.verifySums() == [])
    }
}

// One payee, however it is spaced, capitalised and composed.
import GRDB
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct PayeeSpellingTests {
    private let folder = Scratch()
    private let book: Book
    private let november = YearMonth(year: 2025, month: 11)

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12, .income))
    }

    private static let spellings = [
        ["Two Spaces", "Two  Spaces", "Two\u{A0}Spaces", "two spaces"], ["Café", "CAFÉ", "Cafe\u{301}"],
        ["Straße", "STRASSE"],
    ]

    /// The newest comes last.
    private func record(_ payees: [String], from first: Int = 60, in category: Int? = nil) throws {
        for (index, payee) in payees.enumerated() {
            try book.record(
                Transaction.sample(
                    first + index,
                    .expense,
                    "2025-11-0\(index + 1)",
                    100,
                    category: category,
                    payee: payee
                )
            )
        }
    }

    @Test(arguments: spellings) func aReportHasOneLineWhoseLinkOpensItsRows(payees: [String]) throws {
        try record(payees)
        try book.record(
            Transaction.sample(70, .income, "2025-11-20", 30, category: 11, payee: payees[0].uppercased())
        )
        let rows = try book.report(from: november, to: november, group: .payee)
        #expect(rows.count == 1 && rows.first?.total.expenseMinor == Int128(payees.count * 100 - 30))
        let name = try #require(
            rows.first.flatMap { row in if case .payee(let name) = row.key { name } else { nil } }
        )
        for payee in payees + [name] {
            let query = TransactionQuery {
                ($0.payee, $0.days) = (payee, november.firstDay...november.lastDay)
            }
            let page = try book.transactions(query).page
            #expect(page.rows.count == payees.count + 1, "\(payee)")
            #expect(page.totals.map(\.expenseMinor) == [rows.first?.total.expenseMinor ?? 0])
            let narrow = TransactionQuery { ($0.payee, $0.category) = (payee, .alone(.number(11))) }
            #expect(try book.transactions(narrow).page.rows.count == 1)
        }
        #expect(try book.verifySums() == [])
        try book.rebuildSums()
        #expect(
            try book.report(from: november, to: november, group: .payee) == rows && book.verifySums() == []
        )
    }

    @Test func theNameIsTheSpellingOfMostTransactions() throws {
        try record(["café", "Café", "Café", "CAFÉ"])
        #expect(try book.report(from: november, to: november, group: .payee).map(\.key) == [.payee("Café")])
    }

    @Test(arguments: spellings) func theLastCategoryIsThatOfThePayee(payees: [String]) throws {
        try record([payees[0]], in: 11)
        for payee in payees { #expect(try book.usualCategory(ofPayee: payee) == .number(11), "\(payee)") }
        try record(Array(payees.dropFirst()), from: 80)
        #expect(try book.recentPayeeUses().count == 1)
    }

    @Test(arguments: spellings) func aScheduleMeetsItsPayment(payees: [String]) throws {
        for (index, payee) in payees.enumerated() {
            let book = try Book.scratch(folder, "met-\(index).sqlite")
            try book.add(Account.sample(1))
            var schedule = Schedule(transaction: .sample(30, .expense, "2025-11-01", 100, payee: payees[0]))
            schedule.isAutomatic = true
            try book.add(schedule)
            try book.record(Transaction.sample(60, .expense, "2025-11-01", 100, payee: payee))
            try book.recordDue(on: try #require(CivilDate(iso: "2025-11-02")))
            #expect(try book.counts().transactions == 1, "\(payee)")
        }
    }

    @Test func aRegularPaymentIsSuggestedOnceAndDismissedInAnySpelling() throws {
        for (index, payee) in ["Netflix", "NETFLIX", "Netﬂix", "netflix"].enumerated() {
            let day = try #require(CivilDate(iso: "2025-08-05")).adding(days: index * 31)
            try book.record(Transaction.sample(60 + index, .expense, "\(day)", 100, payee: payee))
        }
        let today = try #require(CivilDate(iso: "2025-11-10"))
        let found = try book.schedules(on: today, base: .eur).suggestions
        #expect(found.count == 1)
        let latest = try #require(found.first?.latest)
        try book.dismissScheduleSuggestion(latest)
        #expect(try book.schedules(on: today, base: .eur).suggestions.isEmpty)
    }

    /// Each entrance of a text.
    @Test func whatIsStoredIsInNormalForm() throws {
        let decomposed = "Cafe\u{301}"
        var row = Transaction.sample(
            60,
            .expense,
            "2025-11-01",
            100,
            payee: decomposed,
            note: decomposed,
            tags: [decomposed]
        )
        row.split = .parts([
            SplitPart(category: nil, minor: 40, note: decomposed),
            SplitPart(category: .number(11), minor: 60),
        ])
        try book.record(row)
        var account = Account.sample(2)
        account.name = decomposed
        try book.add(account)
        var category = Ledger.Category.sample(13)
        category.name = decomposed
        try book.add(category)
        try book.record(Transaction.sample(61, .expense, "2025-11-01", 100, payee: "x"))
        try book.change(Transaction.sample(61, .expense, "2025-11-01", 100, payee: decomposed))
        let stored = try book.store.reading { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT payee || note || tags || ifnull(split, '') FROM transactions UNION ALL SELECT name FROM accounts
                    UNION ALL SELECT name FROM categories
                    """
            )
        }
        #expect(stored.allSatisfy { !$0.unicodeScalars.contains("\u{301}") }, "\(stored)")
        #expect(stored.filter { $0.unicodeScalars.contains("\u{E9}") }.count == 4)
    }
}

// The orders of accounts and categories, and archived categories.
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct ListOrderTests {
    private let folder = Scratch()
    private let book: Book

    init() throws { book = try .scratch(folder) }

    private var accounts: [Int] {
        get throws { try book.choices().accounts.map { Int($0.id.low) } }
    }

    private var categories: [Int] {
        get throws { try book.choices().categories.map { Int($0.id.low) } }
    }

    private func ids(_ numbers: [Int]) -> [EntityID] { numbers.map { .number($0) } }

    @Test func accountsAreInTheOrderThatWasChosen() throws {
        for number in 1...5 { try book.add(Account.sample(number)) }
        #expect(try accounts == [1, 2, 3, 4, 5])
        #expect(try book.order(accounts: ids([5, 1, 2, 3, 4])) == 1)
        #expect(try accounts == [5, 1, 2, 3, 4])
        #expect(try book.accountBalances().map { Int($0.account.id.low) } == [5, 1, 2, 3, 4])
        #expect(try book.order(accounts: ids([5, 1, 2, 3, 4])) == 0)
        // A new account is the last one.
        try book.add(Account.sample(6))
        #expect(try accounts == [5, 1, 2, 3, 4, 6])
        // It is no line of the history, and nothing to undo.
        #expect(try book.history(limit: 1).first?.content != nil)
        let rows = try book.history(limit: 20).flatMap { change -> [HistoryRow] in
            if case .rows(let rows, _) = change.content { rows } else { [] }
        }
        #expect(rows.allSatisfy { $0.after["position"] == nil })
    }

    @Test func idsThatAreNoneOrTwiceOrMissingDoNoHarm() throws {
        for number in 1...4 { try book.add(Account.sample(number)) }
        try book.order(accounts: ids([4, 99, 4, 2]))
        // Those that were not named stay behind the one that they followed.
        #expect(try accounts == [1, 4, 2, 3])
        try book.order(accounts: [])
        #expect(try accounts == [1, 4, 2, 3])
        try book.order(accounts: ids([77]))
        #expect(try accounts == [1, 4, 2, 3])
    }

    @Test func categoriesAreOrderedAmongTheirSiblings() throws {
        for number in [11, 12, 13] { try book.add(Ledger.Category.sample(number)) }
        try book.add(Ledger.Category.sample(14, .income))
        for number in [15, 16] { try book.add(Ledger.Category.sample(number, parent: 11)) }
        try book.order(categories: ids([14, 16, 15, 13, 11, 12]))
        let shown = try categories
        func place(_ number: Int) -> Int { shown.firstIndex(of: number) ?? -1 }
        #expect(place(13) < place(11) && place(11) < place(12) && place(16) < place(15))
        #expect(shown.last == 14, "income comes after spending")
    }

    @Test func twoDevicesThatOrderAtOnceEndEqual() throws {
        for number in 1...4 { try book.add(Account.sample(number)) }
        try book.order(accounts: ids([4, 3, 2, 1]))
        let other = try Book.scratch(folder, "other.sqlite")
        for account in try book.choices().accounts { try other.add(account) }
        try book.order(accounts: ids([3, 2, 4, 1]))
        try other.order(accounts: ids([4, 2, 1, 3]))
        // The rows as the cloud has them, of each the last writer's.
        for account in try book.choices().accounts {
            let theirs = try other.account(account.id)?.account.position
            let ours = account.position
            let last = account.id == .number(4) ? ours : theirs
            for book in [book, other] {
                try book.changeAsUser { db in
                    try db.patch(["position": last.map { .text($0) } ?? .null], "account", account.id)
                }
            }
        }
        #expect(try book.choices().accounts == other.choices().accounts)
    }

    @Test func anArchivedCategoryKeepsWhatItHasAndIsSuggestedNoMore() throws {
        try book.add(Account.sample(1))
        try book.add(Ledger.Category.sample(11))
        try book.add(Ledger.Category.sample(12, parent: 11))
        try book.record(.sample(31, category: 12, payee: "Baker"))
        let change = try #require(try book.archiveCategory(.number(11)))
        #expect(try book.archiveCategory(.number(11)) == nil)
        #expect(try book.category(.number(11))?.isArchived == true)
        #expect(try book.transaction(.number(31))?.category == .number(12))
        // The category is below an archived one.
        #expect(try book.usualCategory(ofPayee: "Baker") == nil)
        let view = try book.budgets(month: month("2025-12"), base: .eur)
        #expect(view.suggestions.map(\.category) == [nil])
        _ = try book.undo(change, overriding: false)
        #expect(try book.usualCategory(ofPayee: "Baker") == .number(12))
        #expect(throws: BookError.unknownCategory(.number(99))) { try book.archiveCategory(.number(99)) }
    }

    @Test func onlyWhatNothingUsesIsUnused() throws {
        try book.add(Account.sample(1))
        for number in 11...13 { try book.add(Ledger.Category.sample(number)) }
        for number in [14, 15] { try book.add(Ledger.Category.sample(number, parent: 11)) }
        func use(_ number: Int) throws -> CategoryUse? {
            try book.categoryUses().first { $0.category.id == .number(number) }
        }
        #expect(try book.categoryUses().allSatisfy(\.isUnused))
        try book.add(Budget.sample(21, category: 12, limit: 5, from: "2025-11"))
        #expect(try use(12)?.isUnused == false && use(13)?.isUnused == true)
        try book.record(.sample(31, category: 14))
        #expect(try use(11)?.isUnused == false)
        var split = Transaction.sample(32)
        split.split = .parts([
            SplitPart(category: .number(14), minor: 1_000), SplitPart(category: .number(15), minor: 250),
        ])
        try book.record(split)
        // One transaction with two parts below the category counts once, as in the list.
        #expect(try use(11)?.countWithChildren == 2 && use(11)?.transactionCount == 0)
        var query = TransactionQuery()
        query.category = .family(.number(11))
        #expect(try book.transactions(query).page.rows.count == 2)
    }
}

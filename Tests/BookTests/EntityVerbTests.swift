// Accounts, categories, budgets, preferences and seeding: what is refused, and what twice the same does.
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct EntityVerbTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in 11...13 { try book.add(Ledger.Category.sample(number)) }
        try book.add(Ledger.Category.sample(14, parent: 11))
        try book.add(Ledger.Category.sample(15, .income))
    }

    @Test func whatAFormChoosesFromIsNeverOlderThanTheLastChange() throws {
        #expect(try book.choices().accounts.map(\.id) == [.number(1)])
        #expect(try book.choices().categories.count == 5 && book.choices().lastAccount == nil)
        try book.add(Account.sample(2))
        try book.deleteCategory(.number(15))
        try book.record(.sample(50))
        let choices = try book.choices()
        #expect(choices.accounts.map(\.id) == [.number(1), .number(2)])
        #expect(choices.categories.count == 4 && choices.lastAccount == .number(1))
    }

    @Test func anAccountInUseIsKeptAndSoIsItsCurrency() throws {
        try book.record(.sample(50))
        #expect(throws: BookError.accountInUse(transactions: 1)) { try book.deleteAccount(.number(1)) }
        #expect(throws: BookError.accountInUse(transactions: 1)) { try book.change(Account.sample(1, .usd)) }
        try book.change(Account.sample(1, opening: 500))
        #expect(try book.account(.number(1))?.balanceMinor == -750)
        try book.deleteTransaction(.number(50))
        try book.change(Account.sample(1, .usd))
        for _ in 1...2 { try book.deleteAccount(.number(1)) }
        #expect(try book.accountBalances() == [])
        #expect(throws: BookError.unknownAccount(.number(1))) { try book.change(Account.sample(1)) }
        for _ in 1...2 { try book.restoreAccount(.number(1)) }
        #expect(try book.counts().accounts == 1)
    }

    @Test func entitiesAddedTwiceAreThereOnce() throws {
        #expect(try book.add(Account.sample(1)) == .already)
        #expect(throws: BookError.idTaken(.number(1))) { try book.add(Account.sample(1, .usd)) }
        #expect(try book.add(Ledger.Category.sample(14, parent: 11)) == .already)
        #expect(throws: BookError.idTaken(.number(14))) { try book.add(Ledger.Category.sample(14)) }
        let budget = Budget.sample(31, category: 11, limit: 5, from: "2025-01")
        #expect(try book.add(budget) == .new)
        #expect(try book.add(budget) == .already)
    }

    @Test func namesHaveOneToEightyCharacters() throws {
        for name in ["", String(repeating: "x", count: 81), "a\0"] {
            var account = Account.sample(2)
            account.name = name
            #expect(throws: BookError.invalid(.name)) { try book.add(account) }
            var category = Ledger.Category.sample(16)
            category.name = name
            #expect(throws: BookError.invalid(.name)) { try book.add(category) }
        }
    }

    static let nesting: [(Ledger.Category, BookError)] = [
        (.sample(16, parent: 14), .categoryNesting),
        (.sample(16, parent: 16), .categoryNesting),
        (.sample(16, parent: 15), .categoryKind),
        (.sample(16, parent: 99), .unknownCategory(.number(99))),
    ]

    @Test(arguments: nesting)
    func categoriesHaveOneLevelOfParentsOfTheirKind(category: Ledger.Category, error: BookError) throws {
        #expect(throws: error) { try book.add(category) }
        try book.add(Ledger.Category.sample(16))
        #expect(throws: error) { try book.change(category) }
        #expect(throws: BookError.categoryNesting) { try book.change(Ledger.Category.sample(11, parent: 12)) }
        try book.change(Ledger.Category.sample(16, parent: 11))
    }

    @Test func aCategoryInUseIsKeptUntilItsTransactionsAreMoved() throws {
        try book.record(.sample(50, category: 11))
        try book.record(.sample(51, category: 11))
        try book.deleteTransaction(.number(51))
        try book.add(Budget.sample(31, category: 11, limit: 5, from: "2025-01"))
        let error = BookError.categoryInUse(transactions: 1, budgets: 1, children: 1)
        #expect(throws: error) { try book.deleteCategory(.number(11)) }
        #expect(throws: BookError.categoryKindInUse) { try book.change(Ledger.Category.sample(11, .income)) }
        #expect(throws: BookError.categoryKind) {
            try book.move(transactionsOf: .number(11), to: .number(15))
        }
        #expect(try book.move(transactionsOf: .number(11), to: .number(12)) == 1)
        try book.deleteBudget(.number(31))
        try book.change(Ledger.Category.sample(14))
        for _ in 1...2 { try book.deleteCategory(.number(11)) }
        #expect(try book.category(.number(11)) == nil)
        #expect(try book.transaction(.number(50))?.category == .number(12))
        #expect(try book.categoryUses().first { $0.category.id == .number(12) }?.transactionCount == 1)
        try book.restoreCategory(.number(11))
        #expect(try book.category(.number(11)) == .sample(11))
    }

    @Test func aRestoredCategoryLosesAParentThatIsGone() throws {
        try book.deleteCategory(.number(14))
        try book.deleteCategory(.number(11))
        try book.restoreCategory(.number(14))
        #expect(try book.category(.number(14)) == .sample(14))
    }

    @Test func aCategoryHasOneBudgetForEachBeginning() throws {
        try book.add(Budget.sample(31, category: 11, limit: 5, from: "2025-01"))
        try book.add(Budget.sample(32, category: nil, limit: 5, from: "2025-01"))
        for category in [11, nil] {
            let other = EntityID.number(category == nil ? 32 : 31)
            #expect(throws: BookError.budgetExists(other)) {
                try book.add(Budget.sample(33, category: category, limit: 6, from: "2025-01"))
            }
        }
        try book.add(Budget.sample(34, category: 11, limit: 6, from: "2025-03"))
        let moved = Budget.sample(34, category: 11, limit: 6, from: "2025-01")
        #expect(throws: BookError.budgetExists(.number(31))) { try book.change(moved) }
        for _ in 1...2 { try book.deleteBudget(.number(31)) }
        try book.change(moved)
        #expect(throws: BookError.budgetExists(.number(34))) { try book.restoreBudget(.number(31)) }
        #expect(throws: BookError.unknownBudget(.number(31))) {
            try book.change(Budget.sample(31, category: 12, limit: 6, from: "2025-01"))
        }
    }

    static let badBudgets: [(Budget, BookError)] = [
        (.sample(35, category: 15, limit: 5, from: "2025-01"), .categoryKind),
        (.sample(35, category: 99, limit: 5, from: "2025-01"), .unknownCategory(.number(99))),
        (.sample(35, category: 11, limit: 0, from: "2025-01"), .invalid(.limit)),
    ]

    @Test(arguments: badBudgets)
    func aBudgetLimitsExpenses(budget: Budget, error: BookError) throws {
        #expect(throws: error) { try book.add(budget) }
        #expect(try book.counts().budgets == 0)
    }

    @Test func aParentsBudgetCoversItsChildrenAndTheLatestBeginningHolds() throws {
        try book.add(Budget.sample(31, category: 11, limit: 1_000, from: "2025-01", rollover: true))
        try book.add(Budget.sample(32, category: 11, limit: 9_000, from: "2025-04"))
        try book.record(.sample(50, .expense, "2025-01-10", 300, category: 11))
        try book.record(.sample(51, .expense, "2025-02-10", 1_500, category: 14))
        try book.record(.sample(52, .expense, "2025-03-10", 100, category: 14))
        try book.add(Account.sample(2, .usd))
        try book.record(.sample(53, .expense, "2025-03-11", 70, .usd, account: 2, category: 14))
        try book.record(.sample(54, .expense, "2025-03-12", 90, .usd, accountMinor: 60, category: 14))
        try book.record(.sample(55, .income, "2025-03-13", 25, category: 14))
        let march = try book.budgets(month: month("2025-03"), base: .eur)
        #expect(march.statuses.map(\.budget.id) == [.number(31)])
        #expect(march.statuses.first?.carriedMinor == 200)
        #expect(march.statuses.first?.spentMinor == 135)
        #expect(march.statuses.first?.leftOutCount == 1)
        #expect(march.leftOutCount == 1)
        #expect(march.upcoming.map(\.id) == [.number(32)])
        #expect(
            try book.budgets(month: month("2025-05"), base: .eur).statuses.map(\.budget.id) == [.number(32)]
        )
        #expect(try book.budgets(month: month("2024-12"), base: .eur).statuses.isEmpty)
    }

    @Test func preferencesAreNilUntilChosen() throws {
        #expect(try book.preferences() == Preferences())
        var preferences = Preferences()
        preferences.baseCurrency = .eur
        preferences.secondaryCurrencies = [.usd, .eur]
        preferences.weekStart = .sunday
        preferences.conflictPolicy = .ask
        preferences.theme = .dark
        preferences.locale = "de-DE"
        preferences.timeZone = "Europe/Sofia"
        for _ in 1...2 { try book.set(preferences) }
        #expect(try book.preferences() == preferences)
        preferences.secondaryCurrencies = []
        preferences.theme = nil
        try book.set(preferences)
        #expect(try book.preferences() == preferences)
    }

    @Test func seedingAgainChangesNothing() throws {
        let categories = [Ledger.Category.sample(22, parent: 21), .sample(21)]
        let accounts = [Account.sample(5), .sample(6)]
        try book.seed(categories: categories, accounts: accounts, for: .number(90))
        try book.deleteAccount(.number(6))
        try book.change(Ledger.Category.sample(21, .expense))
        let counts = try book.counts()
        try book.seed(categories: categories, accounts: accounts, for: .number(90))
        #expect(try book.counts() == counts)
        #expect(try book.account(.number(6)) == nil)
    }

    @Test func allRowsChangeTheirOwnerAtOnce() throws {
        #expect(try book.owner() == nil)
        try book.seed(categories: [], accounts: [.sample(5)], for: .number(90))
        try book.seed(categories: [], accounts: [], for: .number(91))
        #expect(try book.owner() == .number(90), "a book that is somebody's stays theirs")
        for _ in 1...2 { try book.move(to: .number(91)) }
        #expect(try book.owner() == .number(91))
        #expect(try book.account(.number(5)) != nil)
    }
}

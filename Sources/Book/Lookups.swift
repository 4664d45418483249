// What every page shows besides its own rows, kept in memory between two changes.
import GRDB
public import Ledger
import Storage

/// Names, counts and the last account: small, needed by almost every page, and changed only by changes.
///
/// A change of rows throws it away, so it is never older than the last change; the book's file has no other
/// writer (see `DataFolder`).
struct Lookups: Sendable {
    let accounts: [AccountBalance]
    let choices: BookChoices
    let counts: BookCounts
    let totals: [CurrencyTotal]
    let preferences: Preferences
    /// How many values wait for a decision.
    let toReview: Int
    /// How many losses the user has not decided about.
    let lost: Int

    init(_ db: BookDatabase) throws {
        accounts = try db.accountBalances()
        counts = try db.counts()
        totals = try db.totals("SELECT kind, currency, count, minor FROM month_sums WHERE month = 0")
        preferences = try db.preferences()
        toReview = try db.openConflicts(200).count
        lost = try db.losses().count
        choices = BookChoices(
            accounts: accounts.map(\.account),
            categories: try db.categories(),
            lastAccount: try db.lastAccount()
        )
    }

    /// The category and its children.
    func family(of category: EntityID) -> [EntityID] {
        [category] + choices.categories.lazy.filter { $0.parent == category && $0.id != category }.map(\.id)
    }
}

extension Book {
    /// What the forms of a book choose from; kept in memory between two changes.
    public func choices() throws(BookError) -> BookChoices {
        try current { $0.choices }
    }
}

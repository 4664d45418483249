// The schemas of a book, from the first one on.
import Storage

extension Migration {
    /// All migrations of a book, in order.
    static let book = [
        firstMigration, secondMigration, signedParts, monthEnds, occurrences, openingDays,
        positions, stars, views, rules, payeeDefaults, dismissedRules,
    ]
}

private let secondMigration = Migration(
    number: 26,
    name: "one form of text",
    since: "0.1.0",
    sql: OneFormOfText.sql
)

private let signedParts = Migration(
    number: 27,
    name: "signed parts, and all amounts in the search",
    since: "0.1.0",
    sql: SignedParts.sql + SearchedAmounts.sql
)

private let monthEnds = Migration(
    number: 28,
    name: "schedules on the last day of the month",
    since: "0.1.0",
    sql: LastDaysOfMonths.sql
)

private let occurrences = Migration(
    number: 29,
    name: "occurrences of schedules",
    since: "0.1.0",
    sql: OccurrencesOfSchedules.sql
)

private let openingDays = Migration(
    number: 30,
    name: "days of opening balances",
    since: "0.1.0",
    sql: OpeningDays.sql
)

private let positions = Migration(
    number: 31,
    name: "positions, and archived categories",
    since: "0.1.0",
    sql: Positions.sql
)

private let stars = Migration(
    number: 32,
    name: "starred transactions",
    since: "0.1.0",
    sql: StarredTransactions.sql
)

private let views = Migration(
    number: 33,
    name: "saved views",
    since: "0.1.0",
    sql: ViewsOfTransactions.sql
)

private let rules = Migration(
    number: 34,
    name: "rules",
    since: "0.1.0",
    sql: RulesOfTransactions.sql
)

private let payeeDefaults = Migration(
    number: 35,
    name: "usual categories and notes of payees",
    since: "0.1.0",
    sql: DefaultsOfPayees.sql
)

private let dismissedRules = Migration(
    number: 36,
    name: "refused offers of rules",
    since: "0.1.0",
    sql: DismissedRules.sql
)

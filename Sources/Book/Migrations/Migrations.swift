// The schemas of a book, from the first one on.
import Storage

extension Migration {
    /// All migrations of a book, in order.
    static let book = [firstMigration, secondMigration, signedParts, monthEnds, occurrences]
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

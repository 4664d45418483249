// The first schema of a book. It is never edited: a migration after it corrects its mistakes.
import Storage

/// All tables, indexes and triggers of a book.
///
/// The numbers below belong to versions that were never released.
let firstMigration = Migration(
    number: 25,
    name: "first",
    since: "0.1.0",
    sql: FirstSchema.parts.joined(separator: "\n")
)

/// The statements of the first schema, by their subjects.
enum FirstSchema {
    fileprivate static let parts = [
        entities, schedules, bankNotes, receipts, rates, sums, reportSums, search, sync, history,
        agreement, sumTriggers, reportTriggers, searchTriggers, shareTriggers, entryTriggers,
        recordingTriggers, hashTriggers, outboxTriggers,
    ]
}

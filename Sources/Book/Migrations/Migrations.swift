// The schemas of a book, from the first one on.
import Storage

extension Migration {
    /// All migrations of a book, in order.
    static let book: [Migration] = [
        ledgerMigration, ownerMigration, syncMigration, historyMigration, editsMigration, lossesMigration,
        basesMigration, hashesMigration, foreignMigration, stagingMigration, chargesMigration,
        closingMigration, ratesMigration, splitsMigration, schedulesMigration, rateHistoryMigration,
        yearSumsMigration, monthChangesMigration, banksMigration, receiptsMigration,
        bankAnswersMigration, draftReceiptsMigration, refusedFieldsMigration,
        incompleteBooksMigration,
    ]
}

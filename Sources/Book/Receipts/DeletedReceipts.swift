// Giving up deleted receipts before the history ends, so that their files make room at once.
import GRDB
import Ledger
import Storage

extension Book {
    /// Removes the deleted receipts from the history, and deletes the receipts of deleted transactions, so that
    /// `collectReceiptFiles` removes their files. No change of this device's history brings these receipts back any
    /// more. Transactions can still be restored, without the receipts.
    public func giveUpDeletedReceipts() throws(BookError) {
        let now = clock()
        try changeAsUser { db in
            guard db.schema.table(Receipt.entityKind) != nil else { return }
            try db.change(
                """
                UPDATE receipts SET deleted_at = ? WHERE deleted_at IS NULL
                  AND transaction_id IN (SELECT id FROM transactions WHERE deleted_at IS NOT NULL)
                """,
                [now]
            )
            try db.change(
                """
                DELETE FROM history WHERE kind = 'receipt' AND seq > 0
                  AND id IN (SELECT id FROM receipts WHERE deleted_at IS NOT NULL)
                """
            )
        }
    }
}

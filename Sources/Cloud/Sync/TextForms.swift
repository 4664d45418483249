// Texts that earlier versions have stored in another form are brought into the one form in which texts are stored, account
// by account and in steps, so that no request waits for long.
//
// A row that changes gets a new sequence and is sent to every device, also to the only one that has written it. Nothing else
// of it changes: the versions of its fields stay, so that no operation under way is one that had not seen them, and its
// writers and its time stay, so that no history names another device. A device that has the text in this form already
// changes nothing.

public import CloudProtocol
import Encoding
import GRDB
public import Ledger
import Storage
import SyncCore

extension SyncService {
    /// The number of the form, in `sync_accounts.text_form`. A version that declares more fields with texts, or stores
    /// texts in another form, has a higher one.
    static let textForm: Int64 = 1

    /// The numbers of rows that a step looks at, and that it changes.
    static let textStep = (looks: 2_000, changes: 200)

    /// Brings some texts into the one form.
    /// - Parameter place: the place that the last step returned; nil to begin. It is in memory only: after a restart the
    ///   rows of an unfinished account are looked at again.
    /// - Returns: the place for the next step and the user whose rows have changed; nil if all accounts have the form.
    public func normaliseTexts(after place: TextPlace?) throws(CloudError) -> (
        next: TextPlace, changed: EntityID?
    )? {
        let found = try directory.reading { db in try db.otherForms(after: place) }
        guard let found else { return nil }
        guard found.isLast || !found.rows.isEmpty else { return (found.place, nil) }
        let changed = try directory.changing { db in
            let changed = try db.normalise(found.rows, of: found.place.account)
            if found.isLast {
                let sql = "UPDATE sync_accounts SET text_form = ? WHERE number = ?"
                try db.change(sql, [Self.textForm, found.place.account])
            }
            return changed
        }
        return (found.place, changed > 0 ? found.user : nil)
    }
}

/// A place among the rows of all accounts.
public struct TextPlace: Hashable, Sendable {
    fileprivate var account: Int64
    fileprivate var kind = ""
    fileprivate var id = ""

    fileprivate init(account: Int64) { self.account = account }
}

/// Rows that a step has found.
private struct OtherForms {
    let user: EntityID
    var place: TextPlace
    /// Rows with a text in another form.
    var rows: [(kind: String, id: EntityID)] = []
    /// Whether no row of the account follows.
    var isLast = false
}

extension Database {
    /// Looks at the next rows of the account of the place, or of the next account; nil if there is none.
    fileprivate func otherForms(after place: TextPlace?) throws -> OtherForms? {
        let sql = """
            SELECT number, user FROM sync_accounts WHERE text_form < ? AND number >= ? ORDER BY number LIMIT 1
            """
        let account = try first(sql, [SyncService.textForm, place?.account ?? 0]) {
            (number: $0.int64(0), user: try $0.id(1))
        }
        guard let account else { return nil }
        let begins = place?.account != account.number
        let start = begins ? TextPlace(account: account.number) : place ?? TextPlace(account: account.number)
        var found = OtherForms(user: account.user, place: start)
        var looked = 0
        let rows = """
            SELECT kind, id, fields FROM entities
            WHERE account = ? AND (kind, id) > (?, ?) AND is_deleted = 0 ORDER BY kind, id LIMIT ?
            """
        let step = SyncService.textStep
        try forEachWhile(rows, [start.account, start.kind, start.id, step.looks]) { row in
            looked += 1
            (found.place.kind, found.place.id) = (row.text(0), row.text(1))
            if !row.text(2).isInNormalForm { found.rows.append((row.text(0), try row.id(1))) }
            return found.rows.count < step.changes
        }
        found.isLast = looked < step.looks && found.rows.count < step.changes
        return found
    }

    /// Brings the texts of rows into the one form.
    /// - Returns: the number of rows that have changed.
    fileprivate func normalise(_ rows: [(kind: String, id: EntityID)], of account: Int64) throws -> Int {
        let found = try first("SELECT seq, rows_hash FROM sync_accounts WHERE number = ?", [account]) { row in
            (seq: row.int64(0), hash: row.optionalInt64(1).map { RowsHash(column: $0) })
        }
        guard var (seq, hash) = found else { return 0 }
        var (changed, growth) = (0, 0)
        let read = "SELECT fields FROM entities WHERE account = ? AND kind = ? AND id = ? AND is_deleted = 0"
        let write = """
            UPDATE entities SET seq = ?, author = 0, fields = ?, hash = ? WHERE account = ? AND kind = ? AND id = ?
            """
        for (kind, id) in rows {
            // It may have been changed or deleted since it was found.
            guard let entity = SyncedSchema.breadly[kind],
                let stored = try first(read, [account, kind, id.column], { $0.text(0) })
            else { continue }
            let before = try Fields(encoded: stored)
            let after = entity.inNormalForm(before)
            guard after != before else { continue }
            guard seq < .max else { throw StorageError.damaged("no sequence is left") }
            seq += 1
            changed += 1
            let (text, new) = (JSONWriter.text(after), RowsHash.of(kind, id, after))
            try change(write, [seq, text, new, account, kind, id.column])
            growth += text.utf8.count - stored.utf8.count
            hash?.replace(RowsHash.of(kind, id, before), by: new)
        }
        guard changed > 0 else { return 0 }
        try change(
            "UPDATE sync_accounts SET seq = ?, bytes = bytes + ?, rows_hash = ? WHERE number = ?",
            [seq, growth, hash?.column, account]
        )
        return changed
    }
}

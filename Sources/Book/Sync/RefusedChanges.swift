// Rows with changes that the cloud has refused, as the cloud has them. They stay in the outbox until the user decides,
// which may be never, and must not end the comparison of book and cloud.
import Encoding
import GRDB
import Ledger
import Storage
import SyncCore

/// The hashes of a row with refused changes.
struct RefusedRow {
    /// The hash of the row in this book, with the refused values.
    let here: Int64
    /// The hash of the row in the cloud; 0 if the cloud does not have it.
    let cloud: Int64
}

/// The kind and the id of a row.
struct RowKey: Hashable {
    let kind: String
    let id: String
}

extension BookDatabase {
    /// The maximum number of refused changes with which book and cloud are compared: their rows are read anew for each
    /// comparison.
    private static let mostRefused = 1_000

    /// The rows with refused changes. The hashes of all changed rows must be up to date.
    /// - Returns: nil if the outbox has other changes, if there are very many, or if the cloud's row does not follow
    ///   from the book.
    func refusedRows() throws -> [RowKey: RefusedRow]? {
        guard try number("SELECT failed FROM sync") <= Self.mostRefused else { return nil }
        let isOther = "SELECT EXISTS (SELECT 1 FROM outbox WHERE status IS NOT 'rejected')"
        guard try number(isOther) == 0 else { return nil }
        let keys = try all("SELECT DISTINCT kind, id FROM outbox") {
            RowKey(kind: $0.text(0), id: $0.text(1))
        }
        var rows: [RowKey: RefusedRow] = [:]
        for key in keys {
            let counted = "SELECT hash FROM row_hashes WHERE kind = ? AND id = ?"
            let here = try first(counted, [key.kind, key.id]) { $0.int64(0) } ?? 0
            guard let cloud = try cloudHash(key, here: here) else { return nil }
            rows[key] = RefusedRow(here: here, cloud: cloud)
        }
        return rows
    }

    /// The hash of a row without its refused changes; nil if it is not known.
    private func cloudHash(_ key: RowKey, here: Int64) throws -> Int64? {
        let sql = "SELECT action, fields, before FROM outbox WHERE kind = ? AND id = ? ORDER BY position"
        let changes = try all(sql, [key.kind, key.id]) { row in
            (
                action: try row.word(0) as Operation.Action,
                fields: try Fields(stored: row.optionalText(1) ?? "{}"),
                before: try Fields(stored: row.optionalText(2) ?? "{}")
            )
        }
        if changes.contains(where: { $0.action == .create }) { return 0 }
        // A row that is deleted elsewhere is deleted here as well, and one whose deletion was refused may be.
        guard !changes.contains(where: { $0.action == .delete }) else { return nil }
        guard here != 0, let id = EntityID(key.id), var fields = try whole(key.kind, key.id) else {
            return here
        }
        let isAdapted = "SELECT EXISTS (SELECT 1 FROM deviations WHERE kind = ? AND id = ?)"
        guard try number(isAdapted, [key.kind, key.id]) == 0 else { return nil }
        var restored: Set<String> = []
        for change in changes {
            for field in change.fields.all where restored.insert(field.name).inserted {
                guard let before = change.before[field.name] else { return nil }
                fields[field.name] = before
            }
        }
        // The former values may be from before texts had one form.
        return RowsHash.of(key.kind, id, schema.declaration[key.kind]?.inNormalForm(fields) ?? fields)
    }

    /// Notes that the cloud has accepted values of a row, in the refused changes of the same fields. These were made
    /// earlier, and hide the values of the cloud.
    /// - Parameter isWhole: whether the cloud has no other values of the row.
    func noteAccepted(_ fields: Fields, isWhole: Bool, _ kind: String, _ id: String) throws {
        let sql = """
            SELECT position, fields, before FROM outbox
            WHERE kind = ? AND id = ? AND action = 'patch' AND status = 'rejected' ORDER BY position
            """
        let refused = try all(sql, [kind, id]) { ($0.int64(0), $0.text(1), $0.optionalText(2)) }
        var done: Set<String> = []
        for (position, given, before) in refused {
            let names = try Fields(stored: given).all.map(\.name).filter {
                (isWhole || fields[$0] != nil) && done.insert($0).inserted
            }
            guard !names.isEmpty else { continue }
            var hidden = try Fields(stored: before ?? "{}")
            for name in names { hidden[name] = fields[name] ?? .null }
            try change(
                "UPDATE outbox SET before = ? WHERE position = ?",
                [JSONWriter.text(hidden), position]
            )
        }
    }
}

// Texts that earlier versions have stored in another form are brought into the one form in which texts are stored, in
// steps beside the requests.
//
//     adoptForeignRows, at opening ──► sync.known     the signature of this version, with "; texts awaited"
//                                          │          unless a short look has shown that there is nothing to do
//     normaliseTexts, step by step         ▼
//         a row has changed ──────────► "; texts noted"   with the one entry of the history
//         all tables were looked at ──► the signature alone
//
// The steps send nothing. The cloud brings its own rows into the same form, and sends them to all devices; a captured
// change would instead write an old content once more, over what another device has written since. Operations that were
// captured before are brought into the form by the cloud. History, outbox and losses stay as they are, and are compared
// with rows by `FieldValue.isSameInNormalForm`.
import Encoding
import GRDB
import Ledger
import Storage
import SyncCore

extension Book {
    /// The numbers of rows that a step looks at, and that it changes: some tens of milliseconds on a slow disk.
    static let textStep = (looks: 2_000, changes: 200)

    /// Whether texts of this book may have another form than the one in which texts are stored.
    public func awaitsTextForm() throws(BookError) -> Bool {
        try reading { db in try db.awaitsTextForm() }
    }

    /// Brings some texts into the one form. The history gets one entry for all of them, and nothing is sent. If the process
    /// ends between two steps, the next one begins with the first row, and leaves rows alone that have the form.
    /// - Returns: whether there may be more.
    @discardableResult
    public func normaliseTexts() throws(BookError) -> Bool {
        guard try awaitsTextForm() else { return false }
        let place = textPlace.withLock { $0 }
        let found = try reading { db in
            try db.otherForms(after: place, atMost: Self.textStep.looks, changes: Self.textStep.changes)
        }
        if !found.ids.isEmpty {
            let now = clock()
            try applyRemoteRows { db in try db.normalise(found, now) }
        }
        if found.next == nil { try updateLocalState { db in try db.endTextForms() } }
        textPlace.withLock { $0 = found.next ?? TextPlace() }
        return found.next != nil
    }
}

/// A place among the rows of all tables.
struct TextPlace: Sendable {
    /// The rank of the table.
    var table = 0
    /// The last row; empty before the first one.
    var id = ""
}

/// Rows of one table that a step has found.
struct OtherForms {
    let table: Int
    /// Rows with a text in another form.
    var ids: [String] = []
    var looked = 0
    /// The place after them; nil after the last row of the last table.
    var next: TextPlace?
}

/// The state of stored texts. It follows the signature of this version in `sync.known`.
enum TextState: String, CaseIterable {
    case done = ""
    case awaited = "; texts awaited"
    /// The history has its entry.
    case noted = "; texts noted"
}

extension BookDatabase {
    /// The kind of the history's entry. It is a milestone of rows of all kinds.
    static let textsKind = "texts"

    func awaitsTextForm() throws -> Bool {
        let sql = "SELECT known IN (?, ?) FROM sync"
        return try number(sql, [schema.known(.awaited), schema.known(.noted)]) == 1
    }

    /// Whether a short look finds that a book has texts in another form, or has not come to its end.
    func mayHaveOtherForms(atMost rows: Int) throws -> Bool {
        var (place, left): (TextPlace?, Int) = (TextPlace(), rows)
        while let here = place {
            guard left > 0 else { return true }
            let found = try otherForms(after: here, atMost: left, changes: 1)
            guard found.ids.isEmpty else { return true }
            left -= found.looked
            place = found.next
        }
        return false
    }

    /// Looks at the next rows of the table of a place.
    /// - Parameters:
    ///   - most: the number of rows after which the look ends.
    ///   - changes: the number of found rows after which it ends.
    func otherForms(after place: TextPlace, atMost most: Int, changes: Int) throws -> OtherForms {
        var found = OtherForms(table: place.table)
        guard schema.tables.indices.contains(place.table) else { return found }
        let table = schema.tables[place.table]
        let texts = table.fields.filter { !$0.form.isInteger }
        let columns = (["id"] + texts.map(\.column)).joined(separator: ", ")
        var last = place.id
        let sql = "SELECT \(columns) FROM \(table.name) WHERE id > ? ORDER BY id LIMIT ?"
        try forEachWhile(sql, [place.id, most]) { row in
            found.looked += 1
            last = row.text(0)
            if texts.indices.contains(where: { !row.text(Int32($0 + 1)).isInNormalForm }) {
                found.ids.append(last)
            }
            return found.ids.count < changes
        }
        if found.looked == most || found.ids.count == changes {
            found.next = TextPlace(table: place.table, id: last)
        } else if place.table + 1 < schema.tables.count {
            found.next = TextPlace(table: place.table + 1)
        }
        return found
    }

    /// Brings the texts of rows into the one form. The caller has switched the recording and the capture of changes off.
    fileprivate func normalise(_ found: OtherForms, _ now: Int64) throws {
        let table = schema.tables[found.table]
        var hasChanged = false
        for id in found.ids {
            // The row may have been changed since it was found.
            guard let (before, isDeleted) = try present(id, table) else { continue }
            let after = table.entity.inNormalForm(before)
            let changed = table.fields.filter { after[$0.name] != before[$0.name] }
            guard !changed.isEmpty else { continue }
            let sets = changed.map { "\($0.column) = ?" }.joined(separator: ", ")
            let values = changed.map { (after[$0.name] ?? .null).column }
            let sql = "UPDATE \(table.name) SET \(sets) WHERE id = ?"
            try change(sql, StatementArguments(values + [id.databaseValue]))
            if !isDeleted { try keepDeviation(table, id, from: before, to: after) }
            hasChanged = true
        }
        guard hasChanged else { return }
        let sql = "UPDATE sync SET known = ?, tx = tx + 1 WHERE known = ?"
        guard try change(sql, [schema.known(.noted), schema.known(.awaited)]) > 0 else { return }
        try change(
            """
            INSERT INTO history (tx, at, action, kind, id)
            SELECT tx, ?, 'begin', ?, '00000000000000000000000000' FROM sync
            """,
            [now, Self.textsKind]
        )
    }

    /// Brings the texts into the one form that only this book has, and notes that all have it.
    func endTextForms() throws {
        for (table, column) in [("dismissed_schedules", "payee"), ("draft_receipts", "name")] {
            let texts = try all("SELECT DISTINCT \(column) FROM \(table)") { $0.text(0) }
            for text in texts where !text.isInNormalForm {
                try change(
                    "UPDATE OR REPLACE \(table) SET \(column) = ? WHERE \(column) = ?",
                    [text.inNormalForm, text]
                )
            }
        }
        try change("UPDATE sync SET known = ?", [schema.known(.done)])
    }
}

// What the user entered here and another device's change took the place of, unseen: told until it was looked at.
import GRDB
public import Ledger
import Storage
public import SyncCore

/// Values that were entered on this device and do not stand, because another device, which had not seen them, wrote the
/// same fields or deleted the row. Guarded fields that were written over have a `Conflict` instead.
public struct Loss: Hashable, Sendable, Identifiable {
    /// Its number in this book.
    public let id: Int64
    /// When it was found, in UTC seconds.
    public let at: Int64
    /// The kind of row, as the wire names it.
    public let kind: String
    /// Which row; where it was deleted and brought back, the copy that lives.
    public let entity: EntityID
    /// The name of the other device; empty where it is not known.
    public let device: String
    /// What was entered here.
    public let mine: Fields
    /// What stands in these fields now, whoever wrote it; nil where the row is deleted.
    public let present: Fields?
}

extension Book {
    /// What there is to tell, newest first; nothing of what has been mended or decided here since.
    public func losses() throws(BookError) -> [Loss] {
        try reading { db in try db.losses() }
    }

    /// How many there are; kept in memory between two changes.
    public func lossCount() throws(BookError) -> Int { try current { $0.lost } }

    /// The user has seen it, and leaves it so.
    /// - Throws: `unknownChange` where there is nothing to tell under this number.
    public func accept(loss number: Int64) throws(BookError) {
        try changing { db in try db.forget(loss: number) }
    }

    /// Gives the fields the values that were entered here, as a change like any other; a deleted row lives again.
    /// - Throws: `unknownChange` where there is nothing to tell under this number; and as `undo(_:overriding:)` where
    ///   it does not fit into the book any more.
    public func putBack(loss number: Int64) throws(BookError) {
        try changing { db in
            guard let loss = try db.losses().first(where: { $0.id == number }) else {
                throw BookError.unknownChange
            }
            if loss.present == nil { try db.bringBack(loss.kind, loss.entity) }
            guard let living = try db.living(loss.entity, loss.kind) else {
                throw BookError.deletedSince(loss.entity)
            }
            try db.patch(loss.mine, loss.kind, living)
            try db.forget(loss: number)
        }
    }
}

extension Database {
    /// More than anybody reads; the oldest are forgotten.
    private static let mostLosses = 200

    func losses() throws -> [Loss] {
        let sql = "SELECT number, at, kind, id, device, mine FROM losses ORDER BY number DESC"
        let all = try all(sql) { row in
            Loss(
                id: row.int64(0),
                at: row.int64(1),
                kind: row.text(2),
                entity: try row.id(3),
                device: row.text(4),
                mine: try Fields(stored: row.text(5)),
                present: nil
            )
        }
        return try all.compactMap { try standing($0) }
    }

    /// What is still so of a loss: the row is deleted, or values stand in it that were not entered here.
    private func standing(_ loss: Loss) throws -> Loss? {
        guard let living = try living(loss.entity, loss.kind) else { return loss }
        guard let row = try row(loss.kind, living.description) else { return nil }
        var (mine, present): (Fields, Fields) = ([:], [:])
        for field in loss.mine.all {
            let value = row[field.name] ?? .null
            guard value != field.value, try !wasEnteredHere(field.name, of: living) else { continue }
            mine[field.name] = field.value
            present[field.name] = value
        }
        guard !mine.isEmpty else { return nil }
        return Loss(
            id: loss.id,
            at: loss.at,
            kind: loss.kind,
            entity: living,
            device: loss.device,
            mine: mine,
            present: present
        )
    }

    /// Whether the last change of a field is this device's own; false where none is known.
    private func wasEnteredHere(_ field: String, of id: EntityID) throws -> Bool {
        try lastWriter(of: field, id).map { $0 == nil } ?? false
    }

    /// The name of the device that changed a field last, nil for this one; nothing where no change is known.
    private func lastWriter(of field: String, _ id: EntityID) throws -> String?? {
        let sql = """
            SELECT device FROM history
            WHERE action = 'patch' AND id = ? AND json_type(after, ?) IS NOT NULL ORDER BY seq DESC LIMIT 1
            """
        return try first(sql, [id.column, "$.\"\(field)\""]) { $0.optionalText(0) }
    }

    fileprivate func forget(loss number: Int64) throws {
        guard try change("DELETE FROM losses WHERE number = ?", [number]) > 0 else {
            throw BookError.unknownChange
        }
    }

    /// Keeps of the fields that the cloud names as lost those whose value was entered here: another device may have
    /// followed the one that wrote over it.
    /// - Parameter before: the row before the change that took their place.
    func lost(_ unseen: Set<String>, of before: Fields, _ id: EntityID) throws -> Fields {
        var mine: Fields = [:]
        for name in unseen.sorted() {
            guard let value = before[name], try lastWriter(of: name, id).map({ $0 == nil }) ?? true else {
                continue
            }
            mine[name] = value
        }
        return mine
    }

    /// Notes values that do not stand any more.
    /// - Parameters:
    ///   - was: what stood before them, where that is known: what was changed to and fro is no loss.
    ///   - device: the name of the other device; empty where it is not known.
    func note(
        lost mine: Fields,
        was: Fields = [:],
        _ kind: String,
        _ id: EntityID,
        by device: String,
        _ now: Int64
    ) throws {
        guard !mine.isEmpty, Guarded.isTold(of: kind) else { return }
        let known = "SELECT mine, was FROM losses WHERE kind = ? AND id = ?"
        var (allMine, allWas) =
            try first(known, [kind, id.column]) {
                (try Fields(stored: $0.text(0)), try Fields(stored: $0.text(1)))
            } ?? ([:], [:])
        for field in mine.all { allMine[field.name] = field.value }
        for field in was.all where allWas[field.name] == nil { allWas[field.name] = field.value }
        let left = allMine.all.filter { allWas[$0.name] != $0.value }
        try change("DELETE FROM losses WHERE kind = ? AND id = ?", [kind, id.column])
        guard !left.isEmpty else { return }
        try change(
            "INSERT INTO losses (at, kind, id, device, mine, was) VALUES (?, ?, ?, ?, ?, ?)",
            [
                now, kind, id.column, device,
                JSONWriter.text(Fields(left.map { ($0.name, $0.value) }) ?? [:]), JSONWriter.text(allWas),
            ]
        )
        let newest = "SELECT number FROM losses ORDER BY number DESC LIMIT \(Self.mostLosses)"
        try change("DELETE FROM losses WHERE number NOT IN (\(newest))")
    }

    /// The cloud tells who it was, after it had told that it was.
    func name(deleter device: String, of kind: String, _ id: EntityID) throws {
        try change(
            "UPDATE losses SET device = ? WHERE kind = ? AND id = ? AND device = ''",
            [device, kind, id.column]
        )
    }

    /// The name of the other device that deleted a row, empty where that is not known; nil where it was deleted here.
    func deletingDevice(of id: EntityID, _ kind: String) throws -> String? {
        let sql = """
            SELECT device FROM history WHERE id = ? AND kind = ? AND action = 'delete' ORDER BY seq DESC LIMIT 1
            """
        return try first(sql, [id.column, kind], { $0.optionalText(0) }) ?? ""
    }
}

// What the user entered here and another device's change took the place of, unseen: told until it was looked at.
import GRDB
public import Ledger
import Storage
public import SyncCore

/// Values that were entered on this device and do not stand, because another device, which had not seen them, wrote the
/// same fields later or deleted the row. Guarded fields have a `Conflict` instead.
public struct Loss: Hashable, Sendable, Identifiable {
    /// Its number in this book.
    public let id: Int64
    /// When it was found, in UTC seconds.
    public let at: Int64
    /// The kind of row, as the wire names it.
    public let kind: String
    /// Which row.
    public let entity: EntityID
    /// The name of the other device; empty where it is not known.
    public let device: String
    /// What was entered here.
    public let mine: Fields
    /// What stands instead; nil where the row was deleted.
    public let theirs: Fields?
}

extension Book {
    /// What there is to tell, newest first; nothing of what has been mended or overtaken since.
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
            if loss.theirs == nil { try db.bringBack(loss.kind, loss.entity) }
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
        let sql = "SELECT number, at, kind, id, device, mine, theirs FROM losses ORDER BY number DESC"
        let all = try all(sql) { row in
            Loss(
                id: row.int64(0),
                at: row.int64(1),
                kind: row.text(2),
                entity: try row.id(3),
                device: row.text(4),
                mine: try Fields(stored: row.text(5)),
                theirs: try row.optionalText(6).map { try Fields(stored: $0) }
            )
        }
        return try all.filter { try isStanding($0) }
    }

    /// Whether it is still so: the row is deleted as ever, or another value than the lost one stands in it.
    private func isStanding(_ loss: Loss) throws -> Bool {
        guard loss.theirs != nil else { return try living(loss.entity, loss.kind) == nil }
        guard try isLive(loss.kind, loss.entity), let row = try row(loss.kind, loss.entity.description) else {
            return false
        }
        return loss.mine.all.contains { row[$0.name] ?? .null != $0.value }
    }

    fileprivate func forget(loss number: Int64) throws {
        guard try change("DELETE FROM losses WHERE number = ?", [number]) > 0 else {
            throw BookError.unknownChange
        }
    }

    /// Notes values that another device has written over without having seen them.
    func note(
        lost mine: Fields,
        to theirs: Fields,
        _ kind: String,
        _ id: EntityID,
        _ device: String,
        _ now: Int64
    )
        throws
    {
        guard !mine.isEmpty else { return }
        try change(
            "INSERT INTO losses (at, kind, id, device, mine, theirs) VALUES (?, ?, ?, ?, ?, ?)",
            [now, kind, id.column, device, JSONWriter.text(mine), JSONWriter.text(theirs)]
        )
        try prune()
    }

    /// Notes values that were given to a row which another device had deleted meanwhile; nothing where it was deleted
    /// here.
    func noteLostToDeletion(_ mine: Fields, _ kind: String, _ id: EntityID, _ now: Int64) throws {
        guard !mine.isEmpty, Guarded.isTold(of: kind),
            let device = try deletingDevice(of: id, kind)
        else { return }
        let known = "SELECT mine FROM losses WHERE kind = ? AND id = ? AND theirs IS NULL"
        var all = try first(known, [kind, id.column]) { try Fields(stored: $0.text(0)) } ?? [:]
        for field in mine.all { all[field.name] = field.value }
        try change("DELETE FROM losses WHERE kind = ? AND id = ?", [kind, id.column])
        try change(
            "INSERT INTO losses (at, kind, id, device, mine) VALUES (?, ?, ?, ?, ?)",
            [now, kind, id.column, device, JSONWriter.text(all)]
        )
        try prune()
    }

    private func prune() throws {
        let newest = "SELECT number FROM losses ORDER BY number DESC LIMIT \(Self.mostLosses)"
        try change("DELETE FROM losses WHERE number NOT IN (\(newest))")
    }

    /// The name of the other device that deleted a row, empty where that is not known; nil where it was deleted here.
    func deletingDevice(of id: EntityID, _ kind: String) throws -> String? {
        let sql = """
            SELECT device FROM history WHERE id = ? AND kind = ? AND action = 'delete' ORDER BY seq DESC LIMIT 1
            """
        return try first(sql, [id.column, kind], { $0.optionalText(0) }) ?? ""
    }
}

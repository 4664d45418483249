// Values of this device that another device overwrote or deleted without having seen them. They are shown
// until the user decides.
import Encoding
import GRDB
public import Ledger
import Storage
public import SyncCore

/// Values that were entered on this device and are lost, because another device that had not seen them wrote
/// the same fields or deleted the entity. An overwritten guarded field has a `Conflict` instead.
public struct Loss: Hashable, Sendable, Identifiable {
    /// The number of the loss in this book.
    public let id: Int64
    /// The time at which the loss was found, in UTC seconds.
    public let at: Int64
    /// The name of the kind in the sync protocol.
    public let kind: String
    /// The entity, or its live copy if it was deleted and restored.
    public let entity: EntityID
    /// The name of the other device; empty if it is not known.
    public let device: String
    /// The lost values.
    public let mine: Fields
    /// The current values of the same fields; nil if the entity is deleted.
    public let present: Fields?
}

extension Book {
    /// The losses that the user has not decided about, newest first. A value is no longer lost if the field
    /// has it again, or if the field was changed on this device since.
    public func losses() throws(BookError) -> [Loss] {
        try reading { db in try db.losses() }
    }

    /// The number of `losses()`; cached between two changes.
    public func lossCount() throws(BookError) -> Int { try current { $0.lost } }

    /// Removes a loss: the user keeps the current values.
    /// - Throws: `unknownChange` if no loss has this number.
    public func accept(loss number: Int64) throws(BookError) {
        try changeAsUser { db in try db.forget(loss: number) }
    }

    /// Writes the lost values again, as a change like any other. A deleted entity is restored.
    /// - Throws: `unknownChange` if no loss has this number; as `undo(_:overriding:)` if the values no longer
    ///   fit the book.
    public func putBack(loss number: Int64) throws(BookError) {
        try changeAsUser { db in
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

extension BookDatabase {
    /// The maximum number of losses. The oldest losses beyond it are removed.
    private static let mostLosses = 200

    func losses() throws -> [Loss] {
        try storedLosses().compactMap { try unresolved($0.loss, $0.isDeletion) }
    }

    private func storedLosses() throws -> [(loss: Loss, isDeletion: Bool)] {
        let sql = "SELECT number, at, kind, id, device, mine, is_deletion FROM losses ORDER BY number DESC"
        return try all(sql) { row in
            let loss = Loss(
                id: row.int64(0),
                at: row.int64(1),
                kind: row.text(2),
                entity: try row.id(3),
                device: row.text(4),
                mine: try Fields(stored: row.text(5)),
                present: nil
            )
            return (loss, row.int(6) == 1)
        }
    }

    /// The part of a loss that is still lost. Nil if every field has its lost value again or was changed here
    /// since, and if an overwritten entity is deleted.
    private func unresolved(_ loss: Loss, _ isDeletion: Bool) throws -> Loss? {
        guard let living = try living(loss.entity, loss.kind) else { return isDeletion ? loss : nil }
        guard let row = try row(loss.kind, living.description) else { return nil }
        var (mine, present): (Fields, Fields) = ([:], [:])
        for field in loss.mine.all {
            let value = row[field.name] ?? .null
            guard !value.isSameInNormalForm(as: field.value),
                try !wasEnteredHere(field.name, of: living)
            else { continue }
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

    /// Whether the last change of a field was made on this device; false if no change is known.
    private func wasEnteredHere(_ field: String, of id: EntityID) throws -> Bool {
        guard let last = try lastPatch(of: field, id) else { return false }
        return last.device == nil
    }

    /// The last change of a field: the name of the device, nil for this one, and the value. Nil if no change
    /// is known.
    private func lastPatch(of field: String, _ id: EntityID) throws -> (device: String?, value: FieldValue)? {
        let sql = """
            SELECT device, after FROM history
            WHERE action = 'patch' AND id = ? AND json_type(after, ?) IS NOT NULL ORDER BY seq DESC LIMIT 1
            """
        return try first(sql, [id.column, "$.\"\(field)\""]) { row in
            (row.optionalText(0), try Fields(stored: row.text(1))[field] ?? .null)
        }
    }

    /// Whether an entity was added on this device; false for downloaded entities and for the defaults of a
    /// book. If the history no longer says, it may have been: a loss that is listed in vain is better than a
    /// value that is lost unnoticed.
    private func wasAddedHere(_ id: EntityID) throws -> Bool {
        let sql = "SELECT device FROM history WHERE id = ? AND action = 'create' ORDER BY seq DESC LIMIT 1"
        return try first(sql, [id.column]) { $0.isNull(0) } ?? (historyEnd() > 0)
    }

    /// Removes the losses that are not listed any more.
    func forgetResolvedLosses() throws {
        for entry in try storedLosses() where try unresolved(entry.loss, entry.isDeletion) == nil {
            try forget(loss: entry.loss.id)
        }
    }

    fileprivate func forget(loss number: Int64) throws {
        guard try change("DELETE FROM losses WHERE number = ?", [number]) > 0 else {
            throw BookError.unknownChange
        }
    }

    /// Selects the lost values that were entered on this device, according to its history.
    ///
    /// The cloud records only which replica sent a value last. But a replica also sends values that were
    /// entered elsewhere, to a cloud that was restored from a backup. And if two devices overwrite a field
    /// one after the other, the second one overwrites the value of the first.
    /// - Parameters:
    ///   - unseen: the fields that the cloud reports.
    ///   - before: the row before the remote change.
    func lost(_ unseen: Set<String>, of before: Fields, _ id: EntityID) throws -> Fields {
        guard !unseen.isEmpty else { return [:] }
        var mine: Fields = [:]
        let isOwnRow = try wasAddedHere(id)
        for name in unseen.sorted() {
            guard let value = before[name] else { continue }
            // A download replaces values without a history entry.
            let last = try lastPatch(of: name, id)
            let isOwn = last.map { $0.device == nil && $0.value.isSameInNormalForm(as: value) } ?? isOwnRow
            if isOwn { mine[name] = value }
        }
        return mine
    }

    /// Adds lost values to the entity's loss, and removes losses that are resolved.
    /// - Parameters:
    ///   - was: the values before the lost values, if they are known. A value that was changed and changed
    ///     back is not lost.
    ///   - device: the name of the other device; empty if it is not known.
    ///   - isDeletion: whether the other device deleted the entity.
    func note(
        lost mine: Fields,
        was: Fields = [:],
        _ kind: String,
        _ id: EntityID,
        by device: String,
        isDeletion: Bool,
        _ now: Int64
    ) throws {
        guard !mine.isEmpty, schema.declaration[kind]?.isEnteredByHand == true else { return }
        let existing = "SELECT mine, was FROM losses WHERE kind = ? AND id = ?"
        var (allMine, allWas) =
            try first(existing, [kind, id.column]) {
                (try Fields(stored: $0.text(0)), try Fields(stored: $0.text(1)))
            } ?? ([:], [:])
        for field in mine.all { allMine[field.name] = field.value }
        for field in was.all where allWas[field.name] == nil { allWas[field.name] = field.value }
        let left = allMine.all.filter { allWas[$0.name]?.isSameInNormalForm(as: $0.value) != true }
        try change("DELETE FROM losses WHERE kind = ? AND id = ?", [kind, id.column])
        guard !left.isEmpty else { return }
        try change(
            "INSERT INTO losses (at, kind, id, device, mine, was, is_deletion) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                now, kind, id.column, device,
                JSONWriter.text(Fields(left.map { ($0.name, $0.value) }) ?? [:]), JSONWriter.text(allWas),
                isDeletion,
            ]
        )
        let stored = try storedLosses()
        for (position, entry) in stored.enumerated() {
            let isResolved = try unresolved(entry.loss, entry.isDeletion) == nil
            if isResolved || position >= Self.mostLosses { try forget(loss: entry.loss.id) }
        }
    }

    /// Adds the name of the device that deleted an entity: the answer to a push does not contain it, the page
    /// of changes does.
    func name(deleter device: String, of kind: String, _ id: EntityID) throws {
        try change(
            "UPDATE losses SET device = ? WHERE kind = ? AND id = ? AND device = ''",
            [device, kind, id.column]
        )
    }

    /// The name of the other device that deleted a row, empty if it is not known; nil if the row was deleted
    /// on this device.
    func deletingDevice(of id: EntityID, _ kind: String) throws -> String? {
        let sql = """
            SELECT device FROM history WHERE id = ? AND kind = ? AND action = 'delete' ORDER BY seq DESC LIMIT 1
            """
        return try first(sql, [id.column, kind], { $0.optionalText(0) }) ?? ""
    }
}

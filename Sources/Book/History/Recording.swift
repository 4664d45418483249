// Writing the history: triggers record the changes of this device, `RemoteChangeApplier` the changes of other
// devices.
import Encoding
import GRDB
import Ledger
import Storage
import SyncCore

/// A change of many rows at once that is not listed row by row.
enum Milestone: String {
    /// A new book got its categories and accounts.
    case begin
    /// The whole content was loaded from the cloud.
    case load
}

/// A change of another device as a change of the history here. The rows of a large one arrive on several pages.
struct RemoteStep: Sendable {
    /// The name of the change in the sync protocol.
    let name: String
    /// Its number in the history.
    let tx: Int64
}

extension BookDatabase {
    /// Adds a milestone to the history, unless all counts are zero.
    func note(_ milestone: Milestone, _ counts: [String: Int], _ now: Int64) throws {
        let counted = counts.filter { $0.value > 0 }
        guard let fields = Fields(counted.map { ($0.key, .integer(Int64($0.value))) }), !fields.isEmpty else {
            return
        }
        try change("UPDATE sync SET tx = tx + 1")
        try change(
            """
            INSERT INTO history (tx, at, action, kind, id, after)
            SELECT tx, ?, ?, 'book', '00000000000000000000000000', ? FROM sync
            """,
            [now, milestone.rawValue, JSONWriter.text(fields)]
        )
    }

    /// Adds the changes of other devices to a row: one entry for each device that wrote to it. The entry of the device that
    /// wrote last belongs to the last change of the history if that is of the same step.
    /// - Parameters:
    ///   - step: the last change of another device in the history.
    ///   - before: the former row; nil if it did not exist or was deleted.
    ///   - after: the new row; nil if it is deleted.
    func note(
        _ row: RowChange,
        _ table: SyncedTable,
        before: Fields?,
        after: Fields?,
        _ now: Int64,
        _ step: inout RemoteStep?
    ) throws {
        guard table.isRecorded, let writers = row.writers else { return }
        let unseenFields = writers.unseen.filter { !table.entity.isAutomatic($0) }
        func add(_ action: String, _ device: String, _ before: Fields? = nil, _ after: Fields? = nil) throws {
            try begin(device == writers.last ? writers.step : nil, after: &step)
            try change(
                """
                INSERT INTO history (tx, at, device, action, kind, id, before, after)
                SELECT tx, ?, ?, ?, ?, ?, ?, ? FROM sync
                """,
                [
                    min(max(writers.at, 0), now), device, action, row.kind, row.id.column,
                    before.map { JSONWriter.text($0) }, after.map { JSONWriter.text($0) },
                ]
            )
        }
        guard let after else {
            try add("delete", writers.last)
            let mine = try lost(unseenFields, of: before ?? [:], row.id)
            return try note(lost: mine, row.kind, row.id, by: writers.last, isDeletion: true, now)
        }
        guard let before else { return try add("create", writers.creator ?? writers.last) }
        var changes: [(device: String, before: Fields, after: Fields)] = []
        for field in table.fields {
            let (old, new) = (before[field.name] ?? .null, after[field.name] ?? .null)
            // A text that the cloud has brought into the one form is no change of a device.
            guard !old.isSameInNormalForm(as: new) else { continue }
            let device = writers.fields[field.name] ?? writers.last
            let index = changes.firstIndex { $0.device == device } ?? changes.endIndex
            if index == changes.endIndex { changes.append((device, [:], [:])) }
            changes[index].before[field.name] = old
            changes[index].after[field.name] = new
        }
        for change in changes {
            let unseen = unseenFields.filter { change.before[$0] != nil }
            let mine = try lost(unseen, of: change.before, row.id)
            try add("patch", change.device, change.before, change.after)
            try note(lost: mine, row.kind, row.id, by: change.device, isDeletion: false, now)
        }
    }

    /// Begins a new change of another device in the history, unless its rows belong to the last change.
    /// - Parameter name: the name of the step; nil for a change of its own.
    private func begin(_ name: String?, after step: inout RemoteStep?) throws {
        guard let name else {
            step = nil
            try change("UPDATE sync SET tx = tx + 1")
            return
        }
        // A change of this device, or of a third one, may have come in between.
        if let step, step.name == name, try presentChange() == step.tx { return }
        try change("UPDATE sync SET tx = tx + 1")
        step = try presentChange().map { RemoteStep(name: name, tx: $0) }
    }
}

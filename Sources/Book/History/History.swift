// The history of the book: all changes, made on any device, newest first.
import GRDB
public import Ledger
import Storage
public import SyncCore

/// One change of the book, which is undone as a whole.
public struct HistoryChange: Hashable, Sendable, Identifiable {
    /// The rows of a change, or a milestone.
    public enum Content: Hashable, Sendable {
        /// The first rows, and the number of entries beyond them.
        case rows([HistoryRow], more: Int)
        /// The book was created, with a number of rows of each kind.
        case begun([String: Int])
        /// The whole content was loaded from the cloud, with a number of rows of each kind.
        case loaded([String: Int])
        /// Texts of earlier versions were brought into the one form in which texts are stored.
        case normalisedTexts
    }

    /// The number of the change; a later change has a higher one.
    public let id: Int64
    /// The time of the change in UTC seconds. For a change of another device it is the time at which the
    /// cloud accepted it.
    public let at: Int64
    /// The name of the other device that made the change, empty if it is not known; nil for this device.
    public let device: String?
    /// The changed rows, or the milestone.
    public let content: Content
    /// The number of the last entry that was read; nil if it is the last one of the change.
    public var next: Int64?
    /// The rows together, if they are several of one kind to which the same was done; nil otherwise.
    public var together: Together?

    /// Rows of one kind that were all added, all changed or all deleted.
    public struct Together: Hashable, Sendable {
        /// The number of rows.
        public let count: Int
        /// Whether all got the same values in the same fields.
        public let hasOneContent: Bool
    }
}

/// The effect of a change on one row.
public struct HistoryRow: Hashable, Sendable {
    /// The name of the kind in the sync protocol.
    public let kind: String
    /// The row, which may be deleted by now.
    public let entity: EntityID
    /// The net effect: creation, patch or deletion.
    public let action: Operation.Action
    /// The row as it was right after the change.
    public let row: Fields
    /// The former values of the patched fields.
    public let before: Fields
    /// The new values of the patched fields.
    public let after: Fields
}

extension Book {
    /// The changes, newest first.
    /// - Parameters:
    ///   - before: returns only changes with a lower number.
    ///   - limit: the maximum number of changes.
    public func history(before: Int64? = nil, limit: Int) throws(BookError) -> [HistoryChange] {
        try history(HistoryQuery(), before: before, limit: limit) { _ in CivilDate(dayNumber: 0) }.changes
    }

    /// One change; nil if there is none with this number.
    /// - Parameters:
    ///   - rows: the maximum number of its entries that are read.
    ///   - entry: the number of the last entry of the page before; nil for the first page.
    public func historyChange(_ id: Int64, rows: Int = 500, after entry: Int64? = nil) throws(BookError)
        -> HistoryChange?
    {
        try reading { db in try db.historyChange(id, rows: rows, after: entry) }
    }
}

/// The net effect of a change on one row, all its steps combined.
struct FoldedRow {
    let kind: String
    let id: EntityID
    /// Whether the row was live before and after.
    var lived: Bool
    var lives: Bool
    var before: Fields = [:]
    var after: Fields = [:]
    var lastSeq: Int64

    var action: Operation.Action? {
        switch (lived, lives) {
        case (false, true): .create
        case (true, false): .delete
        case (true, true): before.isEmpty ? nil : .patch
        case (false, false): nil
        }
    }
}

extension BookDatabase {
    func historyChange(_ number: Int64, rows limit: Int, after entry: Int64? = nil) throws -> HistoryChange? {
        guard try number > historyEnd() else { return nil }
        let sql = "SELECT at, device, action, after, kind FROM history WHERE tx = ? ORDER BY seq LIMIT 1"
        let found = try first(sql, [number]) {
            ($0.int64(0), $0.optionalText(1), $0.text(2), $0.optionalText(3), $0.text(4))
        }
        guard let (at, device, action, after, kind) = found else { return nil }
        if kind == Self.textsKind {
            return HistoryChange(id: number, at: at, device: device, content: .normalisedTexts)
        }
        if let milestone = Milestone(rawValue: action) {
            let fields = try Fields(stored: after ?? "{}")
            let counts = Dictionary(
                uniqueKeysWithValues: fields.all.map {
                    ($0.name, Int(clamping: fields.integer($0.name) ?? 0))
                }
            )
            let content: HistoryChange.Content = milestone == .begin ? .begun(counts) : .loaded(counts)
            return HistoryChange(id: number, at: at, device: device, content: content)
        }
        let sizes = "SELECT count(*), ifnull(sum(seq > ?), 0) FROM history WHERE tx = ?"
        let size = try first(sizes, [entry ?? 0, number]) { (count: $0.int(0), left: $0.int(1)) }
        let (count, left) = (size?.count ?? 0, size?.left ?? 0)
        let folded = try self.folded(number, limit: limit, after: entry)
        let rows = try folded.compactMap { row -> HistoryRow? in
            guard !isAutomatic(row) else { return nil }
            return try row.action.map { action in
                HistoryRow(
                    kind: row.kind,
                    entity: row.id,
                    action: action,
                    row: try asOf(row.lastSeq, row.kind, row.id),
                    before: row.before,
                    after: row.after
                )
            }
        }
        if rows.isEmpty, entry == nil, folded.contains(where: { isAutomatic($0) }) { return nil }
        let content = HistoryChange.Content.rows(rows, more: max(0, left - limit))
        var change = HistoryChange(id: number, at: at, device: device, content: content)
        if left > limit { change.next = folded.map(\.lastSeq).max() }
        let together = """
            SELECT count(DISTINCT id), min(after) IS max(after) FROM history WHERE tx = ?
            HAVING min(kind) = max(kind) AND min(action) = max(action)
            """
        if count > 1 {
            change.together = try first(together, [number]) {
                HistoryChange.Together(count: $0.int(0), hasOneContent: $0.int(1) == 1)
            }
        }
        return change
    }

    /// Whether a row was only given values that devices write by themselves.
    private func isAutomatic(_ row: FoldedRow) -> Bool {
        guard row.action == .patch, let entity = schema.declaration[row.kind] else { return false }
        return row.after.all.allSatisfy { entity.isAutomatic($0.name) }
    }

    /// The rows of a change, in the order in which it first touched them; none of a removed change.
    /// - Parameter entry: the number of the entry after which they begin. A row that was touched on both sides of it is folded on
    ///   each.
    func folded(_ number: Int64, limit: Int = .max, after entry: Int64? = nil) throws -> [FoldedRow] {
        guard try number > historyEnd() else { return [] }
        var rows: [FoldedRow] = []
        var places: [String: Int] = [:]
        let sql = """
            SELECT seq, action, kind, id, before, after FROM history
            WHERE tx = ? AND seq > ? AND action IN ('create', 'patch', 'delete') ORDER BY seq LIMIT ?
            """
        try forEach(sql, [number, entry ?? 0, limit]) { entry in
            let (seq, kind, id) = (entry.int64(0), entry.text(2), try entry.id(3))
            let action: Operation.Action = try entry.word(1)
            let place = places["\(kind)/\(id)"] ?? rows.count
            if place == rows.count {
                places["\(kind)/\(id)"] = place
                rows.append(
                    FoldedRow(kind: kind, id: id, lived: action != .create, lives: true, lastSeq: seq)
                )
            }
            rows[place].lastSeq = seq
            rows[place].lives = action != .delete
            guard action == .patch else { return }
            let (before, after) = (try Fields(stored: entry.text(4)), try Fields(stored: entry.text(5)))
            for field in before.all where rows[place].before[field.name] == nil {
                rows[place].before[field.name] = field.value
            }
            for field in after.all { rows[place].after[field.name] = field.value }
        }
        return rows
    }

    /// A row as it was at a point of the history: the present row without the patches since then.
    func asOf(_ seq: Int64, _ kind: String, _ id: EntityID) throws -> Fields {
        var fields = try row(kind, id.description) ?? [:]
        var seen: Set<String> = []
        let sql = """
            SELECT before FROM history INDEXED BY history_patches
            WHERE id = ? AND action = 'patch' AND kind = ? AND seq > ? ORDER BY seq
            """
        try forEach(sql, [id.column, kind, seq]) { entry in
            for field in try Fields(stored: entry.text(0)).all where seen.insert(field.name).inserted {
                fields[field.name] = field.value
            }
        }
        return fields
    }
}

// Compares the rows of the book with the rows of the cloud, and resolves differences.
import GRDB
import Ledger
import Storage
public import SyncCore

extension Book {
    /// See `ReplicaStore`.
    ///
    /// Both sides are of the same state if the book is at the page's head, has seen no newer sequence, and
    /// has no change that waits for a result or for its rows. The values of refused changes are left out. Nothing is
    /// compared before `normaliseTexts` has come to its end.
    public func compare(_ page: ChangesPage, to query: ChangesQuery) throws(BookError) -> Divergence? {
        guard let hash = page.hash, !page.hasMore, page.cursor == page.head else { return nil }
        try countDueRows()
        let now = clock()
        var verdict = try updateSyncState { db in try db.judge(hash, page, query, now, acts: false) }
        guard verdict.isMismatch else { return verdict.report }
        // The stored hashes may be wrong, and not a row.
        let wrong = try recountRows()
        verdict = try updateSyncState { db in try db.judge(hash, page, query, now, acts: true) }
        return verdict.isMismatch || wrong == 0 ? verdict.report : Divergence(.miscounted, rows: wrong)
    }
}

/// The result of a comparison.
private struct Verdict {
    var isMismatch = false
    var report: Divergence?
}

extension BookDatabase {
    /// The maximum number of times that all rows are loaded again within `mendSeconds`. If that did not help,
    /// it is not repeated within this time.
    private static var mends: Int { 3 }
    private static var mendSeconds: Int64 { 86_400 }

    /// - Parameter acts: whether to report and resolve a difference. False only detects it, unless it was
    ///   reported and the next attempt is not due.
    fileprivate func judge(
        _ hash: RowsHash,
        _ page: ChangesPage,
        _ query: ChangesQuery,
        _ now: Int64,
        acts: Bool
    ) throws -> Verdict {
        guard try isComparable(page, query), let refused = try refusedRows() else { return Verdict() }
        var report: Divergence?
        let found = try first(
            "SELECT hash, found_rows, found, mended_at, mends, is_doubtful, is_told FROM agreement"
        ) { row in
            if let rows = row.optionalInt64(1) {
                report = Divergence(.mended, rows: Int(clamping: rows), details: row.text(2))
            }
            return (
                hash: RowsHash(column: row.int64(0)), at: row.int64(3), mends: row.int(4),
                isDoubtful: row.int(5) == 1,
                isReported: row.int(6) == 1
            )
        }
        guard let found else { return Verdict() }
        var mine = found.hash
        for row in refused.values { mine.replace(row.here, by: row.cloud) }
        if mine == hash {
            if found.isDoubtful || found.isReported || report != nil {
                try change(
                    "UPDATE agreement SET is_doubtful = 0, is_told = 0, found_rows = NULL, found = NULL"
                )
            }
            return Verdict(report: report)
        }
        let isNewDay = now < found.at || now - found.at >= Self.mendSeconds
        let mayMend = isNewDay || (!found.isDoubtful && found.mends < Self.mends)
        // All rows are hashed again only if the result has an effect.
        guard acts else { return Verdict(isMismatch: mayMend || !found.isReported) }
        guard mayMend else {
            guard !found.isReported else { return Verdict(isMismatch: true) }
            try change("UPDATE agreement SET is_told = 1, found_rows = NULL, found = NULL")
            let details = report?.details ?? ""
            return Verdict(
                isMismatch: true,
                report: Divergence(.remaining, rows: report?.rows ?? 0, details: details)
            )
        }
        try beginResync(.diverged)
        try change(
            """
            UPDATE agreement SET mended_at = iif(?, ?, mended_at), mends = iif(?, 1, mends + 1), is_doubtful = 1,
              is_told = 0
            """,
            [isNewDay, now, isNewDay]
        )
        return Verdict(isMismatch: true, report: Divergence(.mending))
    }

    private func isComparable(_ page: ChangesPage, _ query: ChangesQuery) throws -> Bool {
        // The hash of the cloud is that of texts in the one form.
        guard try isAttached(query.replica, epoch: page.epoch), try !awaitsTextForm() else { return false }
        let sql = """
            SELECT cursor = ? AND seen <= ? AND walk_rank IS NULL AND download_next IS NULL
              AND staged_up_to IS NULL AND is_stopped = 0
              AND NOT EXISTS (SELECT 1 FROM due_hashes)
            FROM sync
            """
        return try number(sql, [page.head, page.head]) == 1
    }

    // MARK: - Mending

    /// The maximum number of differing rows that the log names.
    private static var named: Int { 20 }

    /// Compares the staged rows, which are all rows of the cloud, with the rows of the book, and stores the
    /// differences for the log. Replaced values that were entered on this device become losses when the rows
    /// are applied.
    func noteDifferences() throws {
        var lines: [String] = []
        var kinds: [String: Int] = [:]
        func differs(_ kind: String, _ id: String) {
            kinds[kind, default: 0] += 1
            if lines.count < Self.named { lines.append("\(kind) \(id)") }
        }
        let counted = "SELECT hash FROM row_hashes WHERE kind = ? AND id = ?"
        // There may be changes of the user since the difference was found.
        let refused = try refusedRows() ?? [:]
        try eachStaged { rows in
            for row in rows {
                let here =
                    try refused[RowKey(kind: row.kind, id: row.id.description)]?.cloud
                    ?? first(counted, [row.kind, row.id.column]) { $0.int64(0) } ?? 0
                if here != RowsHash.of(row.kind, row.id, row.fields) { differs(row.kind, row.id.description) }
            }
        }
        // A set is used because the staged rows are not sorted by id.
        let all = Set(try self.all("SELECT kind, id FROM staged_rows", []) { "\($0.text(0)) \($0.text(1))" })
        try forEach("SELECT kind, id FROM row_hashes") { row in
            let (kind, id) = (row.text(0), row.text(1))
            guard !all.contains("\(kind) \(id)"), refused[RowKey(kind: kind, id: id)]?.cloud != 0 else {
                return
            }
            differs(kind, id)
        }
        let counts = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let details = ([counts.joined(separator: ", ")] + lines.sorted()).joined(separator: "; ")
        try change(
            "UPDATE agreement SET found_rows = ?, found = ?",
            [kinds.values.reduce(0, +), kinds.isEmpty ? "" : details]
        )
    }

    /// The fields of a live row for which the cloud has another value than the book; nil if there are none.
    func differing(_ row: RowChange) throws -> Set<String>? {
        guard let table = schema.table(row.kind) else { return nil }
        let count = Int32(table.fields.count)
        let present = try first(table.select, [row.id.column]) {
            (table.read($0), isDeleted: $0.int(count) == 1)
        }
        guard let present, !present.isDeleted else { return nil }
        let names = present.0.all.filter {
            !$0.value.isSameInNormalForm(as: row.fields[$0.name] ?? .null)
        }.map(\.name)
        return names.isEmpty ? nil : Set(names)
    }
}

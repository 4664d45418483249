// A snapshot: all live rows of an account in pages, in the order in which a new device has use for them.

import CloudProtocol
import GRDB
import Ledger
import Storage
import SyncCore

/// A place in a snapshot, which the next page continues. Its text form is opaque to devices.
private enum SnapshotPlace: CustomStringConvertible {
    /// In a kind that is read by its ids, after one of them.
    case kind(String, after: String)
    /// In the transactions, which are read by their days with the newest first: below a row.
    case transactions(below: Int64, id: String)

    /// Before all transactions. No id begins with a tilde, and all characters of ids come before it.
    static let newestTransaction = SnapshotPlace.transactions(below: .max, id: "~")

    /// - Returns: nil if the text is not the text form of a place.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.first == SyncedEntity.transaction.kind {
            let day = parts.count == 3 ? Int64(parts[1]) : nil
            self = day.map { .transactions(below: $0, id: parts[2]) } ?? .newestTransaction
        } else {
            guard parts.count == 2 else { return nil }
            self = .kind(parts[0], after: parts[1])
        }
    }

    var description: String {
        switch self {
        case .kind(let kind, let id): "\(kind)/\(id)"
        case .transactions(let day, let id): "\(SyncedEntity.transaction.kind)/\(day)/\(id)"
        }
    }

    /// Moves the place to a row.
    /// - Parameter day: the day by which the row is sorted if it is a transaction.
    mutating func move(to row: RowChange, of day: Int64) {
        switch self {
        case .kind(let kind, _): self = .kind(kind, after: row.id.description)
        case .transactions: self = .transactions(below: day, id: row.id.description)
        }
    }
}

extension MergedRow {
    /// The day by which a snapshot sorts the row, in days since 1970: that of a transaction, otherwise 0.
    func snapshotDay(of kind: String) -> Int64 {
        kind == SyncedEntity.transaction.kind ? fields.integer("date") ?? 0 : 0
    }
}

extension Database {
    /// The many transactions come last.
    private static let lastKind = SyncedEntity.transaction.kind
    /// The currency comes first, because all amounts need it, and then kinds that others refer to, as in the declaration.
    /// Kinds of a newer version follow them.
    private static let firstKinds =
        [SyncedEntity.preferences.kind]
        + SyncedSchema.breadly.entities.map(\.kind).filter {
            $0 != lastKind && $0 != SyncedEntity.preferences.kind
        }

    /// Reads a page of all live rows, except those that only one replica has written.
    /// - Parameters:
    ///   - text: the place after the previous page; empty for the first one. One that this cloud has not given begins
    ///     its kind anew, or all.
    ///   - author: the replica whose rows are left out.
    func readSnapshot(
        of account: Int64,
        from text: String,
        except author: Int64,
        _ limit: Int,
        into page: inout ChangesPage
    ) throws {
        var place = SnapshotPlace(text) ?? .kind(Self.firstKinds[0], after: "")
        var size = 0
        while page.rows.count < limit {
            let (sql, arguments): (String, StatementArguments)
            switch place {
            case .kind(let kind, let id):
                sql = """
                    SELECT \(RowChange.columns), day FROM entities
                    WHERE account = ? AND kind = ? AND is_deleted = 0 AND author <> ? AND id > ? ORDER BY id LIMIT ?
                    """
                arguments = [account, kind, author, id, limit - page.rows.count]
            case .transactions(let day, let id):
                // The kind as a literal: SQLite has to see that the index contains the rows.
                sql = """
                    SELECT \(RowChange.columns), day FROM entities INDEXED BY entities_by_day
                    WHERE account = ? AND kind = 'transaction' AND is_deleted = 0 AND author <> ?
                      AND (day, id) < (?, ?) ORDER BY day DESC, id DESC LIMIT ?
                    """
                arguments = [account, author, day, id, limit - page.rows.count]
            }
            var isFull = false
            try forEachWhile(sql, arguments) { row in
                let change = try RowChange(row)
                page.rows.append(change)
                size += RowChange.bytes(row)
                isFull = page.rows.count == limit || size >= SyncLimits.answerBytes
                place.move(to: change, of: row.int64(7))
                return !isFull
            }
            guard !isFull else { break }
            guard case .kind(let kind, _) = place else {
                page.next = ""
                try countAll(of: account, from: text, except: author, &page)
                return
            }
            let next = try kindAfter(kind, account)
            place = next == Self.lastKind ? .newestTransaction : .kind(next, after: "")
        }
        page.hasMore = true
        page.next = place.description
        try countAll(of: account, from: text, except: author, &page)
    }

    private func kindAfter(_ kind: String, _ account: Int64) throws -> String {
        if let index = Self.firstKinds.firstIndex(of: kind), index + 1 < Self.firstKinds.count {
            return Self.firstKinds[index + 1]
        }
        var other = Self.firstKinds.contains(kind) ? "" : kind
        while true {
            let sql = "SELECT min(kind) FROM entities WHERE account = ? AND kind > ?"
            guard let next = try first(sql, [account, other], { $0.optionalText(0) }) ?? nil else {
                return Self.lastKind
            }
            if next != Self.lastKind, !Self.firstKinds.contains(next) { return next }
            other = next
        }
    }

    /// The total for the progress bar, counted once at the beginning.
    private func countAll(
        of account: Int64,
        from place: String,
        except author: Int64,
        _ page: inout ChangesPage
    ) throws {
        guard place.isEmpty else { return }
        let sql = "SELECT count(*) FROM entities WHERE account = ? AND is_deleted = 0 AND author <> ?"
        let all = try number(sql, [account, author])
        page.remaining = max(0, all - page.rows.count)
    }
}

// Rows of the cloud that do not fit into this book. The cloud keeps them; they are tried again when they change, and when
// another version opens the book.
public import Ledger
import Storage
public import SyncCore

/// A live row of the cloud that does not fit into this book.
public struct UnreadableRow: Hashable, Sendable {
    /// The name of the kind in the sync protocol.
    public let kind: String
    /// The id of the row on the cloud.
    public let id: EntityID
    /// The values that the cloud has.
    public let fields: Fields
    /// The name of the field whose value does not fit; nil if the reason is none of a field.
    public let field: String?
}

/// The reason why a row does not fit.
enum RowProblem: Error {
    /// The value of the field with this name.
    case field(String)
    /// Any other reason, as text for the operator.
    case other(String)

    private static let lead = "field "

    init(text: String) {
        self = text.hasPrefix(Self.lead) ? .field(String(text.dropFirst(Self.lead.count))) : .other(text)
    }

    /// The form in which it is stored.
    var text: String {
        switch self {
        case .field(let name): Self.lead + name
        case .other(let text): text
        }
    }

    /// The name of the field; nil for another reason.
    var field: String? {
        guard case .field(let name) = self else { return nil }
        return name
    }
}

extension Book {
    /// The rows that do not fit, by kind and id.
    public func unreadableRows(limit: Int = 100) throws(BookError) -> [UnreadableRow] {
        try reading { db in
            let sql = """
                SELECT kind, id, fields, problem FROM foreign_rows WHERE problem IS NOT NULL AND is_deleted = 0
                ORDER BY kind, id LIMIT ?
                """
            return try db.all(sql, [limit]) { row in
                UnreadableRow(
                    kind: row.text(0),
                    id: try row.id(1),
                    fields: try Fields(stored: row.text(2)),
                    field: RowProblem(text: row.text(3)).field
                )
            }
        }
    }
}

// The entities that users edit: their names and fields in the sync protocol.
import GRDB
public import Ledger
public import SyncCore

/// An entity that users edit with forms.
public protocol Entity: Hashable, Sendable {
    /// The kind, by its name in the sync protocol.
    static var entityKind: String { get }
    /// The id of the row.
    var id: EntityID { get }
    /// The values of all fields, by the field names of the sync protocol.
    var fields: Fields { get }
    /// Checks the entity by itself, without regard to the rest of the book.
    /// - Throws: `invalid` if it can never be stored.
    func checkShape() throws(BookError)
}

/// An entity with a table of its own in the book.
protocol StoredEntity: Entity {
    /// The values of the columns, in the order in which the schema of sync declares their fields.
    var values: [(any DatabaseValueConvertible)?] { get }
}

extension StoredEntity {
    /// The values of all fields, by the field names of the sync protocol.
    public var fields: Fields {
        let names = SyncedSchema.breadly[Self.entityKind]?.fields.map(\.name) ?? []
        return Fields(zip(names, values).map { (name: $0, value: FieldValue($1)) }) ?? [:]
    }
}

extension Transaction: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "transaction"
}

extension Schedule: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "schedule"
}

extension Account: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "account"
}

extension Ledger.Category: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "category"
}

extension Budget: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "budget"
}

extension Preferences: Entity, StoredEntity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "preferences"
    /// The id of the only preferences row of a book.
    public var id: EntityID { EntityID(high: 0, low: 0) }
}

extension FieldValue {
    /// Converts a value that is bound to a column.
    fileprivate init(_ column: (any DatabaseValueConvertible)?) {
        switch column?.databaseValue.storage {
        case .int64(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        default: self = .null
        }
    }
}

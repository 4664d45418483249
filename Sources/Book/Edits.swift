// Editing: of what a form sends back only what its sender changed is written, on top of whatever others did meanwhile.
import GRDB
public import Ledger
import Storage
public import SyncCore

/// An entity that people edit by forms.
public protocol Entity: Hashable, Sendable {
    /// Its kind, as the wire names it.
    static var entityKind: String { get }
    /// Its identity.
    var id: EntityID { get }
    /// Its values by the names of the wire, every one of them.
    var fields: Fields { get }
    /// - Throws: `invalid`, where it cannot be stored whatever else is in the book.
    func checkShape() throws(BookError)
}

/// The result of an edit.
public struct Edit: Hashable, Sendable {
    /// Its number in the history, by which it is undone; nil where nothing was changed.
    public var change: Int64?
    /// Changes that others made since the form was shown.
    public var meanwhile: [MeanwhileChange] = []
}

/// A value that somebody else gave a field while a form was open.
public struct MeanwhileChange: Hashable, Sendable {
    /// The field, as the wire names it.
    public let field: String
    /// The value that it was given.
    public let value: FieldValue
    /// The name of the other device that gave it, empty where that is not known; nil for this one.
    public let device: String?
    /// The row as it was when the edit came.
    public let row: Fields
    /// Whether the edit gave it yet another value, which stands.
    public let isOverwritten: Bool
}

/// How a row came to be deleted.
public struct Deletion: Hashable, Sendable {
    /// The name of the other device that deleted it, empty where that is not known; nil for this one.
    public let device: String?
}

extension Book {
    /// Gives a live entity new content: what its form's sender changed and nothing else.
    /// - Parameter version: what the form had shown; nil where every value is meant.
    /// - Throws: `unknownTransaction`, `deletedTransaction`, `unknownAccount`, `unknownCategory`, `unknownBudget`,
    ///   `invalid`, `overflow`; `changedMeanwhile` where two changes of money do not go together; and what the kind demands: `accountInUse` where the currency of an account changes under
    ///   its transactions; `categoryKind`, `categoryKindInUse`, `categoryNesting`; `budgetExists`.
    @discardableResult
    public func change<E: Entity>(_ entity: E, shown version: EntityVersion? = nil) throws(BookError) -> Edit
    {
        try entity.checkShape()
        return try changeAsUser { db in try db.edit(entity, version) }
    }

    /// Changes that others made to a row since a form showed it; to explain an edit that was refused.
    public func changes<E: Entity>(of kind: E.Type, _ id: EntityID, since version: EntityVersion)
        throws(BookError) -> [MeanwhileChange]
    {
        try reading { db in
            guard let present = try db.row(E.entityKind, id.description) else { return [] }
            return try db.meanwhile(E.entityKind, id, present, version)
        }
    }

    /// How a row was deleted; nil where it lives, or never was here.
    public func deletion<E: Entity>(of kind: E.Type, _ id: EntityID) throws(BookError) -> Deletion? {
        try reading { db in
            guard let table = db.schema.table(E.entityKind), table.hasTombstones,
                try db.isDeleted(id, in: table.name) == true
            else { return nil }
            return Deletion(device: try db.deletingDevice(of: id, E.entityKind))
        }
    }
}

extension BookDatabase {
    /// Writes what differs from what the form showed, and says what else had changed.
    func edit(_ entity: some Entity, _ version: EntityVersion?) throws -> Edit {
        let (kind, id) = (type(of: entity).entityKind, entity.id)
        guard let present = try live(kind, id) else { throw try missing(kind, id) }
        var changes: Fields = [:]
        for field in entity.fields.all where field.value != present[field.name] ?? .null {
            if version?.showed(field.value, in: field.name) != true { changes[field.name] = field.value }
        }
        var edit = Edit()
        if let version { edit.meanwhile = try meanwhile(kind, id, present, version, entity.fields, changes) }
        guard !changes.isEmpty else { return edit }
        if !edit.meanwhile.isEmpty { changes = try fitted(changes, edit.meanwhile, kind, id) }
        try withBase(of: version, kind, id) { try patch(changes, kind, id) }
        edit.change = try first("SELECT tx FROM sync") { $0.int64(0) }
        return edit
    }

    /// A part of a user's change whose operation has the base of the form that it comes from.
    private func withBase(
        of version: EntityVersion?,
        _ kind: String,
        _ id: EntityID,
        _ body: () throws -> Void
    ) throws {
        guard let version, try number("SELECT is_capturing FROM sync") == 1 else { return try body() }
        try change("UPDATE sync SET edit_base = ?", [try base(of: version, kind, id)])
        try body()
        try change("UPDATE sync SET edit_base = NULL")
    }

    /// Gives fields of a live row other values, and looks whether the row still fits into the book.
    func patch(_ fields: Fields, _ kind: String, _ id: EntityID) throws {
        switch kind {
        case Transaction.entityKind:
            let before = try storedTransaction(id)?.0
            try put(fields, kind, id)
            guard let after = try storedTransaction(id)?.0 else { return }
            try after.checkShape()
            try checkReferences(of: after, before: before)
        case Account.entityKind:
            let before = try liveAccount(id)
            try put(fields, kind, id)
            if let before, let after = try liveAccount(id) { try check(after, before: before) }
        case Category.entityKind:
            let before = try liveCategory(id)
            try put(fields, kind, id)
            guard let before, let after = try liveCategory(id) else { return }
            try check(after, before: before)
        case Budget.entityKind:
            let before = try liveBudget(id)
            try put(fields, kind, id)
            if let after = try liveBudget(id) { try check(after, before: before) }
        default: try put(fields, kind, id)
        }
    }

    /// What others changed since a form was shown, but for what it says as well.
    /// - Parameters:
    ///   - sent: what the form says.
    ///   - edited: what of it is written.
    func meanwhile(
        _ kind: String,
        _ id: EntityID,
        _ present: Fields,
        _ version: EntityVersion,
        _ sent: Fields = [:],
        _ edited: Fields = [:]
    ) throws -> [MeanwhileChange] {
        let changed = present.all.filter {
            !version.showed($0.value, in: $0.name) && sent[$0.name] != $0.value
        }
        guard !changed.isEmpty else { return [] }
        var writers: [String: String?] = [:]
        let sql = """
            SELECT device, after FROM history INDEXED BY history_patches
            WHERE id = ? AND action = 'patch' AND kind = ? ORDER BY seq DESC
            """
        try forEachWhile(sql, [id.column, kind]) { entry in
            let device = entry.optionalText(0)
            for field in try Fields(stored: entry.text(1)).all where writers[field.name] == nil {
                writers[field.name] = .some(device)
            }
            return changed.contains { writers[$0.name] == nil }
        }
        return changed.map { field in
            MeanwhileChange(
                field: field.name,
                value: field.value,
                device: writers[field.name] ?? "",
                row: present,
                isOverwritten: edited[field.name] != nil
            )
        }
    }

    /// Makes the amounts of a change go together with what others changed. In one currency they are the same number; where
    /// currencies differ, only a person can say what two changes come to.
    /// - Throws: `changedMeanwhile`.
    private func fitted(_ fields: Fields, _ meanwhile: [MeanwhileChange], _ kind: String, _ id: EntityID)
        throws
        -> Fields
    {
        let others = Set(meanwhile.lazy.filter { !$0.isOverwritten }.map(\.field))
        func touches(_ names: Set<String>) -> Bool {
            fields.all.contains { names.contains($0.name) } && !others.isDisjoint(with: names)
        }
        // A number means something else in another currency.
        for field in schema.declaration[kind]?.fields ?? [] {
            guard case .money(in: .field(let currency)) = field.form, touches([field.name, currency]) else {
                continue
            }
            throw BookError.changedMeanwhile(BookField(rawValue: field.name) ?? .other)
        }
        let money: Set = [
            "kind", "amount", "currency", "account", "accountAmount", "toAccount", "toAmount",
        ]
        guard kind == Transaction.entityKind, touches(money) else { return fields }
        guard let fitted = try inOneCurrency(fields, id) else { throw BookError.changedMeanwhile(.amount) }
        return fitted
    }

    /// The changes of a transaction with its amounts made equal; nil where its currencies differ.
    func inOneCurrency(_ fields: Fields, _ id: EntityID) throws -> Fields? {
        let present = try row(Transaction.entityKind, id.description) ?? [:]
        func value(_ name: String) -> FieldValue { fields[name] ?? present[name] ?? .null }
        func isInCurrency(_ account: FieldValue) throws -> Bool {
            let sql = "SELECT currency FROM accounts WHERE id = ?"
            return try first(sql, [account.text], { $0.text(0) }) == value("currency").text
        }
        guard try isInCurrency(value("account")) else { return nil }
        var fitted = fields
        fitted["accountAmount"] = value("amount")
        if value("kind") == .text(Ledger.TransactionKind.transfer.rawValue) {
            guard try isInCurrency(value("toAccount")) else { return nil }
            fitted["toAmount"] = value("amount")
        }
        return fitted
    }

    private func put(_ fields: Fields, _ kind: String, _ id: EntityID) throws {
        guard let table = schema.table(kind) else { return }
        let given = table.fields.compactMap { field in fields[field.name].map { (field.column, $0) } }
        guard !given.isEmpty else { return }
        let sets = given.map { "\($0.0) = ?" }.joined(separator: ", ")
        try change(
            "UPDATE \(table.name) SET \(sets) WHERE id = ?",
            StatementArguments(given.map { $0.1.column } + [id.column.databaseValue])
        )
    }

    /// The fields of a row that is not deleted.
    func live(_ kind: String, _ id: EntityID) throws -> Fields? {
        try isLive(kind, id) ? row(kind, id.description) : nil
    }

    /// Why there is no live row.
    private func missing(_ kind: String, _ id: EntityID) throws -> BookError {
        switch kind {
        case Transaction.entityKind:
            try isDeleted(id, in: "transactions") == nil ? .unknownTransaction(id) : .deletedTransaction(id)
        case Account.entityKind: .unknownAccount(id)
        case Category.entityKind: .unknownCategory(id)
        case Budget.entityKind: .unknownBudget(id)
        default: .deletedSince(id)
        }
    }
}

// MARK: - The kinds

extension Entity {
    /// Values in the order in which the table declares its fields.
    func fields(_ values: [FieldValue]) -> Fields {
        let names = SyncedSchema.breadly[Self.entityKind]?.fields.map(\.name) ?? []
        return Fields(Array(zip(names, values)).map { (name: $0, value: $1) }) ?? [:]
    }
}

extension Transaction: Entity {
    /// As the wire names it.
    public static let entityKind = "transaction"
    /// As the wire has them.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Account: Entity {
    /// As the wire names it.
    public static let entityKind = "account"
    /// As the wire has them.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Ledger.Category: Entity {
    /// As the wire names it.
    public static let entityKind = "category"
    /// As the wire has them.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Budget: Entity {
    /// As the wire names it.
    public static let entityKind = "budget"
    /// As the wire has them.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Preferences: Entity {
    /// As the wire names them.
    public static let entityKind = "preferences"
    /// The one row of a book.
    public var id: EntityID { EntityID(high: 0, low: 0) }
    /// As the wire has them.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension FieldValue {
    /// What a column is given.
    fileprivate init(_ column: (any DatabaseValueConvertible)?) {
        switch column?.databaseValue.storage {
        case .int64(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        default: self = .null
        }
    }
}

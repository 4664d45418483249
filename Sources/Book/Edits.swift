// Edits: of the values that a form sends, only those that the user changed are written, on top of the changes
// that other devices made in the meantime.
import GRDB
public import Ledger
import Storage
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

/// The result of an edit.
public struct Edit: Hashable, Sendable {
    /// The number of the edit in the history, by which it can be undone; nil if nothing was changed.
    public var change: Int64?
    /// Changes that were made elsewhere since the form was shown.
    public var meanwhile: [MeanwhileChange] = []
}

/// A value that a field got from elsewhere while a form was open.
public struct MeanwhileChange: Hashable, Sendable {
    /// The field name of the sync protocol.
    public let field: String
    /// The new value.
    public let value: FieldValue
    /// The name of the other device that wrote the value, empty if it is not known; nil for this device.
    public let device: String?
    /// The row before the edit was written.
    public let row: Fields
    /// Whether the edit replaces the value by its own.
    public let isOverwritten: Bool
}

/// The origin of a deletion.
public struct Deletion: Hashable, Sendable {
    /// The name of the other device that deleted the row, empty if it is not known; nil for this device.
    public let device: String?
}

extension Book {
    /// Writes the fields of a live entity that the user changed in a form, and no others.
    /// - Parameter version: the values that the form showed; nil to write every value.
    /// - Throws: `unknownTransaction`, `deletedTransaction`, `unknownAccount`, `accountClosed`, `unknownCategory`,
    ///   `unknownBudget`, `invalid`, `overflow`; `changedMeanwhile` if two changes of money cannot be merged;
    ///   and the errors of the kind: `accountInUse` if the currency of an account with transactions would
    ///   change; `categoryKind`, `categoryKindInUse`, `categoryNesting`; `budgetExists`.
    @discardableResult
    public func change<E: Entity>(_ entity: E, shown version: EntityVersion? = nil) throws(BookError) -> Edit
    {
        try entity.checkShape()
        return try changeAsUser { db in try db.edit(entity, version) }
    }

    /// Changes that were made elsewhere to a row since a form showed it. They explain a refused edit.
    public func changes<E: Entity>(of kind: E.Type, _ id: EntityID, since version: EntityVersion)
        throws(BookError) -> [MeanwhileChange]
    {
        try reading { db in
            guard var present = try db.row(E.entityKind, id.description) else { return [] }
            try db.inherit(&present, E.entityKind, id)
            return try db.meanwhile(E.entityKind, id, present, version)
        }
    }

    /// The origin of a row's deletion; nil if the row is live or was never in this book.
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
    /// Writes the values that differ from those that the form showed, and returns the other changes since
    /// then.
    func edit(_ entity: some Entity, _ version: EntityVersion?) throws -> Edit {
        let (kind, id) = (type(of: entity).entityKind, entity.id)
        let (seen, changes) = try edited(entity, version)
        var edit = seen
        guard !changes.isEmpty else { return edit }
        try withBase(of: version, kind, id) { try patch(changes, kind, id, checksSplit: true) }
        edit.change = try presentChange()
        return edit
    }

    /// The values that differ from those that the form showed and from the present ones, and the other changes since
    /// then.
    func edited(_ entity: some Entity, _ version: EntityVersion?) throws -> (Edit, Fields) {
        let (kind, id) = (type(of: entity).entityKind, entity.id)
        guard var present = try live(kind, id) else { throw try missing(kind, id) }
        try inherit(&present, kind, id)
        var changes: Fields = [:]
        for field in entity.fields.all where field.value != present[field.name] ?? .null {
            if version?.showed(field.value, in: field.name) != true { changes[field.name] = field.value }
        }
        var edit = Edit()
        if let version { edit.meanwhile = try meanwhile(kind, id, present, version, entity.fields, changes) }
        guard !changes.isEmpty else { return (edit, changes) }
        if !edit.meanwhile.isEmpty { changes = try fitted(changes, edit.meanwhile, kind, id) }
        if [Transaction.entityKind, Schedule.entityKind].contains(kind) {
            try checkOpenAccounts(in: changes, of: present)
        }
        return (edit, changes)
    }

    /// Replaces the fields of a budget that hold otherwise than stored, because other rows of its category decide
    /// them: forms show these values.
    fileprivate func inherit(_ present: inout Fields, _ kind: String, _ id: EntityID) throws {
        guard kind == Budget.entityKind, let shown = try shownBudget(id) else { return }
        for field in shown.fields.all { present[field.name] = field.value }
    }

    /// The number of the change that is being made.
    func presentChange() throws -> Int64? { try first("SELECT tx FROM sync") { $0.int64(0) } }

    /// Checks that a change puts no transaction and no schedule on a closed account. An account that it was on, at
    /// either end, may be closed.
    private func checkOpenAccounts(in changes: Fields, of present: Fields) throws {
        let before = ["account", "toAccount"].compactMap { present.text($0) }
        for (name, field) in [("account", BookField.account), ("toAccount", .toAccount)] {
            guard let text = changes.text(name), !before.contains(text), let account = EntityID(text) else {
                continue
            }
            if try isClosed(account) { throw BookError.accountClosed(field) }
        }
    }

    /// Runs a part of a user's change. Its operation gets the base of the form.
    func withBase(
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

    /// Writes new values of fields of a live row, and checks that the row still fits the book.
    /// - Parameter checksSplit: whether the parts of a transaction must add up to its amount. A decision about one
    ///   field must not fail because of the other.
    func patch(_ fields: Fields, _ kind: String, _ id: EntityID, checksSplit: Bool = false) throws {
        switch kind {
        case Transaction.entityKind:
            let before = try storedTransaction(id)?.0
            try put(fields, kind, id)
            guard let after = try storedTransaction(id)?.0 else { return }
            try after.checkShape()
            if checksSplit { try after.checkSplit(before: before) }
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
        case Schedule.entityKind:
            let before = try liveSchedule(id)
            try put(fields, kind, id)
            if let after = try liveSchedule(id) { try check(after, before: before) }
        default: try put(fields, kind, id)
        }
    }

    /// The changes that were made elsewhere since a form was shown, except those to the value that the form
    /// itself sends.
    /// - Parameters:
    ///   - sent: all values of the form.
    ///   - edited: the values of the form that are written.
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

    /// Makes the amounts of a change consistent with changes that were made elsewhere. Amounts in one
    /// currency are the same number. If the currencies differ, only a person can decide the result of two
    /// changes.
    /// - Throws: `changedMeanwhile`.
    private func fitted(_ fields: Fields, _ meanwhile: [MeanwhileChange], _ kind: String, _ id: EntityID)
        throws
        -> Fields
    {
        let others = Set(meanwhile.lazy.filter { !$0.isOverwritten }.map(\.field))
        func touches(_ names: Set<String>) -> Bool {
            fields.all.contains { names.contains($0.name) } && !others.isDisjoint(with: names)
        }
        // A number has another meaning in another currency.
        for field in schema.declaration[kind]?.fields ?? [] {
            guard case .money(in: .field(let currency)) = field.form, touches([field.name, currency]) else {
                continue
            }
            throw BookError.changedMeanwhile(BookField(rawValue: field.name) ?? .other)
        }
        // The parts add up to the amount that their form showed.
        for (name, changed) in [("split", ["amount"]), ("amount", ["split"])] where fields[name] != nil {
            if !others.isDisjoint(with: changed) { throw BookError.changedMeanwhile(.split) }
        }
        let money: Set = [
            "kind", "amount", "currency", "account", "accountAmount", "toAccount", "toAmount",
        ]
        guard kind == Transaction.entityKind, touches(money) else { return fields }
        guard let fitted = try inOneCurrency(fields, id) else { throw BookError.changedMeanwhile(.amount) }
        return fitted
    }

    /// The changes of a transaction with its amounts made equal; nil if its currencies differ.
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

    /// The fields of a live row; nil if there is none.
    func live(_ kind: String, _ id: EntityID) throws -> Fields? {
        try isLive(kind, id) ? row(kind, id.description) : nil
    }

    /// The error that explains why there is no live row.
    private func missing(_ kind: String, _ id: EntityID) throws -> BookError {
        switch kind {
        case Transaction.entityKind:
            try isDeleted(id, in: "transactions") == nil ? .unknownTransaction(id) : .deletedTransaction(id)
        case Account.entityKind: .unknownAccount(id)
        case Category.entityKind: .unknownCategory(id)
        case Budget.entityKind: .unknownBudget(id)
        case Schedule.entityKind: .unknownSchedule(id)
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
    /// The name of the kind in the sync protocol.
    public static let entityKind = "transaction"
    /// The values of all fields, by the field names of the sync protocol.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Schedule: Entity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "schedule"
    /// The values of all fields, by the field names of the sync protocol.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Account: Entity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "account"
    /// The values of all fields, by the field names of the sync protocol.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Ledger.Category: Entity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "category"
    /// The values of all fields, by the field names of the sync protocol.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Budget: Entity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "budget"
    /// The values of all fields, by the field names of the sync protocol.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
}

extension Preferences: Entity {
    /// The name of the kind in the sync protocol.
    public static let entityKind = "preferences"
    /// The id of the only preferences row of a book.
    public var id: EntityID { EntityID(high: 0, low: 0) }
    /// The values of all fields, by the field names of the sync protocol.
    public var fields: Fields { fields(values.map(FieldValue.init)) }
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

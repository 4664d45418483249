// Edits: of the values that a form sends, only the values that the user changed are written, on top of the changes that
// other devices made in the meantime.
import GRDB
public import Ledger
import Storage
import SyncCore

/// The result of an edit.
public struct Edit: Hashable, Sendable {
    /// The number of the edit in the history, by which it can be undone; nil if nothing was changed.
    public var change: Int64?
    /// Changes that were made elsewhere since the form was shown.
    public var meanwhile: [MeanwhileChange] = []
}

/// The origin of a deletion.
public struct Deletion: Hashable, Sendable {
    /// The name of the other device that deleted the row, empty if it is not known; nil for this device.
    public let device: String?
    /// The live row that took the place of the deleted one when it was restored; nil if there is none.
    public var copy: EntityID?
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

    /// The origin of a row's deletion; nil if the row is live or was never in this book.
    public func deletion<E: Entity>(of kind: E.Type, _ id: EntityID) throws(BookError) -> Deletion? {
        try reading { db in
            guard let table = db.schema.table(E.entityKind), table.hasTombstones,
                try db.isDeleted(id, in: table.name) == true
            else { return nil }
            return Deletion(
                device: try db.deletingDevice(of: id, E.entityKind),
                copy: try db.living(id, E.entityKind)
            )
        }
    }
}

extension BookDatabase {
    /// Writes the values that differ from the values that the form showed, and returns the other changes since then.
    /// - Parameter isByRule: whether a rule makes the change, and not a person.
    func edit(_ entity: some Entity, _ version: EntityVersion?, isByRule: Bool = false) throws -> Edit {
        let (kind, id) = (type(of: entity).entityKind, entity.id)
        let (seen, changes) = try edited(entity, version, isByRule: isByRule)
        var edit = seen
        guard !changes.isEmpty else { return edit }
        try withBase(of: version, kind, id) { try patch(changes, kind, id, checksSplit: true) }
        edit.change = try presentChange()
        return edit
    }

    /// The values that differ from the values that the form showed and from the present values, and the other changes
    /// since then.
    func edited(_ entity: some Entity, _ version: EntityVersion?, isByRule: Bool = false) throws
        -> (Edit, Fields)
    {
        let (kind, id) = (type(of: entity).entityKind, entity.id)
        guard var present = try live(kind, id) else { throw try missing(kind, id) }
        try inherit(&present, kind, id)
        var changes: Fields = [:]
        for field in entity.fields.all
        where !field.value.isSameInNormalForm(as: present[field.name] ?? .null) {
            if version?.showed(field.value, in: field.name) != true { changes[field.name] = field.value }
        }
        var edit = Edit()
        if let version { edit.meanwhile = try meanwhile(kind, id, present, version, entity.fields, changes) }
        guard !changes.isEmpty else { return (edit, changes) }
        if !edit.meanwhile.isEmpty { changes = try fitted(changes, edit.meanwhile, kind, id) }
        if [Transaction.entityKind, Schedule.entityKind].contains(kind) {
            try checkOpenAccounts(in: changes, of: present)
        }
        if kind == Transaction.entityKind, !isByRule, try replacesValueOfRule(changes, present) {
            changes["rule"] = .null
        }
        return (edit, changes)
    }

    /// Replaces the fields of a budget that hold otherwise than stored, because other rows of its category decide
    /// them: forms show these values.
    func inherit(_ present: inout Fields, _ kind: String, _ id: EntityID) throws {
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

    private func put(_ fields: Fields, _ kind: String, _ id: EntityID) throws {
        guard let table = schema.table(kind) else { return }
        // An earlier value may come back that was stored before texts had one form.
        let given = table.fields.compactMap { field in
            fields[field.name].map { (field.column, $0.inNormalForm) }
        }
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
        case SavedView.entityKind: .unknownView(id)
        case Rule.entityKind: .unknownRule(id)
        default: .deletedSince(id)
        }
    }
}

// Changes that were made elsewhere while a form was open, and how an edit fits them.
import GRDB
public import Ledger
import Storage
public import SyncCore

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

extension Book {
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
}

extension BookDatabase {
    /// The changes that were made elsewhere since a form was shown, except changes to the value that the form
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
        let entity = schema.declaration[kind]
        let changed = present.all.filter {
            !version.showed($0.value, in: $0.name) && sent[$0.name]?.isSameInNormalForm(as: $0.value) != true
                && entity?.isAutomatic($0.name) != true
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
    func fitted(_ fields: Fields, _ meanwhile: [MeanwhileChange], _ kind: String, _ id: EntityID)
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
}

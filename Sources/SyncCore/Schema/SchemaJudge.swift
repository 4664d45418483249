// The judge of values: a field has the form and the bounds of its declaration. The cloud checks an operation before it
// stores a row, and a device checks a row before it applies one.

public import Ledger

extension SyncedEntity {
    /// The fields with each declared text in the form in which texts are stored. A text that would be too long then stays
    /// as it is.
    public func inNormalForm(_ fields: Fields) -> Fields {
        func isOther(_ value: FieldValue) -> Bool { value.text?.utf8.contains { $0 >= 0xCC } ?? false }
        guard fields.all.contains(where: { isOther($0.value) }) else { return fields }
        var normal = fields
        for field in self.fields {
            guard let value = fields[field.name], isOther(value) else { continue }
            let stored = value.inNormalForm
            if stored != value, field.accepts(stored) { normal[field.name] = stored }
        }
        return normal
    }
}

extension SyncedField {
    /// Whether a value has the form of the field and is within its bounds. Null fits everywhere but in a field that is
    /// required.
    ///
    /// The words of a choice are not compared: a later version may have more of them, and a row with one is kept for it.
    public func accepts(_ value: FieldValue) -> Bool {
        switch (form, value) {
        case (_, .null): return !isRequired
        case (.currency, .text(let text)):
            return text.utf8.count == 3 && text.utf8.allSatisfy { (65...90).contains($0) }
        case (.reference, .text(let text)), (.id, .text(let text)):
            return EntityID(text)?.description == text
        // Parts that cannot be read are stored as their text, and the transaction counts as a whole.
        case (.parts, .other(let text)), (.parts, .text(let text)): return isWithinBounds(text)
        case (.parts, .integer): return true
        case (_, .text(let text)): return !form.isInteger && isWithinBounds(text)
        case (_, .integer(let number)): return form.isInteger && bounds.contains(number)
        case (_, .other): return false
        }
    }

    private func isWithinBounds(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        // A text has at most as many characters as bytes, so that most need no count.
        if bounds.lowerBound == 0, text.utf8.count <= bounds.upperBound { return true }
        return bounds.contains(Int64(text.unicodeScalars.count))
    }
}

extension SyncedEntity {
    /// The first field that does not accept its value; nil if all do. Fields of a later version are not judged.
    /// - Parameter isWhole: whether fields that are missing have no value; false for the changed fields of a row.
    public func unfit(_ fields: Fields, isWhole: Bool) -> SyncedField? {
        for field in fields.all {
            if let declared = self.field(field.name), !declared.accepts(field.value) { return declared }
        }
        guard isWhole else { return nil }
        return required.first { fields[$0.name] == nil }
    }

    /// Whether a row may have this id. A kind whose rows cannot be deleted has only one row.
    public func mayHave(_ id: EntityID) -> Bool { hasTombstones || id == EntityID(high: 0, low: 0) }

    /// The rows that an operation refers to, each with the field and the kind.
    public func references(in fields: Fields) -> [(field: SyncedField, kind: String, id: EntityID)] {
        fields.all.compactMap { field in
            guard let declared = self.field(field.name), case .reference(let kind) = declared.form,
                let id = field.value.text.flatMap({ EntityID($0) })
            else { return nil }
            return (declared, kind, id)
        }
    }
}

extension SyncedSchema {
    /// The fault of an operation; nil if a row may be stored by it. A row without a value that it needs may get one later.
    public func fault(in operation: Operation) -> OperationFault? {
        guard operation.isSound else { return .form }
        guard let entity = self[operation.kind] else { return nil }
        guard entity.mayHave(operation.id), entity.hasTombstones || operation.action != .delete else {
            return .form
        }
        return entity.unfit(operation.fields, isWhole: false).map { .field($0.name) }
    }
}

/// The reason why an operation is invalid.
public enum OperationFault: Hashable, Sendable {
    /// The operation itself: its names, its id or its sizes.
    case form
    /// The value of the field with this name.
    case field(String)

    /// The name of the field; nil if the fault is not one of a field.
    public var field: String? {
        guard case .field(let name) = self else { return nil }
        return name
    }
}

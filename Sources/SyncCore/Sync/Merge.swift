// The merge of operations into rows: in the order of receipt, field by field; deletions win.

import Ledger

/// The last write of a field.
public struct FieldVersion: Hashable, Sendable {
    /// The sequence of the write.
    public var seq: Int64
    /// The number that the cloud gave to the writing replica; 0 for the cloud itself.
    public var writer: Int64
    /// The replica whose value was overwritten, or deleted with its row, by a writer that had not seen it. It is 0 if
    /// there is none, and for an overwritten guarded field, which a conflict records.
    public var unseen: Int64

    /// A version that has overwritten no unseen value, unless `unseen` is given.
    public init(seq: Int64, writer: Int64, unseen: Int64 = 0) {
        self.seq = seq
        self.writer = writer
        self.unseen = unseen
    }
}

/// A row of an account as the cloud stores it.
public struct MergedRow: Hashable, Sendable {
    /// The sequence of its last change.
    public var seq: Int64
    /// Whether the row was deleted. A deletion is final.
    public var isDeleted: Bool
    /// The values of the fields.
    public var fields: Fields
    /// The version of the creation, for all fields that `versions` does not name.
    public var created: FieldVersion
    /// The versions of the fields that were written after the creation.
    public var versions: [String: FieldVersion]
    /// The only replica that has written the row; 0 if there were several.
    public var author: Int64
    /// The replica that wrote last.
    public var lastWriter: Int64

    /// The writer of the creation is also the last one unless `lastWriter` is given.
    public init(
        seq: Int64,
        isDeleted: Bool = false,
        fields: Fields,
        created: FieldVersion,
        versions: [String: FieldVersion] = [:],
        author: Int64,
        lastWriter: Int64? = nil
    ) {
        self.seq = seq
        self.isDeleted = isDeleted
        self.fields = fields
        self.created = created
        self.versions = versions
        self.author = author
        self.lastWriter = lastWriter ?? created.writer
    }
}

/// A conflict of two values of a guarded field: one value overwrote the other, or was held back.
public struct Overwriting: Hashable, Sendable {
    /// The name of the field on the wire.
    public var field: String
    /// The value that remains in the row.
    public var kept: FieldValue
    /// The value that does not remain.
    public var lost: FieldValue
    /// The replica that wrote the remaining value.
    public var keptBy: Int64
    /// The replica that wrote the other value.
    public var lostBy: Int64
}

/// The effect of operations on rows.
public enum Merge {
    /// The outcome of an operation.
    public struct Outcome: Hashable, Sendable {
        /// The row after the operation; nil if it does not exist.
        public var row: MergedRow?
        /// Whether the operation was applied.
        public var status: OperationResult.Status
        /// The reason why it was not applied, or not fully; nil if it was.
        public var code: OperationResult.Code?
        /// The field whose value is the reason; nil if it is none of a field.
        public var field: String?
        /// The conflicts of guarded values, which have to be recorded.
        public var overwritings: [Overwriting] = []

        /// The outcome of an invalid operation, which leaves the row as it is.
        /// - Parameter field: the field whose value is the reason; nil if it is none of a field.
        public static func invalid(_ row: MergedRow?, field: String?) -> Outcome {
            Outcome(row: row, status: .rejected, code: .invalid, field: field)
        }
    }

    /// Applies an operation.
    /// - Parameters:
    ///   - row: the row before the operation; nil if it does not exist.
    ///   - isDead: whether the row was deleted so long ago that only its id is stored.
    ///   - seq: the sequence of the operation among all operations of the account.
    ///   - writer: the replica that sent the operation.
    ///   - holds: whether a guarded value is held back if another device has written the field in the
    ///     meantime.
    ///   - schema: the kinds of rows with their guarded fields. Other kinds have no guarded fields.
    public static func apply(
        _ operation: Operation,
        to row: MergedRow?,
        isDead: Bool,
        seq: Int64,
        writer: Int64,
        holds: Bool,
        schema: SyncedSchema = .breadly
    ) -> Outcome {
        if let fault = schema.fault(in: operation) {
            return .invalid(row, field: fault.field)
        }
        guard var row else {
            if isDead {
                let isDone = operation.action == .delete
                return Outcome(row: nil, status: isDone ? .applied : .superseded, code: isDone ? nil : .dead)
            }
            let version = FieldVersion(seq: seq, writer: writer)
            switch operation.action {
            case .create:
                let made = MergedRow(seq: seq, fields: operation.fields, created: version, author: writer)
                return Outcome(row: made, status: .applied)
            case .patch: return Outcome(row: nil, status: .rejected, code: .unknownRow)
            case .delete:
                // If another replica creates the row later, its operation must be superseded.
                let dead = MergedRow(seq: seq, isDeleted: true, fields: [:], created: version, author: writer)
                return Outcome(row: dead, status: .applied)
            }
        }
        if row.isDeleted {
            let isDone = operation.action == .delete
            return Outcome(row: row, status: isDone ? .applied : .superseded, code: isDone ? nil : .dead)
        }
        row.seq = seq
        row.lastWriter = writer
        if row.author != writer { row.author = 0 }
        switch operation.action {
        case .delete:
            row.isDeleted = true
            // Marks the values that the deleting device had not seen, so that their writers are notified.
            let base = operation.base.integer(Operation.allFields) ?? .max
            for (field, last) in row.versions {
                row.versions[field]?.unseen = last.writer != writer && last.seq > base ? last.writer : 0
            }
            return Outcome(row: row, status: .applied)
        case .create: return join(operation, row, FieldVersion(seq: seq, writer: writer), schema)
        case .patch:
            return patch(operation, row, FieldVersion(seq: seq, writer: writer), schema, holds: holds)
        }
    }

    /// Applies a second creation of a live row. It occurs if two devices of a user were seeded alike. Fields
    /// that were patched after the first creation keep their values, except that a number that only grows becomes the
    /// greater one.
    private static func join(
        _ operation: Operation,
        _ before: MergedRow,
        _ version: FieldVersion,
        _ schema: SyncedSchema
    ) -> Outcome {
        var outcome = Outcome(row: before, status: .applied)
        var row = before
        let entity = schema[operation.kind]
        let (guarded, isTold) = (entity?.guarded ?? [], entity?.isEnteredByHand ?? false)
        for field in operation.fields.all {
            let present = row.fields[field.name] ?? .null
            guard !present.isSameInNormalForm(as: field.value) else { continue }
            let last = row.versions[field.name] ?? row.created
            if entity?.field(field.name)?.grows == true {
                guard present.integer ?? .min < field.value.integer ?? .min else { continue }
                row.fields[field.name] = field.value
                row.versions[field.name] = version
                continue
            }
            let stays = row.versions[field.name] != nil
            if guarded.contains(field.name), last.writer != version.writer {
                outcome.overwritings.append(
                    Overwriting(
                        field: field.name,
                        kept: stays ? present : field.value,
                        lost: stays ? field.value : present,
                        keptBy: stays ? last.writer : version.writer,
                        lostBy: stays ? version.writer : last.writer
                    )
                )
            }
            guard !stays else { continue }
            row.fields[field.name] = field.value
            row.versions[field.name] = version
            if isTold, !guarded.contains(field.name), last.writer != version.writer {
                row.versions[field.name]?.unseen = last.writer
            }
        }
        outcome.row = row
        return outcome
    }

    private static func patch(
        _ operation: Operation,
        _ before: MergedRow,
        _ version: FieldVersion,
        _ schema: SyncedSchema,
        holds: Bool
    ) -> Outcome {
        var outcome = Outcome(row: before, status: .applied)
        var row = before
        let entity = schema[operation.kind]
        let guarded = entity?.guarded ?? []
        for field in operation.fields.all {
            let last = row.versions[field.name] ?? row.created
            let present = row.fields[field.name] ?? .null
            let isGuarded = guarded.contains(field.name)
            // An operation without a base for an unguarded field, as earlier versions send it, counts as
            // having seen the value.
            let base = operation.base.integer(field.name) ?? (isGuarded ? 0 : .max)
            let differs = !present.isSameInNormalForm(as: field.value)
            let isUnseen = last.writer != version.writer && differs && last.seq > base
            if isUnseen, entity?.field(field.name)?.grows == true, let written = present.integer,
                written > field.value.integer ?? .min
            {
                continue
            }
            if isGuarded, isUnseen {
                outcome.overwritings.append(
                    Overwriting(
                        field: field.name,
                        kept: holds ? present : field.value,
                        lost: holds ? field.value : present,
                        keptBy: holds ? last.writer : version.writer,
                        lostBy: holds ? version.writer : last.writer
                    )
                )
                if holds {
                    outcome.code = .held
                    continue
                }
            }
            row.fields[field.name] = field.value
            row.versions[field.name] = version
            // The mark survives later writes, because the earlier writer may not have been notified yet.
            let unseen = isUnseen && !isGuarded ? last.writer : last.unseen
            row.versions[field.name]?.unseen = unseen == version.writer ? 0 : unseen
        }
        outcome.row = row
        return outcome
    }
}

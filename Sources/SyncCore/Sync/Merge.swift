// How operations become rows: in the order of receipt, field by field, and deletions win.

import Ledger

/// The last write of a field.
public struct FieldVersion: Hashable, Sendable {
    /// The sequence of the write.
    public var seq: Int64
    /// The replica, as the cloud numbers it; 0 for the cloud itself.
    public var writer: Int64
    /// The replica whose value was written over, or deleted with its row, without having been seen; 0 where there was
    /// none, and for guarded fields that were written over, which have a record of their own.
    public var unseen: Int64

    /// A version.
    public init(seq: Int64, writer: Int64, unseen: Int64 = 0) {
        self.seq = seq
        self.writer = writer
        self.unseen = unseen
    }
}

/// A row of an account as the cloud keeps it.
public struct MergedRow: Hashable, Sendable {
    /// The sequence of its last change.
    public var seq: Int64
    /// Whether it was deleted. It stays so.
    public var isDeleted: Bool
    /// Its values.
    public var fields: Fields
    /// The version that all fields have which are not named in `versions`: that of the creation.
    public var created: FieldVersion
    /// The versions of fields that were written later.
    public var versions: [String: FieldVersion]
    /// The one replica that wrote all there is; 0 where there were several.
    public var author: Int64
    /// The replica that wrote last.
    public var lastWriter: Int64

    /// A row.
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

/// A guarded value that another one was written over, or would have been.
public struct Overwriting: Hashable, Sendable {
    /// The field.
    public var field: String
    /// The value that stands.
    public var kept: FieldValue
    /// The one that does not.
    public var lost: FieldValue
    /// The replica that wrote the value that stands.
    public var keptBy: Int64
    /// The replica that wrote the other value.
    public var lostBy: Int64
}

/// The effect of operations on rows.
public enum Merge {
    /// The outcome of an operation.
    public struct Outcome: Hashable, Sendable {
        /// The row afterwards; nil where there is none.
        public var row: MergedRow?
        /// Whether the operation was applied.
        public var status: OperationResult.Status
        /// Why it did not go as it was sent.
        public var code: OperationResult.Code?
        /// The guarded values that met another one, each to be recorded.
        public var overwritings: [Overwriting] = []
    }

    /// Applies an operation.
    /// - Parameters:
    ///   - row: the row before; nil where there is none.
    ///   - isDead: whether the row was deleted so long ago that it is not kept any more.
    ///   - seq: the operation's place among all of the account's.
    ///   - writer: who sent it.
    ///   - holds: whether a guarded value is held back where another device has written it meanwhile.
    ///   - schema: the kinds of rows, with their guarded fields; every other kind has none.
    public static func apply(
        _ operation: Operation,
        to row: MergedRow?,
        isDead: Bool,
        seq: Int64,
        writer: Int64,
        holds: Bool,
        schema: SyncedSchema = .breadly
    ) -> Outcome {
        guard operation.isSound else { return Outcome(row: row, status: .rejected, code: .invalid) }
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
                // A replica that creates the row later must learn that it is dead.
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
            // The writer of a value that the deleting device had not seen is told.
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

    /// A second creation of a live row, as where two devices of one user were seeded alike: fields that were patched
    /// since the first creation keep their values.
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
            guard present != field.value else { continue }
            let last = row.versions[field.name] ?? row.created
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
        let guarded = schema[operation.kind]?.guarded ?? []
        for field in operation.fields.all {
            let last = row.versions[field.name] ?? row.created
            let present = row.fields[field.name] ?? .null
            let isGuarded = guarded.contains(field.name)
            // An operation without a base for an unguarded field, as of an earlier version, counts as having seen it.
            let base = operation.base.integer(field.name) ?? (isGuarded ? 0 : .max)
            let isUnseen = last.writer != version.writer && present != field.value && last.seq > base
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
            // The mark survives later writes, because the earlier writer may not have been told yet.
            let unseen = isUnseen && !isGuarded ? last.writer : last.unseen
            row.versions[field.name]?.unseen = unseen == version.writer ? 0 : unseen
        }
        outcome.row = row
        return outcome
    }
}

// An operation, the unit that a device sends to the cloud: one change of one row.

import Encoding
public import Ledger

/// A change of a row, made on a device.
public struct Operation: Hashable, Sendable {
    /// The kinds of change.
    public enum Action: String, CaseIterable, Hashable, Sendable {
        /// Makes the row; no other operation does.
        case create
        /// Gives some of its fields other values.
        case patch
        /// Deletes it, for good.
        case delete
    }

    /// Which of the device's operations it is, from 1 without gaps.
    public var n: Int64
    /// 32 hexadecimal digits, given when the change was made. They tell a repeated operation from another one with the
    /// same number, which a cloned or restored book would send.
    public var opID: String
    /// The device's local transaction that it was part of.
    public var tx: Int64
    /// The kind of change.
    public var action: Action
    /// The kind of row: `transaction`.
    public var kind: String
    /// Which row.
    public var id: EntityID
    /// The values: all of them to create, the changed ones to patch, none to delete.
    public var fields: Fields
    /// The sequence that the device had seen of the fields when it made the change; of a deletion, for `allFields`.
    public var base: Fields
    /// Stands for every field of a row.
    public static let allFields = "*"

    /// An operation.
    public init(
        n: Int64,
        opID: String,
        tx: Int64,
        action: Action,
        kind: String,
        id: EntityID,
        fields: Fields = [:],
        base: Fields = [:]
    ) {
        self.n = n
        self.opID = opID
        self.tx = tx
        self.action = action
        self.kind = kind
        self.id = id
        self.fields = fields
        self.base = base
    }

    /// Whether the cloud can keep it: names of letters, digits and `_`, at most 64; an id of 32 hexadecimal digits; no
    /// text of more than 64 KB.
    public var isSound: Bool {
        Self.isName(kind) && opID.utf8.count == 32 && Hex.decode(opID) != nil
            && fields.all.allSatisfy { field in
                switch field.value {
                case .null, .integer: Self.isName(field.name)
                case .text(let text), .other(let text): Self.isName(field.name) && text.utf8.count <= 65_536
                }
            }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 95, 97...122: true
                default: false
                }
            }
    }
}

/// The result of an operation. The same operation, sent again, has the same result.
public struct OperationResult: Hashable, Sendable {
    /// How it went.
    public enum Status: String, CaseIterable, Hashable, Sendable {
        /// The change was made.
        case applied
        /// The row had been deleted: the change has no effect.
        case superseded
        /// The operation is invalid and must not be sent again.
        case rejected
    }

    /// Why it did not go as it was sent.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        /// The row was deleted: no later change brings it back.
        case dead
        /// There never was such a row here.
        case unknownRow = "unknown_row"
        /// Names, ids or sizes are out of bounds.
        case invalid
        /// A guarded value is held back until the user decides.
        case held
        /// It is too large to be sent: said by the device itself.
        case tooLarge = "too_large"
        /// The row would have more fields or bytes than one may have.
        case rowTooLarge = "row_too_large"
        /// The account has as many rows as it may have.
        case tooManyRows = "too_many_rows"
        /// The account's rows take as many bytes as they may.
        case accountFull = "account_full"
    }

    /// Which of the device's operations it was.
    public var n: Int64
    /// Its place among all of the account's.
    public var seq: Int64
    /// How it went.
    public var status: Status
    /// The conflict that was recorded, the first where there were several.
    public var conflict: EntityID?
    /// Why it did not go as it was sent.
    public var code: Code?

    /// A result.
    public init(n: Int64, seq: Int64, status: Status, conflict: EntityID? = nil, code: Code? = nil) {
        self.n = n
        self.seq = seq
        self.status = status
        self.conflict = conflict
        self.code = code
    }
}

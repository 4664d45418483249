// An operation: one change of one row, and the unit that a device sends to the cloud.

import Encoding
public import Ledger

/// A change of a row that was made on a device.
public struct Operation: Hashable, Sendable {
    /// The kind of change.
    public enum Action: String, CaseIterable, Hashable, Sendable {
        /// Creates the row. No other operation does.
        case create
        /// Changes some of its fields.
        case patch
        /// Deletes the row permanently.
        case delete
    }

    /// The number of the operation: the operations of a replica are numbered from 1 without gaps.
    public var n: Int64
    /// 32 random hexadecimal digits, assigned when the change is made. They distinguish a repeated operation
    /// from a different one with the same number, which a cloned or restored book would send.
    public var opID: String
    /// The local transaction of the device that contained the change.
    public var tx: Int64
    /// The kind of change.
    public var action: Action
    /// The kind of row, such as `transaction`.
    public var kind: String
    /// The id of the row.
    public var id: EntityID
    /// The values: all fields for a creation, the changed fields for a patch, none for a deletion.
    public var fields: Fields
    /// For each changed field, the sequence that the device had seen when it made the change; for a deletion,
    /// the sequence of `allFields`.
    public var base: Fields
    /// The name in `base` that stands for every field of the row.
    public static let allFields = "*"

    /// Without values and a base unless they are given.
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

    /// Whether the cloud can store the operation. Names consist of 1 to 64 letters, digits and `_`; the
    /// operation id consists of 32 hexadecimal digits; no text is longer than 64 KB.
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

/// The result of an operation. A repeated operation has the same result.
public struct OperationResult: Hashable, Sendable {
    /// The outcome of the operation.
    public enum Status: String, CaseIterable, Hashable, Sendable {
        /// The change was made.
        case applied
        /// The row had been deleted, and the change has no effect.
        case superseded
        /// The operation is invalid and must not be sent again.
        case rejected
    }

    /// The reason why an operation was not applied, or not fully.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        /// The row was deleted. No later change restores it.
        case dead
        /// The cloud never had such a row.
        case unknownRow = "unknown_row"
        /// Names, ids, sizes or the value of a field are not what the schema allows.
        case invalid
        /// A guarded value is held back until the user decides.
        case held
        /// The operation is too large to be sent. Only the device itself reports it.
        case tooLarge = "too_large"
        /// The row would exceed the maximum number of fields or bytes.
        case rowTooLarge = "row_too_large"
        /// The account has reached the maximum number of rows.
        case tooManyRows = "too_many_rows"
        /// The rows of the account have reached the maximum number of bytes.
        case accountFull = "account_full"
    }

    /// The number of the operation.
    public var n: Int64
    /// The sequence of the operation among all operations of the account.
    public var seq: Int64
    /// The outcome.
    public var status: Status
    /// The conflict that was recorded; the first one if there were several.
    public var conflict: EntityID?
    /// The reason why the operation was not applied, or not fully.
    public var code: Code?
    /// The name of the field whose value is the reason; nil if it is none of a field.
    public var field: String?

    /// Without a conflict and a reason unless they are given.
    public init(
        n: Int64,
        seq: Int64,
        status: Status,
        conflict: EntityID? = nil,
        code: Code? = nil,
        field: String? = nil
    ) {
        self.n = n
        self.seq = seq
        self.status = status
        self.conflict = conflict
        self.code = code
        self.field = field
    }
}

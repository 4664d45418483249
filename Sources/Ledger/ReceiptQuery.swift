// The filters of the list of all receipts.

/// A page of the list of all receipts that is asked for: its filters and its position.
public struct ReceiptQuery: Hashable, Sendable {
    /// The month of the transactions; nil for all.
    public var month: YearMonth?
    /// Words that must occur in the name of the file, or in payee, note or tags of the transaction.
    public var text: String?
    /// The account of the transactions; nil for all.
    public var account: EntityID?
    /// The type of the files; nil for all.
    public var type: ReceiptType?
    /// The receipts among which the filters choose.
    public var scope = ReceiptScope.present
    /// The position of the previous page's last row; nil for the first page.
    public var after: ReceiptCursor?
    /// The greatest number of rows.
    public var limit = 50

    /// All receipts.
    public init() {}

    /// Whether only receipts pass whose files no cloud has.
    public var isNotBackedUp: Bool { if case .notBackedUp = scope { true } else { false } }
}

/// The receipts that a list is about.
public enum ReceiptScope: Hashable, Sendable {
    /// The receipts of transactions that are not deleted.
    case present
    /// The receipts of deleted transactions as well.
    case withDeleted
    /// The receipts whose files no cloud has, those of deleted transactions as well.
    /// - Parameters:
    ///   - absent: the hashes of files that are neither on this device nor in the cloud. They pass.
    ///   - fetchable: the hashes of files that this device has lost, and that the cloud has. They do not pass.
    case notBackedUp(absent: [String] = [], fetchable: [String] = [])
}

/// A position in the list of all receipts.
public struct ReceiptCursor: Hashable, Sendable, CustomStringConvertible {
    /// The time of adding, in UTC seconds.
    public let created: Int64
    /// The id, for receipts of the same second.
    public let id: EntityID

    /// The position of a receipt.
    public init(created: Int64, id: EntityID) { (self.created, self.id) = (created, id) }

    /// Parses the text of a position; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let created = Int64(parts[0]), created >= 0, let id = EntityID(parts[1])
        else {
            return nil
        }
        self.init(created: created, id: id)
    }

    /// The text for an address.
    public var description: String { "\(created)-\(id)" }
}

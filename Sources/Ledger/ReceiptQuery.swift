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
    /// Whether only files pass that no cloud has.
    public var isNotBackedUp = false
    /// The hashes of files that are neither on this device nor in the cloud. They pass with `isNotBackedUp`.
    public var absent: [String] = []
    /// The hashes of files that this device has lost, and that the cloud has. They do not pass with `isNotBackedUp`.
    public var fetchable: [String] = []
    /// Whether files of deleted transactions pass as well. If no cloud has such a file, it passes with `isNotBackedUp`
    /// in any case.
    public var includesDeleted = false
    /// The position of the previous page's last row; nil for the first page.
    public var after: ReceiptCursor?
    /// The greatest number of rows.
    public var limit = 50

    /// All receipts.
    public init() {}

    /// The words of `text` in lower case.
    public var words: [String] {
        (text ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }
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

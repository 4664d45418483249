// The values of two sides that a transfer made of them does not have.
public import Ledger

/// The values that are lost when two sides become one transfer, which has no category and no parts, and one note.
public struct TransferLosses: Hashable, Sendable {
    /// The amount that was paid, if that is in another currency than the accounts of the transfer.
    public private(set) var paid: Money?
    /// The parts of the side, in the currency of `paid` if there is one.
    public private(set) var parts: [SplitPart] = []
    /// Whether the side has parts that this version cannot read.
    public private(set) var hasUnreadableParts = false
    /// The categories of both sides.
    public private(set) var categories: [EntityID] = []
    /// The note of the other side, if both have one.
    public private(set) var note = ""
    /// The tags of the other side that the transfer does not have.
    public private(set) var tags: [String] = []

    /// Whether the transfer has everything that the two sides have.
    public var isNone: Bool {
        paid == nil && parts.isEmpty && !hasUnreadableParts && categories.isEmpty && note.isEmpty
            && tags.isEmpty
    }

    /// The losses of `recordTransfer`.
    /// - Parameters:
    ///   - row: a row of a bank, as it would be recorded.
    ///   - side: the other side.
    ///   - isRecorded: whether that is a transaction of the book, which becomes the transfer.
    public init(_ row: Transaction, _ side: Transaction, isRecorded: Bool) {
        // Otherwise the side that the money leaves becomes the transfer.
        let (kept, other) = isRecorded || row.kind == .income ? (side, row) : (row, side)
        paid = kept.amount.currency == row.amount.currency ? nil : kept.amount
        parts = kept.split?.parts ?? []
        if case .unreadable = kept.split { hasUnreadableParts = true }
        for category in [kept.category, other.category].compactMap(\.self)
        where !categories.contains(category) {
            categories.append(category)
        }
        if !kept.note.isEmpty, other.note != kept.note { note = other.note }
        if !kept.tags.isEmpty { tags = other.tags.filter { !kept.tags.contains($0) } }
    }
}

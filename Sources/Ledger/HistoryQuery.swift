// The filters of the history.

/// The changes of the history to list. Nil means no limit.
public struct HistoryQuery: Hashable, Sendable {
    /// Words to find in what a changed row says, or said before or after the change: payees, notes, tags, names, and amounts.
    /// All words must be found.
    public var text: String?
    /// The decimal sign with which amounts among the words are written.
    public var decimalSign: Character = "."
    /// Only changes of rows of a kind, by its name in the sync protocol.
    public var kind: String?
    /// Only changes of a device.
    public var device: HistoryDevice?
    /// Only of these days, both ends included.
    public var days: ClosedRange<CivilDate>?

    /// No filter.
    public init() {}

    /// Whether every change is listed.
    public var isOfAll: Bool { text == nil && kind == nil && device == nil && days == nil }
}

/// The device that made a change, as far as a book knows it.
public enum HistoryDevice: Hashable, Sendable {
    /// The device of the book.
    case this
    /// Another one, by the name that it had for the cloud; empty if the cloud did not tell it.
    case other(String)
}

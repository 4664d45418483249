// The category and the note that a user has set for a payee.

/// The category and the note that a new transaction of a payee begins with.
public struct PayeeDefault: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// The payee in any spelling: 1 to 200 characters.
    public var name: String
    /// The category; nil for none, also if it was deleted since.
    public var category: EntityID?
    /// Up to 2,000 characters, may be empty.
    public var note: String

    /// Does not check lengths.
    public init(id: EntityID, name: String, category: EntityID? = nil, note: String = "") {
        self.id = id
        self.name = name
        self.category = category
        self.note = note
    }

    /// Whether it has neither a category nor a note.
    public var isEmpty: Bool { category == nil && note.isEmpty }
}

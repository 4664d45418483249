// A filtered list of transactions under a name.

/// A filtered and sorted list of transactions that the user has saved under a name.
public struct SavedView: Hashable, Sendable, Identifiable {
    /// Unique among all entities.
    public var id: EntityID
    /// 1 to 100 characters.
    public var name: String
    /// The query of the list's address, without its question mark: up to 2,000 ASCII characters; empty for all
    /// transactions.
    public var query: String

    /// Does not check lengths.
    public init(id: EntityID, name: String, query: String) {
        self.id = id
        self.name = name
        self.query = query
    }
}

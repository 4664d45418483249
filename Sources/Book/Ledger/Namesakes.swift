// Two accounts, or two categories in one place, whose names look the same in a list.
import Encoding
public import Ledger

extension Book {
    /// Another live account with the new name of an account. Case and white space do not count.
    /// - Parameter version: the values that the form showed. A name that the user left unchanged has no
    ///   namesake.
    /// - Returns: nil if there is none, or if the name does not change.
    public func namesake(of account: Account, shown version: EntityVersion? = nil) throws(BookError)
        -> Account?
    {
        let accounts = try choices().accounts
        let key = NameKey(account)
        guard accounts.first(where: { $0.id == account.id }).map({ NameKey($0) }) != key,
            version?.showedAll(["name"], of: account) != true
        else { return nil }
        return accounts.first { $0.id != account.id && NameKey($0) == key }
    }

    /// Another live category of the same kind and in the same place with the new name of a category.
    /// - Parameter version: the values that the form showed. A category whose name, kind and parent the user
    ///   left unchanged has no namesake.
    /// - Returns: nil if there is none, or if name, kind and parent do not change.
    public func namesake(of category: Ledger.Category, shown version: EntityVersion? = nil) throws(BookError)
        -> Ledger.Category?
    {
        let categories = try choices().categories
        let key = NameKey(category)
        guard categories.first(where: { $0.id == category.id }).map({ NameKey($0) }) != key,
            version?.showedAll(["name", "kind", "parent"], of: category) != true
        else { return nil }
        return categories.first { $0.id != category.id && NameKey($0) == key }
    }
}

/// The key by which names are compared: the folded name, the kind and the parent.
private struct NameKey: Equatable {
    let name: String
    let kind: CategoryKind?
    let parent: EntityID?

    init(_ account: Account) {
        name = account.name.nameKey
        kind = nil
        parent = nil
    }

    init(_ category: Ledger.Category) {
        name = category.name.nameKey
        kind = category.kind
        parent = category.parent
    }

}

extension EntityVersion {
    /// Whether the form showed the present values of some fields of an entity.
    fileprivate func showedAll(_ names: [String], of entity: some Entity) -> Bool {
        let fields = entity.fields
        return names.allSatisfy { showed(fields[$0] ?? .null, in: $0) }
    }
}

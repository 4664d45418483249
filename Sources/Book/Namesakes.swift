// Two accounts, or two categories in one place, that a reader of a list could not tell apart by their names.
public import Ledger

extension Book {
    /// Another live account with the name that an account is about to be given, however its letters are cased and spaced.
    /// - Parameter version: what the form had shown; a name that its sender left as it was has no namesake.
    /// - Returns: nil where there is none, or where the name stays as it is.
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

    /// Another live category of the same kind and in the same place with the name that a category is about to be given.
    /// - Parameter version: what the form had shown; one that stays where and what it was has no namesake.
    /// - Returns: nil where there is none, or where name, kind and parent stay as they are.
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

/// The key by which names are compared: the folded name and its place.
private struct NameKey: Equatable {
    let name: String
    let kind: CategoryKind?
    let parent: EntityID?

    init(_ account: Account) {
        name = Self.folded(account.name)
        kind = nil
        parent = nil
    }

    init(_ category: Ledger.Category) {
        name = Self.folded(category.name)
        kind = category.kind
        parent = category.parent
    }

    /// Without regard to case and the amount of white space; accents count. Strings compare by what Unicode takes for the
    /// same characters. In upper case, since that folds more: "ß" and "ss" are written alike there.
    private static func folded(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased()
    }
}

extension EntityVersion {
    /// Whether the form showed the present values of some fields of an entity.
    fileprivate func showedAll(_ names: [String], of entity: some Entity) -> Bool {
        let fields = entity.fields
        return names.allSatisfy { showed(fields[$0] ?? .null, in: $0) }
    }
}

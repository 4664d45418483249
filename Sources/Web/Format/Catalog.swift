// The accounts and categories of a book, for the names that pages show instead of ids.

import Ledger
import Texts

/// Accounts and categories, by id and in the order of display.
final class Catalog: Sendable {
    /// The data from which the catalog was built.
    let source: BookChoices
    private let accountByID: [EntityID: Account]
    private let categoryByID: [EntityID: Ledger.Category]
    private let expenseChoices: [Choice]
    private let incomeChoices: [Choice]
    /// The archived categories, which filters offer.
    private let archivedChoices: [Choice]
    /// The open accounts, which forms offer.
    private let openChoices: [Choice]
    /// The closed accounts, marked as closed.
    private let closedChoices: [Choice]

    /// A catalog of all accounts and categories of a book.
    init(_ choices: BookChoices) {
        source = choices
        accountByID = Dictionary(
            choices.accounts.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let byID = Dictionary(choices.categories.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        categoryByID = byID
        let ordered = CategoryKind.allCases.map { Self.ordered($0, choices.categories, byID) }
        let offered = ordered.map { Self.choices($0.filter { !Self.isArchived($0, byID) }, byID) }
        (expenseChoices, incomeChoices) = (offered[0], offered[1])
        archivedChoices = Self.choices(ordered.joined().filter { Self.isArchived($0, byID) }, byID)
        openChoices = choices.accounts.filter { !$0.isClosed }.map {
            Choice("\($0.id)", .verbatim($0.name), extra: $0.currency.rawValue)
        }
        closedChoices = choices.accounts.filter(\.isClosed).map {
            let label = Text("accounts.closed-account", ["name": .string($0.name)])
            return Choice("\($0.id)", label, extra: $0.currency.rawValue)
        }
    }

    /// All accounts, in the order of display.
    var accounts: [Account] { source.accounts }

    /// All categories, in the order of display.
    var categories: [Ledger.Category] { source.categories }

    /// The account; nil if the book does not have it.
    func account(_ id: EntityID?) -> Account? { id.flatMap { accountByID[$0] } }

    /// Whether the book has the account, and it is not closed.
    func isOpen(_ id: EntityID?) -> Bool { account(id)?.isClosed == false }

    /// The accounts that a form offers: the open accounts, and its present account, which may be closed or deleted.
    func accountChoices(keeping value: String) -> [Choice] {
        (openChoices + closedChoices.filter { $0.value == value })
            .keeping(value, as: Text("accounts.a-deleted-account"))
    }

    /// The choices of a filter by account.
    var accountFilters: [Choice] {
        [
            Choice("", Text("accounts.all-accounts")),
            Choice(TransactionsPage.ofDailyUse, Text("transactions.cash-bank-and-cards")),
        ] + openChoices + closedChoices
    }

    /// The choices of a filter by category, with the present one.
    func categoryFilters(keeping filter: CategoryFilter?) -> [Choice] {
        let alone: [Choice] =
            if case .alone(let id)? = filter { [Choice("\(CategoryFilter.alone(id))", nameAlone(id))] } else {
                []
            }
        return [
            Choice("", Text("categories.all-categories")),
            Choice("\(CategoryFilter.uncategorized)", Self.noCategory),
        ] + alone + expenseChoices + incomeChoices
            + archivedChoices.map {
                Choice($0.value, Text("categories.archived-category", ["name": .text($0.label)]))
            }
    }

    /// The name of a category that counts without the categories below it.
    func nameAlone(_ id: EntityID) -> Text {
        Text("transactions.without-subcategories", ["name": .text(categoryName(id).isolated)])
    }

    /// The category; nil if the book does not have it.
    func category(_ id: EntityID?) -> Ledger.Category? { id.flatMap { categoryByID[$0] } }

    /// Whether a transaction is income that only reduces spending. Its categories may be deleted.
    func isRefund(_ transaction: Transaction) -> Bool {
        guard transaction.kind == .income else { return false }
        guard transaction.split != nil else { return isSpending(transaction.category) }
        return transaction.shares.allSatisfy { isSpending($0.category) }
    }

    /// Whether a category, which may be deleted, is one of spending.
    func isSpending(_ id: EntityID?) -> Bool {
        guard let id else { return false }
        return categoryByID[id]?.kind == .expense || source.deletedSpending.contains(id)
    }

    static let noAccount = Text("accounts.deleted-account")
    static let noCategory = Text("transactions.no-category")

    /// The account's name; a placeholder if the account was deleted.
    func accountName(_ id: EntityID?) -> Text {
        account(id).map { Text.verbatim($0.name) } ?? Self.noAccount
    }

    /// The category's name; `No category` for none.
    func categoryName(_ id: EntityID?) -> Text {
        category(id).map { Text.verbatim($0.name) } ?? Self.noCategory
    }

    /// Whether a category is archived, or the one above it is: forms do not offer it.
    func isArchived(_ category: Ledger.Category) -> Bool { Self.isArchived(category, categoryByID) }

    private static func isArchived(_ category: Ledger.Category, _ byID: [EntityID: Ledger.Category]) -> Bool {
        category.isArchived || category.parent.flatMap { byID[$0] }?.isArchived ?? false
    }

    /// The categories of a kind that forms offer. Children follow their parents and have the parent's name as a prefix.
    func categoryChoices(_ kind: CategoryKind) -> [Choice] {
        kind == .expense ? expenseChoices : incomeChoices
    }

    /// The two groups of a select of categories, with the chosen category marked.
    func categoryGroups(chosen: String) -> [ChoiceGroup] {
        [
            ChoiceGroup(
                label: Text("overview.spending"),
                options: categoryChoices(.expense).selecting(chosen)
            ),
            ChoiceGroup(label: Text("overview.income"), options: categoryChoices(.income).selecting(chosen)),
        ]
    }

    /// The groups of a select of categories with its present value, which may be an archived or a deleted category.
    func categoryGroups(keeping chosen: String) -> [ChoiceGroup] {
        let groups = categoryGroups(chosen: chosen)
        if let archived = archivedChoice(chosen) {
            let group = ChoiceGroup(label: Text("categories.archived"), options: [archived].selecting(chosen))
            return groups + [group]
        }
        guard !chosen.isEmpty, category(EntityID(chosen)) == nil else { return groups }
        let lost = Choice(chosen, Text("categories.a-deleted-category"), isSelected: true)
        return groups + [ChoiceGroup(label: Text("categories.deleted-group"), options: [lost])]
    }

    /// The choice of an archived category, which a form offers where it is chosen already; nil for any other value.
    func archivedChoice(_ value: String) -> Choice? { archivedChoices.first { $0.value == value } }

    /// Top categories in their order, each followed by its children.
    func ordered(_ kind: CategoryKind) -> [Ledger.Category] { Self.ordered(kind, categories, categoryByID) }

    private static func ordered(
        _ kind: CategoryKind,
        _ categories: [Ledger.Category],
        _ byID: [EntityID: Ledger.Category]
    ) -> [Ledger.Category] {
        let ofKind = categories.filter { $0.kind == kind }
        let isTop: (Ledger.Category) -> Bool = { $0.parent.flatMap { byID[$0] } == nil }
        let children = Dictionary(grouping: ofKind.filter { !isTop($0) }, by: \.parent)
        return ofKind.filter(isTop).flatMap { [$0] + (children[$0.id] ?? []) }
    }

    private static func choices(_ ordered: [Ledger.Category], _ byID: [EntityID: Ledger.Category]) -> [Choice]
    {
        ordered.map { category in
            let parent = category.parent.flatMap { byID[$0] }.map { "\($0.name) › " } ?? ""
            return Choice("\(category.id)", .verbatim(parent + category.name))
        }
    }
}

extension AccountType {
    /// The name of the symbol in the sprite.
    var icon: String {
        switch self {
        case .cash: "cash"
        case .bank: "bank"
        case .card: "card"
        case .savings: "piggy"
        case .investment: "chart"
        case .loan: "percent"
        }
    }

    /// The text for the user.
    var label: Text {
        switch self {
        case .cash: Text("accounts.cash")
        case .bank: Text("accounts.bank")
        case .card: Text("accounts.card")
        case .savings: Text("accounts.savings")
        case .investment: Text("accounts.investment")
        case .loan: Text("accounts.loan")
        }
    }
}

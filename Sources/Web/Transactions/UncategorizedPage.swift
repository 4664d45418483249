// The page of the transactions without a category, by payee.

import Ledger
import Links
import Templates
import Texts

/// The payees of transactions without a category, each with one choice for all of them.
struct UncategorizedPage: Page {
    static let template = "transactions/uncategorised"
    /// The number of payees on a page.
    static let most = 10

    let chrome: Chrome
    let groups: [UncategorizedGroup]
    /// The number of transactions of all payees.
    let count: Int
    /// The number of all payees.
    let payeeCount: Int
    /// The number of payees on earlier pages.
    let skipped: Int

    static let keys = Keys<UncategorizedPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .flag("has_groups") { !$0.groups.isEmpty }
        .list("groups", of: UncategorizedGroup.self) { $0.groups }
        .message("count_text") { page in
            Text("uncategorised.of-payees", ["count": .count(page.count), "payees": .count(page.payeeCount)])
        }
        .optionalLink("next_href") { page in
            let next = page.skipped + page.groups.count
            return next < page.payeeCount ? href(from: next) : nil
        }

    /// The address of a page.
    /// - Parameter first: the number of payees on earlier pages.
    static func href(from first: Int) -> Link {
        first == 0 ? .uncategorized : Link.uncategorized.adding(query: [("first", "\(first)")])
    }
}

/// The transactions without a category of one payee, with the choice of one for all.
struct UncategorizedGroup: TemplateModel {
    /// The place on the page.
    let place: Int
    let payee: UncategorizedPayee
    let rows: [TransactionRow]
    let sums: [SumLine]
    let days: Text
    /// The chosen category with its error.
    let field: Field
    let categoryGroups: [ChoiceGroup]
    /// Whether new transactions of the payee are to get the category as well.
    let isAlways: Bool
    /// The categories that are set by one button.
    let likely: [Choice]

    /// - Parameters:
    ///   - usual: the category that a new transaction of the payee would get.
    ///   - recent: the last categories of other payees, the newest first.
    ///   - state: the choice that was refused, as `category`; nil for none.
    init(
        _ payee: UncategorizedPayee,
        at place: Int,
        rows: [Transaction],
        usual: EntityID?,
        recent: [EntityID],
        refused state: FormState?,
        catalog: Catalog,
        formats: Formats
    ) {
        self.payee = payee
        self.place = place
        self.rows = rows.map { TransactionRow($0, catalog: catalog, formats: formats) }
        sums = PayeeLine.lines(payee.totals, formats)
        days = formats.daysTitle(payee.first...payee.last)
        let kind: CategoryKind = payee.isIncomeOnly ? .income : .expense
        let usual = catalog.category(usual).flatMap { $0.kind == kind ? "\($0.id)" : nil }
        let chosen = state?["category"] ?? usual ?? ""
        field = Field(
            name: "category",
            id: "category-\(place)",
            value: chosen,
            error: state?.errors["category"],
            isFirstError: state?.errors["category"] != nil
        )
        isAlways = state?["always"] == "on"
        categoryGroups = catalog.categoryGroups(keeping: chosen)
        var seen: Set<EntityID> = []
        likely =
            (recent.compactMap { catalog.category($0) } + catalog.ordered(kind).filter { $0.parent == nil })
            .filter { $0.kind == kind && seen.insert($0.id).inserted }
            .prefix(Self.mostLikely).map { Choice("\($0.id)", .verbatim($0.name)) }
    }

    /// They fit on four lines of a phone.
    private static let mostLikely = 8

    static let keys = Keys<UncategorizedGroup>()
        .text("place") { "\($0.place)" }
        .text("payee") { $0.payee.name }
        .text("count") { "\($0.payee.count)" }
        .message("title") { group in
            group.payee.name.isEmpty ? Text("uncategorised.no-payee") : .verbatim(group.payee.name)
        }
        .message("detail") { group in
            let count = Text.transactions(group.payee.count)
            return Text("payees.one-after-another", ["first": .text(count), "next": .text(group.days)])
        }
        .list("sums", of: SumLine.self) { $0.sums }
        .list("rows", of: TransactionRow.self) { $0.rows }
        .optionalLink("all_href") { group in
            var query = TransactionQuery()
            (query.category, query.payee) = (.uncategorized, group.payee.name)
            return group.rows.count < group.payee.count ? TransactionsPage.href(query) : nil
        }
        .model("field", of: Field.self) { $0.field }
        .list("category_groups", of: ChoiceGroup.self) { $0.categoryGroups }
        .flag("has_payee") { !$0.payee.name.isEmpty }
        .flag("is_always") { $0.isAlways }
        .list("likely", of: Choice.self) { $0.likely }
}

/// The link to the transactions without a category.
struct UncategorizedLink: TemplateModel {
    let count: Int

    /// - Returns: nil if every transaction has a category.
    init?(_ count: Int) {
        guard count > 0 else { return nil }
        self.count = count
    }

    static let keys = Keys<UncategorizedLink>()
        .link("href") { _ in .uncategorized }
        .message("text") { Text("uncategorised.count", ["count": .count($0.count)]) }
}

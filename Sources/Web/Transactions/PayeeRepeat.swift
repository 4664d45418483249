// A link that fills in a new transaction like the last one of a payee.

import Ledger
import Links
import Templates
import Texts

/// A link to the form of a new transaction that is filled in like an earlier one. The script fills in the form from the
/// query of the link.
struct PayeeRepeat: TemplateModel {
    /// The payee; of a transfer without one, where it goes.
    private let title: Text
    private let isTemplate: Bool
    private let amount: String
    private let href: Link

    /// - Parameters:
    ///   - transaction: the one that is repeated.
    ///   - category: that of the new one; nil for none.
    ///   - note: that of the new one.
    ///   - isTemplate: whether the user has starred it.
    init(
        _ transaction: Transaction,
        category: EntityID?,
        note: String = "",
        isTemplate: Bool = false,
        catalog: Catalog,
        formats: Formats
    ) {
        self.isTemplate = isTemplate
        title =
            !transaction.payee.isEmpty
            ? .verbatim(transaction.payee)
            : transaction.kind == .transfer
                ? catalog.accountName(transaction.toAccount) : catalog.categoryName(category)
        amount = formats.money(transaction.amount)
        let currency = transaction.amount.currency
        var items = [("payee", transaction.payee), ("kind", transaction.kind.rawValue)]
        func add(_ name: String, _ id: EntityID?, if isThere: Bool) {
            if let id, isThere { items.append((name, "\(id)")) }
        }
        let account = catalog.account(transaction.account)
        add("account", account?.id, if: account?.isClosed == false)
        if transaction.kind == .transfer {
            add("to_account", transaction.toAccount, if: catalog.isOpen(transaction.toAccount))
        } else {
            add("category", category, if: catalog.category(category) != nil)
        }
        if account?.currency != currency { items.append(("currency", currency.rawValue)) }
        items.append(("amount", formats.plain(transaction.amount.minor, currency)))
        if !note.isEmpty { items.append(("note", note)) }
        href = .newTransaction.adding(query: items)
    }

    /// The link of a starred transaction, which repeats its note as well.
    init(template: Transaction, catalog: Catalog, formats: Formats) {
        self.init(
            template,
            category: template.category,
            note: template.note,
            isTemplate: true,
            catalog: catalog,
            formats: formats
        )
    }

    static let keys = Keys<PayeeRepeat>()
        .message("title") { $0.title }
        .flag("is_template") { $0.isTemplate }
        .text("amount") { $0.amount }
        .link("href") { $0.href }
}

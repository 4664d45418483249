// A transaction as a row of a list.

public import Ledger
public import Templates

/// One row: payee first, category and account beneath, the amount at the right.
public struct TransactionRow: TemplateModel {
    let id: String
    let title: String
    let subtitle: String
    let icon: String
    let color: String
    let amount: String
    /// Minor units: below zero for an expense, above for an income and a transfer.
    let minor: Int64
    let currency: String
    let kind: TransactionKind
    /// The amount at the other end, where it is in another currency.
    let other: Money?
    let otherText: String?

    /// A row for a transaction.
    public init(_ transaction: Transaction, catalog: Catalog, formats: Formats) {
        id = "\(transaction.id)"
        kind = transaction.kind
        let category = catalog.category(transaction.category)
        let account = catalog.accountName(transaction.account)
        let amountMinor = transaction.amount.minor
        let amountCurrency = transaction.amount.currency
        currency = amountCurrency.rawValue
        var parts: [String]
        switch transaction.kind {
        case .transfer:
            let route = "\(account) → \(catalog.accountName(transaction.toAccount))"
            title = transaction.payee.isEmpty ? route : transaction.payee
            parts = [transaction.payee.isEmpty ? "Transfer" : route]
            minor = amountMinor
            amount = formats.money(amountMinor, amountCurrency)
            other = catalog.account(transaction.toAccount).flatMap { arrival in
                transaction.toMinor.map { Money(minor: $0, currency: arrival.currency) }
            }
        case .expense, .income:
            let name = catalog.categoryName(transaction.category)
            title = transaction.payee.isEmpty ? name : transaction.payee
            parts = transaction.payee.isEmpty ? [account] : [name, account]
            minor = transaction.kind == .expense ? -amountMinor : amountMinor
            amount = formats.signed(minor, amountCurrency)
            other = catalog.account(transaction.account).map {
                Money(minor: transaction.accountMinor, currency: $0.currency)
            }
        }
        parts += transaction.tags.map { "#\($0)" }
        if !transaction.note.isEmpty { parts.append(transaction.note) }
        subtitle = parts.joined(separator: " · ")
        icon = transaction.kind == .transfer ? "swap" : category?.icon ?? "dots"
        color = category?.color ?? "slate"
        otherText = other.flatMap { $0.currency == amountCurrency ? nil : formats.money($0) }
    }

    /// What the template reads.
    public static let keys = Keys<TransactionRow>()
        .text("id") { $0.id }
        .text("href") { "/transactions/\($0.id)" }
        .text("title") { $0.title }
        .text("subtitle") { $0.subtitle }
        .text("icon") { $0.icon }
        .text("color") { $0.color }
        .text("amount") { $0.amount }
        .integer("minor") { $0.minor }
        .text("currency") { $0.currency }
        .flag("is_income") { $0.kind == .income }
        .flag("is_transfer") { $0.kind == .transfer }
        .optional("other") { $0.otherText }
        .integer("other_minor") { $0.other?.minor ?? 0 }
        .text("other_currency") { $0.other?.currency.rawValue ?? "" }
}

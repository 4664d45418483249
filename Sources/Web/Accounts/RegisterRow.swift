// A transaction as a row of the register of one of its accounts.

import Ledger
import Links
import Templates
import Texts

/// One row, as the account sees it: the amount that it lost or gained, in its own currency, and the balance after it.
struct RegisterRow: TemplateModel {
    private let transaction: Transaction
    private let account: Account
    private let category: Ledger.Category?
    /// The account at the other end of a transfer; nil also if it was deleted.
    private let other: Account?
    private let isRefund: Bool
    private let balanceMinor: Int128?
    private let mark: BankMark?
    private let parts: [PartLine]
    private let partMinor: Int64?
    private let hasReceipts: Bool
    private let isSelectable: Bool
    private let editor: TransactionForm?
    private let style: any WritingStyle

    /// - Parameters:
    ///   - balanceMinor: nil for a row that is pending at a bank, and if the balance of the account is unknown.
    ///   - mark: the mark of a row of a bank; nil for others.
    ///   - partMinor: the amount of the parts that pass the filter of the list; nil if the whole does.
    ///   - hasReceipts: whether files are beside the transaction.
    ///   - isSelectable: whether the row is a checkbox instead of a link.
    ///   - editor: the form in the place of the row; nil for the row.
    init(
        _ transaction: Transaction,
        of account: Account,
        balanceMinor: Int128?,
        mark: BankMark? = nil,
        partMinor: Int64? = nil,
        hasReceipts: Bool = false,
        isSelectable: Bool = false,
        editor: TransactionForm? = nil,
        catalog: Catalog,
        formats: Formats
    ) {
        self.transaction = transaction
        self.account = account
        self.balanceMinor = balanceMinor
        self.mark = mark
        self.partMinor = partMinor
        self.hasReceipts = hasReceipts
        // The report of a bank is no transaction before it is recorded.
        self.isSelectable = isSelectable && mark == nil
        self.editor = editor
        parts = PartLine.lines(of: transaction, catalog: catalog, style: formats.style)
        category = catalog.category(transaction.category)
        isRefund = catalog.isRefund(transaction)
        other = catalog.account(
            transaction.account == account.id ? transaction.toAccount : transaction.account
        )
        style = formats.style
    }

    static let keys = Keys<RegisterRow>()
        .text("id") { "\($0.transaction.id)" }
        .link("href") {
            $0.mark == nil ? Link.transaction($0.transaction.id) : Link.bankRow($0.transaction.id)
        }
        .flag("has_receipts") { $0.hasReceipts }
        .list("editor", of: TransactionForm.self) { $0.editor.map { [$0] } ?? [] }
        .flag("is_selectable") { $0.isSelectable }
        .flag("is_bank") { $0.mark != nil }
        .flag("is_pending") { $0.mark == .pending }
        .text("bank_state") { $0.mark?.marker ?? "" }
        .message("title") { $0.title }
        .writtenMessage("subtitle") { $0.writeSubtitle($1, $2) }
        .text("icon") { $0.transaction.kind == .transfer ? "swap" : $0.category?.icon ?? "dots" }
        .text("color") { $0.category?.color ?? "slate" }
        .text("amount") { row in
            let amount = row.style.money(Money(minor: row.minor, currency: row.account.currency))
            return row.minor > 0 ? "+" + amount : amount
        }
        .integer("minor") { $0.minor }
        .text("currency") { $0.account.currency.rawValue }
        .flag("is_in") { $0.minor > 0 }
        .optional("original") { row in row.original.map { row.style.money($0) } }
        .integer("original_minor") { $0.original?.minor ?? 0 }
        .text("original_currency") { $0.original?.currency.rawValue ?? "" }
        .list("parts", of: PartLine.self) { $0.parts }
        .optionalMessage("caution") { PartLine.caution($0.transaction) }
        .optionalMessage("part_of_whole") { $0.partOfWhole }
        .optional("balance") { row in
            row.balanceMinor.map { row.style.money(MoneySum(minor: $0, currency: row.account.currency)) }
        }
        .sum("balance_minor") { $0.balanceMinor ?? 0 }

    /// Whether the money arrives on the account at the end of a transfer.
    private var isArrival: Bool { transaction.account != account.id }

    /// The change of the account, in minor units of its currency.
    private var minor: Int64 {
        if isArrival { return transaction.toMinor ?? 0 }
        return transaction.kind == .income ? transaction.accountMinor : -transaction.accountMinor
    }

    /// The amount in the other currency of the transaction, with the sign of the change; nil if it has only one.
    private var original: Money? {
        let amount =
            transaction.kind == .transfer && !isArrival
            ? other.map { Money(minor: transaction.toMinor ?? 0, currency: $0.currency) } : transaction.amount
        guard let amount, amount.currency != account.currency else { return nil }
        return Money(minor: minor < 0 ? -amount.minor : amount.minor, currency: amount.currency)
    }

    /// `€12.00 of €48.50`: the parts that pass the filter. The amount of the row is the whole, which the balance follows.
    private var partOfWhole: Text? {
        partMinor.map { minor in
            let part = Money(minor: minor, currency: transaction.amount.currency)
            return Text(
                "splits.part-of-the-whole",
                ["part": .string(style.money(part)), "whole": .string(style.money(transaction.amount))]
            )
        }
    }

    /// The name of the category; for a split its number of parts.
    private var categoryName: Text {
        transaction.split.map(PartLine.summary) ?? category.map { .verbatim($0.name) } ?? Catalog.noCategory
    }

    private var title: Text {
        if !transaction.payee.isEmpty { return .verbatim(transaction.payee) }
        if transaction.kind == .transfer { return route }
        return categoryName
    }

    /// The direction of a transfer: `To Savings`, `From Cash`.
    private var route: Text {
        let name: Text.Argument = .text(
            other.map { Text.verbatim($0.name.isolated) } ?? Catalog.noAccount
        )
        return isArrival
            ? Text("accounts.transfer-from", ["account": name])
            : Text("accounts.transfer-to", ["account": name])
    }

    private func writeSubtitle(_ texts: TextCatalogue, _ page: ByteBuffer) {
        var parts: [String] = []
        switch (transaction.kind, transaction.payee.isEmpty) {
        case (.transfer, true): parts.append(texts.string(Text("transactions.transfer")))
        case (.transfer, false): parts.append(texts.string(route))
        case (_, true): break
        case (_, false): parts.append(texts.string(categoryName.isolated))
        }
        if isRefund {
            parts.append(texts.string(Text("transactions.refund")))
        }
        parts += transaction.tags.map { "#" + $0.isolated }
        if !transaction.note.isEmpty { parts.append(transaction.note.isolated) }
        page.appendEscaped(parts.joined(separator: " · "))
    }
}

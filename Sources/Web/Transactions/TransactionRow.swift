// A transaction as a row of a list.

import Ledger
import Links
import Templates
import Texts

/// One row: payee first, category and account beneath, the amount at the right.
///
/// The row keeps the transaction and writes its texts directly into the page: a list has fifty rows, and
/// texts made in advance would cost more than the rest of the page. It is an object, so that writing a part
/// of it copies nothing.
final class TransactionRow: TemplateModel {
    private let id: String
    private let transaction: Transaction
    private let category: Ledger.Category?
    private let account: Account?
    /// The account that receives a transfer.
    private let arrival: Account?
    /// Whether the row is income that reduces the spending of its category.
    private let isRefund: Bool
    private let parts: [PartLine]
    /// The amount of the parts that pass the filter of the list; nil if the whole does.
    private let partMinor: Int64?
    /// The mark of a row of a bank; nil for others.
    private let mark: BankMark?
    private let hasReceipts: Bool
    private let isSelectable: Bool
    private let isSelected: Bool
    /// The form in the place of the row; nil for the row.
    private let editor: TransactionForm?
    private let showsDay: Bool
    private let style: any WritingStyle

    /// Looks the names of category and accounts up in the catalog.
    /// - Parameters:
    ///   - partMinor: the amount of the parts that pass the filter of the list; nil if the whole does.
    ///   - mark: the mark of a row of a bank; nil for others.
    ///   - hasReceipts: whether files are beside the transaction.
    ///   - isSelectable: whether the row is a checkbox instead of a link.
    ///   - isSelected: whether the row is one of those that are to be changed.
    ///   - editor: the form in the place of the row; nil for the row.
    ///   - showsDay: whether the row has its day, because it stands below no heading of a day.
    init(
        _ transaction: Transaction,
        catalog: Catalog,
        formats: Formats,
        partMinor: Int64? = nil,
        mark: BankMark? = nil,
        hasReceipts: Bool = false,
        isSelectable: Bool = false,
        isSelected: Bool = false,
        editor: TransactionForm? = nil,
        showsDay: Bool = false
    ) {
        id = "\(transaction.id)"
        self.transaction = transaction
        self.partMinor = partMinor
        self.mark = mark
        self.hasReceipts = hasReceipts
        // The report of a bank is no transaction before it is recorded.
        self.isSelectable = isSelectable && mark == nil
        self.isSelected = isSelected
        self.editor = editor
        self.showsDay = showsDay
        category = catalog.category(transaction.category)
        isRefund = catalog.isRefund(transaction)
        parts = PartLine.lines(of: transaction, catalog: catalog, style: formats.style)
        account = catalog.account(transaction.account)
        arrival = catalog.account(transaction.toAccount)
        style = formats.style
    }

    static let keys = Keys<TransactionRow>()
        .text("id") { $0.id }
        .link("href", to: Link.transaction, printed: { $0.id })
        .link("bank_href", to: Link.bankRow, printed: { $0.id })
        .flag("has_receipts") { $0.hasReceipts }
        .list("editor", of: TransactionForm.self) { $0.editor.map { [$0] } ?? [] }
        .flag("is_selectable") { $0.isSelectable }
        .flag("is_selected") { $0.isSelected }
        .optional("rule") { $0.transaction.rule.map { "\($0)" } }
        .flag("is_bank") { $0.mark != nil }
        .flag("is_pending") { $0.mark == .pending }
        .text("bank_state") { $0.mark?.marker ?? "" }
        .writtenMessage("title") { $0.writeTitle($1, $2) }
        .writtenMessage("subtitle") { $0.writeSubtitle($1, $2) }
        .text("icon") { $0.transaction.kind == .transfer ? "swap" : $0.category?.icon ?? "dots" }
        .text("color") { $0.category?.color ?? "slate" }
        .written("amount") { row, page in
            if row.isIn { page.append(UInt8(ascii: "+")) }
            row.style.write(Money(minor: row.minor, currency: row.transaction.amount.currency), into: page)
        }
        .integer("minor") { $0.minor }
        .text("currency") { $0.transaction.amount.currency.rawValue }
        .flag("is_in") { $0.isIn }
        .flag("is_transfer") { $0.transaction.kind == .transfer }
        .optionalMessage("whole") { $0.whole }
        .list("parts", of: PartLine.self) { $0.parts }
        .optionalMessage("caution") { PartLine.caution($0.transaction) }
        .optional("other") { row in row.other.map { row.style.money($0) } }
        .integer("other_minor") { $0.other?.minor ?? 0 }
        .text("other_currency") { $0.other?.currency.rawValue ?? "" }

    /// Minor units: below zero for an expense, above for an income and a transfer.
    private var minor: Int64 {
        let minor = partMinor ?? transaction.amount.minor
        return transaction.kind == .expense ? -minor : minor
    }

    /// Whether money came in, which has a plus and a colour: income, and a part of an expense that came back.
    private var isIn: Bool {
        minor > 0 && (transaction.kind == .income || transaction.kind == .expense)
    }

    /// `of €48.50`, after the amount of some parts.
    private var whole: Text? {
        partMinor.map { _ in Text("splits.of-the-whole", ["whole": .string(style.money(transaction.amount))])
        }
    }

    /// The name of the category; for a split its number of parts.
    private func categoryName(_ texts: TextCatalogue) -> String {
        if let split = transaction.split { return texts.string(PartLine.summary(split)) }
        return category?.name ?? texts.string(Catalog.noCategory)
    }

    /// The amount at the other end, if it is in another currency.
    private var other: Money? {
        let isTransfer = transaction.kind == .transfer
        guard let end = isTransfer ? arrival : account, end.currency != transaction.amount.currency,
            let minor = isTransfer ? transaction.toMinor : transaction.accountMinor
        else { return nil }
        return Money(minor: minor, currency: end.currency)
    }

    private func writeTitle(_ texts: TextCatalogue, _ page: ByteBuffer) {
        if !transaction.payee.isEmpty {
            page.appendEscaped(transaction.payee)
        } else if transaction.kind == .transfer {
            writeRoute(texts, page)
        } else {
            page.appendEscaped(categoryName(texts))
        }
    }

    private func writeSubtitle(_ texts: TextCatalogue, _ page: ByteBuffer) {
        if showsDay {
            page.appendEscaped(style.shortDay(transaction.date))
            page.append(Self.dot)
        }
        switch (transaction.kind, transaction.payee.isEmpty) {
        case (.transfer, true): page.appendEscaped(texts.string(Text("transactions.transfer")))
        case (.transfer, false): writeRoute(texts, page)
        case (_, true): writeAccount(account, texts, page)
        case (_, false):
            writeName(categoryName(texts), page)
            page.append(Self.dot)
            writeAccount(account, texts, page)
        }
        if isRefund {
            page.append(Self.dot)
            page.appendEscaped(texts.string(Text("transactions.refund")))
        }
        for tag in transaction.tags {
            page.append(Self.dot)
            page.append(UInt8(ascii: "#"))
            writeName(tag, page)
        }
        guard !transaction.note.isEmpty else { return }
        page.append(Self.dot)
        writeName(transaction.note, page)
    }

    private func writeRoute(_ texts: TextCatalogue, _ page: ByteBuffer) {
        writeAccount(account, texts, page)
        page.append(" → ")
        writeAccount(arrival, texts, page)
    }

    private func writeAccount(_ account: Account?, _ texts: TextCatalogue, _ page: ByteBuffer) {
        writeName(account?.name ?? texts.string(Catalog.noAccount), page)
    }

    private func writeName(_ name: String, _ page: ByteBuffer) { page.appendEscaped(name.isolated) }

    private static let dot = " · "
}

extension BankMark {
    /// The value of the attribute that scripts and tests read.
    var marker: String { self == .pending ? "pending" : "booked" }
}

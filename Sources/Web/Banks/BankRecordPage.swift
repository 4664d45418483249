// The page that records the transactions of a bank: the days, the preview, and the recording without a question.

import Ledger
import Links
import Templates
import Texts

/// The transactions of a bank account that can be recorded. The forms post `csrf`, `from` and `to`, and `same`, or `automatic`.
struct BankRecordPage: Page {
    static let template = "banks/record"
    let chrome: Chrome
    let account: Account
    let days: ClosedRange<CivilDate>
    let rows: [TransactionRow]
    let entered: [TransactionRow]
    let sides: [TransactionRow]
    let since: Text?

    /// - Parameters:
    ///   - days: the chosen days.
    ///   - rows: the rows that would be recorded, the newest first.
    ///   - entered: the rows that were perhaps entered already, each with the transaction that it perhaps is.
    ///   - sides: the rows that are perhaps one side of a transfer.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        account: Account,
        days: ClosedRange<CivilDate>,
        rows: [Transaction],
        entered: [(row: Transaction, transaction: Transaction, mark: BankMark)],
        sides: [Transaction]
    ) {
        self.chrome = chrome.on(.accounts)
        self.account = account
        self.days = days
        func lines(_ rows: [Transaction]) -> [TransactionRow] {
            rows.map { TransactionRow($0, catalog: catalog, formats: formats, mark: .booked) }
        }
        self.rows = lines(rows)
        self.entered = entered.flatMap { row, transaction, mark in
            [
                TransactionRow(row, catalog: catalog, formats: formats, mark: mark),
                TransactionRow(transaction, catalog: catalog, formats: formats),
            ]
        }
        self.sides = lines(sides)
        since = account.bank.recordsFrom.map { day in
            Text("bankrows.recorded-since", ["day": .string(formats.longDay(day))])
        }
    }

    static let keys = Keys<BankRecordPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("name") { $0.account.name }
        .text("from") { "\($0.days.lowerBound)" }
        .text("to") { "\($0.days.upperBound)" }
        .link("action", to: Link.accountRecordBank) { $0.account.id }
        .link("list_href", to: Link.accountTransactions) { $0.account.id }
        .flag("has_rows") { !$0.rows.isEmpty }
        .message("submit") { Text("bankrows.record-count", ["count": .count($0.rows.count)]) }
        .list("rows", of: TransactionRow.self) { $0.rows }
        .flag("has_entered") { !$0.entered.isEmpty }
        .list("entered", of: TransactionRow.self) { $0.entered }
        .flag("has_sides") { !$0.sides.isEmpty }
        .list("sides", of: TransactionRow.self) { $0.sides }
        .optionalMessage("since") { $0.since }
}

// The opening balance as a row of the register of its account.

import Ledger
import Templates

/// The row: the opening balance, and the balance of the account with it.
struct OpeningLine: TemplateModel {
    private let amount: MoneySum
    private let balance: MoneySum
    private let style: any WritingStyle

    /// - Parameter currency: that of the account.
    init(_ row: OpeningRow, _ currency: CurrencyCode, style: any WritingStyle) {
        amount = MoneySum(minor: row.minor, currency: currency)
        balance = MoneySum(minor: row.balanceMinor, currency: currency)
        self.style = style
    }

    static let keys = Keys<OpeningLine>()
        .text("amount") { $0.style.money($0.amount) }
        .sum("minor") { $0.amount.minor }
        .text("currency") { $0.amount.currency.rawValue }
        .text("balance") { $0.style.money($0.balance) }
        .sum("balance_minor") { $0.balance.minor }
}

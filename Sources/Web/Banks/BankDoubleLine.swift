// The question whether a transaction was recorded from a bank as well, on the register of its account.

import Ledger
import Links
import Templates
import Texts

/// A question that stays until it is answered.
struct BankDoubleLine: TemplateModel {
    let text: Text
    let answer: Link

    /// - Parameters:
    ///   - entered: the transaction that stays if they are the same.
    ///   - record: the record of the bank.
    init(entered: Transaction, record: Transaction, formats: Formats) {
        text = Text(
            "bankrows.perhaps-twice",
            [
                "payee": .text(Self.name(of: entered)), "day": .string(formats.longDay(entered.date)),
                "amount": .string(formats.money(entered.amount)), "record": .text(Self.name(of: record)),
                "record_day": .string(formats.longDay(record.date)),
            ]
        )
        answer = Link.transactionBankRecord(entered.id).adding(query: [("record", "\(record.id)")])
    }

    private static func name(of transaction: Transaction) -> Text {
        transaction.payee.isEmpty
            ? TransactionForm.label(of: transaction.kind) : .verbatim(transaction.payee.isolated)
    }

    static let keys = Keys<BankDoubleLine>()
        .message("text") { $0.text }
        .link("answer") { $0.answer }
}

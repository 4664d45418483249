// An account as a row of a list.

import Ledger
import Links
import Templates
import Texts

/// An account with its balance.
struct AccountLine: TemplateModel {
    let id: EntityID
    let name: String
    let type: AccountType
    let count: Int
    let isClosed: Bool
    let isBank: Bool
    let bank: BankBadge?
    let balance: MoneySum
    let amount: String
    let toCome: ToComeLine?
    /// The words in the place of a balance that is unknown.
    let unknown: Text?
    /// Whether transactions of the account may still be on their way.
    let isPart: Bool

    /// - Parameters:
    ///   - bank: the lines about its bank; nil for an account without one.
    ///   - day: the day of the balance; nil for today.
    init(
        _ balance: AccountBalance,
        bank: BankBadge? = nil,
        on day: CivilDate? = nil,
        formats: Formats,
        isPart: Bool = false
    ) {
        id = balance.account.id
        name = balance.account.name
        type = balance.account.type
        count = balance.transactionCount
        isClosed = balance.account.isClosed
        isBank = balance.account.bank.isUsed
        self.bank = bank
        self.balance = MoneySum(minor: balance.balanceMinor, currency: balance.account.currency)
        amount = formats.money(self.balance)
        var query = TransactionQuery()
        query.account = balance.account.id
        query.isAsCharged = balance.account.currency != formats.base
        toCome = ToComeLine(
            MoneySum(minor: balance.toComeMinor, currency: balance.account.currency),
            of: query,
            formats
        )
        unknown = formats.words(for: balance.unknown, on: day)
        self.isPart = isPart
    }

    static let keys = Keys<AccountLine>()
        .text("id") { "\($0.id)" }
        .link("href", to: Link.accountTransactions) { $0.id }
        .text("name") { $0.name }
        .message("type") { $0.type.label }
        .text("icon") { $0.type.icon }
        .flag("is_closed") { $0.isClosed }
        .list("bank", of: BankBadge.self) { $0.bank.map { [$0] } ?? [] }
        .optionalMessage("count_text") { $0.count == 0 && $0.isPart ? nil : .transactions($0.count) }
        .optionalMessage("unknown") { $0.unknown }
        .text("amount") { $0.amount }
        .sum("minor") { $0.balance.minor }
        .list("to_come", of: ToComeLine.self) { $0.toCome.map { [$0] } ?? [] }
        .text("currency") { $0.balance.currency.rawValue }
        .flag("is_negative") { $0.balance.minor < 0 }
        // A balance is never converted, also on a page with converted totals.
        .optional("rate_date") { _ in nil }
}

/// A sum in one currency.
struct SumLine: TemplateModel {
    let sum: MoneySum
    let amount: String
    let rateDate: String?
    let toCome: ToComeLine?

    /// - Parameter isConverted: whether amounts of other currencies are in the sum.
    init(_ sum: MoneySum, formats: Formats, isConverted: Bool = false, toCome: ToComeLine? = nil) {
        self.sum = sum
        self.toCome = toCome
        amount = formats.money(sum)
        rateDate = formats.rateDate(isConverted, of: sum.minor)
    }

    static let keys = Keys<SumLine>()
        // The report of the balances of which a sum of accounts is made.
        .link("worth_href") { _ in Link.reports.adding(query: [("group", ReportKind.worth.rawValue)]) }
        .text("currency") { $0.sum.currency.rawValue }
        .sum("minor") { $0.sum.minor }
        .list("to_come", of: ToComeLine.self) { $0.toCome.map { [$0] } ?? [] }
        .text("amount") { $0.amount }
        .flag("is_negative") { $0.sum.minor < 0 }
        .optional("rate_date") { $0.rateDate }
}

// The amounts to come beside figures that end today, with the transactions of which they are made.

import Ledger
import Links
import Templates
import Texts

/// An amount of later days beside a figure.
struct ToComeLine: TemplateModel {
    let text: Text
    let sum: MoneySum
    let href: Link
    let rateDate: String?

    /// Nil for an amount of zero.
    /// - Parameters:
    ///   - query: the transactions of the figure, of all its days.
    ///   - isSigned: whether income is written with a plus.
    init?(
        _ sum: MoneySum,
        isConverted: Bool = false,
        isSigned: Bool = true,
        of query: TransactionQuery,
        _ formats: Formats
    ) {
        guard sum.minor != 0 else { return nil }
        self.sum = sum
        href = TransactionsPage.href(query.toCome(after: formats.today))
        rateDate = formats.rateDate(isConverted, of: sum.minor)
        guard !sum.minor.isTooLarge else {
            text = Text("common.too-large-to-come")
            return
        }
        let amount = isSigned ? formats.signed(sum.minor, sum.currency) : formats.money(sum)
        text = Text(
            "common.and-to-come",
            ["amount": .string((isConverted ? "≈ " : "") + amount)]
        )
    }

    static let keys = Keys<ToComeLine>()
        .message("text") { $0.text }
        .link("href") { $0.href }
        .sum("minor") { $0.sum.minor }
        .text("currency") { $0.sum.currency.rawValue }
        .optional("rate_date") { $0.rateDate }
}

extension ToComeLine {
    /// The sum to come on all accounts with known balances, in the base currency; nil for a user without rates.
    init?(ofAccounts accounts: [AccountBalance], _ formats: Formats) {
        guard let sum = formats.together(accounts.amountsToCome) else { return nil }
        self.init(sum.sum, isConverted: sum.isConverted, of: .asCharged, formats)
    }
}

/// The income and spending of later days, beside the sums up to today.
struct ToComePair: Sendable {
    let income: ToComeLine?
    let expense: ToComeLine?

    /// - Parameters:
    ///   - total: the income and spending of the later days.
    ///   - query: the transactions of all days.
    init(_ total: CurrencyTotal, isConverted: Bool = false, of query: TransactionQuery, _ formats: Formats) {
        let isOfAll = query.kind == nil && !query.isSpending
        var (received, spent) = (query, query)
        if isOfAll { (received.kind, spent.isSpending) = (.income, true) }
        income = ToComeLine(
            MoneySum(minor: total.incomeMinor, currency: total.currency),
            isConverted: isConverted,
            of: received,
            formats
        )
        expense = ToComeLine(
            MoneySum(minor: -total.expenseMinor, currency: total.currency),
            isConverted: isConverted,
            of: spent,
            formats
        )
    }
}

extension TransactionQuery {
    /// All transactions, as the accounts were charged.
    static var asCharged: TransactionQuery {
        var query = TransactionQuery()
        query.isAsCharged = true
        return query
    }

    /// The days of the query after a day; the same days if it does not begin by then.
    func toCome(after today: CivilDate) -> TransactionQuery {
        var query = self
        let days = days ?? CivilDate(dayNumber: .min)...CivilDate.distantFuture
        query.days = days.daysToCome(after: today) ?? days
        query.after = nil
        return query
    }
}

extension Formats {
    /// The words about days that all are to come, whose figures are of what was entered for them; nil for other days.
    func wordsToCome(_ days: ClosedRange<CivilDate>?) -> Text? {
        guard let days, days.lowerBound > today else { return nil }
        return Text("common.all-is-to-come")
    }

    /// The same for a month.
    func wordsToCome(_ month: YearMonth?) -> Text? {
        wordsToCome(month.map { $0.firstDay...$0.lastDay })
    }
}

extension [CurrencyTotal] {
    /// The totals that have transactions, and zero for each currency that only others have, alphabetically.
    func including(_ others: [CurrencyTotal]) -> [CurrencyTotal] {
        let own = filter { $0.count > 0 }
        let further = others.filter { other in
            other.count > 0 && !own.contains { $0.currency == other.currency }
        }
        .map { CurrencyTotal(currency: $0.currency, incomeMinor: 0, expenseMinor: 0, count: 0) }
        return further.isEmpty ? own : (own + further).sorted { $0.currency < $1.currency }
    }
}

extension SumLine {
    /// The transfers to the accounts of a list, with the transfers of later days.
    static func moved(_ page: TransactionPage, of query: TransactionQuery, _ formats: Formats) -> [SumLine] {
        var transfers = query
        transfers.kind = .transfer
        func line(
            _ sum: MoneySum,
            isConverted: Bool = false,
            _ later: MoneySum?,
            isLaterConverted: Bool = false
        )
            -> SumLine
        {
            let toCome = later.flatMap {
                ToComeLine($0, isConverted: isLaterConverted, of: transfers, formats)
            }
            return SumLine(sum, formats: formats, isConverted: isConverted, toCome: toCome)
        }
        guard !page.moved.isEmpty || !page.movedToCome.isEmpty else { return [] }
        if let sum = formats.together(page.moved), let later = formats.together(page.movedToCome) {
            return [
                line(
                    sum.sum,
                    isConverted: sum.isConverted,
                    later.sum,
                    isLaterConverted: later.isConverted
                )
            ]
        }
        let currencies = Set((page.moved + page.movedToCome).map(\.currency)).sorted()
        return currencies.map { currency in
            line(
                page.moved.first { $0.currency == currency } ?? MoneySum(minor: 0, currency: currency),
                page.movedToCome.first { $0.currency == currency }
            )
        }
    }
}

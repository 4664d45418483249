// The days of a list of transactions, and the totals of days and of the whole list.

import Ledger
import Templates
import Texts

/// The rows of a day under its heading; all rows of the page without one if they are not sorted by day.
struct DaySection: TemplateModel {
    let date: CivilDate
    let isToCome: Bool
    /// Nil for no heading.
    let title: Text?
    let totals: [DayLine]
    var rows: [TransactionRow]

    static let keys = Keys<DaySection>()
        .optionalMessage("title") { $0.title }
        .flag("is_to_come") { $0.isToCome }
        .list("totals", of: DayLine.self) { $0.totals }
        .list("rows", of: TransactionRow.self) { $0.rows }
}

/// The totals of a day in one currency: income less spending.
struct DayLine: TemplateModel {
    let minor: Int128
    let currency: CurrencyCode
    let amount: String
    let rateDate: String?

    init(_ total: CurrencyTotal, formats: Formats, isConverted: Bool = false) {
        minor = total.incomeMinor - total.expenseMinor
        currency = total.currency
        amount = formats.money(minor, total.currency)
        rateDate = formats.rateDate(isConverted, of: minor)
    }

    /// A line for each currency; for a user with rates, one line and another for each currency without a rate.
    static func lines(_ totals: [CurrencyTotal], formats: Formats) -> [DayLine] {
        guard formats.conversion != nil, totals.contains(where: { $0.currency != formats.base }) else {
            return totals.map { DayLine($0, formats: formats) }
        }
        let together = formats.together(totals)
        let isAlone = !together.isConverted && !totals.contains { $0.currency == formats.base }
        return (isAlone ? [] : [DayLine(together.total, formats: formats, isConverted: together.isConverted)])
            + together.leftOut.map { DayLine($0, formats: formats) }
    }

    static let keys = Keys<DayLine>()
        .optional("rate_date") { $0.rateDate }
        .sum("minor") { $0.minor }
        .text("currency") { $0.currency.rawValue }
        .text("amount") { $0.amount }
}

/// Income and spending in one currency.
struct TotalLine: TemplateModel {
    let currency: CurrencyCode
    let income: String
    let expense: String
    let incomeSum: SumLine
    let expenseSum: SumLine
    /// The totals that are not zero.
    let text: String
    /// The totals of other currencies that were converted.
    private(set) var originals: [OriginalLine] = []
    /// The same of later days.
    var toCome: ToComePair?

    init(_ together: ConvertedTotal, formats: Formats) {
        self.init(together.total, formats: formats, isConverted: together.isConverted)
        originals = together.originals.map { OriginalLine(TotalLine($0, formats: formats)) }
    }

    init(_ total: CurrencyTotal, formats: Formats, isConverted: Bool = false) {
        func sum(_ minor: Int128) -> SumLine {
            let sum = MoneySum(minor: minor, currency: total.currency)
            return SumLine(sum, formats: formats, isConverted: isConverted)
        }
        incomeSum = sum(total.incomeMinor)
        expenseSum = sum(-total.expenseMinor)
        currency = total.currency
        income = formats.signed(total.incomeMinor, total.currency)
        expense = formats.signed(-total.expenseMinor, total.currency)
        text = [(incomeSum.sum, income), (expenseSum.sum, expense)].filter { $0.0.minor != 0 }
            .map { $0.minor.isTooLarge ? formats.listed($0) : $1 }.joined(separator: ", ")
    }

    static let keys = Keys<TotalLine>()
        .model("income_sum", of: SumLine.self) { $0.incomeSum }
        .model("expense_sum", of: SumLine.self) { $0.expenseSum }
        .list("originals", of: OriginalLine.self) { $0.originals }
        .list("income_to_come", of: ToComeLine.self) { ($0.toCome?.income).map { [$0] } ?? [] }
        .list("expense_to_come", of: ToComeLine.self) { ($0.toCome?.expense).map { [$0] } ?? [] }
        .text("currency") { $0.currency.rawValue }
        .text("income") { $0.income }
        .text("expense") { $0.expense }
        .text("text") { $0.text }
}

/// The totals of a currency that were converted, as they are.
struct OriginalLine: TemplateModel {
    let currency: CurrencyCode
    let text: String

    init(_ line: TotalLine) { (currency, text) = (line.currency, line.text) }

    static let keys = Keys<OriginalLine>()
        .text("currency") { $0.currency.rawValue }
        .text("text") { $0.text }
}

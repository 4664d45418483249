// The large number at the top of the overview.

import Ledger
import Links
import Templates
import Texts

/// The one large number of the overview.
struct Hero: Sendable {
    let label: Text
    let minor: Int128
    let pace: Pace?
    let words: Text
    /// The transactions of which the number is made.
    let href: Link
    /// Whether converted amounts are in the number.
    let isConverted: Bool
    /// The part of the month that is to come.
    let toCome: ToComeLine?

    /// The rest of the budget for all spending; without one, the rest of the month's income; without income,
    /// the spending.
    /// - Parameters:
    ///   - besides: the totals of other currencies, which are not in the total.
    ///   - later: income and spending of the month after today.
    init(
        together: ConvertedTotal,
        besides: [CurrencyTotal],
        later: ConvertedTotal,
        overall: BudgetStatus?,
        month: YearMonth,
        formats: Formats
    ) {
        let total = together.total
        let name: [String: Text.Argument] = ["month": .string(formats.monthTitle(month))]
        // Of another month, nothing is said about its days.
        let gone =
            formats.today.yearMonth == month ? formats.today.components.day * 100 / month.dayCount : nil
        if let overall {
            let pace = Pace(
                spent: overall.spentMinor,
                available: overall.availableMinor,
                currency: overall.budget.limit.currency,
                month: month,
                formats: formats,
                isPaidAtOnce: overall.pace == .once,
                owed: -overall.carriedMinor
            )
            self.pace = pace
            isConverted = overall.convertedCount > 0
            href = overall.spending(in: month)
            toCome = overall.toCome(in: month, isSigned: true, formats)
            // Nothing of this month is over its budget if the overspending is from earlier months.
            let isOwedOnly = pace.left < 0 && pace.left + pace.owed >= 0
            label =
                switch (pace.left < 0, gone == nil) {
                case _ where isOwedOnly: Text("overview.over-from-earlier-months")
                case (true, true): Text("overview.over-the-budget-of", name)
                case (true, false): Text("overview.over-this-months-budget")
                case (false, true): Text("overview.left-in", name)
                case (false, false): Text("overview.left-this-month")
                }
            minor = pace.left
            words = Self.words(overall, pace, gone: gone, formats)
            return
        }
        isConverted = together.isConverted
        let isOfIncome = total.incomeMinor > 0
        let rest = later.total.incomeMinor - later.total.expenseMinor
        toCome = ToComeLine(
            MoneySum(minor: isOfIncome ? rest : later.total.expenseMinor, currency: total.currency),
            isConverted: later.isConverted,
            isSigned: isOfIncome,
            of: isOfIncome ? .ofMonth(month) : .spending(in: month),
            formats
        )
        href = isOfIncome ? Link.ofMonth(month) : Link.spending(in: month, counts: nil)
        if isOfIncome {
            let pace = Pace(
                spent: total.expenseMinor,
                available: total.incomeMinor,
                currency: total.currency,
                month: month,
                formats: formats
            )
            self.pace = pace
            if pace.left < 0 {
                label = Text("overview.more-went-out")
            } else {
                label =
                    gone == nil
                    ? Text("overview.left-of-the-income", name)
                    : Text("overview.left-of-this-months-income")
            }
            minor = pace.left
            let share: Text.Argument = .string(Web.share(total.expenseMinor, of: total.incomeMinor))
            words =
                gone.map {
                    Text(
                        "overview.share-of-the-income-spent",
                        ["share": share, "gone": .count($0)]
                    )
                } ?? Text("overview.share-spent", ["share": share])
        } else {
            pace = nil
            label = gone == nil ? Text("overview.spent-in", name) : Text("overview.spent-this-month")
            minor = total.expenseMinor
            words = Self.words(total, besides, gone: gone)
        }
    }

    /// The words about a month without income in the base currency.
    private static func words(_ total: CurrencyTotal, _ besides: [CurrencyTotal], gone: Int?) -> Text {
        let currency: Text.Argument = .string(total.currency.rawValue)
        let isNothing = total.expenseMinor == 0
        // Spending or income in other currencies exists, so that "nothing" would be untrue.
        let isElsewhere = besides.contains { isNothing ? $0.expenseMinor > 0 : $0.incomeMinor > 0 }
        guard let gone else {
            return switch (isNothing, isElsewhere) {
            case (true, true): Text("overview.nothing-spent-in-currency", ["currency": currency])
            case (true, false): Text("overview.nothing-spent")
            case (false, true): Text("overview.no-income-in-currency", ["currency": currency])
            case (false, false): Text("overview.no-income")
            }
        }
        let share: Text.Argument = .count(gone)
        return switch (isNothing, isElsewhere) {
        case (true, true):
            Text("overview.nothing-spent-in-currency-so-far", ["currency": currency, "gone": share])
        case (true, false): Text("overview.nothing-spent-so-far", ["gone": share])
        case (false, true):
            Text("overview.no-income-in-currency-yet", ["currency": currency, "gone": share])
        case (false, false): Text("overview.no-income-yet", ["gone": share])
        }
    }

    private static func words(_ overall: BudgetStatus, _ pace: Pace, gone: Int?, _ formats: Formats) -> Text {
        let said = use(overall, pace, gone: gone, formats)
        guard pace.owed > 0 else { return .saying(overall.shownLimitMinor, overall.spentMinor, in: said) }
        let owed = Text("overview.owed", ["amount": .string(formats.money(pace.owed, pace.currency))])
        return .saying(overall.shownLimitMinor, overall.spentMinor, pace.owed, in: .sentences([said, owed]))
    }

    /// The use of the budget, without what is owed from earlier months.
    private static func use(_ overall: BudgetStatus, _ pace: Pace, gone: Int?, _ formats: Formats) -> Text {
        let limit = formats.money(overall.shownLimitMinor, pace.currency)
        if pace.left < 0 {
            let spent = formats.money(overall.spentMinor, pace.currency)
            guard let gone else {
                return Text(
                    "overview.spent-of-limit-in-all",
                    ["spent": .string(spent), "limit": .string(limit)]
                )
            }
            return Text(
                "overview.spent-of-limit",
                ["spent": .string(spent), "limit": .string(limit), "gone": .count(gone)]
            )
        }
        if let day = pace.perDay, let comparison = pace.words {
            return Text(
                "overview.of-limit-a-day",
                ["limit": .string(limit), "day": .text(day), "pace": .text(comparison)]
            )
        }
        return Text("overview.of-limit", ["limit": .string(limit)])
    }
}

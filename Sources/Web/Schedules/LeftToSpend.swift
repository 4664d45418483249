// The money that is left in a month after everything that is still to come.

import Ledger
import Links
import Templates
import Texts

/// The rest of the month's budget, or of its income without one, less the payments of schedules that are still to come.
struct LeftToSpend: TemplateModel {
    let month: String
    let left: ConvertedSum
    let parts: [LeftPart]
    /// The transactions of the month that it counts.
    let href: Link
    let formats: Formats

    /// - Parameters:
    ///   - soFar: the income, spending and repayments of the month, also what was entered for its later days: it is not left
    ///     to spend.
    ///   - overall: the budget for all spending; nil if there is none.
    ///   - schedules: all schedules.
    ///   - answered: the occurrences that have payments already.
    init(
        _ soFar: MonthSoFar,
        overall: BudgetStatus?,
        _ schedules: [Schedule],
        but answered: Set<OccurrenceKey> = [],
        catalog: Catalog,
        formats: Formats
    ) {
        let current = formats.today.yearMonth
        let ahead = MonthAhead(
            schedules,
            but: answered,
            in: current,
            base: formats.base,
            accounts: catalog.accounts
        )
        func sum(_ amounts: [MoneySum]) -> ConvertedSum { formats.knownSum(amounts) }
        func negative(_ amounts: [MoneySum]) -> [MoneySum] {
            amounts.map { MoneySum(minor: -$0.minor, currency: $0.currency) }
        }
        func part(_ label: Text, _ amounts: [MoneySum], _ href: Link) -> LeftPart {
            LeftPart(label, sum(amounts), href, formats)
        }
        /// A part of which nothing is said if there is none.
        func entered(_ label: Text, _ amounts: [MoneySum], _ query: TransactionQuery) -> [LeftPart] {
            guard amounts.contains(where: { $0.minor != 0 }) else { return [] }
            return [part(label, amounts, TransactionsPage.href(query.toCome(after: formats.today)))]
        }
        let coming = Link.schedules.adding(fragment: "coming")
        let due = negative(ahead.obligations)
        month = formats.monthTitle(current)
        self.formats = formats
        // A budget in another currency than the base has a number of its own.
        if let overall, overall.budget.limit.currency == formats.base {
            let rest = overall.availableMinor - overall.spentMinor
            let budget = [MoneySum(minor: rest, currency: formats.base)]
            let later = [MoneySum(minor: overall.toComeMinor, currency: formats.base)]
            left = sum(budget + negative(later) + due)
            href = overall.spending(in: current)
            parts =
                [part(Text("schedules.left-of-the-budget"), budget, href)]
                + entered(Text("schedules.entered-to-pay"), later, overall.query(in: current))
                + [part(Text("schedules.still-to-pay"), ahead.obligations, coming)]
            return
        }
        href = Link.ofMonth(current)
        var received = TransactionQuery.ofMonth(current)
        received.kind = .income
        func income(_ totals: [CurrencyTotal]) -> [MoneySum] {
            totals.map { MoneySum(minor: $0.incomeMinor, currency: $0.currency) }
        }
        func spent(_ totals: [CurrencyTotal], _ repaid: [Money]) -> [MoneySum] {
            totals.map { MoneySum(minor: $0.expenseMinor, currency: $0.currency) }
                + repaid.map(MoneySum.init(_:))
        }
        // No list is one of spending and repayments alone.
        func spending(_ repaid: [Money]) -> TransactionQuery {
            repaid.isEmpty ? .spending(in: current) : .ofMonth(current)
        }
        let (cameIn, comesIn) = (income(soFar.totals), income(soFar.toCome))
        let wentOut = spent(soFar.totals, soFar.repaid.soFar)
        let goesOut = spent(soFar.toCome, soFar.repaid.toCome)
        left = sum(cameIn + comesIn + ahead.income + negative(wentOut + goesOut) + due)
        parts =
            [
                part(Text("schedules.came-in"), cameIn, TransactionsPage.href(received)),
                part(
                    Text("schedules.went-out"),
                    wentOut,
                    TransactionsPage.href(spending(soFar.repaid.soFar))
                ),
            ]
            + entered(Text("schedules.entered-to-come"), comesIn, received)
            + [part(Text("schedules.still-to-come"), ahead.income, coming)]
            + entered(Text("schedules.entered-to-pay"), goesOut, spending(soFar.repaid.toCome))
            + [part(Text("schedules.still-to-pay"), ahead.obligations, coming)]
    }

    static let keys = Keys<LeftToSpend>()
        .message("label") { Text("schedules.left-to-spend-in", ["month": .string($0.month)]) }
        .text("amount") { $0.formats.money($0.left.sum) }
        .sum("minor") { $0.left.sum.minor }
        .text("currency") { $0.formats.base.rawValue }
        .link("href") { $0.href }
        .flag("is_over") { $0.left.sum.minor < 0 }
        .optional("rate_date") { $0.formats.rateDate($0.left.isConverted, of: $0.left.sum.minor) }
        .list("parts", of: LeftPart.self) { $0.parts }
        .optionalMessage("left_out") { left in
            left.left.leftOut.isEmpty
                ? nil
                : Text(
                    "schedules.not-in-it",
                    [
                        "amounts": .string(
                            left.left.leftOut.map(left.formats.listed(_:)).joined(separator: ", ")
                        )
                    ]
                )
        }
        .message("after_these") {
            .saying($0.left.sum.minor, in: Text("schedules.after-these", $0.amountAndMonth))
        }
        .message("is_left") { .saying($0.left.sum.minor, in: Text("schedules.is-left", $0.amountAndMonth)) }

    private var amountAndMonth: [String: Text.Argument] {
        [
            "amount": .string(
                formats.money(left.sum.minor, formats.base, isConverted: left.isConverted)
            ),
            "month": .string(month),
        ]
    }
}

/// A part of what is left.
struct LeftPart: TemplateModel {
    let label: Text
    let amount: ConvertedSum
    let href: Link
    let formats: Formats

    init(_ label: Text, _ amount: ConvertedSum, _ href: Link, _ formats: Formats) {
        self.label = label
        self.amount = amount
        self.href = href
        self.formats = formats
    }

    static let keys = Keys<LeftPart>()
        .message("label") { $0.label }
        .link("href") { $0.href }
        .text("amount") { $0.formats.money($0.amount.sum) }
        .sum("minor") { $0.amount.sum.minor }
        .text("currency") { $0.amount.sum.currency.rawValue }
        .optional("rate_date") { $0.formats.rateDate($0.amount.isConverted, of: $0.amount.sum.minor) }
}

extension Formats {
    /// Amounts in the base currency: converted where there are rates; otherwise other currencies are left out.
    fileprivate func knownSum(_ amounts: [MoneySum]) -> ConvertedSum {
        if let sum = together(amounts) { return sum }
        let sums = amounts.ofEachCurrency
        var sum = ConvertedSum(of: sums.first { $0.currency == base }, in: base)
        sum.leftOut = sums.filter { $0.currency != base && $0.minor != 0 }
        return sum
    }
}

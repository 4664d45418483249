// The money that is left in a month after everything that is still to come.

import Ledger
import Templates
import Texts

/// The income of a month less its spending, with the payments of schedules that are still to come.
struct LeftToSpend: TemplateModel {
    let month: String
    let left: ConvertedSum
    let received: ConvertedSum
    let spent: ConvertedSum
    let expected: ConvertedSum
    let due: ConvertedSum
    let formats: Formats

    /// - Parameters:
    ///   - soFar: what has come and gone.
    ///   - schedules: all schedules.
    init(_ soFar: MonthSoFar, _ schedules: [Schedule], catalog: Catalog, formats: Formats) {
        let current = formats.today.yearMonth
        let ahead = MonthAhead(schedules, in: current, base: formats.base, accounts: catalog.accounts)
        func sum(_ amounts: [Money]) -> ConvertedSum {
            if let sum = formats.together(amounts) { return sum }
            let own = amounts.filter { $0.currency == formats.base }
            let minor = own.reduce(Int64(0)) { $0.addingClamped($1.minor) }
            var sum = ConvertedSum(of: Money(minor: minor, currency: formats.base), in: formats.base)
            sum.leftOut = amounts.filter { $0.currency != formats.base && $0.minor != 0 }
            return sum
        }
        func negative(_ amounts: [Money]) -> [Money] {
            amounts.map { Money(minor: Int64(0).subtractingClamped($0.minor), currency: $0.currency) }
        }
        let income = soFar.totals.map { Money(minor: $0.incomeMinor, currency: $0.currency) }
        let expense = soFar.totals.map { Money(minor: $0.expenseMinor, currency: $0.currency) }
        month = formats.monthTitle(current)
        received = sum(income)
        spent = sum(expense + soFar.repaid)
        expected = sum(ahead.income)
        due = sum(ahead.obligations)
        left = sum(income + ahead.income + negative(expense + soFar.repaid + ahead.obligations))
        self.formats = formats
    }

    static let keys = Keys<LeftToSpend>()
        .message("label") { Text("schedules.left-to-spend-in", ["month": .string($0.month)]) }
        .text("amount") { $0.formats.money($0.left.sum) }
        .integer("minor") { $0.left.sum.minor }
        .text("currency") { $0.formats.base.rawValue }
        .flag("is_over") { $0.left.sum.minor < 0 }
        .optional("rate_date") { $0.formats.rateDate($0.left.isConverted) }
        .list("parts", of: LeftPart.self) { left in
            [
                LeftPart(Text("schedules.came-in"), left.received, left.formats),
                LeftPart(Text("schedules.went-out"), left.spent, left.formats),
                LeftPart(Text("schedules.still-to-come"), left.expected, left.formats),
                LeftPart(Text("schedules.still-to-pay"), left.due, left.formats),
            ]
        }
        .optionalMessage("left_out") { left in
            left.left.leftOut.isEmpty
                ? nil
                : Text(
                    "schedules.not-in-it",
                    [
                        "amounts": .string(
                            left.left.leftOut.map(left.formats.money(_:)).joined(separator: ", ")
                        )
                    ]
                )
        }
        .message("after_these") {
            Text(
                "schedules.after-these",
                [
                    "amount": .string(
                        $0.formats.money($0.left.sum.minor, $0.formats.base, isConverted: $0.left.isConverted)
                    ),
                    "month": .string($0.month),
                ]
            )
        }
}

/// A part of what is left.
struct LeftPart: TemplateModel {
    let label: Text
    let amount: ConvertedSum
    let formats: Formats

    init(_ label: Text, _ amount: ConvertedSum, _ formats: Formats) {
        self.label = label
        self.amount = amount
        self.formats = formats
    }

    static let keys = Keys<LeftPart>()
        .message("label") { $0.label }
        .text("amount") { $0.formats.money($0.amount.sum) }
        .integer("minor") { $0.amount.sum.minor }
        .text("currency") { $0.amount.sum.currency.rawValue }
        .optional("rate_date") { $0.formats.rateDate($0.amount.isConverted) }
}

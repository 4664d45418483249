// The use of a budget compared with the day of the month, in numbers and in words.

import Ledger
import Templates
import Texts

/// A bar of what was spent, with a notch at today.
struct PaceBar: TemplateModel {
    let level: Level
    let width: String
    let today: String?
    let label: Text

    /// The level of spending, which pages show by words and a sign as well as by colour.
    enum Level: String, Sendable {
        case ok, near, over
    }

    static let keys = Keys<PaceBar>()
        .text("level") { $0.level.rawValue }
        .text("width") { $0.width }
        .optional("today") { $0.today }
        .message("label") { $0.label }
}

/// The spending of a month, compared with its limit and the day of the month.
struct Pace {
    let spent: Int128
    let available: Int128
    let currency: CurrencyCode
    let month: YearMonth
    let formats: Formats
    /// Whether the money is spent in one payment, which is never too early.
    var isPaidAtOnce = false
    /// The amount that earlier months have overspent; below zero if they left some.
    var owed: Int128 = 0

    var left: Int128 { available - spent }

    /// The day of the month, where the month is the current one and its days are compared.
    var day: Int? {
        !isPaidAtOnce && formats.today.yearMonth == month ? formats.today.components.day : nil
    }

    /// The number of remaining days, including today.
    var daysLeft: Int { day.map { month.dayCount - $0 + 1 } ?? 0 }

    var level: PaceBar.Level {
        if left < 0 { return .over }
        let share = percent(spent, of: available)
        if let day {
            let gone = day * 100 / month.dayCount
            return share > gone + 10 || share >= 95 && day < month.dayCount ? .near : .ok
        }
        return .ok
    }

    /// `€42.10 left`, `€12.00 over budget` or `€12.00 over budget from earlier months`.
    var headline: Text {
        let amount: [String: Text.Argument] = ["amount": .string(formats.money(left.magnitude, currency))]
        if left >= 0 { return .saying(left, in: Text("budgets.amount-left", amount)) }
        let isFromEarlier = owed > 0 && left + owed >= 0
        return .saying(
            left,
            in: isFromEarlier
                ? Text("budgets.amount-over-from-earlier-months", amount)
                : Text("budgets.amount-over-budget", amount)
        )
    }

    /// `€3.50 a day`, in the current month while something is left.
    var perDay: Text? {
        guard daysLeft > 0, left > 0, !left.isTooLarge else { return nil }
        guard daysLeft > 1 else { return Text("budgets.for-today") }
        let amount = formats.money(left / Int128(daysLeft), currency)
        return Text("budgets.amount-a-day", ["amount": .string(amount)])
    }

    /// Whether the spending runs ahead of the calendar; nil in another month than the current one, if it is
    /// within the budget.
    var words: Text? {
        switch level {
        case .over: Text("budgets.over-budget")
        case .near: Text("budgets.faster-than-the-month")
        case .ok where isPaidAtOnce && spent > 0: Text("budgets.paid-at-once")
        case .ok where isPaidAtOnce: Text("budgets.due-at-once")
        case .ok: day == nil ? nil : Text("budgets.on-pace")
        }
    }

    var bar: PaceBar {
        let share: Text.Argument = .string(Web.share(spent, of: available))
        return PaceBar(
            level: level,
            width: Web.width(spent, of: max(available, 1)),
            today: day.map { Web.width(Int128($0), of: Int128(month.dayCount)) },
            label: day.map {
                Text(
                    "budgets.share-spent-of-month-gone",
                    ["share": share, "gone": .count($0 * 100 / month.dayCount)]
                )
            } ?? Text("budgets.share-spent", ["share": share])
        )
    }

    var cssClass: String {
        switch level {
        case .ok: "in"
        case .near: "warn"
        case .over: "over"
        }
    }
}

// The words for schedules: how often they come, and why one cannot be recorded.

import Ledger
import Texts

extension Recurrence {
    /// The distance in words, such as `every 2 weeks`.
    var words: Text {
        let count: [String: Text.Argument] = ["count": .count(every)]
        return switch unit {
        case .day: Text("schedules.every-day", count)
        case .week: Text("schedules.every-week", count)
        case .month: Text("schedules.every-month", count)
        case .monthEnd: Text("schedules.every-month-end", count)
        case .year: Text("schedules.every-year", count)
        }
    }
}

extension Schedule {
    /// The name: the payee, the accounts of a transfer, or the category.
    func displayName(_ catalog: Catalog) -> Text {
        if !transaction.payee.isEmpty { return .verbatim(transaction.payee) }
        guard transaction.kind == .transfer else {
            return transaction.category == nil
                ? TransactionForm.label(of: transaction.kind) : catalog.categoryName(transaction.category)
        }
        return Text(
            "schedules.from-account-to-account",
            [
                "from": .text(catalog.accountName(transaction.account)),
                "to": .text(catalog.accountName(transaction.toAccount)),
            ]
        )
    }

    /// The name, with what tells it apart from another schedule of the same name: the category, the note or the tags.
    func detail(beside other: Schedule, _ catalog: Catalog) -> Text {
        let (name, same) = (displayName(catalog), other.transaction)
        guard transaction.payee == same.payee else { return name }
        let words =
            transaction.note != same.note ? transaction.note : transaction.tags.joined(separator: ", ")
        let isOther = transaction.category != same.category
        guard isOther || !words.isEmpty else { return name }
        let detail = isOther ? catalog.categoryName(transaction.category) : .verbatim(words)
        return Text("schedules.name-and-detail", ["name": .text(name), "detail": .text(detail)])
    }

    /// The amount with the sign of its direction, in minor units: below zero for an expense.
    var signedMinor: Int64 {
        transaction.kind == .expense ? -transaction.amount.minor : transaction.amount.minor
    }
}

extension Transaction {
    /// The parts of a sentence about it as the payment of a schedule.
    func words(ofPayment schedule: Schedule, _ catalog: Catalog, _ formats: Formats) -> [String: Text
        .Argument]
    {
        [
            "name": .text(payee.isEmpty ? schedule.displayName(catalog) : .verbatim(payee)),
            "amount": .string(formats.money(amount)),
            "day": .string(formats.style.shortDay(date)),
        ]
    }
}

extension ScheduleObstacle {
    /// The reason with the remedy.
    var words: Text {
        switch self {
        case .accountDeleted: Text("schedules.its-account-was-deleted")
        case .accountClosed: Text("schedules.its-account-is-closed")
        case .currencyChanged: Text("schedules.its-currency-changed")
        case .tooManyPassed:
            Text("schedules.too-many-have-passed", ["limit": .count(Schedule.mostPassed)])
        }
    }
}

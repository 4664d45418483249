// Parses the form that records an occurrence of a schedule with another amount, or on another day.

import HTTPServer
import Ledger
import Texts

/// The amount and the day of an occurrence as they were typed, with their errors.
struct OccurrenceEntry {
    /// Nil if it was not sent.
    let amount: String?
    /// The day of the payment; nil if it was not sent.
    let day: String?
    var errors: [String: Text] = [:]
    var confirmation: FieldConfirmation?

    init(amount: String? = nil, day: String? = nil, errors: [String: Text] = [:]) {
        (self.amount, self.day, self.errors) = (amount, day, errors)
    }

    init(_ form: FormFields) { self.init(amount: form.first("amount"), day: form.first("on")) }

    var isRefused: Bool { !errors.isEmpty }

    /// - Returns: the typed amount in minor units; nil for none, or for one that is refused.
    mutating func readAmount(of schedule: Schedule, _ context: RequestContext) throws -> Int64? {
        guard let amount else { return nil }
        let currency = schedule.transaction.amount.currency
        guard schedule.hasOneAmount else { throw Refusal.malformed }
        let money: Money
        do { money = try context.amounts().parse(amount, expecting: currency).money } catch {
            guard let error = error as? AmountError else { throw error }
            errors["amount"] = error.text
            return nil
        }
        if money.currency != currency {
            errors["amount"] = Text("forms.the-account-is-kept-in", ["currency": "\(currency)"])
        } else if money.minor <= 0 {
            errors["amount"] = Text("amounts.above-zero")
        }
        return money.minor
    }

    /// - Returns: the typed day; nil for none, or for one that is refused.
    mutating func readDay(on today: CivilDate, _ context: RequestContext) -> CivilDate? {
        guard let day else { return nil }
        guard let typed = CivilDate(typed: day) else {
            errors["on"] = Text("transactions.enter-a-day")
            return nil
        }
        if typed.isUnusual(on: today), context.request.form.first("unusual_on") != day {
            errors["on"] = Text("forms.is-this-year-right", ["year": .string("\(typed.components.year)")])
            confirmation = FieldConfirmation(name: "unusual_on", value: day)
        }
        return typed
    }
}

// The form that adds or changes a schedule.

import Ledger
import Links
import Templates
import Texts

/// The fields of a schedule: the fields of a transaction, and when it comes again.
///
/// It posts the fields of `TransactionForm` with `start` in the place of `date`, and `every`, `unit`, `end`, `shift` and
/// `record`. `passed` is the answer to the question about days that have passed: their number, or `next`.
struct ScheduleForm: EntityForm {
    let state: FormState
    let editing: EntityID?
    let once: String
    let entry: TransactionForm

    /// - Parameters:
    ///   - state: `blank`, `values(of:)`, or the values of a refused form.
    ///   - editing: the schedule that it changes; nil to add one.
    ///   - once: an id made for this form, so that sending it twice adds one schedule.
    init(
        state: FormState,
        editing: EntityID?,
        once: String,
        catalog: Catalog,
        formats: Formats,
        payees: [PayeeHint] = []
    ) {
        self.state = state
        self.editing = editing
        self.once = once
        entry = TransactionForm(
            state: state,
            editing: nil,
            once: once,
            catalog: catalog,
            formats: formats,
            payees: payees,
            takesFocus: false,
            extras: Transaction.extrasOfSchedules
        )
    }

    /// A new schedule: an expense of every month, from today on.
    static func blank(account: EntityID?, catalog: Catalog, formats: Formats) -> FormState {
        var state = TransactionForm.blank(account: account, catalog: catalog, formats: formats)
        state.values["start"] = state.values.removeValue(forKey: "date")
        for (name, value) in rhythm { state.values[name] = value }
        return state
    }

    /// A new schedule like payments of the history, from the day on which the next one is expected.
    static func values(of suggestion: ScheduleSuggestion, catalog: Catalog, formats: Formats)
        -> FormState
    {
        var transaction = suggestion.latest
        let (recurrence, next) = (suggestion.recurrence, suggestion.next)
        // The 30th stays the 30th if the next month is shorter.
        let isShorter = recurrence.unit == .month && recurrence.start.components.day > next.components.day
        transaction.date = isShorter ? recurrence.start : next
        let schedule = Schedule(transaction: transaction, every: recurrence.every, unit: recurrence.unit)
        return values(of: schedule, catalog: catalog, formats: formats)
    }

    /// A stored schedule as the form would have been typed.
    static func values(of schedule: Schedule, catalog: Catalog, formats: Formats) -> FormState {
        var state = TransactionForm.values(of: schedule.transaction, catalog: catalog, formats: formats)
        state.values["start"] = state.values.removeValue(forKey: "date")
        // An amount in the former currency of its account would look like one in the present currency.
        if schedule.obstacle(catalog.accounts) == .currencyChanged { state.values["to_amount"] = "" }
        state.values["every"] = "\(schedule.every)"
        state.values["unit"] = schedule.unit.rawValue
        state.values["end"] = schedule.end.map { "\($0)" } ?? ""
        state.values["shift"] = schedule.shift.rawValue
        state.values["record"] = schedule.isAutomatic ? automatic : asking
        return state
    }

    /// The value of `record` of a schedule that is recorded by itself.
    static let automatic = "auto"
    /// The value of `record` of a schedule that waits for the user.
    static let asking = "ask"

    /// The values that a form without them stands for.
    static let rhythm = [
        "every": "1", "unit": RecurrenceUnit.month.rawValue, "end": "", "shift": WeekendShift.none.rawValue,
        "record": automatic,
    ]

    private static let units = [
        Choice(RecurrenceUnit.day.rawValue, Text("schedules.days")),
        Choice(RecurrenceUnit.week.rawValue, Text("schedules.weeks")),
        Choice(RecurrenceUnit.month.rawValue, Text("schedules.months")),
        Choice(RecurrenceUnit.monthEnd.rawValue, Text("schedules.months-on-the-last-day")),
        Choice(RecurrenceUnit.year.rawValue, Text("schedules.years")),
    ]
    private static let shifts = [
        Choice(WeekendShift.none.rawValue, Text("schedules.on-that-day")),
        Choice(WeekendShift.before.rawValue, Text("schedules.on-the-friday-before")),
        Choice(WeekendShift.after.rawValue, Text("schedules.on-the-monday-after")),
    ]
    private static let ways = [
        Choice(automatic, Text("schedules.record-it-by-itself")),
        Choice(asking, Text("schedules.ask-me-first")),
    ]

    /// The answer that the payments of days that have passed are recorded.
    static func all(_ count: Int) -> Choice {
        Choice("\(count)", Text("schedules.record-the-passed", ["count": .count(count)]))
    }

    /// The answer that they are not, with the day of the first payment of a schedule after them.
    static func next(_ later: Schedule, _ formats: Formats) -> Choice {
        let text = later.next.map { next in
            Text("schedules.begin-with-the-next", ["day": .string(formats.style.shortDay(next.day))])
        }
        return Choice("next", text ?? Text("schedules.record-none-of-them"))
    }

    static let keys = Keys<ScheduleForm>.form(
        of: .schedules,
        Link.schedule,
        add: Text("schedules.add-schedule")
    )
    .model("entry", of: TransactionForm.self) { $0.entry }
    .model("start", of: Field.self) { $0.state.field("start") }
    .list("passed", of: Field.self) { form in
        form.state.choices["passed"] == nil ? [] : [form.state.field("passed")]
    }
    .model("every", of: Field.self) { $0.state.field("every") }
    .model("unit", of: Field.self) { $0.state.field("unit", options: ScheduleForm.units) }
    .model("end", of: Field.self) { $0.state.field("end") }
    .model("shift", of: Field.self) { $0.state.field("shift", options: ScheduleForm.shifts) }
    .model("record", of: Field.self) { $0.state.field("record", options: ScheduleForm.ways) }
}

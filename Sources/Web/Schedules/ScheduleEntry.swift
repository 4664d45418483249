// Parses the form of a schedule into a valid value, or into errors by field.

import Book
import HTTPServer
import Ledger
import Links
import Texts

/// The parsed form of a schedule. Its transaction is parsed as any other.
struct ScheduleEntry: EntityEntry {
    var state: FormState
    var value: Schedule?

    static let texts = EntityTexts(
        added: Text("schedules.added"),
        changed: Text("schedules.changed"),
        deleted: Text("schedules.deleted"),
        restored: Text("schedules.restored"),
        lost: Text("schedules.cannot-come-back"),
        gone: Text("schedules.was-deleted"),
        deletedMeanwhile: { Text("schedules.deleted-meanwhile", ["place": $0]) }
    )
    static let fields =
        [
            "kind", "amount", "currency", "account", "start", "to_account", "to_amount", "category",
            "payee", "every", "unit", "end", "shift", "record", "passed",
        ] + Transaction.extrasOfSchedules.map(\.name)
    static let lists = SplitEntry.lists
    static let pageLink = Link.schedule
    static let deleteLink = Link.scheduleDelete
    static let restoreLink = Link.scheduleRestore

    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws {
        let (stored, formats) = (try context.book().schedule(id), try context.formats())
        var inner = state
        inner.values["date"] = state["start"]
        // A schedule has no parts. It must not look as if they were saved.
        let hasParts = inner.lists.values.contains { $0.contains { !$0.isEmpty } }
        inner.lists = [:]
        let entry = try TransactionEntry(inner, id: id, stored: stored?.transaction, context)
        self.state = state
        for (name, value) in ScheduleForm.rhythm where state[name].isEmpty { self.state.values[name] = value }
        // With rates, an empty amount at the other end is filled in.
        self.state.values["to_amount"] = entry.state.values["to_amount"]
        for (field, error) in entry.state.errors { refuse(field == "date" ? "start" : field, error) }
        self.state.confirmations["start"] = entry.state.confirmations["date"]
        self.state.confirmations["to_amount"] = entry.state.confirmations["to_amount"]
        if hasParts { refuse("category", Text("schedules.has-one-category")) }
        let every = Int(self.state["every"].narrow)
        if every.map((1...Recurrence.limit).contains) != true {
            refuse("every", Text("schedules.every-is-out-of-range", ["limit": .count(Recurrence.limit)]))
        }
        let unit = RecurrenceUnit(rawValue: self.state["unit"])
        if unit == nil { refuse("unit", Text("schedules.choose-a-unit")) }
        let shift = WeekendShift(rawValue: self.state["shift"])
        if shift == nil { refuse("shift", Text("schedules.choose-a-shift")) }
        let ways = [ScheduleForm.automatic: true, ScheduleForm.asking: false]
        let isAutomatic = ways[self.state["record"]]
        if isAutomatic == nil { refuse("record", Text("schedules.choose-a-way")) }
        let end = readEnd(stored?.end, context)
        guard let start = CivilDate(typed: self.state["start"]), let every, let unit, let shift,
            let isAutomatic, self.state.errors["start"] == nil, self.state.errors["end"] == nil
        else { return }
        let catalog = try context.catalog()
        var schedule = Schedule(
            // The days do not depend on the fields that are refused.
            transaction: entry.value ?? Self.placeholder(id, start),
            end: end,
            every: every,
            unit: unit,
            shift: shift,
            isAutomatic: isAutomatic,
            accountCurrency: (entry.value?.account).flatMap { catalog.account($0)?.currency },
            toCurrency: catalog.account(entry.value?.toAccount)?.currency,
            series: stored?.series
        )
        if let stored {
            schedule.done = schedule.done(inPlaceOf: stored, weekStart: formats.weekStart)
        }
        let waits = stored.map { Self.recordable($0, catalog, formats.today) } ?? 0
        schedule = begin(schedule, waits, formats)
        if entry.value != nil, !self.state.isRefused { value = schedule }
    }

    /// Asks whether the payments of days that have passed are to be recorded, because the user may have entered them
    /// elsewhere, or not want them at all.
    ///
    /// The answer names their number, so that it does not confirm more of them after another change.
    /// - Parameter waits: the number of payments that are recorded in any case.
    /// - Returns: the schedule that follows from the answer.
    private mutating func begin(_ schedule: Schedule, _ waits: Int, _ formats: Formats) -> Schedule {
        let (today, most) = (formats.today, Schedule.mostPassed)
        let passed = schedule.open(upTo: today.adding(days: -1), limit: most + 1)
        guard let first = passed.first else { return schedule }
        let later = schedule.beginning(on: today)
        let next = ScheduleForm.next(later, formats)
        let all = ScheduleForm.all(passed.count)
        if schedule.openCount(upTo: today, limit: most + 1) > most {
            state.choices["passed"] = [next]
            guard state["passed"] != next.value else { return later }
            refuse("start", Text("schedules.too-many-have-passed", ["limit": .count(most)]))
            return schedule
        }
        guard schedule.isAutomatic && passed.count > waits || !state["passed"].isEmpty else {
            return schedule
        }
        state.choices["passed"] = [all, next]
        switch state["passed"] {
        case next.value: return later
        case all.value: return schedule
        default:
            guard schedule.isAutomatic, passed.count > waits else { return schedule }
            let day = formats.style.shortDay(first.day)
            let words: [String: Text.Argument] = ["count": .count(passed.count), "day": .string(day)]
            refuse("passed", Text("schedules.record-what-has-passed", words))
            return schedule
        }
    }

    /// The number of occurrences of a stored schedule that are recorded by themselves.
    private static func recordable(_ schedule: Schedule, _ catalog: Catalog, _ today: CivilDate) -> Int {
        guard schedule.isAutomatic, schedule.obstacle(catalog.accounts, on: today) == nil else { return 0 }
        return schedule.openCount(upTo: today, limit: Schedule.mostPassed)
    }

    private static func placeholder(_ id: EntityID, _ start: CivilDate) -> Transaction {
        let amount = Money(minor: 1, currency: .eur)
        return Transaction(id: id, kind: .expense, date: start, amount: amount, account: id, accountMinor: 1)
    }

    private mutating func readEnd(_ stored: CivilDate?, _ context: RequestContext) -> CivilDate? {
        guard !state["end"].isEmpty else { return nil }
        guard let end = CivilDate(typed: state["end"]) else {
            refuse("end", Text("transactions.enter-a-day"))
            return nil
        }
        guard let start = CivilDate(typed: state["start"]) else { return end }
        if end < start { refuse("end", Text("schedules.last-before-first")) }
        // A mortgage may well end decades ahead.
        if end != stored, end > start.adding(years: 100) {
            ask(aboutYear: end.components.year, of: "end", context)
        }
        return end
    }
}

extension ScheduleEntry {
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Schedule? { try book.schedule(id) }

    /// A new schedule in the place of a deleted one begins after the days that that one has recorded.
    static func renew(_ state: inout FormState, of id: EntityID, _ book: Book) throws(BookError) {
        guard let deleted = try book.schedule(deletedOrNot: id), let done = deleted.done,
            let start = CivilDate(typed: state["start"]), start <= done, let next = deleted.next?.planned
        else { return }
        state.values["start"] = "\(next)"
    }

    static func state(of value: Schedule, _ context: RequestContext) throws -> FormState {
        ScheduleForm.values(of: value, catalog: try context.catalog(), formats: try context.formats())
    }

    static func refusal(_ error: BookError) -> (field: String, text: Text)? {
        switch error {
        case .invalid(.every):
            ("every", Text("schedules.every-is-out-of-range", ["limit": .count(Recurrence.limit)]))
        case .invalid(.end): ("end", Text("schedules.last-before-first"))
        default: TransactionEntry.refusal(error)
        }
    }

    static func add(_ value: Schedule, to book: Book) throws(BookError) { try book.add(value) }

    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link? {
        try book.deleteSchedule(id)
        return restoreLink(id)
    }

    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID {
        try book.restoreSchedule(id)
    }

    static func list(around value: Schedule?) -> Link { .schedules }

    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Obstacle?,
        _ status: Status
    ) throws -> Response {
        guard let editing else { return try SchedulesShow.page(context, state, status) }
        guard let schedule = try context.book().schedule(editing) else { throw Refusal.notFound }
        return try page(context, schedule, state, status)
    }

    /// The page of a schedule.
    /// - Parameter refused: another amount or day of the next occurrence that was refused.
    static func page(
        _ context: RequestContext,
        _ schedule: Schedule,
        _ state: FormState,
        refused: OccurrenceEntry? = nil,
        _ status: Status
    ) throws -> Response {
        let (catalog, formats) = (try context.catalog(), try context.formats())
        let form = ScheduleForm(
            state: state,
            editing: schedule.id,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats,
            payees: try context.payees()
        )
        return context.page(
            ScheduleEditPage(
                chrome: context.chrome(),
                schedule: schedule,
                catalog: catalog,
                formats: formats,
                form: form,
                refused: refused
            ),
            status
        )
    }
}

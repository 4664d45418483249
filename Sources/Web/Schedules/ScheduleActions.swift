// The actions of schedules: the list, and what the user does with an occurrence.

import Book
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Texts

extension Link {
    static let schedules = Link(declared: "/schedules")
    static let schedule = LinkTo<EntityID>("/schedules/*")
    static let scheduleDelete = LinkTo<EntityID>("/schedules/*/delete")
    static let scheduleRestore = LinkTo<EntityID>("/schedules/*/restore")
    static let scheduleRecord = LinkTo<EntityID>("/schedules/*/record")
    /// Records all that is due.
    static let schedulesRecord = Link(declared: "/schedules/record")
    static let scheduleSkip = LinkTo<EntityID>("/schedules/*/skip")
    static let scheduleSuggestionDismiss = LinkTo<EntityID>("/schedules/suggestions/*/dismiss")
}

extension Feature {
    static let schedules = Feature(
        routes: [
            get(.schedules, SchedulesShow.answer),
            post(to: Link.scheduleRecord, ScheduleRecord.answer),
            post(.schedulesRecord, SchedulesRecord.answer),
            post(to: Link.scheduleSkip, ScheduleSkip.answer),
            post(to: Link.scheduleSuggestionDismiss, ScheduleSuggestionDismiss.answer),
        ]
            + entities(ScheduleEntry.self, .schedules, Link.schedule),
        refills: refills(ScheduleEntry.self, .schedules, Link.schedule),
        pages: [SchedulesPage.self, ScheduleEditPage.self],
        links: ["schedules": .schedules, "schedules_record": .schedulesRecord]
    )
}

/// `GET /schedules`: what is due and what is coming, and the form that adds a schedule. The query `like` names a
/// transaction of the history that fills in the form.
enum SchedulesShow {
    static func answer(_ context: RequestContext) throws -> Response { try page(context, nil, .ok) }

    /// The page.
    /// - Parameter refused: the entered values of a form that was refused; nil for none.
    static func page(_ context: RequestContext, _ refused: FormState?, _ status: Status) throws -> Response {
        let (formats, bank) = (try context.formats(), try context.bankRows())
        let view = try context.book().schedules(
            on: formats.today,
            base: formats.base,
            converter: formats.conversion?.converter,
            beside: bank
        )
        let catalog = context.catalog(view.choices)
        let form = ScheduleForm(
            state: refused ?? blank(context, view, catalog, formats),
            editing: nil,
            once: "\(context.newID())",
            catalog: catalog,
            formats: formats,
            payees: try context.payees()
        )
        return context.page(
            SchedulesPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: catalog,
                view: view,
                unknownCount: bank?.unknownAccounts.count ?? 0,
                form: form
            ),
            status
        )
    }

    private static func blank(
        _ context: RequestContext,
        _ view: SchedulesView,
        _ catalog: Catalog,
        _ formats: Formats
    ) -> FormState {
        let like = context.request.query.first("like").flatMap { EntityID($0) }
        if let suggestion = view.suggestions.first(where: { $0.latest.id == like }) {
            return ScheduleForm.values(of: suggestion, catalog: catalog, formats: formats)
        }
        return ScheduleForm.blank(account: view.choices.lastAccount, catalog: catalog, formats: formats)
    }
}

/// `POST /schedules/record`: records all that is due.
enum SchedulesRecord {
    static func answer(_ context: RequestContext) throws -> Response {
        let (device, today) = (try context.knownDevice(), try context.formats().today)
        let list = context.originList ?? .schedules
        return context.ask { () async throws(DevicesError) in
            try await device.recordDue(on: today, isConfirmed: true)
        } then: { context, result in
            device.show(try result.get().toast)
            return context.redirect(to: list)
        }
    }
}

/// `POST /schedules/ID/record`: records the next occurrence; with `amount`, with another amount, and with `on`, on another
/// day.
enum ScheduleRecord {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let schedule = try context.book().schedule(id) else { throw Refusal.notFound }
        var entry = OccurrenceEntry(context.request.form)
        let minor = try entry.readAmount(of: schedule, context)
        let day = entry.readDay(on: try context.formats().today, context)
        guard entry.isRefused else {
            return try ScheduleStep.record(minor, on: day).answer(context, schedule)
        }
        let state = try ScheduleEntry.state(of: schedule, context)
        return try ScheduleEntry.page(context, schedule, state, refused: entry, .unprocessable)
    }
}

/// `POST /schedules/ID/skip`: skips the next occurrence.
enum ScheduleSkip {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let schedule = try context.book().schedule(id) else { throw Refusal.notFound }
        return try ScheduleStep.skip.answer(context, schedule)
    }
}

/// A step of the user with an occurrence.
private enum ScheduleStep {
    /// With another amount, in minor units, and on another day; nil for the schedule's own.
    case record(Int64?, on: CivilDate?)
    case skip

    func answer(_ context: RequestContext, _ schedule: Schedule) throws -> Response {
        let book = try context.book()
        // The day that the button was about: another tab may have recorded it.
        let day = try context.request.form.first("day").map { text in
            guard let day = CivilDate(iso: text) else { throw Refusal.malformed }
            return day
        }
        var text: Text
        var change: Int64?
        do throws(BookError) {
            change =
                switch self {
                case .record(let minor, let paid):
                    try book.recordNext(of: schedule.id, planned: day, minor: minor, on: paid)
                case .skip: try book.skipNext(of: schedule.id, planned: day)
                }
            text = Text("schedules.nothing-to-record")
        } catch {
            guard let reason = ScheduleEntry.refusal(error)?.text else { throw error }
            text = Text("schedules.cannot-be-recorded", ["reason": .text(reason)])
        }
        if change != nil { text = try done(schedule, context) }
        let undo = change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: key, text: text, undo: undo))
        if case .record = self, change != nil, let next = schedule.next,
            let recorded = try book.transaction(schedule.transaction(of: next).id)
        {
            try BankQuestion.ask(about: recorded, context)
        }
        return context.redirect(to: context.originList ?? .schedules)
    }

    private func day(_ next: ScheduleOccurrence) -> CivilDate {
        if case .record(_, let day?) = self { day } else { next.day }
    }

    private var key: String {
        switch self {
        case .record: "schedule-recorded"
        case .skip: "schedule-skipped"
        }
    }

    private func done(_ schedule: Schedule, _ context: RequestContext) throws -> Text {
        guard let next = schedule.next else { return Text("schedules.nothing-to-record") }
        let words: [String: Text.Argument] = [
            "name": .text(schedule.displayName(try context.catalog())),
            "day": .string(try context.formats().style.shortDay(day(next))),
        ]
        return switch self {
        case .record: Text("schedules.recorded", words)
        case .skip: Text("schedules.skipped", words)
        }
    }
}

/// `POST /schedules/suggestions/ID/dismiss`: suggests no schedule for the payee of a transaction any more.
enum ScheduleSuggestionDismiss {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        // A transaction that was deleted meanwhile is not suggested either.
        if let transaction = try book.transaction(id) {
            try book.dismissScheduleSuggestion(transaction)
            let text = Text("schedules.not-suggested-again", ["payee": .string(transaction.payee.isolated)])
            try context.knownDevice().show(Device.Toast(key: "suggestion-dismissed", text: text))
        }
        return context.redirect(to: .schedules)
    }
}

extension RequestContext {
    /// Records the payments that are due and need no confirmation, and tells the user about them.
    ///
    /// Every request for a page of the app does this first, so that a payment is recorded on its day as soon as
    /// there is a reader, also after a time without the server. A full disk does not prevent the page: a payment
    /// that was not recorded is still due, and the next request tries again.
    func recordDueSchedules() {
        guard let device, device.state.recordsSchedules, let book = try? book(),
            let today = try? formats().today
        else { return }
        do throws(BookError) {
            let recorded = try book.recordDue(on: today, most: Device.occurrencesAtOnce) { device.hasRoom }
            if recorded.count > 0 {
                device.show(recorded.toast)
                device.noteForm()
            }
            if recorded.hasMore { device.recordRest(on: today) }
        } catch {
            site.devices.dependencies.log.write(
                "what is due was not recorded: \(error) (device \(device.id))",
                at: .warning
            )
        }
    }
}

extension ScheduledTransactions {
    fileprivate var toast: Device.Toast {
        let texts =
            (count > 0 ? [Text("schedules.were-recorded", ["count": .count(count)])] : [])
            + (refused > 0 ? [Text("schedules.were-refused", ["count": .count(refused)])] : [])
        let text: Text =
            switch texts.count {
            case 0: Text("schedules.nothing-to-record")
            case 1: texts[0]
            default: Text("schedules.two-results", ["one": .text(texts[0]), "other": .text(texts[1])])
            }
        return Device.Toast(
            key: "schedules-recorded",
            text: text,
            undo: change.map { Link.historyUndo($0).text }
        )
    }
}

// The page of schedules, and what the user does with an occurrence.

import Book
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Pages
import Texts

/// `GET /schedules`: what is due and what is coming, and the form that adds a schedule. The query `like` names a
/// transaction of the history that fills in the form.
enum SchedulesShow {
    static func answer(_ context: RequestContext) throws -> Response { try page(context, nil, .ok) }

    /// The page.
    /// - Parameter refused: the entered values of a form that was refused; nil for none.
    static func page(_ context: RequestContext, _ refused: FormState?, _ status: Status) throws -> Response {
        let formats = try context.formats()
        let view = try context.book().schedules(
            on: formats.today,
            base: formats.base,
            converter: formats.conversion?.converter
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

/// `POST /schedules/ID/record`: records the next occurrence.
enum ScheduleRecord {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        try ScheduleStep.answer(context, id, Step.record)
    }
}

/// `POST /schedules/ID/skip`: skips the next occurrence.
enum ScheduleSkip {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        try ScheduleStep.answer(context, id, Step.skip)
    }
}

/// A step of the user with an occurrence.
private enum Step {
    case record, skip
}

private enum ScheduleStep {
    static func answer(_ context: RequestContext, _ id: EntityID, _ step: Step) throws -> Response {
        let book = try context.book()
        guard let schedule = try book.schedule(id) else { throw Refusal.notFound }
        // The day that the button was about: another tab may have recorded it.
        let day = context.request.form.first("day").flatMap { CivilDate(iso: $0) }
        var text: Text
        var change: Int64?
        do throws(BookError) {
            change =
                try step == .record
                ? book.recordNext(of: id, planned: day) : book.skipNext(of: id, planned: day)
            text = Text("schedules.nothing-to-record")
        } catch {
            guard let reason = ScheduleEntry.refusal(error)?.text else { throw error }
            text = Text("schedules.cannot-be-recorded", ["reason": .text(reason)])
        }
        if change != nil { text = try done(schedule, step, context) }
        let undo = change.map { Link.historyUndo($0).text }
        let key = step == .record ? "schedule-recorded" : "schedule-skipped"
        try context.knownDevice().show(Device.Toast(key: key, text: text, undo: undo))
        return context.redirect(to: context.originList ?? .schedules)
    }

    private static func done(_ schedule: Schedule, _ step: Step, _ context: RequestContext) throws -> Text {
        guard let next = schedule.next else { return Text("schedules.nothing-to-record") }
        let words: [String: Text.Argument] = [
            "name": .text(schedule.displayName(try context.catalog())),
            "day": .string(try context.formats().style.shortDay(next.day)),
        ]
        return step == .record ? Text("schedules.recorded", words) : Text("schedules.skipped", words)
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
    /// Every request for a page of the app does this first, so that a payment is recorded on its day as soon as there is a
    /// reader, also after a time without the server. A device that is signing out, or is barred from its book, records
    /// nothing. A full disk does not prevent the page: a payment that was not recorded is among the due ones, and the next
    /// request tries again.
    func recordDueSchedules() {
        guard let state = device?.state else { return }
        switch state {
        case .localOnly, .switchingToSync, .synced, .draining, .switchingToLocal: break
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .verifyingAccount, .migratingGuest,
            .blocked,
            .deletingServerData, .deletingAccount, .signingOut, .error:
            return
        }
        guard let book = try? book(), let today = try? formats().today,
            let recorded = try? book.recordDue(on: today), recorded.count > 0
        else { return }
        let text = Text("schedules.were-recorded", ["count": .count(recorded.count)])
        let undo = recorded.change.map { Link.historyUndo($0).text }
        device?.show(Device.Toast(key: "schedules-recorded", text: text, undo: undo))
    }
}

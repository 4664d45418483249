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
    /// Notes a transaction as the payment of the next occurrence.
    static let schedulePayment = LinkTo<EntityID>("/schedules/*/payment")
    static let scheduleSkip = LinkTo<EntityID>("/schedules/*/skip")
    static let scheduleSuggestionDismiss = LinkTo<EntityID>("/schedules/suggestions/*/dismiss")
}

extension Feature {
    static let schedules = Feature(
        routes: [
            get(.schedules, SchedulesShow.answer),
            post(to: Link.scheduleRecord, ScheduleRecord.answer),
            post(.schedulesRecord, SchedulesRecord.answer),
            post(to: Link.schedulePayment, SchedulePayment.answer),
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
            device.show(try result.get().toast(context))
            return context.redirect(to: list)
        }
    }
}

/// `POST /schedules/ID/record`: records the next occurrence; with `amount`, with another amount, and with `on`, on another
/// day. If the book has a payment that fits, the next page asks first whether it is the payment of the occurrence. The
/// query of the answer "It is another one" has `confirmed`, `day`, `minor`, the other amount, and `on`, the other day.
enum ScheduleRecord {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let schedule = try context.book().schedule(id) else { throw Refusal.notFound }
        if let step = try confirmed(context.request.query) { return try step.answer(context, schedule) }
        var entry = OccurrenceEntry(context.request.form)
        let minor = try entry.readAmount(of: schedule, context)
        let day = entry.readDay(on: try context.formats().today, context)
        guard entry.isRefused else {
            return try ScheduleStep.record(minor, on: day, isConfirmed: false).answer(context, schedule)
        }
        let state = try ScheduleEntry.state(of: schedule, context)
        return try ScheduleEntry.page(context, schedule, state, refused: entry, .unprocessable)
    }

    /// The step that the answer names in its query; nil for a form.
    private static func confirmed(_ query: FormFields) throws -> ScheduleStep? {
        guard let confirmed = query.first("confirmed") else { return nil }
        guard confirmed == "on" else { throw Refusal.malformed }
        func value<Value>(_ name: String, _ read: (String) -> Value?) throws -> Value? {
            try query.first(name).map { text in
                guard let value = read(text) else { throw Refusal.malformed }
                return value
            }
        }
        let minor = try value("minor") { Int64($0).flatMap { $0 > 0 ? $0 : nil } }
        return .record(minor, on: try value("on") { CivilDate(iso: $0) }, isConfirmed: true)
    }
}

/// `POST /schedules/ID/payment`: the transaction `transaction` is the payment of the next occurrence, which was on the day
/// `day`; or, with `instead`, of the occurrence of that day instead of another one, which has this key. All are in the query.
enum SchedulePayment {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let schedule = try context.book().schedule(id) else { throw Refusal.notFound }
        guard let payment = context.request.query.first("transaction").flatMap({ EntityID($0) }) else {
            throw Refusal.malformed
        }
        if let text = context.request.query.first("instead") {
            guard let former = OccurrenceKey(text: text) else { throw Refusal.malformed }
            return try ScheduleStep.pay(payment, insteadOf: former).answer(context, schedule)
        }
        return try ScheduleStep.pay(payment, insteadOf: nil).answer(context, schedule)
    }

    /// The address of the form.
    static func link(
        _ payment: EntityID,
        of schedule: EntityID,
        on planned: CivilDate,
        insteadOf former: OccurrenceKey? = nil
    ) -> Link {
        let query = [("transaction", "\(payment)"), ("day", "\(planned)")]
        return Link.schedulePayment(schedule).adding(
            query: query + (former.map { [("instead", "\($0)")] } ?? [])
        )
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
    /// With another amount, in minor units, and on another day; nil for the schedule's own. If it is not confirmed, a
    /// payment that fits is asked about.
    case record(Int64?, on: CivilDate?, isConfirmed: Bool)
    /// With a transaction that is its payment, and perhaps was thought to be that of another one.
    case pay(EntityID, insteadOf: OccurrenceKey?)
    case skip

    func answer(_ context: RequestContext, _ schedule: Schedule) throws -> Response {
        let book = try context.book()
        // The day that the button was about: another tab may have recorded it.
        let day = try (context.request.form.first("day") ?? context.request.query.first("day")).map { text in
            guard let day = CivilDate(iso: text) else { throw Refusal.malformed }
            return day
        }
        if case .record(let minor, let paid, isConfirmed: false) = self,
            try Self.ask(context, schedule, planned: day, minor: minor, paid: paid)
        {
            return context.redirect(to: context.originList ?? .schedules)
        }
        var refused: Transaction?
        if case .record(let minor, _, isConfirmed: true) = self {
            let today = try context.formats().today
            refused = try book.payment(ofNext: schedule.id, planned: day, minor: minor, on: today)
        }
        var text: Text
        var change: Int64?
        do throws(BookError) {
            change =
                switch self {
                case .record(let minor, let paid, _):
                    try book.recordNext(of: schedule.id, planned: day, minor: minor, on: paid)
                case .pay(let payment, nil):
                    try book.note(payment, isPaymentOfNext: schedule.id, planned: day)
                case .pay(let payment, let former?):
                    try day.flatMap { day throws(BookError) in
                        try book.note(payment, isPaymentOf: day, of: schedule.id, insteadOf: former)
                    }
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
            // The user has just said that they are two.
            if let refused, refused.bankTransaction != nil { try book.note(recorded.id, isNot: refused.id) }
            try BankQuestion.ask(about: recorded, context)
        }
        return context.redirect(to: context.originList ?? .schedules)
    }

    private func day(_ next: ScheduleOccurrence) -> CivilDate {
        if case .record(_, let day?, _) = self { day } else { next.day }
    }

    /// Asks on the next page whether a transaction is the payment of the next occurrence, if there is one that fits.
    /// - Returns: whether it asks.
    private static func ask(
        _ context: RequestContext,
        _ schedule: Schedule,
        planned: CivilDate?,
        minor: Int64?,
        paid: CivilDate?
    ) throws -> Bool {
        let (book, formats) = (try context.book(), try context.formats())
        guard let next = schedule.next,
            let payment = try book.payment(
                ofNext: schedule.id,
                planned: planned,
                minor: minor,
                on: formats.today
            )
        else { return false }
        var query = [("confirmed", "on"), ("day", "\(next.planned)")]
        if let minor { query.append(("minor", "\(minor)")) }
        if let paid { query.append(("on", "\(paid)")) }
        let question = Text(
            "schedules.perhaps-entered",
            payment.words(ofPayment: schedule, try context.catalog(), formats)
        )
        try context.knownDevice().show(
            Device.Toast(
                key: "schedule-perhaps-paid",
                text: question,
                same: SchedulePayment.link(payment.id, of: schedule.id, on: next.planned).text,
                another: Link.scheduleRecord(schedule.id).adding(query: query).text
            )
        )
        return true
    }

    private var key: String {
        switch self {
        case .record: "schedule-recorded"
        case .pay: "schedule-paid"
        case .skip: "schedule-skipped"
        }
    }

    private func done(_ schedule: Schedule, _ context: RequestContext) throws -> Text {
        if case .pay(let id, _) = self, let payment = try context.book().transaction(id) {
            let words = payment.words(ofPayment: schedule, try context.catalog(), try context.formats())
            return Text("schedules.was-entered", words)
        }
        guard let next = schedule.next else { return Text("schedules.nothing-to-record") }
        let words: [String: Text.Argument] = [
            "name": .text(schedule.displayName(try context.catalog())),
            "day": .string(try context.formats().style.shortDay(day(next))),
        ]
        return switch self {
        case .record, .pay: Text("schedules.recorded", words)
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
        do {
            let recorded = try book.recordDue(on: today, most: Device.occurrencesAtOnce) { device.hasRoom }
            if recorded.count + recorded.matched > 0 {
                device.show(try recorded.toast(self))
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
    fileprivate func toast(_ context: RequestContext) throws -> Device.Toast {
        var texts = count > 0 ? [Text("schedules.were-recorded", ["count": .count(count)])] : []
        var another: Link?
        if matched > 1 {
            texts.append(Text("schedules.were-entered", ["count": .count(matched)]))
        } else if let match {
            let (catalog, formats) = (try context.catalog(), try context.formats())
            let words = match.payment.words(ofPayment: match.schedule, catalog, formats)
            texts.append(Text("schedules.was-entered", words))
            if let other = match.other {
                let which: [String: Text.Argument] = [
                    "one": .text(match.schedule.detail(beside: other.schedule, catalog)),
                    "other": .text(other.schedule.detail(beside: match.schedule, catalog)),
                ]
                texts.append(Text("schedules.fits-another", which))
                another = SchedulePayment.link(
                    match.payment.id,
                    of: other.schedule.id,
                    on: other.occurrence.planned,
                    insteadOf: match.key
                )
            }
        }
        if refused > 0 { texts.append(Text("schedules.were-refused", ["count": .count(refused)])) }
        let text = texts.dropFirst().reduce(texts.first) { one, other in
            one.map { Text("schedules.two-results", ["one": .text($0), "other": .text(other)]) }
        }
        return Device.Toast(
            key: "schedules-recorded",
            text: text ?? Text("schedules.nothing-to-record"),
            undo: change.map { Link.historyUndo($0).text },
            another: another?.text
        )
    }
}

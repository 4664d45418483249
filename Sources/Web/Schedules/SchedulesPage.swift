// The payments that come again: what is due, what is coming, and what looks as if it came again.

import Ledger
import Links
import Templates
import Texts

/// All schedules.
struct SchedulesPage: Page {
    static let template = "schedules/index"
    let chrome: Chrome
    let left: LeftToSpend?
    let due: [ScheduleLine]
    /// The number of occurrences that are due and can be recorded.
    let dueCount: Int
    let coming: ComingPayments
    let schedules: [ScheduleLine]
    let suggestions: [ScheduleSuggestionLine]
    let unknownCount: Int
    let upgrade: Text?
    let form: ScheduleForm

    /// - Parameters:
    ///   - view: the data of the page.
    ///   - unknownCount: the number of accounts of which only recorded transactions count.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        view: SchedulesView,
        unknownCount: Int = 0,
        form: ScheduleForm
    ) {
        self.chrome = chrome.on(.schedules)
        self.unknownCount = unknownCount
        self.form = form
        let answered = view.payments.answered
        let left =
            view.schedules.isEmpty
            ? nil
            : LeftToSpend(
                view.month,
                overall: view.overall,
                view.schedules,
                but: answered,
                catalog: catalog,
                formats: formats
            )
        self.left = left
        upgrade = formats.upgradeOffer(chrome.tier, left?.left.leftOut ?? [])
        due = view.schedules.compactMap { schedule in
            guard let next = schedule.next, next.day <= formats.today else { return nil }
            let payment = view.payments.transactions[schedule.key(of: next)]
            return ScheduleLine(due: schedule, next, payment: payment, catalog: catalog, formats: formats)
        }
        dueCount = view.schedules.reduce(0) { count, schedule in
            guard schedule.obstacle(catalog.accounts, on: formats.today) == nil else { return count }
            return count
                + schedule.openCount(upTo: formats.today, limit: Schedule.mostPassed, but: answered)
        }
        coming = ComingPayments(
            view.schedules,
            but: answered,
            until: formats.today.yearMonth.next.lastDay,
            limit: 30,
            catalog: catalog,
            formats: formats
        )
        schedules = view.schedules.map { ScheduleLine(all: $0, catalog: catalog, formats: formats) }
        suggestions =
            chrome.cloud.isIncomplete
            ? [] : view.suggestions.map { ScheduleSuggestionLine($0, formats: formats) }
    }

    static let keys = Keys<SchedulesPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("left", of: LeftToSpend.self) { $0.left.map { [$0] } ?? [] }
        .optionalMessage("recorded_text") { Text.onlyRecorded($0.unknownCount) }
        .optionalMessage("upgrade_text") { $0.upgrade }
        .flag("has_due") { !$0.due.isEmpty }
        .list("due", of: ScheduleLine.self) { $0.due }
        .flag("has_several_due") { $0.dueCount > 1 }
        .flag("has_coming") { !$0.coming.isEmpty }
        .list("weeks", of: ComingWeek.self) { $0.coming.weeks }
        .optionalMessage("more") { $0.coming.moreText }
        .flag("has_schedules") { !$0.schedules.isEmpty }
        .message("empty_text") { page in
            page.chrome.cloud.isIncomplete
                ? Text("overview.not-all-is-here") : Text("schedules.a-schedule-records")
        }
        .list("schedules", of: ScheduleLine.self) { $0.schedules }
        .flag("has_suggestions") { !$0.suggestions.isEmpty }
        .list("suggestions", of: ScheduleSuggestionLine.self) { $0.suggestions }
        .model("form", of: ScheduleForm.self) { $0.form }
}

/// Payments that look as if they came again, as a question.
struct ScheduleSuggestionLine: TemplateModel {
    let id: EntityID
    let question: Text

    init(_ suggestion: ScheduleSuggestion, formats: Formats) {
        id = suggestion.latest.id
        question = Text(
            "schedules.keep-an-eye-on-it",
            [
                "payee": .string(suggestion.latest.payee.isolated),
                "amount": .string(formats.money(suggestion.latest.amount)),
                "often": .text(suggestion.recurrence.adverb),
            ]
        )
    }

    static let keys = Keys<ScheduleSuggestionLine>()
        .text("id") { "\($0.id)" }
        .message("question") { $0.question }
        .link("href") { Link.schedules.adding(query: [("like", "\($0.id)")]).adding(fragment: "add-title") }
        .link("dismiss_action", to: Link.scheduleSuggestionDismiss) { $0.id }
}

extension Recurrence {
    /// The usual distances in a word: `monthly`.
    fileprivate var adverb: Text {
        switch (every, unit) {
        case (1, .week): Text("schedules.weekly")
        case (1, .month): Text("schedules.monthly")
        case (1, .year): Text("schedules.yearly")
        default: words
        }
    }
}

// The page that changes or deletes a schedule.

import Ledger
import Links
import Templates
import Texts

/// A schedule on a page of its own.
struct ScheduleEditPage: Page {
    static let template = "schedules/edit"
    let chrome: Chrome
    let line: ScheduleLine
    let form: ScheduleForm
    let hasNext: Bool

    /// A page around a form.
    /// - Parameter refused: another amount or day of the next occurrence that was refused.
    init(
        chrome: Chrome,
        schedule: Schedule,
        catalog: Catalog,
        formats: Formats,
        form: ScheduleForm,
        refused: OccurrenceEntry? = nil
    ) {
        self.chrome = chrome.on(.schedules)
        self.form = form
        let line = ScheduleLine(all: schedule, catalog: catalog, formats: formats)
        self.line = refused.map(line.refusing) ?? line
        hasNext = schedule.next != nil
    }

    static let keys = Keys<ScheduleEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("line", of: ScheduleLine.self) { $0.line }
        .message("name") { $0.line.name }
        .model("form", of: ScheduleForm.self) { $0.form }
        .flag("has_next") { $0.hasNext }
        .link("delete_action", to: Link.scheduleDelete) { $0.line.id }
}

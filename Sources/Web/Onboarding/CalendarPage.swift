// The step that asks for the first day of the week.

import Ledger
import Templates

/// Step four. It posts `csrf` and `week_start`.
struct CalendarPage: Page {
    /// The name of the page's template.
    static let template = "onboarding/calendar"
    let chrome: Chrome
    let state: FormState

    /// - Parameter state: `week_start` as it is, or as it was sent and refused.
    init(chrome: Chrome, state: FormState) {
        self.chrome = chrome
        self.state = state
    }

    /// The values for the template.
    static let keys = Keys<CalendarPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("steps", of: ProgressStep.self) { _ in ProgressStep.steps(current: 3) }
        .list("choices", of: Choice.self) { page in
            Choice.weekStarts.selecting(page.state["week_start"])
        }
        .model("week_start", of: Field.self) { $0.state.field("week_start") }
}

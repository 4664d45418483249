// The step that asks for the first day of the week.

import Ledger
import Templates

/// Step four. It posts `csrf` and `week_start`.
struct CalendarPage: Page {
    static let template = "onboarding/calendar"
    let chrome: Chrome
    /// `week_start` as it is, or as it was sent and refused.
    let state: FormState

    static let keys = Keys<CalendarPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("steps", of: ProgressStep.self) { _ in ProgressStep.steps(current: 3) }
        .list("choices", of: Choice.self) { page in
            Choice.weekStarts.selecting(page.state["week_start"])
        }
        .model("week_start", of: Field.self) { $0.state.field("week_start") }
}

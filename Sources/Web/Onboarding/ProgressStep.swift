// The four steps of onboarding, with one question on each page.

import Templates
import Texts

/// A dot of the progress indicator.
struct ProgressStep: TemplateModel {
    let label: Text
    let isDone: Bool
    let isCurrent: Bool

    static let keys = Keys<ProgressStep>()
        .message("label") { $0.label }
        .flag("done") { $0.isDone }
        .flag("current") { $0.isCurrent }

    /// The four dots, with the given one highlighted.
    static func steps(current: Int) -> [ProgressStep] {
        labels.enumerated().map { index, label in
            ProgressStep(label: label, isDone: index < current, isCurrent: index == current)
        }
    }

    private static let labels = [
        Text("onboarding.welcome"), Text("transactions.currency"), Text("onboarding.other-currencies"),
        Text("onboarding.calendar"),
    ]
}

// The four steps of onboarding, one question a screen.

import Templates

/// A dot of the progress.
struct OnboardingStep: TemplateModel {
    let label: String
    let isDone: Bool
    let isCurrent: Bool

    static let keys = Keys<OnboardingStep>()
        .text("label") { $0.label }
        .flag("done") { $0.isDone }
        .flag("current") { $0.isCurrent }

    /// The four dots with the given one lit.
    static func steps(current: Int) -> [OnboardingStep] {
        ["Welcome", "Currency", "Other currencies", "Calendar"].enumerated().map { index, label in
            OnboardingStep(label: label, isDone: index < current, isCurrent: index == current)
        }
    }
}

// The step that asks for other currencies.

import Ledger
import Templates

/// Step three. It posts `csrf` and `currencies` (repeated; none is fine).
struct SecondaryPage: Page {
    static let template = "onboarding/secondary"
    let chrome: Chrome
    let common: [Choice]
    let others: [Choice]
    let field: Field

    /// - Parameters:
    ///   - state: the list `currencies` as it is, or as it was ticked and refused.
    ///   - suggested: the choices outside the full list, without the base currency.
    init(chrome: Chrome, formats: Formats, state: FormState, suggested: [CurrencyCode]) {
        self.chrome = chrome
        let chosen = state.lists["currencies"] ?? []
        let split = formats.choices(suggested: suggested.filter { $0 != formats.base }, chosen: chosen)
        common = split.common
        others = split.others.filter { $0.value != formats.base.rawValue }
        field = state.field("currencies")
    }

    static let keys = Keys<SecondaryPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("steps", of: ProgressStep.self) { _ in ProgressStep.steps(current: 2) }
        .list("common", of: Choice.self) { $0.common }
        .list("others", of: Choice.self) { $0.others }
        .flag("others_open") { $0.others.contains { $0.isSelected } }
        .model("currencies", of: Field.self) { $0.field }
}

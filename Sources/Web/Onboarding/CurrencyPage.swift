// The step that asks for the currency that the user mostly uses.

import Ledger
import Templates
import Texts

/// Step two. It posts `csrf` and `currency`.
struct CurrencyPage: Page {
    static let template = "onboarding/currency"
    let chrome: Chrome
    let common: [Choice]
    let others: [Choice]
    let othersOpen: Bool
    let field: Field

    /// - Parameters:
    ///   - state: `currency` as it is, or as it was typed and refused.
    ///   - suggested: the choices outside the full list, the likeliest first.
    init(chrome: Chrome, formats: Formats, state: FormState, suggested: [CurrencyCode]) {
        self.chrome = chrome
        let split = formats.choices(suggested: suggested, chosen: [state["currency"]])
        common = split.common
        others = split.others
        othersOpen = split.others.contains { $0.isSelected }
        field = state.field("currency")
    }

    static let keys = Keys<CurrencyPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .list("steps", of: ProgressStep.self) { _ in ProgressStep.steps(current: 1) }
        .list("common", of: Choice.self) { $0.common }
        .list("others", of: Choice.self) { $0.others }
        .flag("others_open") { $0.othersOpen }
        .model("currency", of: Field.self) { $0.field }
}

extension Formats {
    /// Suggested currencies and all other currencies, with the chosen currencies marked.
    func choices(suggested: [CurrencyCode], chosen: [String]) -> (common: [Choice], others: [Choice]) {
        func choice(_ code: CurrencyCode) -> Choice {
            Choice(code.rawValue, .verbatim(currencyName(code))).selected(among: chosen)
        }
        let known = Set(suggested)
        return (suggested.map(choice), allCurrencies.filter { !known.contains($0) }.map(choice))
    }
}

// The page that adds, changes or deletes a rule.

import Ledger
import Links
import Templates
import Texts

/// A rule on a page of its own.
struct RuleEditPage: Page {
    static let template = "rules/edit"

    let chrome: Chrome
    let form: RuleForm
    /// The use of the stored rule, with its conflicts; nil to add one.
    let line: RuleLine?

    static let keys = Keys<RuleEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.rules) }
        .message("heading") { page in
            page.line.map { .verbatim($0.rule.name) } ?? Text("rules.new-rule")
        }
        .model("form", of: RuleForm.self) { $0.form }
        .messages("cautions") { $0.line?.cautions ?? [] }
        .optionalMessage("uses") { $0.line?.useWords }
        .optionalLink("delete_action") { $0.form.editing.map { Link.ruleDelete($0) } }
}

// The rules in the order in which they run.

import Ledger
import Links
import Templates
import Texts

/// All rules of the book.
struct RulesPage: Page {
    static let template = "rules/index"

    let chrome: Chrome
    let lines: [RuleLine]

    static let keys = Keys<RulesPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.rules) }
        .flag("has_rules") { !$0.lines.isEmpty }
        .flag("can_be_ordered") { $0.lines.contains(where: \.canMove) }
        .list("rules", of: RuleLine.self) { $0.lines }
}

/// A rule as a row.
struct RuleLine: TemplateModel {
    let rule: Rule
    /// The number of rows that it has matched.
    let matches: Int
    /// The day of the last match, in words; nil before the first.
    let last: String?
    /// The names of rules that set another value on the same rows.
    let conflicts: [String]
    /// Whether its regular expression needs too much work for some rows.
    var isTooCostly = false
    let words: RuleWords
    /// Whether there is another rule to change places with.
    var canMove = true

    /// The number of matches with the day of the last one; nil for a rule that does not run here.
    var useWords: Text? {
        guard rule.isUnderstood else { return nil }
        return Text("rules.has-matched", ["count": .count(matches), "day": .string(last ?? "")])
    }

    /// One sentence for each conflict, and for an expression that needs too much work.
    var cautions: [Text] {
        conflicts.map { Text("rules.conflicts-with", ["name": .string($0.isolated)]) }
            + (isTooCostly ? [Text("rules.is-too-costly")] : [])
    }

    private var named: [String: Text.Argument] { ["name": .string(rule.name.isolated)] }

    private var category: Ledger.Category? { words.catalog.category(rule.effects.category) }

    private var icon: String {
        if let category { return category.icon }
        if rule.effects.transfer != nil { return "swap" }
        if rule.effects.schedule != nil { return "repeat" }
        return rule.effects.tags.isEmpty ? "filter" : "tag"
    }

    static let keys = Keys<RuleLine>()
        .text("id") { "\($0.rule.id)" }
        .link("href", to: Link.rule) { $0.rule.id }
        .text("name") { $0.rule.name }
        .message("words") { $0.words.sentence($0.rule) }
        .text("icon") { $0.icon }
        .text("color") { $0.category?.color ?? "slate" }
        .integer("matches") { Int64($0.matches) }
        .optionalMessage("uses") { $0.useWords }
        .messages("cautions") { $0.cautions }
        .flag("is_on") { $0.rule.isEnabled }
        .link("switch_action", to: Link.ruleSwitch) { $0.rule.id }
        .message("switch_label") { $0.rule.isEnabled ? Text("rules.turn-off") : Text("rules.turn-on") }
        .message("switch_name") { line in
            line.rule.isEnabled
                ? Text("rules.turn-off-name", line.named) : Text("rules.turn-on-name", line.named)
        }
        .flag("can_move") { $0.canMove }
        .message("grip_label") { Text("forms.drag-it", $0.named) }
        .message("up_label") { Text("rules.move-up", $0.named) }
        .message("down_label") { Text("rules.move-down", $0.named) }
}

// The facts that the pages of rules show.

import Book
import Ledger
import Texts

/// The rules of a book with their uses.
struct RuleFacts {
    /// In the order in which they run.
    let rules: [Rule]
    let words: RuleWords
    private let report: RuleReport
    private let formats: Formats

    init(_ context: RequestContext) throws {
        formats = try context.formats()
        words = try Self.words(context)
        rules = try context.book().rules()
        report = try context.book().ruleReport(on: formats.today)
    }

    static func words(_ context: RequestContext) throws -> RuleWords {
        RuleWords(
            catalog: try context.catalog(),
            schedules: try context.book().schedules(),
            decimalSign: try context.decimalSign()
        )
    }

    /// A rule as a row. A conflict is named at both of its rules.
    func line(_ rule: Rule) -> RuleLine {
        let use = report.uses[rule.id]
        let others = report.conflicts.compactMap { conflict in
            switch rule.id {
            case conflict.first: conflict.second
            case conflict.second: conflict.first
            default: nil as EntityID?
            }
        }
        return RuleLine(
            rule: rule,
            matches: use?.count ?? 0,
            last: use.map { formats.style.shortDay($0.lastDay) },
            conflicts: rules.filter { others.contains($0.id) }.map(\.name),
            isTooCostly: report.tooCostly.contains(rule.id),
            words: words
        )
    }

    /// The rules that concern a payee, without their uses.
    static func lines(ofPayee name: String, _ context: RequestContext) throws -> [RuleLine] {
        let rules = RuleSet(try context.book().rules(), Book.patterns).rules(ofPayee: name)
        let words = try words(context)
        return rules.map { RuleLine(rule: $0, matches: 0, last: nil, conflicts: [], words: words) }
    }
}

// Rules and rows as tests need them.

import Ledger

extension EntityID {
    /// The id with a number.
    static func rule(_ number: Int) -> EntityID { EntityID(high: 2, low: UInt64(number)) }
}

/// The rows to which the rules of tests refer: 11 is a category of spending and 12 one of income; 1 and 3 are accounts in
/// euros, 2 is one in dollars.
enum RuleSample {
    static let food = EntityID.rule(11)
    static let salary = EntityID.rule(12)
    static let fuel = EntityID.rule(13)
    static let euros = EntityID.rule(1)
    static let dollars = EntityID.rule(2)
    static let savings = EntityID.rule(3)
    static let rent = EntityID.rule(21)

    static let references = RuleReferences(
        categories: [food: .expense, salary: .income, fuel: .expense],
        accounts: [euros: .eur, dollars: .usd, savings: .eur],
        schedules: [rent]
    )

    static func row(
        _ payee: String,
        _ minor: Int64 = 1_250,
        _ kind: TransactionKind = .expense,
        _ currency: CurrencyCode = .eur,
        category: EntityID? = nil,
        note: String = "",
        tags: [String] = []
    ) -> Transaction {
        Transaction(
            id: .rule(100),
            kind: kind,
            date: CivilDate(dayNumber: 20_000),
            amount: Money(minor: minor, currency: currency),
            account: currency == .usd ? dollars : euros,
            accountMinor: minor,
            category: category,
            payee: payee,
            note: note,
            tags: tags
        )
    }

    static func rule(
        _ number: Int,
        _ conditions: [RuleCondition],
        _ effects: RuleEffects,
        match: RuleMatch = .all
    ) -> Rule {
        Rule(
            id: .rule(number),
            name: "Rule \(number)",
            match: match,
            conditions: conditions,
            effects: effects
        )
    }

    static func run(_ rules: [Rule], _ row: RuleRow) -> RuleResult {
        var runner = RuleRunner(RuleSet(rules, FewPatterns()), references)
        return runner.run(row)
    }
}

/// Patterns without a library: a text that occurs, `(` for a fault, `boom` for what is too costly.
struct FewPatterns: PatternCompiling {
    struct Compiled: CompiledPattern {
        let text: String

        func match(in other: String) -> PatternMatch {
            if text == "boom" { return .tooCostly }
            return other.contains(text) ? .found : .notFound
        }
    }

    func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern {
        guard !pattern.contains("(") else { throw PatternFault(message: "missing )", position: 1) }
        return Compiled(text: pattern)
    }
}

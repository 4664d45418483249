// The form of a rule, and the texts in which rules are stored.

import Testing

@testable import Ledger

@Suite struct TypedRuleTests {
    private func amounts(_ sign: Character = ".") throws -> AmountParser {
        AmountParser(decimalSign: sign, currencies: try Shipped.currencies(), locale: .fallback)
    }

    private func parsed(_ typed: TypedRule, _ sign: Character = ".") throws -> Rule {
        try typed.rule(id: .rule(1), position: "V", try amounts(sign), FewPatterns())
    }

    private func faults(_ change: (inout TypedRule) -> Void) throws -> [RuleFault] {
        var typed = TypedRule()
        typed.name = "Shop"
        typed.conditions = [.init(field: "payee", test: "contains", value: "lidl")]
        typed.payee = "Lidl"
        change(&typed)
        return #expect(throws: RuleFaults.self) { try parsed(typed) }?.all ?? []
    }

    private static let full = Rule(
        id: .rule(1),
        name: "Shop",
        position: "V",
        isEnabled: false,
        match: .any,
        conditions: [
            RuleCondition(.text, .matches, .text("li.*dl")),
            RuleCondition(
                .amount,
                .between,
                .amount(RuleAmount(low: 100_000, high: 205_000, isSigned: false))
            ),
            RuleCondition(
                .amount,
                .equals,
                .amount(RuleAmount(low: -125_000, high: -125_000, isSigned: true))
            ),
            RuleCondition(.amount, .less, .amount(RuleAmount(low: 0, high: 0, isSigned: true))),
            RuleCondition(.account, .equals, .account(RuleSample.euros)),
            RuleCondition(.kind, .equals, .kind(.income)),
            RuleCondition(.currency, .equals, .currency(.usd)),
            RuleCondition(.tags, .equals, .text("a \"quoted\" one")),
        ],
        effects: RuleEffects(
            payee: "Lidl",
            note: "n",
            tags: ["a", "b"],
            split: [
                RuleSplitPart(category: RuleSample.food, share: .amount(125_000)),
                RuleSplitPart(category: nil, share: .percent(4_050)),
            ],
            hides: true,
            schedule: RuleSample.rent
        )
    )

    @Test(arguments: [".", ","] as [Character])
    func aRuleComesBackFromItsForm(sign: Character) throws {
        let typed = TypedRule(Self.full, decimalSign: sign)
        #expect(typed.conditions[1].value == (sign == "." ? "10..20.50" : "10..20,50"))
        #expect(typed.conditions[2].value == (sign == "." ? "-12.50" : "-12,50"))
        #expect(typed.parts.map(\.share) == (sign == "." ? ["12.50", "40.50%"] : ["12,50", "40,50%"]))
        #expect(try parsed(typed, sign) == Self.full)
    }

    @Test func aRuleComesBackFromItsTexts() {
        let rule = Self.full
        let read = Rule(
            id: rule.id,
            name: rule.name,
            position: rule.position,
            isEnabled: rule.isEnabled,
            match: rule.match,
            conditions: rule.conditionsText,
            effects: rule.effectsText
        )
        #expect(read == rule)
        #expect(read.isUnderstood)
    }

    static let foreign: [(String, String)] = [
        (#"[{"field":"weather","test":"is","value":"rain"}]"#, "{}"),
        (#"[{"field":"payee","test":"sounds","value":"lidl"}]"#, "{}"),
        (#"[{"field":"payee","test":"is","value":"lidl","accents":true}]"#, "{}"),
        ("[]", #"{"colour":"red"}"#),
        (#"[{"field":"amount","test":"is","low":1}]"#, "{}"), ("[]", #"[{"field":"category","value":"01"}]"#),
        ("nothing", "{}"), ("[]", #"{"split":[{"percent":10001}]}"#),
    ]

    @Test(arguments: foreign)
    func whatANewerVersionHasWrittenIsKeptAndDoesNotRun(_ conditions: String, _ effects: String) {
        let rule = Rule(
            id: .rule(1),
            name: "R",
            position: nil,
            isEnabled: true,
            match: .all,
            conditions: conditions,
            effects: effects
        )
        #expect(!rule.isUnderstood && !rule.runs)
        #expect(rule.conditionsText == conditions && rule.effectsText == effects)
        #expect(rule.faults(FewPatterns()).isEmpty)
    }

    @Test func eachFaultIsBesideItsField() throws {
        #expect(try faults { $0.name = "" } == [RuleFault(.name, .missing)])
        #expect(
            try faults { $0.name = String(repeating: "x", count: 81) } == [RuleFault(.name, .tooLong(80))]
        )
        #expect(try faults { $0.conditions = [] } == [RuleFault(.conditions, .missing)])
        #expect(try faults { $0.payee = "" } == [RuleFault(.effects, .missing)])
        #expect(try faults { $0.category = "x" } == [RuleFault(.effect(.category), .unknown)])
        let both: (inout TypedRule) -> Void = {
            $0.category = "\(RuleSample.food)"
            $0.account = "\(RuleSample.savings)"
        }
        #expect(try faults(both) == [RuleFault(.effect(.transfer), .contradicts(.category))])
        let shares: [(String, RuleFault)] = [
            ("x", RuleFault(.part(1), .share)), ("101%", RuleFault(.part(1), .share)),
            ("0", RuleFault(.part(1), .share)), ("", RuleFault(.effect(.split), .tooFew(2))),
            ("60%", RuleFault(.effect(.split), .tooManyPercent)),
        ]
        for (share, fault) in shares {
            let found = try faults {
                $0.parts = [.init(category: "", share: "50%"), .init(category: "", share: share)]
            }
            #expect(found == [fault], "\(share)")
        }
    }

    static let conditions: [(String, String, String, RuleFault.Reason)] = [
        ("payee", "matches", "a(", .pattern(PatternFault(message: "missing )", position: 1))),
        ("payee", "less", "x", .unfitTest), ("weather", "is", "x", .unknown),
        ("kind", "is", "gift", .unknown),
        ("account", "is", "x", .unknown), ("amount", "is", "abc", .amount(.unreadable)),
        ("amount", "between", "10", .noRange), ("amount", "between", "20..10", .reversedRange),
        ("amount", "is", "10..20", .amount(.unreadable)), ("amount", "between", "..10", .amount(.empty)),
        ("payee", "is", String(repeating: "x", count: 201), .tooLong(200)),
    ]

    @Test(arguments: conditions)
    func aConditionIsRefusedAtItsPlace(
        _ field: String,
        _ test: String,
        _ value: String,
        _ reason: RuleFault.Reason
    ) throws {
        // A condition without a value is no condition, and keeps its place in the form.
        let found = try faults {
            $0.conditions.append(.init(field: "note", test: "is", value: ""))
            $0.conditions.append(.init(field: field, test: test, value: value))
        }
        #expect(found == [RuleFault(.condition(2), reason)])
    }
}

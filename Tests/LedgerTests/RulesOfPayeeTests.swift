// The rules that concern a payee.

import Ledger
import Testing

@Suite struct RulesOfPayeeTests {
    private static let food = RuleEffects(category: RuleSample.food)

    private static let rules = [
        RuleSample.rule(1, [RuleCondition(.payee, .equals, .text("LIDL"))], food),
        RuleSample.rule(
            2,
            [
                RuleCondition(.text, .contains, .text("idl")),
                RuleCondition(.amount, .more, .amount(RuleAmount(low: 0, high: 0, isSigned: true))),
            ],
            food
        ),
        RuleSample.rule(3, [RuleCondition(.note, .contains, .text("lidl"))], food),
        RuleSample.rule(4, [RuleCondition(.text, .contains, .text("discount"))], RuleEffects(payee: "Lidl")),
        RuleSample.rule(5, [RuleCondition(.payee, .equals, .text("Market"))], food),
    ]

    @Test(arguments: [("lidl", [1, 2, 4]), ("Market", [5]), ("Shell", [])] as [(String, [UInt64])])
    func areThoseThatSetItsNameOrHoldForIt(payee: String, numbers: [UInt64]) {
        let found = RuleSet(Self.rules, FewPatterns()).rules(ofPayee: payee)
        let expected = Self.rules.enumerated().filter { numbers.contains(UInt64($0.offset + 1)) }
        #expect(found.map(\.id) == expected.map(\.element.id))
    }
}

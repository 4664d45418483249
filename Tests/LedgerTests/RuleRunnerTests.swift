// The conditions of rules, their effects, and their order.

import Ledger
import Synchronization
import Testing

@Suite struct RuleConditionTests {
    static let texts: [(RuleTest, String, String, Bool)] = [
        (.contains, "lidl", "LIDL SAGT DANKE", true), (.contains, "müller", "Drogerie MULLER 12", true),
        (.contains, "mueller", "Müller", false), (.contains, "strasse", "Hauptstraße", true),
        (.contains, "a  b", "x a\u{A0}b y", true), (.contains, "ﬁn", "FINANZAMT", true),
        (.contains, "lidlx", "LIDL", false), (.equals, "  Lidl ", "lidl", true),
        (.equals, "lid", "lidl", false),
        (.begins, "lid", "LIDL", true), (.begins, "idl", "LIDL", false), (.ends, "dl", "LIDL", true),
        (.ends, "lid", "LIDL", false), (.ends, "a long text", "text", false), (.contains, "★", "a ★ b", true),
        (.contains, "%", "100 %", true), (.contains, "קפה", "בית קפה", true),
        (.contains, "\u{300}", "e\u{300}", false),
    ]

    @Test(arguments: texts)
    func comparesTextsWithoutCaseAccentsAndSpaces(
        _ test: RuleTest,
        _ wanted: String,
        _ payee: String,
        _ holds: Bool
    ) {
        for field in [RuleField.payee, .text] {
            let rule = RuleSample.rule(
                1,
                [RuleCondition(field, test, .text(wanted))],
                RuleEffects(category: RuleSample.food)
            )
            let result = RuleSample.run([rule], RuleRow(RuleSample.row(payee)))
            #expect(result.matched == (holds ? [rule.id] : []), "\(field)")
        }
        let onBank = RuleSample.rule(
            1,
            [RuleCondition(.text, test, .text(wanted))],
            RuleEffects(category: RuleSample.food)
        )
        let row = RuleRow(RuleSample.row("nothing of it"), bankTexts: ["CARD 12", payee])
        #expect(RuleSample.run([onBank], row).matched.isEmpty == !holds)
    }

    static let amounts: [(RuleTest, RuleAmount, Int64, TransactionKind, Bool)] = [
        (.equals, RuleAmount(low: 125_000, high: 125_000, isSigned: false), 1_250, .expense, true),
        (.equals, RuleAmount(low: 125_000, high: 125_000, isSigned: false), 1_250, .income, true),
        (.equals, RuleAmount(low: -125_000, high: -125_000, isSigned: true), 1_250, .expense, true),
        (.equals, RuleAmount(low: -125_000, high: -125_000, isSigned: true), 1_250, .income, false),
        (.less, RuleAmount(low: 0, high: 0, isSigned: true), 1_250, .expense, true),
        (.less, RuleAmount(low: 0, high: 0, isSigned: true), 1_250, .income, false),
        (.more, RuleAmount(low: 0, high: 0, isSigned: true), 1_250, .income, true),
        (.less, RuleAmount(low: 125_000, high: 125_000, isSigned: false), 1_250, .expense, false),
        (.more, RuleAmount(low: 124_999, high: 124_999, isSigned: false), 1_250, .expense, true),
        (.between, RuleAmount(low: 100_000, high: 125_000, isSigned: false), 1_250, .expense, true),
        (.between, RuleAmount(low: 100_000, high: 124_900, isSigned: false), 1_250, .expense, false),
        (.between, RuleAmount(low: -200_000, high: -100_000, isSigned: true), 1_250, .expense, true),
    ]

    @Test(arguments: amounts)
    func comparesAmounts(
        _ test: RuleTest,
        _ amount: RuleAmount,
        _ minor: Int64,
        _ kind: TransactionKind,
        _ holds: Bool
    ) {
        let rule = RuleSample.rule(
            1,
            [RuleCondition(.amount, test, .amount(amount))],
            RuleEffects(payee: "P")
        )
        let row = RuleRow(RuleSample.row("", minor, kind))
        #expect(RuleSample.run([rule], row).matched.isEmpty == !holds)
    }

    /// 1,250 yen are 1250, not 12.50.
    @Test func anAmountIsOfTheRowsCurrency() throws {
        let yen = try #require(CurrencyCode("JPY"))
        let amount = RuleAmount(low: 12_500_000, high: 12_500_000, isSigned: false)
        let rule = RuleSample.rule(
            1,
            [RuleCondition(.amount, .equals, .amount(amount))],
            RuleEffects(payee: "P")
        )
        #expect(RuleSample.run([rule], RuleRow(RuleSample.row("", 1_250, .expense, yen))).matched.count == 1)
        #expect(RuleSample.run([rule], RuleRow(RuleSample.row("", 1_250))).matched.isEmpty)
    }

    static let others: [(RuleCondition, Bool)] = [
        (RuleCondition(.account, .equals, .account(RuleSample.euros)), true),
        (RuleCondition(.account, .equals, .account(RuleSample.savings)), false),
        (RuleCondition(.kind, .equals, .kind(.expense)), true),
        (RuleCondition(.kind, .equals, .kind(.income)), false),
        (RuleCondition(.currency, .equals, .currency(.eur)), true),
        (RuleCondition(.currency, .equals, .currency(.usd)), false),
        (RuleCondition(.note, .contains, .text("INVOICE")), true),
        (RuleCondition(.note, .contains, .text("bill")), false),
        (RuleCondition(.tags, .equals, .text("Food")), true),
        (RuleCondition(.tags, .equals, .text("foo")), false),
        (RuleCondition(.payee, .matches, .text("Lidl")), true),
        (RuleCondition(.text, .matches, .text("SAGT")), true),
        (RuleCondition(.text, .matches, .text("boom")), false),
    ]

    @Test(arguments: others)
    func looksAtItsField(_ condition: RuleCondition, _ holds: Bool) {
        let rule = RuleSample.rule(1, [condition], RuleEffects(payee: "P"))
        let transaction = RuleSample.row("Lidl", note: "invoice 12", tags: ["food"])
        let result = RuleSample.run([rule], RuleRow(transaction, bankTexts: ["LIDL SAGT DANKE"]))
        #expect(result.matched.isEmpty == !holds)
        #expect(result.tooCostly == (condition.value == .text("boom") ? [rule.id] : []))
    }

    @Test func allOrAnyMustHold() {
        let conditions = [
            RuleCondition(.payee, .contains, .text("lidl")),
            RuleCondition(.kind, .equals, .kind(.income)),
        ]
        let row = RuleRow(RuleSample.row("Lidl"))
        let all = RuleSample.rule(1, conditions, RuleEffects(payee: "P"), match: .all)
        let any = RuleSample.rule(2, conditions, RuleEffects(payee: "P"), match: .any)
        #expect(RuleSample.run([all, any], row).matched == [any.id])
    }

    @Test func aRuleThatIsOffOrNotUnderstoodDoesNotRun() {
        var off = RuleSample.rule(
            1,
            [RuleCondition(.kind, .equals, .kind(.expense))],
            RuleEffects(payee: "P")
        )
        off.isEnabled = false
        var foreign = RuleSample.rule(2, off.conditions, RuleEffects(payee: "Q"))
        foreign.foreign.conditions = "[{}]"
        #expect(RuleSet([off, foreign], FewPatterns()).isEmpty)
    }

    /// A rule whose pattern explodes on each row must not delay thousands of rows.
    @Test func aRuleThatIsTooCostlyAgainAndAgainIsLeftOut() {
        final class Counter: Sendable { let count = Mutex(0) }
        struct Counting: PatternCompiling, CompiledPattern {
            let counter: Counter
            func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern { self }
            func match(in text: String) -> PatternMatch {
                counter.count.withLock { $0 += 1 }
                return .tooCostly
            }
        }
        let counter = Counter()
        let rule = RuleSample.rule(
            1,
            [RuleCondition(.payee, .matches, .text("(a+)+$"))],
            RuleEffects(payee: "P")
        )
        var runner = RuleRunner(RuleSet([rule], Counting(counter: counter)), RuleSample.references)
        for _ in 0..<1_000 {
            #expect(runner.run(RuleRow(RuleSample.row("aaaa!"))).tooCostly == [rule.id])
        }
        #expect(counter.count.withLock { $0 } == 20)
    }
}

@Suite struct RuleEffectTests {
    private static let always = [RuleCondition(.kind, .equals, .kind(.expense))]

    private func run(_ effects: RuleEffects, _ row: Transaction, typed: Set<RuleEffect> = []) -> RuleResult {
        let anything = [
            RuleCondition(.amount, .more, .amount(RuleAmount(low: 0, high: 0, isSigned: false)))
        ]
        return RuleSample.run([RuleSample.rule(1, anything, effects)], RuleRow(row, typed: typed))
    }

    @Test func setsWhatItNames() {
        let effects = RuleEffects(
            payee: "Lidl",
            category: RuleSample.food,
            note: "weekly",
            tags: ["Home", "food"],
            hides: true,
            schedule: RuleSample.rent
        )
        let result = run(effects, RuleSample.row("LIDL 12", tags: ["home"]))
        #expect(result.transaction.payee == "Lidl")
        #expect(result.transaction.category == RuleSample.food)
        #expect(result.transaction.note == "weekly")
        #expect(result.transaction.tags == ["home", "food"])
        #expect(result.isHidden)
        #expect(result.schedule == RuleSample.rent)
        #expect(Set(result.setBy.keys) == [.payee, .category, .note, .tags, .hide, .schedule])
        #expect(result.rule == .rule(1))
    }

    @Test func changesNothingThatAPersonWrote() {
        let effects = RuleEffects(
            payee: "Lidl",
            category: RuleSample.food,
            note: "n",
            tags: ["t"],
            hides: true
        )
        let row = RuleSample.row("My shop", category: RuleSample.fuel)
        let result = run(effects, row, typed: [.payee, .category, .note, .tags, .hide])
        #expect(result.transaction == row)
        #expect(result.setBy.isEmpty)
        #expect(result.matched.count == 1)
        #expect(result.rule == nil)
    }

    @Test func aCategoryMustFit() {
        let spending = RuleEffects(category: RuleSample.food)
        let income = RuleEffects(category: RuleSample.salary)
        let gone = RuleEffects(category: .rule(99))
        #expect(run(income, RuleSample.row("P")).setBy.isEmpty)
        #expect(run(spending, RuleSample.row("P", 1, .income)).transaction.category == RuleSample.food)
        #expect(run(gone, RuleSample.row("P")).setBy.isEmpty)
        var split = RuleSample.row("P", 100)
        split.split = .parts([SplitPart(category: nil, minor: 60), SplitPart(category: nil, minor: 40)])
        #expect(run(spending, split).transaction == split)
    }

    static let shares: [([RuleShare], Int64, [Int64]?)] = [
        ([.percent(4_000), .percent(6_000)], 1_001, [400, 601]),
        ([.percent(5_000), .percent(5_000)], 3, [2, 1]),
        ([.amount(100_000), .percent(10_000)], 2_500, [1_000, 1_500]),
        ([.amount(100_000)], 2_500, [1_000, 1_500]),
        ([.percent(3_333), .percent(3_333), .percent(3_334)], 100, [33, 34, 33]),
        ([.amount(300_000)], 2_500, nil), ([.amount(250_000)], 2_500, nil), ([.percent(10_000)], 2_500, nil),
        ([.amount(100_050)], 2_500, nil), ([.percent(2_500)], 1, nil),
    ]

    @Test(arguments: shares)
    func dividesByAmountsAndPercentages(_ shares: [RuleShare], _ minor: Int64, _ minors: [Int64]?) {
        let parts = shares.map { RuleSplitPart(category: RuleSample.food, share: $0) }
        let result = run(RuleEffects(split: parts), RuleSample.row("P", minor, category: RuleSample.fuel))
        #expect(result.transaction.split?.parts.map(\.minor) == minors)
        guard let minors else {
            #expect(result.transaction.category == RuleSample.fuel)
            return
        }
        #expect(minors.reduce(0, +) == minor)
        #expect(result.transaction.category == nil)
        #expect(result.transaction.splitBalance == .exact)
        // The remainder keeps the category.
        let isWhole = minors.count == shares.count
        #expect(
            result.transaction.split?.parts.last?.category == (isWhole ? RuleSample.food : RuleSample.fuel)
        )
    }

    @Test func makesATransferInTheSameCurrency() {
        let effects = RuleEffects(transfer: RuleSample.savings)
        let out = run(effects, RuleSample.row("P", category: RuleSample.food)).transaction
        #expect(
            out.kind == .transfer && out.account == RuleSample.euros && out.toAccount == RuleSample.savings
        )
        #expect(out.toMinor == 1_250 && out.category == nil)
        let back = run(effects, RuleSample.row("P", 1_250, .income)).transaction
        #expect(back.kind == .transfer && back.account == RuleSample.savings)
        #expect(back.toAccount == RuleSample.euros)
        #expect(run(effects, RuleSample.row("P", 1_250, .expense, .usd)).setBy.isEmpty)
        #expect(run(RuleEffects(transfer: RuleSample.euros), RuleSample.row("P")).setBy.isEmpty)
    }

    @Test func aLaterRuleSeesWhatAnEarlierOneHasSetAndWins() {
        let rules = [
            RuleSample.rule(
                1,
                [RuleCondition(.payee, .contains, .text("amzn"))],
                RuleEffects(payee: "Amazon", category: RuleSample.fuel)
            ),
            RuleSample.rule(
                2,
                [RuleCondition(.payee, .equals, .text("amazon"))],
                RuleEffects(category: RuleSample.food)
            ),
            RuleSample.rule(
                3,
                [RuleCondition(.payee, .contains, .text("amzn"))],
                RuleEffects(note: "never")
            ),
            // The text stays what the bank has written.
            RuleSample.rule(4, [RuleCondition(.text, .contains, .text("amzn"))], RuleEffects(tags: ["web"])),
        ]
        let result = RuleSample.run(rules, RuleRow(RuleSample.row("AMZN MKTP")))
        #expect(result.matched == [.rule(1), .rule(2), .rule(4)])
        #expect(result.setBy == [.payee: .rule(1), .category: .rule(2), .tags: .rule(4)])
        #expect(result.rule == .rule(2))
    }

    @Test func rulesInACircleEnd() {
        let rules = (0..<10).map { number in
            RuleSample.rule(
                number,
                [RuleCondition(.payee, .equals, .text("p\(number)"))],
                RuleEffects(payee: "p\((number + 1) % 10)")
            )
        }
        let result = RuleSample.run(rules, RuleRow(RuleSample.row("p0")))
        #expect(result.transaction.payee == "p0")
        #expect(result.matched.count == 10)
        // A rule that makes its own condition true again runs once.
        let again = RuleSample.rule(
            1,
            [RuleCondition(.payee, .contains, .text("a"))],
            RuleEffects(payee: "a a")
        )
        #expect(RuleSample.run([again], RuleRow(RuleSample.row("a"))).matched == [again.id])
    }

    @Test func rulesRunInTheOrderOfTheirPlaces() {
        func rule(_ number: Int, _ position: String?) -> Rule {
            var rule = RuleSample.rule(number, Self.always, RuleEffects(payee: "\(number)"))
            rule.position = position
            return rule
        }
        let rules = [rule(5, nil), rule(4, nil), rule(3, "a"), rule(2, "Z"), rule(1, "a")]
        #expect(RuleSet(rules, FewPatterns()).rules.map(\.id) == [2, 1, 3, 4, 5].map { .rule($0) })
    }
}

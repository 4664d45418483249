// The rules.

import Ledger
import Links
import Texts

enum RuleStories {
    static let all: [Story] = [
        Story("rules", .transactions, "In their order, with one that is off and two that conflict") {
            $0.rulesPage($0.rules)
        },
        Story("rules-one", .transactions, "One, which has no other place") {
            $0.rulesPage(Array($0.rules.prefix(1)))
        },
        Story("rules-empty", .transactions, "None yet") { $0.rulesPage([]) },
        Story("rules-long", .transactions, "Long names, and names from right to left") {
            let sample = $0.of(.longLived)
            return sample.rulesPage(sample.rules)
        },
        Story("rule-offer", .transactions, "One that is offered for a correction") {
            $0.with {
                $0.offer = RuleOfferLine(payee: "LIDL", category: Sample.id(10), name: "Groceries", count: 12)
            }
            .rulesPage([])
        },
        Story("rule-new", .transactions, "A new one") { $0.rulePage(RuleForm.blank) },
        Story("rule-of-payees", .transactions, "A new one for two payees, filled in by a link") {
            var state = RuleForm.blank
            state.values["match"] = RuleMatch.any.rawValue
            state.values["then_category"] = "\(Sample.id(10))"
            state.lists = [
                "when_field": ["payee", "payee"], "when_test": ["is", "is"],
                "when_value": [$0.typed("Green Market"), $0.typed("Corner Café")],
            ]
            return $0.rulePage(state)
        },
        Story("rule", .transactions, "To be changed") { $0.rulePage(of: $0.rules[0]) },
        Story("rule-with-parts", .transactions, "With a split, a note and an account") {
            $0.rulePage(of: $0.rules[3])
        },
        Story("rule-newer", .transactions, "Of a newer version") { $0.rulePage(of: $0.newerRule) },
        Story("rule-refused", .transactions, "Refused: an expression, a range and the parts") {
            $0.rulePage($0.refusedRule)
        },
        Story("rule-more-rows", .transactions, "With more rows for conditions and parts") {
            var state = RuleForm.blank
            (state.conditionRowCount, state.partRowCount, state.isFilledIn) = (5, 4, true)
            return $0.rulePage(state)
        },
        Story("rule-preview", .transactions, "What a rule would change") { $0.rulePreview() },
        Story("rule-preview-unsaved", .transactions, "What a rule would change that is not saved yet") {
            $0.rulePreview(isUnsaved: true)
        },
        Story("rule-preview-nothing", .transactions, "A rule that would change nothing") {
            $0.rulePreview(count: 0)
        },
    ]
}

extension Sample {
    private var ruleWords: RuleWords { RuleWords(catalog: catalog, schedules: [], decimalSign: ".") }

    fileprivate var rules: [Rule] {
        [
            rule(
                1,
                "LIDL",
                [RuleCondition(.payee, .equals, .text(typed("LIDL")))],
                RuleEffects(category: Self.id(10), tags: [typed("food")])
            ),
            rule(
                2,
                "Fuel",
                match: .any,
                [
                    RuleCondition(.text, .contains, .text(typed("Shell"))),
                    RuleCondition(.text, .matches, .text("^(aral|esso)\\b")),
                ],
                RuleEffects(payee: typed("Petrol station"), category: Self.id(14))
            ),
            rule(
                3,
                "Small change",
                isEnabled: false,
                [
                    RuleCondition(
                        .amount,
                        .between,
                        .amount(RuleAmount(low: 0, high: 50_000, isSigned: false))
                    ),
                    RuleCondition(.account, .equals, .account(Self.id(1))),
                    RuleCondition(.kind, .equals, .kind(.expense)),
                ],
                RuleEffects(category: Self.id(12), note: typed("Weekly market"))
            ),
            rule(
                4,
                "Rainy days",
                [
                    RuleCondition(.note, .begins, .text(typed("Saving"))),
                    RuleCondition(.currency, .equals, .currency(.eur)),
                ],
                RuleEffects(
                    note: typed("Weekly market"),
                    split: [
                        RuleSplitPart(category: Self.id(10), share: .percent(6_000)),
                        RuleSplitPart(category: Self.id(13), share: .amount(125_000)),
                    ]
                )
            ),
            rule(
                5,
                "To the savings",
                [RuleCondition(.tags, .equals, .text(typed("saving")))],
                RuleEffects(transfer: Self.id(5))
            ),
            newerRule,
        ]
    }

    fileprivate var newerRule: Rule {
        var texts = ForeignRuleTexts()
        texts.conditions = #"[{"field":"moon","test":"is","value":"full"}]"#
        return rule(6, "Full moon", [], RuleEffects(), foreign: texts)
    }

    private func rule(
        _ number: UInt64,
        _ name: String,
        isEnabled: Bool = true,
        match: RuleMatch = .all,
        _ conditions: [RuleCondition],
        _ effects: RuleEffects,
        foreign: ForeignRuleTexts = ForeignRuleTexts()
    ) -> Rule {
        Rule(
            id: Self.id(300 + number),
            name: typed(name),
            isEnabled: isEnabled,
            match: match,
            conditions: conditions,
            effects: effects,
            foreign: foreign
        )
    }

    private func line(_ rule: Rule, _ place: Int = 0) -> RuleLine {
        RuleLine(
            rule: rule,
            matches: [38, 1, 0, 7, 0, 0][place],
            last: place % 2 == 0 && place > 0 ? nil : formats.style.shortDay(Self.today),
            conflicts: place == 1 ? [typed("LIDL")] : [],
            isTooCostly: place == 1,
            words: ruleWords
        )
    }

    fileprivate func rulesPage(_ rules: [Rule]) -> RulesPage {
        RulesPage(
            chrome: chrome,
            lines: rules.enumerated().map { place, rule in
                var line = line(rule, place)
                line.canMove = rules.count > 1
                return line
            }
        )
    }

    fileprivate func rulePage(of rule: Rule) -> RuleEditPage {
        rulePage(RuleForm.values(of: rule, catalog: catalog, decimalSign: "."), of: rule)
    }

    fileprivate func rulePage(_ state: FormState, of rule: Rule? = nil) -> RuleEditPage {
        let form = RuleForm(
            state: state,
            editing: rule?.id,
            once: Self.once,
            isUnderstood: rule?.isUnderstood ?? true,
            words: ruleWords,
            currencies: [Self.eur, Self.usd],
            payees: [PayeeHint(payee: typed("Green Market"), category: Self.id(10))]
        )
        return RuleEditPage(chrome: chrome, form: form, line: rule.map { line($0) })
    }

    fileprivate var refusedRule: FormState {
        var state = RuleForm.blank
        state.values["then_payee"] = typed("Petrol station")
        state.lists = [
            "when_field": ["text", "amount", "account"], "when_test": ["matches", "between", "is"],
            "when_value": ["(shell", "10", typed("Wallet")],
            "then_split_category": ["\(Self.id(10))", ""], "then_split_share": ["80%", "40%"],
        ]
        state.order = ["when_value-1", "when_value-2", "when_value-3", "then_split_share-1"]
        let pattern = PatternFault(message: "missing closing parenthesis", position: 6)
        state.refuse("when_value-1", RuleFaultWords.text(.pattern(pattern), field: .text))
        state.refuse("when_value-2", RuleFaultWords.text(.noRange, field: .amount))
        state.refuse("when_value-3", RuleFaultWords.text(.unknown, field: .account))
        state.refuse("then_split_share-1", RuleFaultWords.text(.tooManyPercent, .split))
        return state
    }

    fileprivate func rulePreview(isUnsaved: Bool = false, count: Int = 312) -> RulePreviewPage {
        let id = HiddenField(name: "id", value: "\(Self.id(301))")
        let changed = count == 0 ? [] : transactions.filter { $0.kind == .expense }.prefix(3)
        return RulePreviewPage(
            chrome: chrome,
            action: isUnsaved ? .rules : .rulesApply,
            fields: isUnsaved ? [HiddenField(name: "when_value", value: typed("LIDL"))] : [id],
            isUnsaved: isUnsaved,
            words: ruleWords.sentence(rules[0]),
            count: count,
            rows: changed.map { before in
                var after = before
                (after.category, after.payee) = (Self.id(13), typed("Petrol station"))
                after.tags += [typed("food")]
                return RuleChangeLine(before: before, after: after, catalog: catalog, formats: formats)
            },
            remarks: isUnsaved ? [Text("rules.and-of-banks", ["count": .count(2)])] : [],
            back: Link.rule(Self.id(301))
        )
    }
}

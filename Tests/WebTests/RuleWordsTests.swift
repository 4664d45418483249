// Rules as sentences, and the sentences about their faults, in English.
import Ledger
import TestKit
import Testing
import Texts

@testable import Web

@Suite struct TheSentencesOfRules {
    private let texts: TextCatalogue
    private let words: RuleWords

    private static let groceries = id(10)

    private static func id(_ number: UInt64) -> EntityID { EntityID(high: 7, low: number) }

    init() throws {
        texts = try TextCatalogue(language: "en", files: shippedTexts())
        let category = Category(
            id: Self.groceries,
            name: "Groceries",
            kind: .expense,
            icon: "basket",
            color: "basil",
            parent: nil
        )
        let account = Account(id: Self.id(1), name: "Cash", type: .cash, currency: .eur, openingMinor: 0)
        words = RuleWords(
            catalog: Catalog(BookChoices(accounts: [account], categories: [category])),
            schedules: [],
            decimalSign: ","
        )
    }

    private func sentence(
        _ conditions: [RuleCondition],
        match: RuleMatch = .all,
        _ effects: RuleEffects? = nil
    ) -> String {
        let rule = Rule(
            id: Self.id(99),
            name: "x",
            match: match,
            conditions: conditions,
            effects: effects ?? RuleEffects(category: Self.groceries)
        )
        return texts.string(words.sentence(rule))
    }

    static let conditions: [(RuleCondition, String)] = [
        (RuleCondition(.payee, .equals, .text("LIDL")), "the payee is LIDL"),
        (RuleCondition(.text, .contains, .text("lidl")), "the bank’s text contains “lidl”"),
        (RuleCondition(.note, .begins, .text("a")), "the note begins with “a”"),
        (RuleCondition(.tags, .ends, .text("b")), "a tag ends with “b”"),
        (RuleCondition(.text, .matches, .text("^l.dl")), "the bank’s text matches ^l.dl"),
        (amount(.less, 500_000), "the amount is less than 50"),
        (amount(.more, -125_000, isSigned: true), "the amount is more than -12,50"),
        (amount(.between, 100_000, 205_000), "the amount is between 10 and 20,50"),
        (RuleCondition(.account, .equals, .account(id(1))), "the account is Cash"),
        (RuleCondition(.account, .equals, .account(id(2))), "the account is Deleted account"),
        (RuleCondition(.kind, .equals, .kind(.income)), "the kind is income"),
        (RuleCondition(.currency, .equals, .currency(.eur)), "the currency is EUR"),
    ]

    @Test(arguments: conditions)
    func sayEachCondition(condition: RuleCondition, words: String) {
        #expect(sentence([condition]) == "When \(words): Groceries")
    }

    private static func amount(
        _ test: RuleTest,
        _ low: Int64,
        _ high: Int64? = nil,
        isSigned: Bool = false
    ) -> RuleCondition {
        RuleCondition(.amount, test, .amount(RuleAmount(low: low, high: high ?? low, isSigned: isSigned)))
    }

    @Test func joinConditionsByTheirMeaning() {
        let two = ["a", "b"].map { RuleCondition(.payee, .equals, .text($0)) }
        #expect(sentence(two) == "When the payee is a and the payee is b: Groceries")
        #expect(sentence(two, match: .any) == "When the payee is a or the payee is b: Groceries")
    }

    static let effects: [(RuleEffects, String)] = [
        (RuleEffects(payee: "Lidl", tags: ["food"]), "payee Lidl, tag food"),
        (RuleEffects(tags: ["a", "b"]), "tags a, b"), (RuleEffects(note: "n"), "note “n”"),
        (RuleEffects(transfer: id(1)), "a transfer to Cash"), (RuleEffects(hides: true), "hidden"),
        (RuleEffects(schedule: id(3)), "the payment of A deleted schedule"),
        (RuleEffects(category: id(4)), "A deleted category"),
        (
            RuleEffects(split: [
                RuleSplitPart(category: groceries, share: .percent(3_350)),
                RuleSplitPart(category: nil, share: .amount(125_000)),
            ]), "split into Groceries 33,50%, No category 12,50"
        ),
    ]

    @Test(arguments: effects)
    func sayEachEffect(effects: RuleEffects, words: String) {
        let condition = RuleCondition(.payee, .equals, .text("LIDL"))
        #expect(sentence([condition], effects) == "When the payee is LIDL: \(words)")
    }

    @Test func sayThatARuleOfANewerVersionIsNotUnderstood() {
        var rule = Rule(id: Self.id(99), name: "x", conditions: [], effects: RuleEffects())
        rule.foreign.effects = "{}"
        #expect(
            texts.string(words.sentence(rule)).hasPrefix("Made by a newer version, and not understood here")
        )
    }

    @Test func sayTheFaultOfAnExpressionAndItsPlace() {
        let fault = PatternFault(message: "missing closing parenthesis", position: 1)
        let text = RuleFaultWords.text(.pattern(fault), field: .text)
        let sentence = "This is no regular expression: missing closing parenthesis, after 1 character."
        #expect(texts.string(text) == sentence)
    }
}

@Suite struct TheFormOfARule {
    private let catalog: Catalog

    init() {
        let accounts = ["Cash", "Joint", "Joint"].enumerated().map { number, name in
            Account(
                id: EntityID(high: 7, low: UInt64(number)),
                name: name,
                type: .cash,
                currency: .eur,
                openingMinor: 0
            )
        }
        catalog = Catalog(BookChoices(accounts: accounts, categories: []))
    }

    @Test func namesAnAccountUnlessAnotherOneHasItsName() {
        let (cash, joint) = (EntityID(high: 7, low: 0), EntityID(high: 7, low: 1))
        let rule = Rule(
            id: EntityID(high: 7, low: 9),
            name: "x",
            conditions: [cash, joint].map { RuleCondition(.account, .equals, .account($0)) },
            effects: RuleEffects(hides: true)
        )
        let state = RuleForm.values(of: rule, catalog: catalog, decimalSign: ".")
        #expect(state.lists["when_value"] == ["Cash", "\(joint)"])
        #expect(state["then_hide"] == "on" && state["enabled"] == "on")
        let typed = RuleEntry.typed(state, catalog)
        #expect(typed.conditions.map(\.value) == ["\(cash)", "\(joint)"])
    }

    @Test func readsRowsInTheirOrderAndNamesTheRule() {
        var state = RuleForm.blank
        state.lists = [
            "when_field": ["payee", "note"], "when_test": ["is", "contains"], "when_value": ["", " b "],
        ]
        let typed = RuleEntry.typed(state, catalog)
        #expect(typed.conditions.map(\.value) == ["", "b"] && typed.name == "b")
        #expect(typed.isEnabled && typed.match == "all")
    }
}

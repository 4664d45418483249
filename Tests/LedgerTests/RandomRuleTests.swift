// Random rules over random rows, compared with a model that does one step after another and prepares nothing.

import Encoding
import Ledger
import Testing

@Suite struct RandomRuleTests {
    @Test(arguments: 1...40)
    func rulesDoWhatTheModelDoes(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let rules = (1...Int.random(in: 1...25, using: &random)).map { number in
            Self.rule(number, &random)
        }
        var runner = RuleRunner(RuleSet(rules, FewPatterns()), RuleSample.references)
        for _ in 0..<150 {
            let row = Self.row(&random)
            let result = runner.run(row)
            let expected = RuleModel(row).run(rules)
            #expect(result.transaction == expected.transaction, "seed \(seed): \(row)")
            #expect(result.matched == expected.matched, "seed \(seed): \(row)")
            #expect(result.isHidden == expected.isHidden, "seed \(seed)")
            #expect(Set(result.matched).count == result.matched.count, "seed \(seed): a rule ran twice")
        }
    }

    private static let words = [
        "Lidl", "LIDL", "Müller", "muller", "shop", "12", "Straße", "a", "aa", "カフェ", "x y",
    ]

    private static func text(_ random: inout SplitMix) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            words.randomElement(using: &random) ?? ""
        }.joined(separator: [" ", "  ", "", "\u{A0}"].randomElement(using: &random) ?? " ")
    }

    private static func row(_ random: inout SplitMix) -> RuleRow {
        let transaction = RuleSample.row(
            text(&random),
            Int64.random(in: 1...30, using: &random) * 50,
            Bool.random(using: &random) ? .expense : .income,
            category: [nil, RuleSample.fuel].randomElement(using: &random) ?? nil,
            note: Bool.random(using: &random) ? "" : text(&random),
            tags: Bool.random(using: &random) ? [] : ["a", "Shop"]
        )
        let texts = (0..<Int.random(in: 0...2, using: &random)).map { _ in text(&random) }
        let typed = RuleEffect.allCases.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
        return RuleRow(transaction, bankTexts: texts, typed: Set(typed))
    }

    private static func condition(_ random: inout SplitMix) -> RuleCondition {
        let field = RuleField.allCases.randomElement(using: &random) ?? .text
        let test = field.tests.randomElement(using: &random) ?? .equals
        let value: RuleValue
        switch field {
        case .text, .payee, .note, .tags: value = .text(text(&random))
        case .amount:
            let low = Int64.random(in: -30...30, using: &random) * 5_000
            let high = test == .between ? low + Int64.random(in: 0...9, using: &random) * 5_000 : low
            value = .amount(RuleAmount(low: low, high: high, isSigned: Bool.random(using: &random)))
        case .account: value = .account(Bool.random(using: &random) ? RuleSample.euros : RuleSample.savings)
        case .kind: value = .kind(TransactionKind.allCases.randomElement(using: &random) ?? .expense)
        case .currency: value = .currency(Bool.random(using: &random) ? .eur : .usd)
        }
        return RuleCondition(field, test, value)
    }

    private static func rule(_ number: Int, _ random: inout SplitMix) -> Rule {
        var effects = RuleEffects()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: effects.payee = text(&random)
        case 1:
            effects.category = [RuleSample.food, RuleSample.salary, .rule(99)].randomElement(using: &random)
        case 2: effects.note = text(&random)
        case 3: effects.tags = ["a", text(&random)]
        case 4: effects.hides = true
        case 5: effects.transfer = Bool.random(using: &random) ? RuleSample.savings : RuleSample.dollars
        default:
            effects.payee = text(&random)
            effects.category = RuleSample.food
        }
        var rule = RuleSample.rule(
            number,
            (0..<Int.random(in: 1...3, using: &random)).map { _ in condition(&random) },
            effects,
            match: Bool.random(using: &random) ? .all : .any
        )
        rule.isEnabled = Int.random(in: 0..<5, using: &random) > 0
        rule.position = [nil, "A", "B", "C"].randomElement(using: &random) ?? nil
        return rule
    }
}

/// Rules as one would explain them.
private struct RuleModel {
    private(set) var transaction: Transaction
    private(set) var matched: [EntityID] = []
    private(set) var isHidden = false
    private let typed: Set<RuleEffect>
    private let texts: [String]

    init(_ row: RuleRow) {
        transaction = row.transaction
        typed = row.typed
        texts = row.bankTexts + [row.transaction.payee]
    }

    func run(_ rules: [Rule]) -> RuleModel {
        var model = self
        let order = rules.sorted { one, other in
            let places = (one.position ?? "~", other.position ?? "~")
            return places.0 == places.1 ? one.id < other.id : places.0 < places.1
        }
        for rule in order where rule.isEnabled {
            let results = rule.conditions.map(model.holds)
            guard rule.match == .all ? !results.contains(false) : results.contains(true) else { continue }
            model.matched.append(rule.id)
            model.apply(rule.effects)
        }
        return model
    }

    private func plain(_ text: String) -> String {
        text.searchForm.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func holds(_ condition: RuleCondition) -> Bool {
        switch condition.value {
        case .account(let id): return transaction.account == id || transaction.toAccount == id
        case .kind(let kind): return transaction.kind == kind
        case .currency(let code): return transaction.amount.currency == code
        case .amount(let amount):
            let isOut = amount.isSigned && transaction.kind != .income
            let value = transaction.amount.minor * (isOut ? -100 : 100)
            switch condition.test {
            case .less: return value < amount.low
            case .more: return value > amount.low
            default: return (amount.low...amount.high).contains(value)
            }
        case .text(let wanted):
            let present: [String]
            switch condition.field {
            case .payee: present = [transaction.payee]
            case .note: present = [transaction.note]
            case .tags: present = transaction.tags
            default: present = texts
            }
            return present.contains { text in
                let (text, wanted) = (plain(text), plain(wanted))
                switch condition.test {
                case .equals: return text == wanted
                case .begins: return text.hasPrefix(wanted)
                case .ends: return text.hasSuffix(wanted)
                case .contains: return text.contains(wanted)
                default: return false
                }
            } || condition.test == .matches && present.contains { $0.contains(wanted) }
        }
    }

    private mutating func apply(_ effects: RuleEffects) {
        if let payee = effects.payee, !typed.contains(.payee) { transaction.payee = payee }
        if let note = effects.note, !typed.contains(.note) { transaction.note = note }
        if !typed.contains(.tags) {
            let known = Set(transaction.tags.map(\.nameKey))
            let new = effects.tags.filter { !known.contains($0.nameKey) }
            if transaction.tags.count + new.count <= 20 { transaction.tags += new }
        }
        if effects.transfer == RuleSample.savings, transaction.kind != .transfer,
            typed.isDisjoint(with: [.transfer, .category])
        {
            if transaction.kind == .income {
                (transaction.account, transaction.toAccount) = (RuleSample.savings, RuleSample.euros)
            } else {
                transaction.toAccount = RuleSample.savings
            }
            (transaction.kind, transaction.toMinor) = (.transfer, transaction.accountMinor)
            transaction.category = nil
        }
        if let category = effects.category, let kind = RuleSample.references.categories[category],
            !typed.contains(.category), transaction.kind != .transfer,
            kind == .expense || transaction.kind == .income
        {
            transaction.category = category
        }
        if effects.hides, !typed.contains(.hide) { isHidden = true }
    }
}

// Runs a set of rules over rows, one after another.

/// Runs rules. It keeps the folded forms of texts from row to row, because payees come again.
public struct RuleRunner {
    private let set: RuleSet
    private let references: RuleReferences
    private var folded: [String: FoldedText] = [:]
    private static let mostFolded = 20_000
    /// The numbers of rows for which a rule was too costly, by its index.
    private var costly: [Int]
    /// The number of rows after which a rule that is too costly does not run any more, so that it delays a run by some
    /// milliseconds and not by minutes.
    private static let mostCostly = 20

    /// - Parameter references: the rows to which effects can refer. An effect that refers to another one is left out.
    public init(_ set: RuleSet, _ references: RuleReferences) {
        self.set = set
        self.references = references
        costly = set.rules.map { _ in 0 }
    }

    /// Runs all rules once, in their order.
    public mutating func run(_ row: RuleRow) -> RuleResult {
        var state = RuleState(row, fold(row.transaction.payee), row.bankTexts.map(FoldedText.init))
        // The signatures are kept apart from the state, so that a rule that does not match costs two comparisons.
        let text = state.textSignature
        var payee = state.payee.signature
        for index in set.gates.indices {
            let gate = set.gates[index]
            switch gate.place {
            case .open: break
            case .text where !text.contains(gate.signature): continue
            case .payee where !payee.contains(gate.signature): continue
            case .text, .payee: break
            }
            let rule = set.compiled[index]
            guard costly[index] < Self.mostCostly else {
                state.result.tooCostly.append(rule.id)
                continue
            }
            guard state.matches(rule) else {
                if state.result.tooCostly.last == rule.id { costly[index] += 1 }
                continue
            }
            state.result.matched.append(rule.id)
            state.apply(rule, references)
            if state.hasNewPayee {
                state.payee = fold(state.result.transaction.payee)
                state.hasNewPayee = false
                payee = state.payee.signature
            }
        }
        return state.result
    }

    private mutating func fold(_ text: String) -> FoldedText {
        if let known = folded[text] { return known }
        let fresh = FoldedText(text)
        if folded.count >= Self.mostFolded { folded.removeAll(keepingCapacity: true) }
        folded[text] = fresh
        return fresh
    }
}

/// A row while rules run over it.
struct RuleState {
    var result: RuleResult
    var payee: FoldedText
    /// Whether `payee` has to be folded again.
    var hasNewPayee = false
    let textSignature: TextSignature
    let typed: Set<RuleEffect>
    private let texts: [FoldedText]
    private let plainTexts: [String]
    private var note: FoldedText?
    private var tags: [FoldedText]?
    private var size: Int128?

    fileprivate init(_ row: RuleRow, _ payee: FoldedText, _ bankTexts: [FoldedText]) {
        result = RuleResult(row.transaction)
        typed = row.typed
        self.payee = payee
        texts = [payee] + bankTexts
        plainTexts = [row.transaction.payee] + row.bankTexts
        textSignature = bankTexts.reduce(payee.signature) { $0.union($1.signature) }
    }

    mutating func matches(_ rule: CompiledRule) -> Bool {
        for condition in rule.conditions {
            let holds = self.holds(condition, of: rule)
            if holds != rule.matchesAll { return holds }
        }
        return rule.matchesAll
    }

    private mutating func holds(_ condition: CompiledCondition, of rule: CompiledRule) -> Bool {
        // Copying the transaction here would count the references of all its texts for each rule.
        switch condition {
        case .never: return false
        case .account(let id):
            let isArrival = result.transaction.kind == .transfer && result.transaction.toAccount == id
            return isArrival || result.transaction.account == id
        case .kind(let kind): return result.transaction.kind == kind
        case .currency(let code): return result.transaction.amount.currency == code
        case .amount(let test, let amount): return holds(test, amount)
        case .text(let field, let test, let wanted):
            switch field {
            case .text: return texts.contains { $0.passes(test, wanted) }
            case .payee: return payee.passes(test, wanted)
            case .note: return foldedNote().passes(test, wanted)
            case .tags: return foldedTags().contains { $0.passes(test, wanted) }
            case .amount, .account, .kind, .currency: return false
            }
        case .pattern(let field, let pattern):
            switch field {
            case .text: return plainTexts.contains { found(pattern, $0, rule) }
            case .payee: return found(pattern, result.transaction.payee, rule)
            case .note: return found(pattern, result.transaction.note, rule)
            case .tags: return result.transaction.tags.contains { found(pattern, $0, rule) }
            case .amount, .account, .kind, .currency: return false
            }
        }
    }

    private mutating func found(_ pattern: any CompiledPattern, _ text: String, _ rule: CompiledRule) -> Bool
    {
        switch pattern.match(in: text) {
        case .found: return true
        case .notFound: return false
        case .tooCostly:
            if result.tooCostly.last != rule.id { result.tooCostly.append(rule.id) }
            return false
        }
    }

    private mutating func holds(_ test: RuleTest, _ amount: RuleAmount) -> Bool {
        let money = result.transaction.amount
        let size = self.size ?? money.inTenThousandths
        self.size = size
        let value = amount.isSigned && result.transaction.kind != .income ? -size : size
        return switch test {
        case .less: value < Int128(amount.low)
        case .more: value > Int128(amount.high)
        case .equals, .between: value >= Int128(amount.low) && value <= Int128(amount.high)
        case .contains, .begins, .ends, .matches: false
        }
    }

    private mutating func foldedNote() -> FoldedText {
        if let note { return note }
        let fresh = FoldedText(result.transaction.note)
        note = fresh
        return fresh
    }

    private mutating func foldedTags() -> [FoldedText] {
        if let tags { return tags }
        let fresh = result.transaction.tags.map(FoldedText.init)
        tags = fresh
        return fresh
    }

    /// Notes that a rule has set a value.
    mutating func note(_ effect: RuleEffect, by rule: CompiledRule) {
        result.setBy[effect] = rule.id
        switch effect {
        case .payee: hasNewPayee = true
        case .note: note = nil
        case .tags: tags = nil
        case .category, .split, .transfer, .hide, .schedule: break
        }
    }
}

extension Money {
    /// The amount in ten-thousandths of its currency.
    fileprivate var inTenThousandths: Int128 {
        (currency.decimals..<4).reduce(Int128(minor)) { value, _ in value * 10 }
    }
}

// The rules of a book, prepared for many rows.
//
// The rules run in their order, each once for a row, so that rules in a circle end. A rule sees the payee, note, tags, kind
// and account that earlier rules have set, and the last rule that sets a field wins. Only `text` stays as it was.
//
//     row ──► folded once ──► for each rule: its gate ──► its conditions ──► its effects ──► result
//
// The gate is a text that the rule needs, as a signature: a row without its pairs of letters is passed over by comparing
// two numbers. Thereby 200 rules over 100,000 rows are some ten million comparisons of numbers and few of texts.

/// The rules that run, in order, with their texts folded and their regular expressions compiled.
public struct RuleSet: Sendable {
    /// The rules that run.
    public let rules: [Rule]
    let compiled: [CompiledRule]
    let gates: [RuleGate]

    /// Prepares rules.
    /// - Parameter rules: in any order; rules that do not run are left out.
    public init(_ rules: [Rule], _ patterns: some PatternCompiling) {
        self.rules = rules.filter(\.runs).sorted { Rule.isBefore($0, $1) }
        compiled = self.rules.map { CompiledRule($0, patterns) }
        gates = compiled.map(RuleGate.init)
    }

    /// Whether there is nothing to run.
    public var isEmpty: Bool { rules.isEmpty }
}

extension Rule {
    /// The order in which rules run: by their positions, then those without one. Where two devices have chosen the same
    /// position, the ids decide.
    public static func isBefore(_ one: Rule, _ other: Rule) -> Bool {
        switch (one.position?.utf8, other.position?.utf8) {
        case (let first?, let second?) where !first.elementsEqual(second):
            first.lexicographicallyPrecedes(second)
        case (_?, nil): true
        case (nil, _?): false
        default: one.id < other.id
        }
    }
}

/// A rule with its conditions prepared.
struct CompiledRule: Sendable {
    let id: EntityID
    let matchesAll: Bool
    let conditions: [CompiledCondition]
    let effects: RuleEffects

    init(_ rule: Rule, _ patterns: some PatternCompiling) {
        id = rule.id
        matchesAll = rule.match == .all
        effects = rule.effects
        // Cheap conditions come first; their order does not matter otherwise.
        conditions = rule.conditions.map { CompiledCondition($0, patterns) }.sorted { $0.cost < $1.cost }
    }
}

/// A condition whose text is folded or whose regular expression is compiled.
enum CompiledCondition: Sendable {
    case text(RuleField, RuleTest, FoldedText)
    case pattern(RuleField, any CompiledPattern)
    case amount(RuleTest, RuleAmount)
    case account(EntityID)
    case kind(TransactionKind)
    case currency(CurrencyCode)
    /// A regular expression that another device's library accepts and this one refuses.
    case never

    init(_ condition: RuleCondition, _ patterns: some PatternCompiling) {
        switch condition.value {
        case .account(let id): self = .account(id)
        case .kind(let kind): self = .kind(kind)
        case .currency(let code): self = .currency(code)
        case .amount(let amount): self = .amount(condition.test, amount)
        case .text(let text):
            if condition.test == .matches {
                self = (try? patterns.compile(text)).map { .pattern(condition.field, $0) } ?? .never
            } else {
                let folded = FoldedText(text)
                self = folded.bytes.isEmpty ? .never : .text(condition.field, condition.test, folded)
            }
        }
    }

    /// The order in which the conditions of a rule are tested.
    fileprivate var cost: Int {
        switch self {
        case .never, .account, .kind, .currency: 0
        case .amount: 1
        case .text(.text, _, _), .text(.payee, _, _): 2
        case .text: 3
        case .pattern: 4
        }
    }
}

/// A text that a row must contain for a rule to match.
struct RuleGate: Sendable {
    enum Place: Sendable {
        /// The rule needs no text, and is always tested.
        case open
        case text, payee
    }

    let place: Place
    let signature: TextSignature

    fileprivate init(_ rule: CompiledRule) {
        var (place, signature) = (Place.open, TextSignature())
        if rule.matchesAll || rule.conditions.count == 1 {
            for case .text(let field, _, let text) in rule.conditions where field == .text || field == .payee
            {
                guard text.signature.count > signature.count else { continue }
                (place, signature) = (field == .text ? .text : .payee, text.signature)
            }
        }
        (self.place, self.signature) = (place, signature)
    }
}

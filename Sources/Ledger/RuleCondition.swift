// The conditions of rules.

/// The value of a row that a condition looks at.
public enum RuleField: String, CaseIterable, Sendable {
    /// The words of the bank and the payee that the row had before the rules ran.
    case text
    case payee
    case amount
    case account
    case note
    case tags
    case kind
    case currency

    /// The tests that fit the field, in the order in which forms offer them.
    public var tests: [RuleTest] {
        switch self {
        case .text, .payee, .note, .tags: [.contains, .equals, .begins, .ends, .matches]
        case .amount: [.equals, .less, .more, .between]
        case .account, .kind, .currency: [.equals]
        }
    }
}

/// The comparison of a condition.
public enum RuleTest: String, CaseIterable, Sendable {
    case equals = "is"
    case contains
    case begins
    case ends
    /// The value is a regular expression.
    case matches
    case less
    case more
    /// The value is a range, with both of its ends.
    case between
}

/// The value with which a condition compares.
public enum RuleValue: Hashable, Sendable {
    /// Texts are compared without case, accents, compatibility forms and runs of white space.
    case text(String)
    case amount(RuleAmount)
    case account(EntityID)
    case kind(TransactionKind)
    case currency(CurrencyCode)
}

/// An amount or a range of amounts in whatever currency a row has.
public struct RuleAmount: Hashable, Sendable {
    /// The amount, or the lower end, in ten-thousandths of the currency.
    public var low: Int64
    /// The upper end, which is part of the range; equal to `low` for a single amount.
    public var high: Int64
    /// Whether money that leaves the account is below zero. Otherwise the sign does not count.
    public var isSigned: Bool

    /// Does not check the order of the ends.
    public init(low: Int64, high: Int64, isSigned: Bool) {
        self.low = low
        self.high = high
        self.isSigned = isSigned
    }
}

/// One condition of a rule.
public struct RuleCondition: Hashable, Sendable {
    /// Text matches the words of a bank too, payee only the name.
    public var field: RuleField
    /// One of `field.tests`.
    public var test: RuleTest
    /// Of the kind that the field needs.
    public var value: RuleValue

    /// The greatest number of characters of a text.
    public static let textLimit = 200
    /// The greatest number of characters of a regular expression.
    public static let patternLimit = 500

    /// Does not check whether test and value fit the field.
    public init(_ field: RuleField, _ test: RuleTest, _ value: RuleValue) {
        self.field = field
        self.test = test
        self.value = value
    }

    /// The regular expression; nil for other tests.
    public var pattern: String? {
        if test == .matches, case .text(let text) = value { text } else { nil }
    }

    /// Whether test and value fit the field.
    var isWellFormed: Bool {
        guard field.tests.contains(test) else { return false }
        switch (field, value) {
        case (.text, .text), (.payee, .text), (.note, .text), (.tags, .text): return true
        case (.account, .account), (.kind, .kind), (.currency, .currency): return true
        case (.amount, .amount(let amount)): return amount.low <= amount.high
        default: return false
        }
    }
}

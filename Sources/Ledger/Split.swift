// A transaction over several categories: its parts, which of them count, and their shares of what was charged.

/// One part of a split transaction.
public struct SplitPart: Hashable, Sendable {
    /// Nil for a part without a category.
    public var category: EntityID?
    /// Above zero, in minor units of the currency of the transaction.
    public var minor: Int64
    /// Up to 200 characters, may be empty.
    public var note: String

    /// Does not check its values.
    public init(category: EntityID?, minor: Int64, note: String = "") {
        self.category = category
        self.minor = minor
        self.note = note
    }
}

/// The parts of a transaction.
///
/// A book accepts only parts that add up to the amount. Two devices can still bring together an amount and parts that
/// do not fit: see `SplitBalance`.
public enum Split: Hashable, Sendable {
    /// In the order in which they were entered.
    case parts([SplitPart])
    /// A text that this version cannot read, such as the text of a newer version. It is stored unchanged.
    case unreadable(String)

    /// The number of parts that a transaction may have.
    public static let counts = 2...50

    /// The parts; none if they cannot be read.
    public var parts: [SplitPart] {
        if case .parts(let parts) = self { parts } else { [] }
    }
}

/// The relation of the parts of a transaction to its amount.
public enum SplitBalance: Hashable, Sendable {
    /// The parts add up to the amount.
    case exact
    /// So many minor units are in no part. They count without a category.
    case missing(Int64)
    /// The parts exceed the amount by so many minor units. The whole counts as if it were not split.
    case exceeding(Int128)
    /// The parts cannot be read. The whole counts as if it were not split.
    case unreadable
}

/// The amount with which a transaction counts in one category.
public struct CategoryShare: Hashable, Sendable {
    /// Nil for no category.
    public let category: EntityID?
    /// In minor units of the currency of the transaction.
    public let minor: Int64
    /// The same share of the change of the account, in minor units of its currency; may be zero.
    public let accountMinor: Int64
    /// The note of the part; empty for what is in no part, and for a transaction that is not split.
    public let note: String
}

extension Split {
    /// The relation of the parts to an amount.
    public func balance(with minor: Int64) -> SplitBalance {
        guard case .parts(let parts) = self, !parts.isEmpty else { return .unreadable }
        let rest = Int128(minor) - parts.reduce(Int128(0)) { $0 + Int128($1.minor) }
        if rest == 0 { return .exact }
        return rest > 0 ? .missing(Int64(clamping: rest)) : .exceeding(-rest)
    }

    /// The shares of an amount: one for each part and for what is in no part; nil if the parts do not count. They add
    /// up to the amount, and to the change of the account.
    ///
    /// The triggers of the book compute the same shares in SQL.
    /// - Parameters:
    ///   - minor: the amount of the transaction, above zero.
    ///   - accountMinor: the change of the account, above zero.
    public func shares(of minor: Int64, accountMinor: Int64) -> [CategoryShare]? {
        var counted = parts
        switch balance(with: minor) {
        case .exact: break
        case .missing(let rest): counted.append(SplitPart(category: nil, minor: rest))
        case .exceeding, .unreadable: return nil
        }
        let rule = ShareRule(of: accountMinor, whole: minor)
        var upTo: Int64 = 0
        return counted.map { part in
            let before = rule.share(upTo: upTo)
            upTo += part.minor
            return CategoryShare(
                category: part.category,
                minor: part.minor,
                accountMinor: rule.share(upTo: upTo) - before,
                note: part.note
            )
        }
    }
}

extension Transaction {
    /// The relation of the parts to the amount; nil if the transaction is not split.
    public var splitBalance: SplitBalance? { split?.balance(with: amount.minor) }

    /// The shares of the amount by category. One of the whole if the transaction is not split, or if its parts do not
    /// count.
    public var shares: [CategoryShare] {
        split?.shares(of: amount.minor, accountMinor: accountMinor) ?? [
            CategoryShare(category: category, minor: amount.minor, accountMinor: accountMinor, note: "")
        ]
    }
}

/// Divides the change of an account in proportion to parts of an amount. Each share is the difference of two rounded
/// cumulative sums, so that all of them add up exactly.
///
/// If both amounts have more than about nine digits, the proportions are taken of the leading 28 bits or more of the
/// amount: no product exceeds 64 bits, and SQL can compute the same.
private struct ShareRule {
    private let isSame: Bool
    private let quotient: Int64
    private let remainder: Int64
    private let divisor: Int64
    private let shift: Int

    /// - Parameters:
    ///   - charged: the change of the account, above zero.
    ///   - whole: the amount of the transaction, above zero.
    init(of charged: Int64, whole: Int64) {
        isSame = charged == whole
        let whole = max(whole, 1)
        let fits = whole <= 3_037_000_499 || charged <= Int64.max / whole
        let hexDigits = (Int64.bitWidth - whole.leadingZeroBitCount + 3) / 4
        shift = fits ? 0 : 4 * hexDigits - 31
        divisor = whole >> Int64(shift)
        (quotient, remainder) = charged.quotientAndRemainder(dividingBy: divisor)
    }

    /// The share of the first minor units of the amount.
    func share(upTo minor: Int64) -> Int64 {
        if isSame { return minor }
        let part = minor >> Int64(shift)
        return quotient * part + remainder * part / divisor
    }
}

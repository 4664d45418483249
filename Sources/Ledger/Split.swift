// A transaction over several categories: its parts, which of them count, and their shares of what was charged.

/// One part of a split transaction.
public struct SplitPart: Hashable, Sendable {
    /// Nil for a part without a category.
    public var category: EntityID?
    /// In minor units of the currency of the transaction; not zero. Below zero for what came back, such as a returned
    /// deposit on a receipt.
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
    /// The parts below zero are so large that no number can hold the others, or their shares. The whole counts as if it
    /// were not split.
    case tooLarge
    /// The parts cannot be read. The whole counts as if it were not split.
    case unreadable
}

/// The amount with which a transaction counts in one category.
public struct CategoryShare: Hashable, Sendable {
    /// Nil for no category.
    public let category: EntityID?
    /// In minor units of the currency of the transaction; below zero for what came back.
    public let minor: Int64
    /// The same share of the change of the account, in minor units of its currency; may be zero.
    public let accountMinor: Int64
    /// The note of the part; empty for what is in no part, and for a transaction that is not split.
    public let note: String
}

extension Split {
    /// The relation of the parts to an amount, above zero, that changed an account by another one.
    public func balance(with minor: Int64, accountMinor: Int64) -> SplitBalance {
        guard case .parts(let parts) = self, !parts.isEmpty else { return .unreadable }
        let rest = Int128(minor) - parts.reduce(0) { $0 + Int128($1.minor) }
        let back = -parts.reduce(0) { $0 + min(Int128($1.minor), 0) }
        if rest < 0 { return .exceeding(-rest) }
        // The parts above zero, and what is in no part, come to the amount and to what came back of it.
        guard ShareRule.divides(Int128(minor) + back, of: accountMinor, whole: minor) else {
            return .tooLarge
        }
        return rest == 0 ? .exact : .missing(Int64(rest))
    }

    /// The shares of an amount: one for each part and for what is in no part; nil if the parts do not count. They add
    /// up to the amount, and to the change of the account. The parts above zero are divided first, so that no cumulative
    /// sum is below zero.
    ///
    /// The triggers of the book compute the same shares in SQL.
    /// - Parameters:
    ///   - minor: the amount of the transaction, above zero.
    ///   - accountMinor: the change of the account, above zero.
    public func shares(of minor: Int64, accountMinor: Int64) -> [CategoryShare]? {
        var counted = parts
        switch balance(with: minor, accountMinor: accountMinor) {
        case .exact: break
        case .missing(let rest): counted.append(SplitPart(category: nil, minor: rest))
        case .exceeding, .tooLarge, .unreadable: return nil
        }
        let rule = ShareRule(of: accountMinor, whole: minor)
        var charged = counted.map { _ in Int64(0) }
        var upTo: Int64 = 0
        for isBack in [false, true] {
            for (place, part) in counted.enumerated() where (part.minor < 0) == isBack {
                let before = rule.share(upTo: upTo)
                upTo += part.minor
                charged[place] = rule.share(upTo: upTo) - before
            }
        }
        return zip(counted, charged).map { part, share in
            CategoryShare(category: part.category, minor: part.minor, accountMinor: share, note: part.note)
        }
    }
}

extension Transaction {
    /// The relation of the parts to the amount; nil if the transaction is not split.
    public var splitBalance: SplitBalance? { split?.balance(with: amount.minor, accountMinor: accountMinor) }

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
/// amount: no product exceeds 64 bits, and SQL can compute the same. A sum beyond the amount has the share of the whole
/// for each time that the amount is in it.
private struct ShareRule {
    private let isSame: Bool
    private let charged: Int64
    private let whole: Int64
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
        (self.charged, self.whole) = (charged, whole)
        let fits = whole <= 3_037_000_499 || charged <= Int64.max / whole
        let hexDigits = (Int64.bitWidth - whole.leadingZeroBitCount + 3) / 4
        shift = fits ? 0 : 4 * hexDigits - 31
        divisor = whole >> Int64(shift)
        (quotient, remainder) = charged.quotientAndRemainder(dividingBy: divisor)
    }

    /// Whether a sum and its share have 64 bits.
    static func divides(_ sum: Int128, of charged: Int64, whole: Int64) -> Bool {
        guard sum > whole else { return true }
        return sum <= Int64.max && sum / Int128(max(whole, 1)) < Int128(Int64.max / max(charged, 1))
    }

    /// The share of a sum of the first minor units of the amount.
    /// - Parameter minor: not below zero; a sum that the rule divides.
    func share(upTo minor: Int64) -> Int64 {
        if isSame { return minor }
        let (times, rest) = minor.quotientAndRemainder(dividingBy: whole)
        let part = rest >> Int64(shift)
        return times * charged + quotient * part + remainder * part / divisor
    }
}

/// An exact fraction, so that a sum is rounded once, at its end. An overflow throws.
struct Fraction: Hashable {
    private(set) var numerator: Int128
    /// Above zero, without a common divisor with the numerator.
    private(set) var denominator: Int128

    init(_ numerator: Int128, over denominator: Int128 = 1) throws(AmountError) {
        guard denominator != 0 else { throw .divisionByZero }
        guard numerator != .min, denominator != .min else { throw .tooLarge }
        let divisor = Self.commonDivisor(abs(numerator), abs(denominator))
        let sign: Int128 = denominator < 0 ? -1 : 1
        self.numerator = sign * (numerator / divisor)
        self.denominator = sign * (denominator / divisor)
    }

    func adding(_ other: Fraction) throws(AmountError) -> Fraction {
        let left = try Self.product(numerator, other.denominator)
        let right = try Self.product(other.numerator, denominator)
        let (sum, overflow) = left.addingReportingOverflow(right)
        guard !overflow else { throw .tooLarge }
        return try Fraction(sum, over: Self.product(denominator, other.denominator))
    }

    func multiplied(by other: Fraction) throws(AmountError) -> Fraction {
        try Fraction(
            Self.product(numerator, other.numerator),
            over: Self.product(denominator, other.denominator)
        )
    }

    func divided(by other: Fraction) throws(AmountError) -> Fraction {
        try Fraction(
            Self.product(numerator, other.denominator),
            over: Self.product(denominator, other.numerator)
        )
    }

    var negated: Fraction {
        get throws(AmountError) { try Fraction(-numerator, over: denominator) }
    }

    /// The nearest whole number, the even one of two that are equally near (half-even).
    var rounded: Int128 { Self.rounded(numerator, over: denominator) }

    /// The same for a fraction that is not reduced: a common divisor costs fifty times as much as the division.
    /// - Parameter denominator: above zero.
    static func rounded(_ numerator: Int128, over denominator: Int128) -> Int128 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        let twice = abs(remainder).multipliedReportingOverflow(by: 2)
        let isOver = twice.overflow || twice.partialValue > denominator
        let isHalf = !twice.overflow && twice.partialValue == denominator
        guard isOver || (isHalf && !quotient.isMultiple(of: 2)) else { return quotient }
        return quotient + (numerator < 0 ? -1 : 1)
    }

    private static func product(_ left: Int128, _ right: Int128) throws(AmountError) -> Int128 {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        guard !overflow else { throw .tooLarge }
        return product
    }

    private static func commonDivisor(_ left: Int128, _ right: Int128) -> Int128 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return max(left, 1)
    }
}

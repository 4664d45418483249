// Sums of counts, bytes and times that stay within the range of their type.

extension FixedWidthInteger where Self: SignedInteger {
    /// A sum that stays at the limits of the range instead of trapping: for display only, never for storage and
    /// never for money, whose sums have 128 bits.
    @inlinable
    public func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// A difference that stays at the limits of the range instead of trapping: for display only, never for storage
    /// and never for money.
    @inlinable
    public func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}

// Amounts, ranges and shares of rules, as they are typed: `12.50`, `-12.50`, `10..20`, `40%`.

extension RuleFault.Reason: Error {}

extension AmountParser {
    /// Parses the amount of a condition, which has no currency. Amounts with a sign, and zero, are compared with the sign
    /// of the row: below zero for money that leaves the account. Others are compared with the size alone.
    /// - Parameter test: `between` needs a range such as `10..20`; other tests need one amount.
    public func ruleAmount(_ text: String, _ test: RuleTest) throws(RuleFault.Reason) -> RuleAmount {
        guard text.utf8.count <= 400 else { throw .amount(.tooLong) }
        let typed = text.narrow
        guard test == .between else {
            guard typed.firstRange(of: "..") == nil else { throw .amount(.unreadable) }
            let (value, isSigned) = try signed(typed)
            return RuleAmount(low: value, high: value, isSigned: isSigned)
        }
        guard let dots = typed.firstRange(of: "..") else { throw .noRange }
        let low = try signed(String(typed[..<dots.lowerBound]))
        let high = try signed(String(typed[dots.upperBound...]))
        guard low.value <= high.value else { throw .reversedRange }
        // `0..20` is a range of sizes.
        let isSigned = (low.isSigned && low.value != 0) || (high.isSigned && high.value != 0)
        return RuleAmount(low: low.value, high: high.value, isSigned: isSigned)
    }

    /// Parses the share of a part: an amount above zero, or a percentage above 0 up to 100.
    public func ruleShare(_ text: String) throws(RuleFault.Reason) -> RuleShare {
        let typed = text.narrow
        if typed.hasSuffix("%") || typed.hasSuffix("\u{66A}") {
            let number = Self.tenThousandths(of: String(typed.dropLast()), decimalSign: decimalSign)
            guard let number, number % 100 == 0, (100...1_000_000).contains(number) else { throw .share }
            return .percent(Int(number / 100))
        }
        guard let number = Self.tenThousandths(of: typed, decimalSign: decimalSign), number > 0,
            let amount = Int64(exactly: number)
        else { throw .share }
        return .amount(amount)
    }

    private func signed(_ text: String) throws(RuleFault.Reason) -> (value: Int64, isSigned: Bool) {
        let typed = text.narrow
        guard let first = typed.first else { throw .amount(.empty) }
        let hasSign = first == "-" || first == "+"
        let number = Self.tenThousandths(
            of: hasSign ? String(typed.dropFirst()) : typed,
            decimalSign: decimalSign
        )
        guard let number else { throw .amount(.unreadable) }
        guard let size = Int64(exactly: number) else { throw .amount(.tooLarge) }
        return (first == "-" ? -size : size, hasSign || size == 0)
    }
}

extension RuleAmount {
    /// The amount or the range as it can be typed, without grouped digits.
    public func text(_ test: RuleTest, decimalSign: Character) -> String {
        func typed(_ value: Int64) -> String {
            let number = Self.text(Int64(clamping: value.magnitude), decimalSign: decimalSign)
            return value < 0 ? "-\(number)" : isSigned && value > 0 ? "+\(number)" : number
        }
        return test == .between ? "\(typed(low))..\(typed(high))" : typed(low)
    }

    /// A number of ten-thousandths, above zero, with two to four decimals or with none.
    fileprivate static func text(_ value: Int64, decimalSign: Character) -> String {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: 10_000)
        guard rest > 0 else { return "\(whole)" }
        var decimals = "\(10_000 + rest)".dropFirst()
        while decimals.count > 2, decimals.last == "0" { decimals.removeLast() }
        return "\(whole)\(decimalSign)\(decimals)"
    }
}

extension RuleShare {
    /// The share as it can be typed.
    public func text(decimalSign: Character) -> String {
        switch self {
        case .amount(let amount): return RuleAmount.text(amount, decimalSign: decimalSign)
        case .percent(let percent):
            let number = RuleAmount.text(Int64(percent) * 100, decimalSign: decimalSign)
            return "\(number)%"
        }
    }
}

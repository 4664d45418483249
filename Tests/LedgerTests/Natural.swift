// Natural numbers of any size as the independent reference for conversions: digits in an array, and the
// methods of school. Nothing here uses the arithmetic of the product.

/// A natural number as decimal digits.
struct Natural: Comparable {
    /// The lowest digit first, without zeros at the end; empty for zero.
    private var digits: [Int]

    /// Parses decimal digits.
    init(_ text: some StringProtocol) {
        digits = text.utf8.reversed().map { Int($0) - 48 }
        trim()
    }

    private init(digits: [Int]) {
        self.digits = digits
        trim()
    }

    private mutating func trim() {
        while digits.last == 0 { digits.removeLast() }
    }

    /// Times 10^`zeros`.
    func shifted(by zeros: Int) -> Natural {
        Natural(digits: [Int](repeating: 0, count: zeros) + digits)
    }

    static func + (left: Natural, right: Natural) -> Natural {
        var sum: [Int] = []
        var carry = 0
        for index in 0..<max(left.digits.count, right.digits.count) {
            carry += index < left.digits.count ? left.digits[index] : 0
            carry += index < right.digits.count ? right.digits[index] : 0
            sum.append(carry % 10)
            carry /= 10
        }
        return Natural(digits: sum + [carry])
    }

    static func * (left: Natural, right: Natural) -> Natural {
        var product = [Int](repeating: 0, count: left.digits.count + right.digits.count + 1)
        for (shift, digit) in left.digits.enumerated() {
            var carry = 0
            for (index, other) in right.digits.enumerated() {
                carry += product[shift + index] + digit * other
                product[shift + index] = carry % 10
                carry /= 10
            }
            product[shift + right.digits.count] += carry
        }
        return Natural(digits: product)
    }

    static func < (left: Natural, right: Natural) -> Bool {
        guard left.digits.count == right.digits.count else { return left.digits.count < right.digits.count }
        return left.digits.reversed().lexicographicallyPrecedes(right.digits.reversed())
    }
}

/// A fraction of natural numbers whose value is a text such as `1.0823`, or a product of such texts.
struct Ratio {
    var dividend = Natural("1")
    var divisor = Natural("1")

    /// Multiplies by a decimal text.
    func times(_ text: String) -> Ratio {
        let (digits, zeros) = Self.digits(text)
        return Ratio(dividend: dividend * digits, divisor: divisor.shifted(by: zeros))
    }

    /// Divides by a decimal text.
    func divided(by text: String) -> Ratio {
        let (digits, zeros) = Self.digits(text)
        return Ratio(dividend: dividend.shifted(by: zeros), divisor: divisor * digits)
    }

    /// Whether the number rounds to `whole` half-even.
    func rounds(to whole: String) -> Bool {
        let twice = dividend + dividend
        let product = Natural(whole) * divisor
        let (above, below) = (product + product + divisor, twice + divisor)
        let isEven = Self.isEven(whole)
        let isNotMore = twice < above || (twice == above && isEven)
        let isNotLess = product + product < below || (product + product == below && isEven)
        return isNotMore && isNotLess
    }

    /// Whether the number rounds half-even to more than `whole`.
    func roundsToMore(than whole: String) -> Bool {
        let product = Natural(whole) * divisor
        let (twice, limit) = (dividend + dividend, product + product + divisor)
        return twice > limit || (twice == limit && !Self.isEven(whole))
    }

    private static func isEven(_ whole: String) -> Bool { "02468".contains(whole.suffix(1)) }

    private static func digits(_ text: String) -> (Natural, Int) {
        let parts = text.split(separator: ".")
        return (Natural(parts.joined(separator: "")), parts.count == 2 ? parts[1].count : 0)
    }
}

// Totals of several currencies as one: the same spending as in budgets, and nothing counted one to one.
import Ledger
import TestKit
import Testing

@Suite struct ConvertedTotals {
    private let jpy: CurrencyCode
    private let rub: CurrencyCode
    private let converter: CurrencyConverter

    init() throws {
        jpy = try #require(CurrencyCode("JPY"))
        rub = try #require(CurrencyCode("RUB"))
        converter = CurrencyConverter(
            rates: try rates([("USD", "1.25"), ("JPY", "160.5")]),
            currencies: try Shipped.currencies()
        )
    }

    private func total(_ code: CurrencyCode, income: Int64 = 0, expense: Int64 = 0) -> CurrencyTotal {
        CurrencyTotal(currency: code, incomeMinor: income, expenseMinor: expense, count: 1)
    }

    @Test func incomeAndSpendingAreConvertedOnceForEachCurrency() {
        let together = converter.total(
            [
                total(.eur, income: 1_000, expense: 300), total(.usd, expense: 1), total(.usd, expense: 2),
                total(.usd, income: 125), total(jpy, expense: -321), total(rub, income: 5, expense: 7),
            ],
            in: .eur
        )
        // 3 US cents are 2.4 euro cents; a refund of 321 yen are 200.
        #expect(
            together.total == CurrencyTotal(currency: .eur, incomeMinor: 1_100, expenseMinor: 102, count: 5)
        )
        #expect(together.isConverted && together.originals.map(\.currency) == [jpy, .usd])
        #expect(
            together.leftOut == [CurrencyTotal(currency: rub, incomeMinor: 5, expenseMinor: 7, count: 1)]
        )
    }

    @Test func aCurrencyAloneIsExact() {
        let together = converter.total([total(.eur, income: 5), total(.usd)], in: .eur)
        #expect(!together.isConverted && together.leftOut == [])
        #expect(together.total == CurrencyTotal(currency: .eur, incomeMinor: 5, expenseMinor: 0, count: 2))
        #expect(
            converter.total([], in: .eur).total
                == CurrencyTotal(currency: .eur, incomeMinor: 0, expenseMinor: 0, count: 0)
        )
    }

    @Test func balancesAreAddedUpByCurrencyFirst() {
        let sum = converter.sum(
            [
                Money(minor: 100, currency: .eur), Money(minor: 1, currency: .usd),
                Money(minor: 2, currency: .usd), Money(minor: -9, currency: rub),
                Money(minor: 0, currency: jpy),
            ],
            in: .eur
        )
        #expect(sum.sum == Money(minor: 102, currency: .eur) && sum.isConverted)
        #expect(sum.leftOut == [Money(minor: -9, currency: rub)])
    }

    @Test func amountsBeyond64BitsAreLeftOutAndNeverWrap() {
        let huge = Money(minor: .max, currency: .usd)
        let sum = converter.sum([huge, huge, Money(minor: 7, currency: .eur)], in: .eur)
        #expect(sum.sum.minor == 7 && !sum.isConverted)
        #expect(sum.leftOut == [Money(minor: .max, currency: .usd)])
        let most = Money(minor: .max, currency: .eur)
        #expect(converter.sum([most, most], in: .eur).sum.minor == .max)
    }

    /// The overview, the list and the report show these totals; budgets show the spending of `SpendingSum`.
    @Test func spendingIsThatOfBudgets() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix(seed: seed)
        let codes = [CurrencyCode.eur, .usd, jpy, rub]
        for _ in 0..<300 {
            let base = codes.randomElement(using: &random) ?? .eur
            var sum = SpendingSum(in: base)
            var totals: [CurrencyTotal] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let charged = codes.randomElement(using: &random) ?? .eur
                let paid = codes.randomElement(using: &random) ?? .eur
                let minor = Int64.random(in: 1...1_000_000, using: &random)
                let paidMinor = paid == charged ? minor : Int64.random(in: 1...1_000_000, using: &random)
                let isRefund = Bool.random(using: &random)
                sum.add(
                    charged: (Int128(minor), charged),
                    paid: (Int128(paidMinor), paid),
                    count: 1,
                    isRefund: isRefund
                )
                let isPaid = charged != base && paid == base
                let known = isPaid ? paidMinor : minor
                totals.append(total(isPaid ? paid : charged, expense: isRefund ? -known : known))
            }
            let together = converter.total(totals, in: base)
            #expect(Int128(together.total.expenseMinor) == sum.total(converter).minor, "seed \(seed)")
        }
    }
}

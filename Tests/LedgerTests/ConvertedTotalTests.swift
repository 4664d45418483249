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

    private func total(_ code: CurrencyCode, income: Int128 = 0, expense: Int128 = 0) -> CurrencyTotal {
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
                MoneySum(minor: 100, currency: .eur), MoneySum(minor: 1, currency: .usd),
                MoneySum(minor: 2, currency: .usd), MoneySum(minor: -9, currency: rub),
                MoneySum(minor: 0, currency: jpy),
            ],
            in: .eur
        )
        #expect(sum.sum == MoneySum(minor: 102, currency: .eur) && sum.isConverted)
        #expect(sum.leftOut == [MoneySum(minor: -9, currency: rub)])
    }

    /// 1.25 dollars are a euro.
    @Test(
        arguments: [
            (
                [(Int128(Int64.max), "USD"), (Int128(Int64.max), "USD"), (7, "EUR")],
                14_757_395_258_967_641_298
            ),
            ([(Int128(Int64.min), "USD"), (Int128(Int64.min), "USD")], -14_757_395_258_967_641_293),
            ([(Int128(Int64.max), "EUR"), (Int128(Int64.max), "EUR")], (1 << 64) - 2),
            // The sum has 64 bits although a part of it has not.
            ([(6 << 60, "EUR"), (6 << 60, "EUR"), (-8 << 60, "EUR")], 4 << 60),
            ([(6 << 60, "EUR"), (5 << 62, "USD"), (-16 << 60, "EUR")], 6 << 60),
            ([(1 << 90, "EUR"), (-5 << 88, "USD")], 0),
        ] as [([(Int128, String)], Int128)]
    )
    func sumsBeyond64BitsAreExact(amounts: [(Int128, String)], expected: Int128) throws {
        let sums = try amounts.map { MoneySum(minor: $0, currency: try #require(CurrencyCode($1))) }
        for place in sums.indices {
            let sum = converter.sum(sums[place...] + sums[..<place], in: .eur)
            #expect(sum.sum.minor == expected && sum.leftOut == [])
        }
        let totals = sums.map { total($0.currency, income: $0.minor, expense: -$0.minor) }
        let together = converter.total(totals, in: .eur)
        #expect(together.total.incomeMinor == expected && together.total.expenseMinor == -expected)
        #expect(together.leftOut == [])
        var spending = SpendingSum(in: .eur)
        for sum in sums {
            let amount = (sum.minor, sum.currency)
            spending.add(charged: amount, paid: amount, count: 1, isRefund: false)
        }
        #expect(spending.total(converter).minor == expected && spending.total(converter).leftOutCount == 0)
    }

    @Test func aValueThatNoNumberHoldsIsNotCalledOneWithoutARate() throws {
        let huge = CurrencyConverter(
            rates: try rates([("USD", "0.000000000001"), ("JPY", "999999999999999")]),
            currencies: try Shipped.currencies()
        )
        let sum = huge.sum(
            [MoneySum(minor: 1 << 80, currency: .usd), MoneySum(minor: -7, currency: jpy)],
            in: jpy
        )
        #expect(sum.sum.amount == nil && sum.leftOut == [] && sum.isConverted)
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
                let known = Int128(isPaid ? paidMinor : minor)
                totals.append(total(isPaid ? paid : charged, expense: isRefund ? -known : known))
            }
            let together = converter.total(totals, in: base)
            #expect(together.total.expenseMinor == sum.total(converter).minor, "seed \(seed)")
        }
    }
}

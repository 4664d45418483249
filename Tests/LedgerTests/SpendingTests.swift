// Spending in one currency: exact where it is known, converted once where it is not.
import TestKit
import Testing

@testable import Ledger

@Suite struct SpendingTests {
    private let jpy = CurrencyCode("JPY") ?? .usd
    private let converter: CurrencyConverter

    init() throws {
        let rates = [
            CurrencyCode.usd: try #require(ExchangeRate("1.25")), jpy: try #require(ExchangeRate("160.5")),
        ]
        let day = CivilDate(dayNumber: 20_000)
        converter = CurrencyConverter(
            rates: ExchangeRates(day: day, source: .europeanCentralBank, rates: rates),
            currencies: try Shipped.currencies()
        )
    }

    @Test func whatWasChargedCountsAndElseWhatWasPaid() {
        var sum = SpendingSum(in: .eur)
        sum.add(charged: (1_140, .eur), paid: (1_250, .usd), count: 1, isRefund: false)
        sum.add(charged: (340, .usd), paid: (300, .eur), count: 2, isRefund: false)
        sum.add(charged: (40, .eur), paid: (40, .eur), count: 1, isRefund: true)
        sum.add(charged: (500, .usd), paid: (500, .usd), count: 3, isRefund: false)
        let known = sum.total(nil)
        #expect(known.minor == 1_400 && known.leftOutCount == 3 && known.convertedCount == 0)
        let all = sum.total(converter)
        #expect(all.minor == 1_800 && all.leftOutCount == 0 && all.convertedCount == 3)
    }

    @Test func aSumIsRoundedOnce() {
        var sum = SpendingSum(in: .eur)
        // 0.008 euro each: rounded one by one they would be 3 cents.
        for _ in 0..<3 { sum.add(charged: (1, .usd), paid: (1, .usd), count: 1, isRefund: false) }
        #expect(sum.total(converter).minor == 2)
    }

    @Test func sumsBeyond64BitsAreExactAndConverted() {
        var sum = SpendingSum(in: .eur)
        for _ in 0..<3 {
            sum.add(charged: (Int128(Int64.max), .eur), paid: (1, .eur), count: 1, isRefund: false)
        }
        sum.add(charged: (Int128(Int64.max), .usd), paid: (1, .usd), count: 1, isRefund: false)
        sum.add(charged: (Int128(Int64.max), .usd), paid: (1, .usd), count: .max, isRefund: false)
        let total = sum.total(converter)
        // 1.25 dollars are a euro: 2^64 - 2 dollars are 0.8 times as many euros, rounded.
        #expect(total.minor == Int128(Int64.max) * 3 + 14_757_395_258_967_641_291)
        #expect(total.leftOutCount == 0 && total.convertedCount == .max)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func itAgreesWithANaiveSum(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let codes = [CurrencyCode.eur, .usd, jpy]
        for round in 0..<200 {
            let base = codes[Int.random(in: 0..<3, using: &random)]
            var sum = SpendingSum(in: base)
            var known: Int64 = 0
            var others: [CurrencyCode: Int64] = [:]
            var count = 0
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                let charged = codes[Int.random(in: 0..<3, using: &random)]
                let paid = codes[Int.random(in: 0..<3, using: &random)]
                let minor = Int64.random(in: 1...99_999_999, using: &random)
                let other = paid == charged ? minor : Int64.random(in: 1...99_999_999, using: &random)
                let isRefund = Bool.random(using: &random)
                sum.add(
                    charged: (Int128(minor), charged),
                    paid: (Int128(other), paid),
                    count: 1,
                    isRefund: isRefund
                )
                let sign: Int64 = isRefund ? -1 : 1
                if charged == base {
                    known += sign * minor
                } else if paid == base {
                    known += sign * other
                } else {
                    others[charged, default: 0] += sign * minor
                    count += 1
                }
            }
            let plain = sum.total(nil)
            #expect(
                plain.minor == Int128(known) && plain.leftOutCount == count,
                "seed \(seed), round \(round)"
            )
            let converted = try others.reduce(Int128(known)) { whole, other in
                let money = Money(minor: other.value, currency: other.key)
                return whole + Int128(try converter.convert(money, to: base).minor)
            }
            #expect(sum.total(converter).minor == converted, "seed \(seed), round \(round)")
        }
    }

    @Test func averagesAreRoundedHalfEven() {
        func average(_ spent: Int128, _ months: Int) -> Int64? {
            BudgetSuggestion(category: nil, spentMinor: spent, currency: .eur, monthCount: months)?.average
                .minor
        }
        #expect(average(5, 2) == 2 && average(7, 2) == 4 && average(10, 3) == 3)
        #expect(average(0, 3) == nil && average(-9, 3) == nil && average(Int128(Int64.max) * 4, 3) == nil)
        #expect(average(Int128(Int64.max) * 3, 3) == .max)
        #expect(average(5, 0) == nil)
    }

    @Test func theTextOfACountFilterIsReadBack() {
        for filter in [CountFilter.known(.eur), .leftOut(.usd)] {
            #expect(CountFilter("\(filter)") == filter)
        }
        for text in ["", "not-", "no", "EURO", "not-EURO", "nicht-EUR"] { #expect(CountFilter(text) == nil) }
    }
}

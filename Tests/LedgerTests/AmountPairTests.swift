// Amounts in two currencies that belong together.
import Ledger
import TestKit
import Testing

private func money(_ minor: Int64, _ code: String) throws -> Money {
    Money(minor: minor, currency: try #require(CurrencyCode(code)))
}

@Suite struct AmountPairs {
    @Test(
        arguments: [
            (1_000, 1_170, 2_000, 2_340), (1_000, 1_170, 500, 585), (1_000, 1_170, 1, 1), (300, 100, 100, 33),
            (2, 1, 3, 2), (2, 1, 5, 2), (1_000, 1, 1, nil), (1, .max, 2, nil), (.max, .max, .max, .max),
        ] as [(Int64, Int64, Int64, Int64?)]
    )
    func anotherAmountHasTheSameRate(amount: Int64, other: Int64, new: Int64, expected: Int64?) throws {
        let pair = try AmountPair(amount: money(amount, "GBP"), other: money(other, "EUR"))
        #expect(try pair.other(for: money(new, "GBP")) == expected.map { try money($0, "EUR") })
        #expect(try pair.other(for: money(new, "USD")) == nil, "another rate")
    }

    @Test func aMultipleOfAnAmountIsTheMultipleAtTheOtherEnd() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix(seed: seed)
        for _ in 0..<1_000 {
            let (amount, other) = (
                Int64.random(in: 1...1 << 40, using: &random), Int64.random(in: 1...1 << 40, using: &random)
            )
            let factor = Int64.random(in: 1...1 << 20, using: &random)
            let pair = try AmountPair(amount: money(amount, "GBP"), other: money(other, "JPY"))
            let many = try #require(try pair.other(for: money(amount * factor, "GBP")))
            #expect(many.minor == other * factor, "seed \(seed)")
            // And back.
            let back = try AmountPair(amount: money(amount * factor, "GBP"), other: many).other(
                for: money(amount, "GBP")
            )
            #expect(back == pair.other, "seed \(seed)")
        }
    }

    @Test(
        arguments: [
            (1_000, "GBP", 1_170, "EUR", false), (2_000, "GBP", 1_170, "EUR", true),
            (1_000, "USD", 1_170, "EUR", true),
            (1_000, "GBP", 1_170, "USD", true), (2_000, "GBP", 2_340, "EUR", false),
            (1_000, "GBP", 1_180, "EUR", false),
        ] as [(Int64, String, Int64, String, Bool)]
    )
    func oneAmountAloneIsNoticed(amount: Int64, in currency: String, other: Int64, end: String, isHalf: Bool)
        throws
    {
        let pair = try AmountPair(amount: money(1_000, "GBP"), other: money(1_170, "EUR"))
        let new = try AmountPair(amount: money(amount, currency), other: money(other, end))
        #expect(pair.isHalfChanged(in: new) == isHalf)
    }
}

// The parts of a split transaction: which of them count, and their shares of what an account was charged.
import Ledger
import TestKit
import Testing

@Suite struct SplitShares {
    private let food = EntityID(high: 1, low: 11)
    private let home = EntityID(high: 1, low: 12)

    private func transaction(_ minor: Int64, charged: Int64? = nil, _ split: Split?) -> Transaction {
        Transaction(
            id: EntityID(high: 1, low: 1),
            kind: .expense,
            date: CivilDate(dayNumber: 0),
            amount: Money(minor: minor, currency: .eur),
            account: EntityID(high: 1, low: 2),
            accountMinor: charged ?? minor,
            category: split == nil ? food : nil,
            split: split
        )
    }

    private func parts(_ minors: Int64...) -> Split {
        .parts(minors.map { SplitPart(category: food, minor: $0) })
    }

    @Test func aTransactionWithoutPartsIsOneShare() {
        let shares = transaction(4_850, charged: 5_000, nil).shares
        #expect(shares.map(\.category) == [food])
        #expect(shares.map(\.minor) == [4_850] && shares.map(\.accountMinor) == [5_000])
    }

    @Test func whatIsInNoPartCountsWithoutACategory() {
        let short = transaction(4_850, parts(1_200, 3_330))
        #expect(short.splitBalance == .missing(320))
        #expect(short.shares.map(\.minor) == [1_200, 3_330, 320])
        #expect(short.shares.map(\.category) == [food, food, nil])
    }

    @Test func partsThatExceedTheAmountDoNotCount() {
        let long = transaction(4_850, parts(1_200, 3_651))
        #expect(long.splitBalance == .exceeding(1))
        #expect(long.shares.map(\.minor) == [4_850] && long.shares.map(\.category) == [nil])
        let huge = transaction(.max, parts(.max, .max))
        #expect(huge.splitBalance == .exceeding(Int128(Int64.max)))
        #expect(transaction(5, .unreadable("[")).splitBalance == .unreadable)
        #expect(transaction(5, .parts([])).splitBalance == .unreadable)
    }

    @Test func sharesOfTheChargeAddUp() {
        let thirds = transaction(300, charged: 100, parts(100, 100, 100))
        #expect(thirds.shares.map(\.accountMinor) == [33, 33, 34])
        #expect(transaction(1_000, charged: 1, parts(999, 1)).shares.map(\.accountMinor) == [0, 1])
    }

    @Test(
        arguments: [
            (Int64.max, Int64.max, Int64.max - 1), (.max, 1, 1), (2, .max, 1),
            (Int64.max, Int64.max / 2, Int64.max / 3), (3_037_000_500, 3_037_000_501, 3_037_000_499),
            (4_294_967_296, 9_000_000_000_000_000_000, 4_294_967_295),
        ]
    )
    func sharesAtTheEdgeOf64BitsDoNotOverflow(whole: Int64, charged: Int64, first: Int64) {
        let shares = transaction(whole, charged: charged, parts(first, whole - first)).shares
        #expect(shares.map(\.minor) == [first, whole - first])
        #expect(shares.allSatisfy { $0.accountMinor >= 0 })
        #expect(shares.reduce(Int128(0)) { $0 + Int128($1.accountMinor) } == Int128(charged))
    }

    @Test(arguments: [1, 2, 3, 2_026] as [UInt64])
    func randomSharesAddUpAndFollowTheirParts(seed: UInt64) {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<2_000 {
            let whole = Int64.random(
                in: 2...(Int64.max >> Int64.random(in: 0...60, using: &random)),
                using: &random
            )
            let charged = Int64.random(
                in: 1...(Int64.max >> Int64.random(in: 0...62, using: &random)),
                using: &random
            )
            var (minors, rest) = ([Int64](), whole)
            while rest > 1, minors.count < 49, Int.random(in: 0..<4, using: &random) > 0 {
                minors.append(Int64.random(in: 1..<rest, using: &random))
                rest -= minors.last ?? 0
            }
            minors.append(rest)
            let split = Split.parts(minors.map { SplitPart(category: nil, minor: $0) })
            let shares = transaction(whole, charged: charged, split).shares
            #expect(shares.map(\.minor) == minors)
            #expect(shares.allSatisfy { $0.accountMinor >= 0 })
            #expect(shares.reduce(Int128(0)) { $0 + Int128($1.accountMinor) } == Int128(charged))
            // Below nine digits the cumulative sums are exact, rounded down.
            guard whole < 3_000_000_000 else { continue }
            var (upTo, sum) = (Int128(0), Int128(0))
            for share in shares {
                upTo += Int128(share.minor)
                sum += Int128(share.accountMinor)
                #expect(sum == Int128(charged) * upTo / Int128(whole))
            }
        }
    }
}

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

    /// The amount, the charge, the parts, and their shares of the charge; nil where the whole counts.
    @Test(
        arguments: [
            (4_850, 4_850, [5_650, -800], [5_650, -800]), (4_850, 4_001, [5_650, -800], [4_660, -659]),
            // The order of the parts does not matter.
            (4_850, 4_001, [-800, 5_650], [-659, 4_660]),
            (1, 1, [1_000_000_000, -999_999_999], [1_000_000_000, -999_999_999]),
            (1, 90, [1_000_000_000, -999_999_999], [90_000_000_000, -89_999_999_910]),
            (5, 10, [-1, -2], [-2, -4, 16]), (5, 10, [7, -2], [14, -4]), (5, 10, [7, -1], nil),
            (1, 1, [.max - 1, 2 - .max], [.max - 1, 2 - .max]), (1, 1, [.max, 1 - .max], nil),
            (1, 2, [.max / 2, 1 - .max / 2], nil), (.max, 1, [.max, -1], nil),
            (4_850, 4_850, [.min + 1], nil),
        ] as [(Int64, Int64, [Int64], [Int64]?)]
    )
    func aPartBelowZeroCameBack(minor: Int64, charged: Int64, minors: [Int64], expected: [Int64]?) {
        let split = Split.parts(minors.map { SplitPart(category: food, minor: $0) })
        let row = transaction(minor, charged: charged, split)
        #expect(row.shares.map(\.accountMinor) == expected ?? [charged])
        if expected == nil { #expect([.tooLarge, .exceeding(1)].contains(row.splitBalance)) }
        #expect(row.shares.reduce(Int128(0)) { $0 + Int128($1.minor) } == Int128(minor))
        #expect(row.shares.reduce(Int128(0)) { $0 + Int128($1.accountMinor) } == Int128(charged))
    }

    @Test(arguments: [1, 2, 3, 2_026] as [UInt64])
    func randomSharesOfBothSignsAddUpInAnyOrder(seed: UInt64) {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<2_000 {
            let whole = Int64.random(
                in: 1...(Int64.max >> Int64.random(in: 3...62, using: &random)),
                using: &random
            )
            let charged = Int64.random(
                in: 1...(Int64.max >> Int64.random(in: 3...62, using: &random)),
                using: &random
            )
            var parts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                Int64.random(in: -whole...whole, using: &random)
            }.filter { $0 != 0 }
            parts.append(whole - parts.reduce(0, +))
            guard parts.last != 0 else { continue }
            let split = Split.parts(parts.map { SplitPart(category: nil, minor: $0) })
            let shares = transaction(whole, charged: charged, split).shares
            guard shares.count == parts.count else { continue }
            #expect(shares.map(\.minor) == parts)
            #expect(shares.allSatisfy { $0.accountMinor == 0 || ($0.accountMinor < 0) == ($0.minor < 0) })
            #expect(shares.reduce(Int128(0)) { $0 + Int128($1.accountMinor) } == Int128(charged))
            // The same parts in another order, the parts above zero first.
            let sorted = parts.filter { $0 > 0 } + parts.filter { $0 < 0 }
            let other = Split.parts(sorted.map { SplitPart(category: nil, minor: $0) })
            let moved = transaction(whole, charged: charged, other).shares
            #expect(
                moved.map(\.accountMinor)
                    == (shares.filter { $0.minor > 0 } + shares.filter { $0.minor < 0 }).map(\.accountMinor)
            )
        }
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

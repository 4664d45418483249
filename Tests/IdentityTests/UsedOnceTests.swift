// Single-use values: each is accepted once, and no number of them fills the memory.
import Testing

@testable import Identity

@Suite struct WhatIsGoodOnce {
    @Test func itIsTakenOnceAsLongAsItIsGood() {
        var used = UsedOnce(most: 10)
        let uses: [(now: Int64, end: Int64, isFirst: Bool)] = [
            (5, 10, true), (6, 10, false), (9, 10, false), (10, 20, true), (11, 20, false),
        ]
        for (now, end, isFirst) in uses {
            let isTaken = used.use("a", until: end, now: now)
            #expect(isTaken == isFirst, "at \(now)")
        }
    }

    @Test func anyNumberOfThemIsForgottenInTime() {
        var used = UsedOnce(most: 10)
        let long = used.use("nonce", until: 1_000, now: 0)
        let short = (0..<500).allSatisfy { used.use("state \($0)", until: 600, now: 0) }
        #expect(long && short && used.count <= 10)
        let again = used.use("nonce", until: 1_000, now: 999)
        #expect(!again, "what is good for longest is remembered")
        let fresh = (0..<10).allSatisfy { used.use("later \($0)", until: 2_000, now: 700) }
        #expect(fresh && used.count <= 10)
    }
}

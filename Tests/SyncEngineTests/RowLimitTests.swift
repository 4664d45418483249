// The size of pages over lines that break within an answer.
import CloudProtocol
import Testing

@testable import SyncEngine

@Test func aLineThatBreaksGetsSmallerPagesUntilOneComesThrough() {
    var limit = RowLimit(100)
    for error in [CloudError.unreachable("away"), .busy(retryAfterSeconds: 1), .failed("500")] {
        limit.note(error)
        #expect(limit.rows == 100, "a smaller page would not come through either: \(error)")
    }
    limit.note(.timedOut("slow"))
    limit.note(.cutOff("slow"))
    #expect(limit.rows == 25)
    for _ in 1...10 { limit.note(.cutOff("slow")) }
    #expect(limit.rows == 1)
    for _ in 1...10 { limit.noteAnswer(after: 0) }
    #expect(limit.rows == 100)
}

@Test func aQuickLineGetsGreaterPagesUntilTheyAreSlow() {
    var limit = RowLimit(1_000, upTo: 4_000)
    limit.noteAnswer(after: 501)
    #expect(limit.rows == 1_000, "neither quick nor slow")
    limit.noteAnswer(after: 250)
    #expect(limit.rows == 2_000)
    limit.noteAnswer(after: 600)
    #expect(limit.rows == 2_000, "they have become as great as they should be")
    for _ in 1...3 { limit.noteAnswer(after: 10) }
    #expect(limit.rows == 4_000)
    limit.noteAnswer(after: 7_000)
    #expect(limit.rows == 1_000)
    limit.note(.cutOff("slow"))
    limit.noteAnswer(after: 7_000)
    #expect(limit.rows == 1_000, "a slow line that does not break has the usual number")
}

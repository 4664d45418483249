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
    for _ in 1...10 { limit.noteAnswer() }
    #expect(limit.rows == 100)
}

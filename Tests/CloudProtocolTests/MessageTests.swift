// The messages of sync: decoding reverses encoding, and an incomplete message is refused.
import Encoding
import Ledger
import SyncCore
import Testing

@testable import CloudProtocol

@Suite struct MessagesOfSync {
    @Test func messagesComeThroughAsTheyWere() throws {
        let id = EntityID(high: 1, low: 2)
        let operation = SyncCore.Operation(
            n: 7,
            opID: String(repeating: "0f", count: 16),
            tx: 3,
            action: .patch,
            kind: "transaction",
            id: id,
            fields: ["amount": 1_200, "category": nil, "payee": "A \"B\"\n"],
            base: ["amount": 812]
        )
        let batch = PushBatch(replica: id, epoch: 4, seen: 6, operations: [operation])
        #expect(try PushBatch(batch.encoded) == batch)
        let result = OperationResult(n: 7, seq: 9, status: .applied, conflict: id, code: .held)
        let answer = PushAnswer(epoch: 4, head: 9, lastN: 7, results: [result], isOlder: true)
        #expect(try PushAnswer(answer.encoded) == answer)
        let row = RowChange(
            seq: 9,
            kind: "budget",
            id: id,
            isDeleted: true,
            fields: ["limit": 5],
            versions: "{\"*\":1,\"limit\":9}",
            writers: RowChange.Writers(at: 5, last: "A \"B\"", creator: "C", fields: ["limit": "D"])
        )
        let page = ChangesPage(
            epoch: 4,
            head: 9,
            cursor: 8,
            next: "budget/x",
            hasMore: true,
            remaining: 3,
            lastN: 7,
            rows: [row]
        )
        #expect(try ChangesPage(page.encoded) == page)
        #expect(try Head(Head(epoch: 4, seq: 9).encoded) == Head(epoch: 4, seq: 9))
        // Earlier versions sent the hash of texts in any form under another name.
        var last = page
        last.hash = RowsHash(column: 255)
        let text = String(decoding: last.encoded, as: UTF8.self)
        #expect(try ChangesPage(last.encoded) == last)
        #expect(try ChangesPage(Array(text.replacing("nfcHash", with: "hash").utf8)).hash == nil)
        let message = DetachMessage(replica: id, lastN: 5)
        #expect(try DetachMessage(message.encoded) == message)
        for range in [
            ChangesQuery.Range.since(12), .snapshot(from: ""), .snapshot(from: "transaction/\(id)"),
        ] {
            let query = ChangesQuery(replica: id, epoch: 4, range: range, limit: 100, lastN: 7)
            let fields = query.encoded.split(separator: "&").map {
                $0.split(separator: "=", omittingEmptySubsequences: false)
            }
            let values = Dictionary(uniqueKeysWithValues: fields.map { (String($0[0]), String($0[1])) })
            #expect(ChangesQuery { values[$0] } == query)
        }
    }

    @Test(arguments: ["{}", "[]", "{\"device\":\"x\"}", "{\"device\":1,\"epoch\":1,\"schema\":1,\"ops\":[]}"])
    func halfMessagesAreRefused(text: String) {
        let bytes = Array(text.utf8)
        #expect(throws: MalformedJSON.self) { try PushBatch(bytes) }
        #expect(throws: MalformedJSON.self) { try PushAnswer(bytes) }
        #expect(throws: MalformedJSON.self) { try ChangesPage(bytes) }
        #expect(throws: MalformedJSON.self) { try Head(bytes) }
        #expect(throws: MalformedJSON.self) { try DetachMessage(bytes) }
    }
}

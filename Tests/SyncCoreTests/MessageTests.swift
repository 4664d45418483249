// The messages of sync and their fields as JSON: what is written is read again, and half a message is refused.
import Encoding
import Ledger
import TestKit
import Testing

@testable import SyncCore

@Suite struct MessagesOfSync {
    @Test(
        arguments: [
            ("null", .null), (" 12 ", .integer(12)), ("\"a\"", .text("a")), ("true", .other("true")),
            ("1.50", .other("1.50")), ("{\"a\": [1, {}]}", .other("{\"a\": [1, {}]}")),
        ] as [(String, FieldValue)]
    )
    func aFieldKeepsWhatIsNoValueOfToday(text: String, value: FieldValue) throws {
        let read = try JSONReader.read(Array(text.utf8)) { reader throws(MalformedJSON) in try reader.value()
        }
        #expect(read == value)
    }

    @Test func aFieldThatOccursTwiceIsRefused() {
        #expect(throws: MalformedJSON.self) {
            try JSONReader.read(Array("{\"a\":1,\"a\":2}".utf8)) { reader throws(MalformedJSON) in
                try reader.fields()
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func fieldsThatAreWrittenAreReadAgain(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<500 {
            var fields: Fields = [:]
            for _ in 0..<Int.random(in: 0..<8, using: &random) {
                let scalars = (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in
                    Unicode.Scalar(UInt32.random(in: 1...0x2FFFF, using: &random))
                }
                let text = String(String.UnicodeScalarView(scalars))
                let values: [FieldValue] = [
                    .null, .integer(Int64.random(in: .min ... .max, using: &random)), .text(text),
                    .other("[1,{\"a\":null}]"),
                ]
                fields["f\(Int.random(in: 0..<20, using: &random))"] = values.randomElement(using: &random)
            }
            let read = try JSONReader.read(Array(JSONWriter.text(fields).utf8)) {
                reader throws(MalformedJSON) in
                try reader.fields()
            }
            #expect(read == fields)
        }
    }

    @Test func messagesComeThroughAsTheyWere() throws {
        let id = EntityID(high: 1, low: 2)
        let operation = Operation(
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

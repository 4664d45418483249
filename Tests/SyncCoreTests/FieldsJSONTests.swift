// Fields as JSON: what is written is read again.
import Encoding
import Ledger
import TestKit
import Testing

@testable import SyncCore

@Suite struct FieldsAsJSON {
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
}

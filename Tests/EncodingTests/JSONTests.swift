// JSON: what is written is read again, and what is no JSON is refused, with the place and the reason.
import Foundation
import TestKit
import Testing

@testable import Encoding

@Suite struct ReadingJSON {
    private func read(_ text: String) throws(MalformedJSON) -> JSONReader.Element {
        try JSONReader.read(Array(text.utf8)) { reader throws(MalformedJSON) in try reader.element() }
    }

    @Test(arguments: [
        (#""a\u0000b""#, "a\u{fffd}b"), (#""\ud83c""#, "\u{fffd}"), (#""\ud83cx""#, "\u{fffd}x"),
        (#""\ud83c\u0041""#, "\u{fffd}A"), (#""\udf5e!""#, "\u{fffd}!"), (#""\ud83c\udf5e""#, "🍞"),
        ("\"a\u{1}b\nc\"", "a\u{fffd}b\u{fffd}c"), ("\"\u{1}\\n\"", "\u{fffd}\n"),
    ])
    func aTextOfOthersIsRepaired(text: String, value: String) throws {
        let read = try JSONReader.read(Array(text.utf8), repairsTexts: true) { reader throws(MalformedJSON) in
            try reader.string()
        }
        #expect(read == value)
    }

    @Test func aTextOfAnotherEncodingIsRepaired() throws {
        for escape in ["", "\\n"] {
            let bytes = Array("\"x".utf8) + [0xE9] + Array("\(escape)\"".utf8)
            let read = try JSONReader.read(bytes, repairsTexts: true) { reader throws(MalformedJSON) in
                try reader.string()
            }
            #expect(read == "x\u{fffd}" + (escape.isEmpty ? "" : "\n"))
            #expect(throws: MalformedJSON.self) {
                try JSONReader.read(bytes) { reader throws(MalformedJSON) in try reader.string() }
            }
        }
    }

    @Test func whatIsNoJSONIsNotRepaired() {
        for text in [#""\u00g0""#, #""\x""#, #""open"#, #""\"#] {
            #expect(throws: MalformedJSON.self, "\(text)") {
                try JSONReader.read(Array(text.utf8), repairsTexts: true) { reader throws(MalformedJSON) in
                    try reader.string()
                }
            }
        }
    }

    @Test(
        arguments: [
            ("null", .null), ("0", .integer(0)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), (" 12 ", .integer(12)), ("\"\"", .text("")),
            ("\"Caf\\u00e9 \\\"x\\\" \\\\ \\/ \\n\\t\\b\\f\\r\"", .text("Café \"x\" \\ / \n\t\u{8}\u{c}\r")),
            ("\"\\ud83c\\udf5e\"", .text("🍞")), ("\"\\uD83C\\uDF5E\"", .text("🍞")), ("\"🍞\"", .text("🍞")),
            ("true", .raw("true")), ("false", .raw("false")),
            ("9223372036854775808", .raw("9223372036854775808")),
            ("-9223372036854775809", .raw("-9223372036854775809")),
            ("100000000000000000000000000000", .raw("100000000000000000000000000000")),
            ("1.50", .raw("1.50")), ("2e3", .raw("2e3")), ("-1E-7", .raw("-1E-7")),
            ("{\"a\": [1, {}]}", .raw("{\"a\": [1, {}]}")), ("\t[ ]\r\n", .raw("[ ]")),
        ] as [(String, JSONReader.Element)]
    )
    func valuesAreRead(text: String, value: JSONReader.Element) throws {
        #expect(try read(text) == value)
    }

    @Test(
        arguments: [
            ("", 0, .valueMissing), (" ", 1, .valueMissing), ("nul", 3, .notAValue), ("tru", 3, .notAValue),
            ("truth", 3, .notAValue), ("01", 2, .notAValue), ("-", 1, .notAValue), ("1.", 2, .notAValue),
            ("1e", 2, .notAValue), ("1e+", 3, .notAValue), ("+1", 0, .notAValue), (".5", 0, .notAValue),
            ("NaN", 0, .notAValue), ("'a'", 0, .notAValue), ("\u{FEFF}1", 0, .notAValue),
            ("\u{A0}1", 0, .notAValue), ("١", 0, .notAValue), ("\"", 1, .stringNotClosed),
            ("\"a\\", 3, .stringNotClosed), ("\"a\\n", 4, .stringNotClosed),
            ("\"\u{1}\"", 1, .controlCharacter), ("\"\\n\n\"", 4, .controlCharacter),
            ("\"\\x\"", 3, .unknownEscape), ("\"\\u12\"", 3, .digitsMissing),
            ("\"\\u00é\"", 3, .digitsMissing), ("\"\\u+123\"", 3, .digitsMissing),
            ("\"\\u００0f\"", 3, .digitsMissing), ("\"\\ud800\"", 7, .loneSurrogate),
            ("\"\\udc00\"", 7, .loneSurrogate), ("\"\\ud800\\n\"", 8, .loneSurrogate),
            ("\"\\ud800\\u0041\"", 13, .loneSurrogate), ("\"\\ud800\\ud800\"", 13, .loneSurrogate),
            ("\"\\u0000\"", 7, .nul), ("{", 1, .nameMissing), ("{,}", 1, .nameMissing),
            ("{a:1}", 1, .nameMissing), ("{\"a\":1,}", 7, .nameMissing), ("{\"a\"}", 4, .colonMissing),
            ("{\"a\":}", 5, .notAValue), ("{\"a\":1", 6, .objectNotClosed), ("[", 1, .valueMissing),
            ("[1,]", 3, .notAValue), ("[1}", 2, .arrayNotClosed), ("[1 2]", 3, .arrayNotClosed),
            ("1 2", 2, .trailing), ("[] //", 3, .trailing),
            (String(repeating: "[", count: 100_000), 16, .tooDeep),
            (String(repeating: "{\"a\":", count: 100_000), 80, .tooDeep),
        ] as [(String, Int, MalformedJSON.Reason)]
    )
    func malformedTextIsRefusedWithItsPlace(text: String, at: Int, reason: MalformedJSON.Reason) {
        #expect(throws: MalformedJSON(at: at, reason)) { try read(text) }
    }

    @Test(
        arguments: [
            [34, 0xFF, 34], [34, 0xC0, 0x80, 34], [34, 0xED, 0xA0, 0x80, 34], [34, 92, 110, 0xC3, 34],
        ] as [[UInt8]]
    )
    func bytesThatAreNoUTF8AreRefused(bytes: [UInt8]) {
        let error = #expect(throws: MalformedJSON.self) {
            try JSONReader.read(bytes) { reader throws(MalformedJSON) in try reader.element() }
        }
        #expect(error?.reason == .notUTF8)
    }

    @Test func nestingIsBoundedByOpenBracketsAlone() throws {
        let deepest = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(try read(deepest) == .raw(deepest))
        // Brackets that are closed again do not count.
        let wide = "[" + String(repeating: "[],{\"a\":[1]},", count: 1_000) + "0]"
        #expect(try read(wide) == .raw(wide))
        #expect(throws: MalformedJSON(at: 1, .tooDeep)) {
            try JSONReader.read(Array("[[]]".utf8), depthLimit: 1) { reader throws(MalformedJSON) in
                try reader.raw()
            }
        }
    }

    @Test func aNameThatOccursTwiceIsPassedOnTwice() throws {
        var members: [String] = []
        try JSONReader.read(Array(#"{"a":1, "a" : 2}"#.utf8)) { reader throws(MalformedJSON) in
            try reader.object { name, reader throws(MalformedJSON) in
                members.append("\(name)\(try reader.integer())")
            }
        }
        #expect(members == ["a1", "a2"])
    }

    @Test func anotherValueThanTheExpectedOneIsRefused() {
        func refuses(_ text: String, _ body: (inout JSONReader) throws(MalformedJSON) -> Void) {
            let error = #expect(throws: MalformedJSON.self, "\(text)") {
                try JSONReader.read(Array(text.utf8), body)
            }
            #expect(error?.reason == .unexpected, "\(text)")
        }
        refuses("1.0") { reader throws(MalformedJSON) in _ = try reader.integer() }
        refuses("9223372036854775808") { reader throws(MalformedJSON) in _ = try reader.integer() }
        refuses("\"1\"") { reader throws(MalformedJSON) in _ = try reader.integer() }
        refuses("1") { reader throws(MalformedJSON) in _ = try reader.bool() }
        refuses("null") { reader throws(MalformedJSON) in _ = try reader.string() }
        refuses("[]") { reader throws(MalformedJSON) in
            try reader.object { _, _ throws(MalformedJSON) in Issue.record("no member") }
        }
        refuses("{}") { reader throws(MalformedJSON) in
            try reader.array { _ throws(MalformedJSON) in Issue.record("no element") }
        }
    }

    @Test func theErrorSaysPlaceAndReason() {
        #expect("\(MalformedJSON(at: 12, .colonMissing))" == "byte 12: A colon is missing here.")
    }

    /// Foundation's parser as the other opinion: damaged texts are refused by both or read by both.
    @Test(arguments: [1, 2] as [UInt64])
    func damagedTextIsJudgedAsFoundationDoes(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let whole = Array(#"{"a":[-12,3.5e2,true,null,"x\n\u00e9"],"b":{}}"#.utf8)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] = UInt8.random(in: 32..<127, using: &random)
            }
            let isRead =
                (try? JSONReader.read(bytes) { reader throws(MalformedJSON) in try reader.raw() }) != nil
            let isReadByFoundation = (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
            #expect(isRead == isReadByFoundation, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}

@Suite struct WritingJSON {
    @Test func valuesAreWrittenInTheirOrder() {
        #expect(JSON.text("a\"b\\c\n\t\u{1}é😀").description == #""a\"b\\c\n\t\u0001é😀""#)
        let value: JSON = .object([
            ("z", .list([.number(-1), .flag(true), .flag(false), .null])), ("a\n", .object([])),
        ])
        #expect("\(value)" == #"{"z":[-1,true,false,null],"a\n":{}}"#)
    }

    /// Clouds keep hashes of operations in this form: another escape would make a repeated operation a different one.
    @Test func theWireKeepsItsEscapes() {
        var writer = JSONWriter()
        writer.array { writer in
            writer.string("a\nb\r\t\u{0}\u{1f}\u{7f}\"\\/é")
            writer.member("n", .min)
            writer.member("b", false)
            writer.member("j", json: "[]")
        }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(
            text == "[\"a\\u000ab\\u000d\\u0009\\u0000\\u001f\u{7f}\\\"\\\\/é\","
                + "\"n\":-9223372036854775808,\"b\":false,\"j\":[]]"
        )
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [false, true])
    func textsThatAreWrittenAreReadAgain(seed: UInt64, shortEscapes: Bool) throws {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<500 {
            let scalars = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: Bool.random(using: &random) ? 1...0x7F : 1...0x2FFFF, using: &random)
                )
            }
            let text = String(String.UnicodeScalarView(scalars))
            var writer = JSONWriter(shortEscapes: shortEscapes)
            writer.string(text)
            let read = try JSONReader.read(writer.bytes) { reader throws(MalformedJSON) in try reader.string()
            }
            #expect(read == text)
            let options: JSONSerialization.ReadingOptions = .fragmentsAllowed
            #expect(
                try JSONSerialization.jsonObject(with: Data(writer.bytes), options: options) as? String
                    == text
            )
        }
    }
}

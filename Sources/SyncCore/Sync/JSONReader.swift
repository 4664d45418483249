// Reads the wire's JSON (RFC 8259) in one pass, straight into what it is to become: a tree of values would cost ten
// times as much, for thousands of operations a second.

/// A text that is no JSON, or holds another value than the expected one.
public struct MalformedJSON: Error, Hashable, Sendable {
    /// The place, in bytes from the beginning.
    public let at: Int

    /// At a place.
    public init(at: Int) { self.at = at }
}

/// A place in a text of JSON.
public struct JSONReader: Sendable {
    /// Deeper nesting is refused, so that the parser's recursion stays bounded.
    private static let deepest = 16

    private let bytes: [UInt8]
    private var at = 0
    private var depth = 0

    /// At the beginning.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads one whole text: nothing may follow.
    public static func read<Value>(
        _ bytes: [UInt8],
        _ body: (inout JSONReader) throws(MalformedJSON) -> Value
    ) throws(MalformedJSON) -> Value {
        var reader = JSONReader(bytes)
        let value = try body(&reader)
        reader.skipSpace()
        guard reader.at == bytes.count else { throw reader.malformed }
        return value
    }

    /// That what stands here is not acceptable.
    public var malformed: MalformedJSON { MalformedJSON(at: at) }

    /// Reads an object; `member` reads the value of each name.
    public mutating func object(
        _ member: (String, inout JSONReader) throws(MalformedJSON) -> Void
    ) throws(MalformedJSON) {
        try begin(UInt8(ascii: "{"))
        if try ends(UInt8(ascii: "}")) { return }
        repeat {
            let name = try string()
            try expect(UInt8(ascii: ":"))
            try member(name, &self)
        } while try goesOn(UInt8(ascii: "}"))
    }

    /// Reads an array; `element` reads each of its values.
    public mutating func array(
        _ element: (inout JSONReader) throws(MalformedJSON) -> Void
    ) throws(MalformedJSON) {
        try begin(UInt8(ascii: "["))
        if try ends(UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while try goesOn(UInt8(ascii: "]"))
    }

    /// Reads a text. U+0000 is refused: SQLite would cut the text at it.
    public mutating func string() throws(MalformedJSON) -> String {
        try expect(UInt8(ascii: "\""))
        let start = at
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                guard let text = String(validating: bytes[start..<at], as: UTF8.self) else { throw malformed }
                at += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<32: throw malformed
            default: at += 1
            }
        }
        throw malformed
    }

    /// Reads a whole number of 64 bits.
    public mutating func integer() throws(MalformedJSON) -> Int64 {
        guard case .integer(let value) = try value() else { throw malformed }
        return value
    }

    /// Reads true or false.
    public mutating func bool() throws(MalformedJSON) -> Bool {
        switch try value() {
        case .other("true"): return true
        case .other("false"): return false
        default: throw malformed
        }
    }

    /// Reads whatever stands here; what is no field's value of today is kept as it is written.
    public mutating func value() throws(MalformedJSON) -> FieldValue {
        skipSpace()
        guard at < bytes.count else { throw malformed }
        let start = at
        switch bytes[at] {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "{"): try object { _, reader throws(MalformedJSON) in _ = try reader.value() }
        case UInt8(ascii: "["): try array { reader throws(MalformedJSON) in _ = try reader.value() }
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        default:
            if let integer = try number() { return .integer(integer) }
        }
        guard let written = String(validating: bytes[start..<at], as: UTF8.self) else { throw malformed }
        return .other(written)
    }

    /// Reads an object of fields.
    public mutating func fields() throws(MalformedJSON) -> Fields {
        var all: [(name: String, value: FieldValue)] = []
        all.reserveCapacity(12)
        try object { name, reader throws(MalformedJSON) in all.append((name, try reader.value())) }
        guard let fields = Fields(all) else { throw malformed }
        return fields
    }

    private mutating func begin(_ bracket: UInt8) throws(MalformedJSON) {
        try expect(bracket)
        depth += 1
        guard depth <= Self.deepest else { throw malformed }
    }

    private mutating func ends(_ bracket: UInt8) throws(MalformedJSON) -> Bool {
        skipSpace()
        guard at < bytes.count else { throw malformed }
        guard bytes[at] == bracket else { return false }
        at += 1
        depth -= 1
        return true
    }

    private mutating func goesOn(_ bracket: UInt8) throws(MalformedJSON) -> Bool {
        if try ends(bracket) { return false }
        try expect(UInt8(ascii: ","))
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(MalformedJSON) {
        skipSpace()
        guard at < bytes.count, bytes[at] == byte else { throw malformed }
        at += 1
    }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 32, 10, 13, 9: at += 1
            default: return
            }
        }
    }

    private mutating func word(_ word: StaticString) throws(MalformedJSON) {
        for byte in word.description.utf8 {
            guard at < bytes.count, bytes[at] == byte else { throw malformed }
            at += 1
        }
    }

    /// - Returns: nil for a number that is not whole, or too large.
    private mutating func number() throws(MalformedJSON) -> Int64? {
        let start = at
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        var value: Int64 = 0
        var fits = true
        let digits = at
        while at < bytes.count, case let digit = bytes[at], (48...57).contains(digit) {
            let (tenfold, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = tenfold.subtractingReportingOverflow(Int64(digit - 48))
            fits = fits && !first && !second
            value = sum
            at += 1
        }
        guard at > digits, at == digits + 1 || bytes[digits] != 48 else { throw malformed }
        var isWhole = true
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            isWhole = false
            at += 1
            try skipDigits()
        }
        if at < bytes.count, bytes[at] | 32 == UInt8(ascii: "e") {
            isWhole = false
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            try skipDigits()
        }
        guard isWhole, fits, start < at else { return nil }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    private mutating func skipDigits() throws(MalformedJSON) {
        let start = at
        while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
        guard at > start else { throw malformed }
    }

    private mutating func escapedString(from start: Int) throws(MalformedJSON) -> String {
        var text = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw malformed }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<32: throw malformed
            default: text.append(byte)
            }
        }
        throw malformed
    }

    private mutating func escape(into text: inout [UInt8]) throws(MalformedJSON) {
        guard at < bytes.count else { throw malformed }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"):
            var code = try hexadecimalUnit()
            if (0xD800..<0xDC00).contains(code) {
                try unit(UInt8(ascii: "\\"))
                try unit(UInt8(ascii: "u"))
                let low = try hexadecimalUnit()
                guard (0xDC00..<0xE000).contains(low) else { throw malformed }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard code != 0, let scalar = Unicode.Scalar(code) else { throw malformed }
            text.append(contentsOf: Array(Character(scalar).utf8))
        default: throw malformed
        }
    }

    private mutating func unit(_ byte: UInt8) throws(MalformedJSON) {
        guard at < bytes.count, bytes[at] == byte else { throw malformed }
        at += 1
    }

    private mutating func hexadecimalUnit() throws(MalformedJSON) -> UInt32 {
        guard at + 4 <= bytes.count else { throw malformed }
        var code: UInt32 = 0
        for byte in bytes[at..<at + 4] {
            switch byte {
            case 48...57: code = code << 4 | UInt32(byte - 48)
            case 65...70: code = code << 4 | UInt32(byte - 55)
            case 97...102: code = code << 4 | UInt32(byte - 87)
            default: throw malformed
            }
        }
        at += 4
        return code
    }
}

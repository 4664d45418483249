// Reads JSON (RFC 8259) in one pass, directly into the values of the caller. For thousands of operations a
// second, a tree of values would cost ten times as much.

/// A position in a JSON text.
public struct JSONReader: Sendable {
    /// The kind of a value, which its first character determines.
    public enum Kind: Hashable, Sendable {
        case object, array, string, number, bool, null
    }

    /// A value. Only strings, null and integers are decoded.
    public enum Element: Hashable, Sendable {
        case null
        case integer(Int64)
        case text(String)
        /// The encoded form of any other value: true, false, a number outside of `Int64`, an array or an
        /// object.
        case raw(String)
    }

    private let bytes: [UInt8]
    private var at = 0
    private var depth = 0
    /// Deeper nesting is refused, so that the recursion stays bounded.
    private let depthLimit: Int
    private var repairsTexts = false

    /// The beginning of a text.
    /// - Parameter depthLimit: the maximum depth of nested arrays and objects.
    public init(_ bytes: [UInt8], depthLimit: Int = 16) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    /// Reads a whole text, which contains one value.
    /// - Parameter repairsTexts: whether the parts of a text that are not allowed (U+0000, control characters, halves of
    ///   surrogate pairs, other encodings) become U+FFFD instead of an error: one text of another program must not make all
    ///   unreadable.
    public static func read<Value>(
        _ bytes: [UInt8],
        depthLimit: Int = 16,
        repairsTexts: Bool = false,
        _ body: (inout JSONReader) throws(MalformedJSON) -> Value
    ) throws(MalformedJSON) -> Value {
        var reader = JSONReader(bytes, depthLimit: depthLimit)
        reader.repairsTexts = repairsTexts
        let value = try body(&reader)
        reader.skipSpace()
        guard reader.at == bytes.count else { throw reader.fault(.trailing) }
        return value
    }

    /// The error to throw for a valid value that the caller does not accept at this position.
    public var malformed: MalformedJSON { fault(.unexpected) }

    /// The kind of the next value, which is not consumed.
    public mutating func kind() throws(MalformedJSON) -> Kind {
        skipSpace()
        guard at < bytes.count else { throw fault(.valueMissing) }
        switch bytes[at] {
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        default: throw fault(.notAValue)
        }
    }

    /// Reads an object; `member` reads the value of each name. It is called twice for a name that occurs
    /// twice.
    public mutating func object(
        _ member: (String, inout JSONReader) throws(MalformedJSON) -> Void
    ) throws(MalformedJSON) {
        guard try kind() == .object else { throw malformed }
        try open()
        if !consume(UInt8(ascii: "}")) {
            repeat {
                guard consume(UInt8(ascii: "\"")) else { throw fault(.nameMissing) }
                let name = try restOfString()
                guard consume(UInt8(ascii: ":")) else { throw fault(.colonMissing) }
                try member(name, &self)
            } while consume(UInt8(ascii: ","))
            guard consume(UInt8(ascii: "}")) else { throw fault(.objectNotClosed) }
        }
        depth -= 1
    }

    /// Reads an array; `element` reads each of its values.
    public mutating func array(
        _ element: (inout JSONReader) throws(MalformedJSON) -> Void
    ) throws(MalformedJSON) {
        guard try kind() == .array else { throw malformed }
        try open()
        if !consume(UInt8(ascii: "]")) {
            repeat { try element(&self) } while consume(UInt8(ascii: ","))
            guard consume(UInt8(ascii: "]")) else { throw fault(.arrayNotClosed) }
        }
        depth -= 1
    }

    /// Reads a string. U+0000 is refused, because SQLite would end the text there.
    public mutating func string() throws(MalformedJSON) -> String {
        guard consume(UInt8(ascii: "\"")) else { throw malformed }
        return try restOfString()
    }

    /// Reads an integer of 64 bits.
    public mutating func integer() throws(MalformedJSON) -> Int64 {
        guard case .integer(let value) = try element() else { throw malformed }
        return value
    }

    /// Reads true or false.
    public mutating func bool() throws(MalformedJSON) -> Bool {
        switch try element() {
        case .raw("true"): return true
        case .raw("false"): return false
        default: throw malformed
        }
    }

    /// Reads any value in its encoded form.
    public mutating func raw() throws(MalformedJSON) -> String {
        skipSpace()
        let start = at
        _ = try element()
        return try text(from: start)
    }

    /// Reads any value.
    public mutating func element() throws(MalformedJSON) -> Element {
        let kind = try kind()
        let start = at
        switch kind {
        case .string:
            at += 1
            return .text(try restOfString())
        case .number:
            if let integer = try number() { return .integer(integer) }
        case .null:
            try word("null")
            return .null
        case .bool: try word(bytes[at] == UInt8(ascii: "t") ? "true" : "false")
        case .object: try object { _, reader throws(MalformedJSON) in _ = try reader.element() }
        case .array: try array { reader throws(MalformedJSON) in _ = try reader.element() }
        }
        return .raw(try text(from: start))
    }

    private func fault(_ reason: MalformedJSON.Reason) -> MalformedJSON { MalformedJSON(at: at, reason) }

    private func text(from start: Int) throws(MalformedJSON) -> String {
        if repairsTexts { return String(decoding: bytes[start..<at], as: UTF8.self) }
        guard let text = String(validating: bytes[start..<at], as: UTF8.self) else { throw fault(.notUTF8) }
        return text
    }

    private mutating func open() throws(MalformedJSON) {
        guard depth < depthLimit else { throw fault(.tooDeep) }
        at += 1
        depth += 1
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        skipSpace()
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 32, 10, 13, 9: at += 1
            default: return
            }
        }
    }

    /// Reads a string from the byte after its first quotation mark.
    private mutating func restOfString() throws(MalformedJSON) -> String {
        let start = at
        var end = at
        while end < bytes.count, !JSONWriter.isEscaped(bytes[end]) { end += 1 }
        at = end
        guard end < bytes.count else { throw fault(.stringNotClosed) }
        switch bytes[end] {
        case UInt8(ascii: "\""):
            let text = try text(from: start)
            at += 1
            return text
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        default:
            guard repairsTexts else { throw fault(.controlCharacter) }
            return try escapedString(from: start)
        }
    }

    /// U+FFFD in UTF-8.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    private mutating func word(_ word: StaticString) throws(MalformedJSON) {
        for byte in word.description.utf8 {
            guard at < bytes.count, bytes[at] == byte else { throw fault(.notAValue) }
            at += 1
        }
    }

    /// - Returns: nil for a number that is not an integer or exceeds 64 bits.
    private mutating func number() throws(MalformedJSON) -> Int64? {
        let isNegative = bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        var value: Int64 = 0
        var fits = true
        let digits = at
        // The value is accumulated as a negative number, because `Int64.min` has no positive counterpart.
        while at < bytes.count, case let digit = bytes[at], (48...57).contains(digit) {
            let (tenfold, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = tenfold.subtractingReportingOverflow(Int64(digit - 48))
            fits = fits && !first && !second
            value = sum
            at += 1
        }
        guard at > digits, at == digits + 1 || bytes[digits] != 48 else { throw fault(.notAValue) }
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
        guard isWhole, fits else { return nil }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    private mutating func skipDigits() throws(MalformedJSON) {
        let start = at
        while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
        guard at > start else { throw fault(.notAValue) }
    }

    private mutating func escapedString(from start: Int) throws(MalformedJSON) -> String {
        var text = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                if repairsTexts { return String(decoding: text, as: UTF8.self) }
                guard let string = String(validating: text, as: UTF8.self) else { throw fault(.notUTF8) }
                return string
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<32:
                guard repairsTexts else { throw fault(.controlCharacter) }
                text.append(contentsOf: Self.replacement)
            default: text.append(byte)
            }
        }
        throw fault(.stringNotClosed)
    }

    private mutating func escape(into text: inout [UInt8]) throws(MalformedJSON) {
        guard at < bytes.count else { throw fault(.stringNotClosed) }
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
            let first = at
            do throws(MalformedJSON) {
                if (0xD800..<0xDC00).contains(code) {
                    try secondHalf(UInt8(ascii: "\\"))
                    try secondHalf(UInt8(ascii: "u"))
                    let low = try hexadecimalUnit()
                    guard (0xDC00..<0xE000).contains(low) else { throw fault(.loneSurrogate) }
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                }
                guard code != 0 else { throw fault(.nul) }
                guard let scalar = Unicode.Scalar(code) else { throw fault(.loneSurrogate) }
                text.append(contentsOf: Array(Character(scalar).utf8))
            } catch {
                guard repairsTexts else { throw error }
                // The rest of a broken pair is read by itself.
                at = first
                text.append(contentsOf: Self.replacement)
            }
        default: throw fault(.unknownEscape)
        }
    }

    private mutating func secondHalf(_ byte: UInt8) throws(MalformedJSON) {
        guard at < bytes.count, bytes[at] == byte else { throw fault(.loneSurrogate) }
        at += 1
    }

    private mutating func hexadecimalUnit() throws(MalformedJSON) -> UInt32 {
        guard at + 4 <= bytes.count else { throw fault(.digitsMissing) }
        var code: UInt32 = 0
        for byte in bytes[at..<at + 4] {
            guard let digit = Hex.value(of: byte) else { throw fault(.digitsMissing) }
            code = code << 4 | UInt32(digit)
        }
        at += 4
        return code
    }
}

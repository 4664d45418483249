// Writes JSON (RFC 8259) into one array of bytes, in the order of the calls. It is hand-written for the push
// path, where Foundation's encoder costs ten times as much.

/// A JSON text under construction.
public struct JSONWriter: Sendable {
    /// The JSON in UTF-8, as far as it is written.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false
    private let hasShortEscapes: Bool

    /// An empty text.
    /// - Parameter shortEscapes: whether a line break is written as `\n` instead of `\u000a`, and so on, for
    ///   texts that people read. Messages of the cloud have the long escapes, because the cloud stores hashes
    ///   of operations in that form.
    public init(shortEscapes: Bool = false) { hasShortEscapes = shortEscapes }

    /// The JSON that `body` writes.
    public static func encode(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        body(&writer)
        return writer.bytes
    }

    /// An object; `body` writes its members.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// An array; `body` writes its values.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// The name of a member. The next call writes its value.
    public mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A member with a text.
    public mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    /// A member with a number.
    public mutating func member(_ name: String, _ value: Int64) {
        self.name(name)
        integer(value)
    }

    /// A member with true or false.
    public mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    /// A member with a value in encoded form, which is not checked.
    public mutating func member(_ name: String, json: String) {
        self.name(name)
        raw(json)
    }

    /// A number.
    public mutating func integer(_ value: Int64) {
        comma()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var (low, rest) = (bytes.count, value.magnitude)
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        var high = bytes.count - 1
        while low < high {
            bytes.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }

    /// Written without quotation marks.
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    /// The value `null`.
    public mutating func null() { raw("null") }

    /// A value in encoded form, which is not checked.
    public mutating func raw(_ json: String) {
        comma()
        bytes.append(contentsOf: json.utf8)
    }

    /// Escaped as JSON requires; slashes and other scripts stay as they are.
    public mutating func string(_ text: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        // Few texts need an escape, and copying all bytes at once takes a third of the time.
        let characters = text.utf8Span.span
        var plain = 0
        while plain < characters.count, !Self.isEscaped(characters[plain]) { plain += 1 }
        if plain == characters.count {
            bytes.append(contentsOf: text.utf8)
        } else {
            for byte in text.utf8 { append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a character of a text is written as an escape.
    @inline(__always)
    static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 32 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<32: escape(byte)
        default: bytes.append(byte)
        }
    }

    private mutating func escape(_ control: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch control {
        case UInt8(ascii: "\n") where hasShortEscapes: bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r") where hasShortEscapes: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t") where hasShortEscapes: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Hex.digit(control >> 4))
            bytes.append(Hex.digit(control & 15))
        }
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        comma()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

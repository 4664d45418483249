// Writes the wire's JSON (RFC 8259) into one run of bytes.

/// A text of JSON that grows.
public struct JSONWriter: Sendable {
    /// The JSON that was written so far, as UTF-8.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Nothing yet.
    public init() {}

    /// An object of fields, as it is stored.
    public static func text(_ fields: Fields) -> String {
        var writer = JSONWriter()
        writer.fields(fields)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// An object; `body` writes its members.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// An array; `body` writes its values.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        nest(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// The name of the member whose value comes next.
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
        raw(value ? "true" : "false")
    }

    /// A member with fields.
    public mutating func member(_ name: String, _ value: Fields) {
        self.name(name)
        fields(value)
    }

    /// A member whose value is JSON already.
    public mutating func member(_ name: String, json: String) {
        self.name(name)
        raw(json)
    }

    /// An object of fields.
    public mutating func fields(_ fields: Fields) {
        object { writer in
            for field in fields.all {
                writer.name(field.name)
                writer.value(field.value)
            }
        }
    }

    /// The value of a field.
    public mutating func value(_ value: FieldValue) {
        switch value {
        case .null: raw("null")
        case .integer(let integer): self.integer(integer)
        case .text(let text): string(text)
        case .other(let json): raw(json)
        }
    }

    /// A number.
    public mutating func integer(_ value: Int64) { raw(String(value)) }

    /// A text.
    public mutating func string(_ text: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<32:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func raw(_ text: String) {
        comma()
        bytes.append(contentsOf: text.utf8)
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

// Data of any shape, as JSON gives it, for templates that are rendered without a typed page.

/// A value of a template's data.
public indirect enum TemplateValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number as it was written.
    case number(String)
    case text(String)
    case list([TemplateValue])
    case object([String: TemplateValue])

    /// What a section asks: null, false, an empty list and a missing value are not so.
    var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        case .list(let items): !items.isEmpty
        case .bool(true), .number, .text, .object: true
        }
    }

    /// What an interpolation prints.
    var printed: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .number(let text), .text(let text): text
        case .list(let items): items.map(\.printed).joined(separator: ",")
        case .object: "[object]"
        }
    }

    /// Reads JSON (RFC 8259), strictly.
    /// - Throws: `TemplateError` with the place of the fault; also for nesting beyond the limit.
    public init(json: [UInt8], file: String, limits: TemplateLimits = TemplateLimits()) throws(TemplateError)
    {
        var parser = JSONParser(file: file, source: json, limit: limits.depth)
        self = try parser.document()
    }
}

private struct JSONParser {
    let file: String
    let source: [UInt8]
    let limit: Int
    var position = 0

    init(file: String, source: [UInt8], limit: Int) {
        self.file = file
        self.source = source
        self.limit = limit
    }

    mutating func document() throws(TemplateError) -> TemplateValue {
        guard String(validating: source, as: UTF8.self) != nil else { throw fault("This file is not UTF-8.") }
        let value = try value(depth: 0)
        skipSpace()
        guard position == source.count else { throw fault("Nothing may follow the value.") }
        return value
    }

    private func fault(_ sentence: String) -> TemplateError {
        let before = source.prefix(position)
        let line = before.count { $0 == 10 } + 1
        let column = position - (before.lastIndex(of: 10).map { $0 + 1 } ?? 0) + 1
        return TemplateError(reason: .badData(sentence), place: Place(file: file, line: line, column: column))
    }

    private mutating func skipSpace() {
        while position < source.count, [32, 9, 10, 13].contains(source[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < source.count, source[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(TemplateError) -> TemplateValue {
        guard depth <= limit else { throw fault("Lists and objects stand in one another too deeply.") }
        skipSpace()
        guard position < source.count else { throw fault("A value is missing here.") }
        switch source[position] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try list(depth: depth)
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ text: String, _ value: TemplateValue) throws(TemplateError) -> TemplateValue
    {
        guard source[position...].starts(with: text.utf8) else { throw fault("This is not a JSON value.") }
        position += text.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(TemplateError) -> TemplateValue {
        position += 1
        var members: [String: TemplateValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard position < source.count, source[position] == UInt8(ascii: "\"") else {
                throw fault("A name in quotation marks is missing here.")
            }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("A colon is missing here.") }
            members[name] = try value(depth: depth + 1)
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("This object is not closed.") }
        return .object(members)
    }

    private mutating func list(depth: Int) throws(TemplateError) -> TemplateValue {
        position += 1
        var items: [TemplateValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .list(items) }
        repeat {
            items.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("This list is not closed.") }
        return .list(items)
    }

    private mutating func number() throws(TemplateError) -> String {
        let begin = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: source[begin..<position], as: UTF8.self)
    }

    private mutating func digits() throws(TemplateError) {
        let begin = position
        while position < source.count, (48...57).contains(source[position]) { position += 1 }
        guard position > begin else { throw fault("This is not a JSON value.") }
    }

    private mutating func string() throws(TemplateError) -> String {
        position += 1
        var bytes: [UInt8] = []
        while position < source.count {
            let byte = source[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&bytes)
            case 0..<32: throw fault("A control character must be written as an escape.")
            default: bytes.append(byte)
            }
        }
        throw fault("This string is not closed.")
    }

    private mutating func escape(_ bytes: inout [UInt8]) throws(TemplateError) {
        guard position < source.count else { throw fault("This string is not closed.") }
        let byte = source[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): bytes.append(10)
        case UInt8(ascii: "t"): bytes.append(9)
        case UInt8(ascii: "r"): bytes.append(13)
        case UInt8(ascii: "b"): bytes.append(8)
        case UInt8(ascii: "f"): bytes.append(12)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "u"):
            var scalar = try hexadecimal()
            if (0xD800..<0xDC00).contains(scalar) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                    throw fault("Half a character is missing.")
                }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw fault("Half a character is missing.") }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let character = Unicode.Scalar(scalar) else { throw fault("Half a character is missing.") }
            bytes += Array(String(Character(character)).utf8)
        default: throw fault("There is no such escape.")
        }
    }

    private mutating func hexadecimal() throws(TemplateError) -> UInt32 {
        guard position + 4 <= source.count,
            let value = UInt32(String(decoding: source[position..<position + 4], as: UTF8.self), radix: 16),
            source[position] != UInt8(ascii: "+")
        else { throw fault("Four hexadecimal digits are missing here.") }
        position += 4
        return value
    }
}

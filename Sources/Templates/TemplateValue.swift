// Data of any shape, as JSON gives it, for templates that are rendered without a typed page.

import Encoding

/// A value of a template's data.
public indirect enum TemplateValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number as its JSON spells it.
    case number(String)
    case text(String)
    case list([TemplateValue])
    case object([String: TemplateValue])

    /// Whether a section is rendered: null, false, an empty list and a missing value are not truthy.
    var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        case .list(let items): !items.isEmpty
        case .bool(true), .number, .text, .object: true
        }
    }

    /// The output of an interpolation.
    var printed: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .number(let text), .text(let text): text
        case .list(let items): items.map(\.printed).joined(separator: ",")
        case .object: "[object]"
        }
    }
}

extension TemplateValue {
    /// Reads JSON (RFC 8259), strictly. Of a name that occurs twice the last value counts.
    /// - Throws: `TemplateError` with the place of the fault; also for nesting beyond the limit.
    public init(json: [UInt8], file: String, limits: TemplateLimits = TemplateLimits()) throws(TemplateError)
    {
        do {
            self = try JSONReader.read(json, depthLimit: limits.depth, Self.read)
        } catch {
            let before = json.prefix(error.at)
            let column = error.at - (before.lastIndex(of: 10).map { $0 + 1 } ?? 0) + 1
            let place = SourceLocation(file: file, line: before.count { $0 == 10 } + 1, column: column)
            throw TemplateError(reason: .badData(error.reason.rawValue), place: place)
        }
    }

    private static func read(_ reader: inout JSONReader) throws(MalformedJSON) -> TemplateValue {
        switch try reader.kind() {
        case .string: return .text(try reader.string())
        case .number: return .number(try reader.raw())
        case .bool: return .bool(try reader.bool())
        case .null:
            _ = try reader.element()
            return .null
        case .object:
            var members: [String: TemplateValue] = [:]
            try reader.object { name, reader throws(MalformedJSON) in members[name] = try read(&reader) }
            return .object(members)
        case .array:
            var items: [TemplateValue] = []
            try reader.array { reader throws(MalformedJSON) in items.append(try read(&reader)) }
            return .list(items)
        }
    }
}

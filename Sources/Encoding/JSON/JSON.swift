// JSON as a tree of values (RFC 8259). Foundation's encoder sorts or shuffles keys; a file for people keeps their order.

/// A value of JSON that is going to be written.
public enum JSON: Sendable, CustomStringConvertible {
    case null
    case flag(Bool)
    case number(Int64)
    case text(String)
    case list([JSON])
    case object([(String, JSON)])

    /// The value on one line.
    public var description: String {
        var writer = JSONWriter(shortEscapes: true)
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .flag(let value): writer.bool(value)
        case .number(let value): writer.integer(value)
        case .text(let value): writer.string(value)
        case .list(let values):
            writer.array { writer in
                for value in values { value.write(to: &writer) }
            }
        case .object(let members):
            writer.object { writer in
                for (name, value) in members {
                    writer.name(name)
                    value.write(to: &writer)
                }
            }
        }
    }
}

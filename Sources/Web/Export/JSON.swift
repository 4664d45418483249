// JSON as it is written (RFC 8259). Foundation's encoder sorts or shuffles keys; a file for people keeps their order.

/// A value of JSON.
enum JSON: CustomStringConvertible {
    case null
    case flag(Bool)
    case number(Int64)
    case text(String)
    case list([JSON])
    case object([(String, JSON)])

    /// The value on one line.
    var description: String {
        switch self {
        case .null: "null"
        case .flag(let value): value ? "true" : "false"
        case .number(let value): "\(value)"
        case .text(let value): Self.quoted(value)
        case .list(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}

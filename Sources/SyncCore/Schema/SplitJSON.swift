// The text in which a split is stored and sent, such as `[["01h…",1250,"soap"],[null,300,""]]`.

import Encoding
public import Ledger

extension Split {
    /// The canonical text: the same parts have the same text on every device, because rows are compared by hashes.
    public var text: String {
        switch self {
        case .unreadable(let text): return text
        case .parts(let parts):
            let json = JSONWriter.encode { writer in
                writer.array { writer in
                    for part in parts {
                        writer.array { writer in
                            if let category = part.category {
                                writer.string("\(category)")
                            } else {
                                writer.null()
                            }
                            writer.integer(part.minor)
                            writer.string(part.note)
                        }
                    }
                }
            }
            return String(decoding: json, as: UTF8.self)
        }
    }

    /// Reads a text. Any number of parts is accepted, because a later version may allow more.
    public init(text: String) {
        var parts: [SplitPart] = []
        do throws(MalformedJSON) {
            try JSONReader.read(Array(text.utf8)) { reader throws(MalformedJSON) in
                try reader.array { reader throws(MalformedJSON) in parts.append(try Self.part(&reader)) }
                guard !parts.isEmpty else { throw reader.malformed }
            }
        } catch {
            self = .unreadable(text)
            return
        }
        self = .parts(parts)
    }

    private static func part(_ reader: inout JSONReader) throws(MalformedJSON) -> SplitPart {
        var elements: [JSONReader.Element] = []
        try reader.array { reader throws(MalformedJSON) in
            guard elements.count < 3 else { throw reader.malformed }
            elements.append(try reader.element())
        }
        guard elements.count == 3, case .integer(let minor) = elements[1], minor != 0, minor > .min,
            case .text(let note) = elements[2]
        else { throw reader.malformed }
        switch elements[0] {
        case .null: return SplitPart(category: nil, minor: minor, note: note)
        case .text(let text):
            guard let id = EntityID(text), id.description == text else { throw reader.malformed }
            return SplitPart(category: id, minor: minor, note: note)
        default: throw reader.malformed
        }
    }
}

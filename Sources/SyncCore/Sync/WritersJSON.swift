// The JSON of the writers of a row, on the wire and in the book until the row is applied.

public import Encoding

extension RowChange.Writers {
    /// The encoded form: `{"at": 1795282487, "last": "Phone", "fields": {"note": "Laptop"}}`.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("at", at)
            writer.member("last", last)
            if let creator { writer.member("creator", creator) }
            if !fields.isEmpty {
                writer.name("fields")
                writer.object { writer in
                    for (name, device) in fields.sorted(by: { $0.key < $1.key }) {
                        writer.member(name, device)
                    }
                }
            }
            if let step { writer.member("step", step) }
            guard !unseen.isEmpty else { return }
            writer.name("unseen")
            writer.array { writer in
                for name in unseen.sorted() { writer.string(name) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Decodes `json`. Nil for malformed text.
    public init?(json: String) {
        do throws(MalformedJSON) {
            self = try JSONReader.read(Array(json.utf8)) { reader throws(MalformedJSON) in
                try RowChange.Writers(&reader)
            }
        } catch { return nil }
    }

    /// Decodes the next value of a longer text.
    public init(_ reader: inout JSONReader) throws(MalformedJSON) {
        var writers = RowChange.Writers(at: 0, last: "")
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "at": writers.at = try reader.integer()
            case "last": writers.last = try reader.string()
            case "creator": writers.creator = try reader.string()
            case "step": writers.step = try reader.string()
            case "fields":
                try reader.object { name, reader throws(MalformedJSON) in
                    writers.fields[name] = try reader.string()
                }
            case "unseen":
                try reader.array { reader throws(MalformedJSON) in writers.unseen.insert(try reader.string())
                }
            default: _ = try reader.value()
            }
        }
        self = writers
    }
}

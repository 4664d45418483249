// The JSON of fields, on the wire and in database columns.

public import Encoding

extension JSONReader {
    /// Reads any value. A value that this version does not define is kept as the JSON text that was read.
    public mutating func value() throws(MalformedJSON) -> FieldValue {
        switch try element() {
        case .null: .null
        case .integer(let value): .integer(value)
        case .text(let value): .text(value)
        case .raw(let json): .other(json)
        }
    }

    /// Reads an object of fields.
    /// - Throws: `MalformedJSON`, also if a name occurs twice.
    public mutating func fields() throws(MalformedJSON) -> Fields {
        var all: [(name: String, value: FieldValue)] = []
        all.reserveCapacity(12)
        try object { name, reader throws(MalformedJSON) in all.append((name, try reader.value())) }
        guard let fields = Fields(all) else { throw malformed }
        return fields
    }
}

extension JSONWriter {
    /// The JSON text of fields, as database columns store it.
    public static func text(_ fields: Fields) -> String {
        String(decoding: encode { $0.fields(fields) }, as: UTF8.self)
    }

    /// Writes a member with fields.
    public mutating func member(_ name: String, _ value: Fields) {
        self.name(name)
        fields(value)
    }

    /// Writes an object of fields.
    public mutating func fields(_ fields: Fields) {
        object { writer in
            for field in fields.all {
                writer.name(field.name)
                writer.value(field.value)
            }
        }
    }

    /// Writes the value of a field.
    public mutating func value(_ value: FieldValue) {
        switch value {
        case .null: null()
        case .integer(let integer): self.integer(integer)
        case .text(let text): string(text)
        case .other(let json): raw(json)
        }
    }
}

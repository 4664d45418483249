// The JSON of values that are stored or sealed, with one text for each value.

import Foundation

/// The compact JSON of a `Codable` value, with its keys in a stable order.
package enum StoredJSON {
    /// The text of a value.
    package static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decodes a text that `encode` returned. Nil for any other text: `JSONDecoder` ignores a key that the
    /// type does not have, but a key of another version may change the meaning of the value.
    package static func decode<Value: Codable>(_ type: Value.Type, _ text: String) -> Value? {
        guard let value = try? JSONDecoder().decode(type, from: Data(text.utf8)),
            let encoded = try? encode(value), encoded == text
        else { return nil }
        return value
    }
}

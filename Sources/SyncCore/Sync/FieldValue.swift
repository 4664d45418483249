// The value of a field of a synced row, and the fields of a row by name.

import Encoding

/// The value of one field, as the wire and the cloud represent it: without its meaning.
public enum FieldValue: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number: minor units, days, months or seconds.
    case integer(Int64)
    /// A text.
    case text(String)
    /// JSON of any other type, exactly as it was received: from a newer device, and stored without change.
    case other(String)

    /// Whether both values have the same bytes, as hashes of rows and databases compare them. Swift regards texts as equal
    /// that look the same.
    public static func == (one: FieldValue, other: FieldValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.text(let one), .text(let other)), (.other(let one), .other(let other)):
            one == other && one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    /// The value, a text in the form in which texts are stored.
    public var inNormalForm: FieldValue {
        guard case .text(let text) = self else { return self }
        return .text(text.inNormalForm)
    }

    /// Whether both values are the same once their texts have the form in which texts are stored. An earlier version may
    /// have stored either of them in another form.
    public func isSameInNormalForm(as other: FieldValue) -> Bool {
        // Swift compares texts as their normal forms.
        if case (.text(let one), .text(let other)) = (self, other) { return one == other }
        return self == other
    }

    /// The number; nil for other values.
    public var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The text; nil for other values.
    public var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }
}

/// Fields by name, sorted by name.
public struct Fields: Hashable, Sendable {
    /// A field with its value.
    public struct Field: Hashable, Sendable {
        /// The name on the wire.
        public let name: String
        /// It is null if the field was cleared.
        public var value: FieldValue
    }

    /// All fields, sorted by name. No name occurs twice.
    public private(set) var all: [Field]

    /// No fields.
    public init() { all = [] }

    /// Fields in any order.
    /// - Returns: nil if a name occurs twice.
    public init?(_ fields: [(name: String, value: FieldValue)]) {
        all = fields.map { Field(name: $0.name, value: $0.value) }
        // Fields that this program has encoded are sorted already.
        if !zip(all, all.dropFirst()).allSatisfy({ $0.name < $1.name }) { all.sort { $0.name < $1.name } }
        for (first, second) in zip(all, all.dropFirst()) where first.name == second.name { return nil }
    }

    /// Whether there are no fields.
    public var isEmpty: Bool { all.isEmpty }

    /// The value of a field; nil if the field is absent.
    public subscript(name: String) -> FieldValue? {
        get { all.first { $0.name == name }?.value }
        set {
            let index = all.firstIndex { $0.name >= name } ?? all.endIndex
            let isThere = index < all.endIndex && all[index].name == name
            switch (newValue, isThere) {
            case (let value?, true): all[index].value = value
            case (let value?, false): all.insert(Field(name: name, value: value), at: index)
            case (nil, true): all.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// The number in a field; nil if the field is absent or has another value.
    public func integer(_ name: String) -> Int64? { self[name]?.integer }

    /// The text in a field; nil if the field is absent or has another value.
    public func text(_ name: String) -> String? { self[name]?.text }
}

extension Fields: ExpressibleByDictionaryLiteral {
    /// If a name occurs twice, its last value counts.
    public init(dictionaryLiteral elements: (String, FieldValue)...) {
        all = []
        for (name, value) in elements { self[name] = value }
    }
}

extension FieldValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    /// A literal of a number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A literal of a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// The value null.
    public init(nilLiteral: ()) { self = .null }
}

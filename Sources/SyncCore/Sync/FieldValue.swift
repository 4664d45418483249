// The value of a field of a synced row, and a row's fields by their names.

/// The value of one field, as the wire and the cloud know it: nothing of what it means.
public enum FieldValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// A whole number: minor units, days, months, seconds.
    case integer(Int64)
    /// A text.
    case text(String)
    /// JSON of another kind, written as it came: a newer device's, kept as it is.
    case other(String)

    /// The number, where it is one.
    public var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The text, where it is one.
    public var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }
}

/// Fields by name, in the order of their names.
public struct Fields: Hashable, Sendable {
    /// One of them.
    public struct Field: Hashable, Sendable {
        /// As the wire names it.
        public let name: String
        /// Its value.
        public var value: FieldValue
    }

    /// All of them, each name once.
    public private(set) var all: [Field]

    /// None.
    public init() { all = [] }

    /// Fields in any order.
    /// - Returns: nil where a name stands there twice.
    public init?(_ fields: [(name: String, value: FieldValue)]) {
        all = fields.map { Field(name: $0.name, value: $0.value) }
        // Fields that this program has written are sorted already.
        if !zip(all, all.dropFirst()).allSatisfy({ $0.name < $1.name }) { all.sort { $0.name < $1.name } }
        for (first, second) in zip(all, all.dropFirst()) where first.name == second.name { return nil }
    }

    /// Whether there are none.
    public var isEmpty: Bool { all.isEmpty }

    /// The value of a field; nil where it is not among these.
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

    /// The number in a field, where there is one.
    public func integer(_ name: String) -> Int64? { self[name]?.integer }

    /// The text in a field, where there is one.
    public func text(_ name: String) -> String? { self[name]?.text }
}

extension Fields: ExpressibleByDictionaryLiteral {
    /// Fields; of a name that stands there twice, the last.
    public init(dictionaryLiteral elements: (String, FieldValue)...) {
        all = []
        for (name, value) in elements { self[name] = value }
    }
}

extension FieldValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    /// A number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Nothing.
    public init(nilLiteral: ()) { self = .null }
}

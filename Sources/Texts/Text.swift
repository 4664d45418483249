/// A sentence for the user: a key of the catalogue with the values of its placeholders, or words of the user's own.
///
/// A text is only data. A `TextCatalogue` turns it into a string of its language.
public enum Text: Codable, Hashable, Sendable {
    /// A sentence of the catalogue.
    case message(String, [String: Argument])
    /// The name of something that code declares, such as an entity: the catalogue's, if it has the key, and otherwise
    /// the one of the declaration.
    case declared(String, [String: Argument] = [:], otherwise: String)
    /// Words that no catalogue holds: names, amounts and dates.
    case verbatim(String)

    /// The value of a placeholder.
    public enum Argument: Codable, Hashable, Sendable {
        /// Printed as it is.
        case string(String)
        /// A number that chooses between plural forms. It is printed in plain digits.
        case count(Int)
        /// Another text of the catalogue.
        case text(Text)
    }

    /// A sentence of the catalogue.
    /// - Parameter key: a literal, so that a search finds each key.
    public init(_ key: String, _ arguments: [String: Argument] = [:]) {
        self = .message(key, arguments)
    }

    /// The key; nil for words that no catalogue holds.
    public var key: String? {
        if case .message(let key, _) = self { key } else { nil }
    }
}

extension Text.Argument:
    ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A count.
    public init(integerLiteral value: Int) { self = .count(value) }
}

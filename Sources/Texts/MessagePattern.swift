/// A sentence of the catalogue in parts: a subset of ICU MessageFormat.
///
/// `{name}` is a placeholder. `{count, plural, one {# change is} other {# changes are}}` chooses by a number,
/// which `#` prints; `=0 {…}` is for one number alone, and `other` is required. A form may contain
/// placeholders, but no further plural. A backslash takes the meaning from the character after it.
public struct MessagePattern: Hashable, Sendable {
    /// A part of the sentence.
    public enum Part: Hashable, Sendable {
        case literal(String)
        case placeholder(String)
        case plural(name: String, forms: [Form])
    }

    /// One form of a plural.
    public struct Form: Hashable, Sendable {
        var selector: Selector
        /// Literals and placeholders; the placeholder `#` prints the number.
        var parts: [Part]
    }

    /// The numbers that a form is for.
    enum Selector: Hashable, Sendable {
        case exactly(Int)
        case category(PluralRule.Category)
    }

    /// The parts in their order.
    public let parts: [Part]

    /// The names of the placeholders, including the placeholders of the plural forms.
    public var placeholders: Set<String> { Self.placeholders(of: parts) }

    private static func placeholders(of parts: [Part]) -> Set<String> {
        parts.reduce(into: []) { names, part in
            switch part {
            case .literal, .placeholder("#"): break
            case .placeholder(let name): names.insert(name)
            case .plural(let name, let forms):
                names.insert(name)
                for form in forms { names.formUnion(placeholders(of: form.parts)) }
            }
        }
    }

    /// - Throws: a sentence that says what is wrong with the pattern.
    init(_ source: String) throws(MalformedPattern) {
        var reader = PatternReader(source)
        parts = try reader.parts(isInside: false)
    }
}

/// The fault of a pattern.
struct MalformedPattern: Error {
    let reason: String
}

private struct PatternReader {
    private let characters: [Character]
    private var index = 0

    init(_ source: String) { characters = Array(source) }

    private var next: Character? { index < characters.count ? characters[index] : nil }

    /// - Parameter isInside: whether the parts are a plural's form, which ends before its closing brace.
    mutating func parts(isInside: Bool) throws(MalformedPattern) -> [MessagePattern.Part] {
        var parts: [MessagePattern.Part] = []
        var literal = ""
        func flush() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
        }
        while let character = next {
            switch character {
            case "\\":
                index += 1
                guard let escaped = next else { throw MalformedPattern(reason: "it ends with a backslash") }
                literal.append(escaped)
                index += 1
            case "{":
                flush()
                index += 1
                parts.append(try argument(isInside: isInside))
            case "}":
                guard isInside else { throw MalformedPattern(reason: "a '}' has no '{'") }
                flush()
                return parts
            case "#" where isInside:
                flush()
                parts.append(.placeholder("#"))
                index += 1
            default:
                literal.append(character)
                index += 1
            }
        }
        guard !isInside else { throw MalformedPattern(reason: "a '{' has no '}'") }
        flush()
        return parts
    }

    /// The rest of a part after its `{`, with its `}`.
    private mutating func argument(isInside: Bool) throws(MalformedPattern) -> MessagePattern.Part {
        let name = word()
        guard !name.isEmpty else { throw MalformedPattern(reason: "a placeholder has no name") }
        if consume("}") { return .placeholder(name) }
        guard !isInside, consume(","), word() == "plural", consume(",") else {
            throw MalformedPattern(reason: "'{\(name)' is neither {name} nor {name, plural, …}")
        }
        var forms: [MessagePattern.Form] = []
        while !consume("}") {
            let selector = word()
            guard let parsed = MessagePattern.Selector(selector) else {
                throw MalformedPattern(reason: "'\(selector)' is no plural category")
            }
            guard !forms.contains(where: { $0.selector == parsed }) else {
                throw MalformedPattern(reason: "the plural of '\(name)' has '\(selector)' twice")
            }
            guard consume("{") else { throw MalformedPattern(reason: "'\(selector)' has no form") }
            forms.append(MessagePattern.Form(selector: parsed, parts: try parts(isInside: true)))
            index += 1
        }
        guard forms.contains(where: { $0.selector == .category(.other) }) else {
            throw MalformedPattern(reason: "the plural of '\(name)' has no form 'other'")
        }
        return .plural(name: name, forms: forms)
    }

    private mutating func skipSpace() {
        while next?.isWhitespace == true { index += 1 }
    }

    private mutating func word() -> String {
        skipSpace()
        var word = ""
        while let character = next, character.isLetter || character.isNumber || "_.-=".contains(character) {
            word.append(character)
            index += 1
        }
        return word
    }

    private mutating func consume(_ character: Character) -> Bool {
        skipSpace()
        guard next == character else { return false }
        index += 1
        return true
    }
}

extension MessagePattern.Selector {
    fileprivate init?(_ text: String) {
        if text.first == "=", let number = Int(text.dropFirst()) {
            self = .exactly(number)
        } else if let category = PluralRule.Category(rawValue: text) {
            self = .category(category)
        } else {
            return nil
        }
    }
}

// Splits a template into text and tags; text is split again after each line break.

/// A tag with its source location.
struct Tag: Sendable {
    enum Kind: Sendable {
        case value(escaped: Bool)
        case open, openInverted, openParent, openBlock, end
        case partial, comment, delimiters
    }

    let kind: Kind
    let name: String
    let place: SourceLocation

    /// The name in the end tag: `{{#text KEY}}` ends with `{{/text}}`.
    var endName: String { name.hasPrefix("text ") ? "text" : name }
}

/// Text of at most one line, or a tag.
enum Token: Sendable {
    case text([UInt8])
    case tag(Tag)
}

/// Reads tokens, with delimiters that the template may change.
struct Scanner {
    private let file: String
    private let source: [UInt8]
    private var position = 0
    private var line = 1
    private var lineBegin = 0
    private var opening = Array("{{".utf8)
    private var closing = Array("}}".utf8)

    init(file: String, source: [UInt8]) {
        self.file = file
        self.source = source
    }

    mutating func tokens() throws(TemplateError) -> [Token] {
        var tokens: [Token] = []
        var textBegin = 0
        while position < source.count {
            if starts(with: opening) {
                if textBegin < position { tokens.append(.text(Array(source[textBegin..<position]))) }
                tokens.append(.tag(try tag()))
                textBegin = position
            } else if source[position] == UInt8(ascii: "\n") {
                advanceLine()
                tokens.append(.text(Array(source[textBegin..<position])))
                textBegin = position
            } else {
                position += 1
            }
        }
        if textBegin < position { tokens.append(.text(Array(source[textBegin..<position]))) }
        return tokens
    }

    private func starts(with bytes: [UInt8]) -> Bool {
        guard position + bytes.count <= source.count else { return false }
        return source[position..<position + bytes.count].elementsEqual(bytes)
    }

    private mutating func advanceLine() {
        position += 1
        line += 1
        lineBegin = position
    }

    private mutating func tag() throws(TemplateError) -> Tag {
        let place = SourceLocation(file: file, line: line, column: position - lineBegin + 1)
        position += opening.count
        let sigil = position < source.count ? source[position] : 0
        let kind: Tag.Kind
        var end = closing
        switch sigil {
        case UInt8(ascii: "#"): kind = .open
        case UInt8(ascii: "^"): kind = .openInverted
        case UInt8(ascii: "/"): kind = .end
        case UInt8(ascii: ">"): kind = .partial
        case UInt8(ascii: "<"): kind = .openParent
        case UInt8(ascii: "$"): kind = .openBlock
        case UInt8(ascii: "!"): kind = .comment
        case UInt8(ascii: "&"): kind = .value(escaped: false)
        case UInt8(ascii: "{"):
            kind = .value(escaped: false)
            end = [UInt8(ascii: "}")] + closing
        case UInt8(ascii: "="):
            kind = .delimiters
            end = [UInt8(ascii: "=")] + closing
        default:
            kind = .value(escaped: true)
            position -= 1
        }
        position += 1
        let begin = position
        while !starts(with: end) {
            guard position < source.count else { throw TemplateError(reason: .unclosedTag, place: place) }
            if source[position] == UInt8(ascii: "\n") { advanceLine() } else { position += 1 }
        }
        let content = String(decoding: source[begin..<position], as: UTF8.self)
        position += end.count
        if case .delimiters = kind { try setDelimiters(content, place) }
        if case .comment = kind { return Tag(kind: kind, name: "", place: place) }
        let words = content.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { throw TemplateError(reason: .emptyTag, place: place) }
        return Tag(kind: kind, name: words.joined(separator: " "), place: place)
    }

    private mutating func setDelimiters(_ content: String, _ place: SourceLocation) throws(TemplateError) {
        let words = content.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, !words.contains(where: { $0.contains("=") }) else {
            throw TemplateError(reason: .badDelimiters, place: place)
        }
        opening = Array(words[0].utf8)
        closing = Array(words[1].utf8)
    }
}

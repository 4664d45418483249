/// The sentences of one language, by key.
///
/// Its files consist of lines `key = sentence`. A line that begins with `#` is a comment; an indented line continues the
/// sentence before it after a space. Sentences are `MessagePattern`s.
public final class TextCatalogue: Sendable {
    /// The BCP 47 tag, such as `en`.
    public let language: String
    private let patterns: [String: MessagePattern]
    private let plural: PluralRule

    /// An empty catalogue, for templates without texts.
    public static let empty = TextCatalogue()

    private init() {
        language = "en"
        patterns = [:]
        plural = .oneOrOther
    }

    /// - Parameter files: UTF-8 by name, for example `sync.txt`.
    /// - Throws: `TextError` for the first line that cannot be read, and for a key that occurs twice.
    public init(language: String, files: [String: [UInt8]]) throws(TextError) {
        guard let plural = PluralRule(language: language) else {
            throw TextError(file: language, line: 0, reason: "there is no plural rule for '\(language)'")
        }
        var patterns: [String: MessagePattern] = [:]
        for (file, bytes) in files.sorted(by: { $0.key < $1.key }) {
            for entry in try Self.entries(file, bytes) {
                guard patterns[entry.key] == nil else {
                    throw TextError(file: file, line: entry.line, reason: "'\(entry.key)' occurs twice")
                }
                do { patterns[entry.key] = try MessagePattern(entry.text) } catch {
                    throw TextError(file: file, line: entry.line, reason: "'\(entry.key)': \(error.reason)")
                }
            }
        }
        self.language = language
        self.patterns = patterns
        self.plural = plural
    }

    private struct Entry {
        var key: String
        var text: String
        var line: Int
    }

    private static func entries(_ file: String, _ bytes: [UInt8]) throws(TextError) -> [Entry] {
        guard let source = String(validating: bytes, as: UTF8.self) else {
            throw TextError(file: file, line: 1, reason: "the file is not UTF-8")
        }
        var entries: [Entry] = []
        for (index, line) in source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let trimmed = trim(line)
            if trimmed.isEmpty || line.hasPrefix("#") { continue }
            if line.first?.isWhitespace == true {
                guard var last = entries.popLast() else {
                    throw TextError(file: file, line: index + 1, reason: "this line continues nothing")
                }
                last.text += last.text.isEmpty ? trimmed : " " + trimmed
                entries.append(last)
                continue
            }
            let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = sides.first.map { trim($0) } ?? ""
            guard sides.count == 2, isKey(key) else {
                throw TextError(file: file, line: index + 1, reason: "a line is 'key = sentence'")
            }
            entries.append(Entry(key: key, text: trim(sides[1]), line: index + 1))
        }
        if let empty = entries.first(where: \.text.isEmpty) {
            throw TextError(file: file, line: empty.line, reason: "'\(empty.key)' has no sentence")
        }
        return entries
    }

    private static func trim(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// Capital letters and `_` are for keys that derive from declared names.
    private static func isKey(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// All keys.
    public var keys: Set<String> { Set(patterns.keys) }

    /// The sentence of a key; nil for an unknown key.
    public func pattern(_ key: String) -> MessagePattern? { patterns[key] }

    /// A text in this language. An unknown key is printed as it is, and a missing value as nothing.
    public func string(_ text: Text) -> String {
        switch text {
        case .verbatim(let words): return words
        case .declared(let key, let arguments, let otherwise): return string(key, arguments) ?? otherwise
        case .message(let key, let arguments): return string(key, arguments) ?? key
        }
    }

    /// The sentence of a key; nil for an unknown key.
    private func string(_ key: String, _ arguments: [String: Text.Argument]) -> String? {
        guard let pattern = patterns[key] else { return nil }
        if case .literal(let only)? = pattern.parts.first, pattern.parts.count == 1 { return only }
        var out = ""
        append(pattern.parts, arguments, number: nil, to: &out)
        return out
    }

    private func append(
        _ parts: [MessagePattern.Part],
        _ arguments: [String: Text.Argument],
        number: Int?,
        to out: inout String
    ) {
        for part in parts {
            switch part {
            case .literal(let text): out += text
            case .placeholder("#"): if let number { out += String(number) }
            case .placeholder(let name):
                switch arguments[name] {
                case .string(let text)?: out += text
                case .count(let count)?: out += String(count)
                case .text(let text)?: out += string(text)
                case nil: break
                }
            case .plural(let name, let forms):
                var count: Int?
                if case .count(let given)? = arguments[name] { count = given }
                let category = count.map(plural.category) ?? .other
                let form =
                    forms.first { $0.selector == count.map { .exactly($0) } }
                    ?? forms.first { $0.selector == .category(category) }
                    ?? forms.first { $0.selector == .category(.other) }
                if let form { append(form.parts, arguments, number: count, to: &out) }
            }
        }
    }
}

/// A fault of a catalogue's file.
public struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name.
    public let file: String
    /// Counted from 1; 0 for the catalogue as a whole.
    public let line: Int
    /// The fault, for the translator.
    public let reason: String

    /// `file:line: fault`.
    public var description: String { "\(file):\(line): \(reason)" }
}

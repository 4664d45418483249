// The sentences of the catalogue in templates: `{{text KEY}}`, and `{{#text KEY}}` with tags for its elements.

import Texts

extension TextCatalogue {
    /// The nodes of the sentence that a tag such as `{{text sync.sync}}` prints; nil for any other tag.
    /// - Parameter body: the content of `{{#text KEY}}`: opening tags that replace the sentence's bare tags.
    /// - Throws: `TemplateError` for an unknown key, for tags of the sentence and of the template that do not match,
    ///   and for a plural.
    func sentence(
        _ name: Name,
        body: [Node] = [],
        _ place: SourceLocation
    ) throws(TemplateError) -> [Node]? {
        let words = name.text.split(separator: " ")
        guard words.count == 2, words[0] == "text" else { return nil }
        let key = String(words[1])
        guard let pattern = pattern(key) else { throw TemplateError(reason: .unknownText(key), place: place) }
        var sentence = Sentence(key: key, tags: try ElementTags(body, place).tags, place: place)
        return try sentence.converted(pattern)
    }
}

/// Turns a sentence into nodes.
private struct Sentence {
    /// The elements that a sentence may contain without a tag of the template; they have no attributes.
    private static let plain: Set<String> = ["b", "bdi", "code", "em", "kbd", "strong"]

    private let key: String
    private let tags: [String: [Node]]
    private let place: SourceLocation
    private var nodes: [Node] = []
    /// The names of the open elements, the innermost last.
    private var opened: [String] = []
    private var used: Set<String> = []

    init(key: String, tags: [String: [Node]], place: SourceLocation) {
        self.key = key
        self.tags = tags
        self.place = place
    }

    /// The nodes of a sentence. Placeholders become values of the context.
    mutating func converted(_ pattern: MessagePattern) throws(TemplateError) -> [Node] {
        for part in pattern.parts {
            switch part {
            case .literal(let text): try add(Array(text.utf8))
            case .placeholder(let name): nodes.append(.value(Name(name), escaped: true, place))
            // Templates have no numbers, so that only code can print a text with plural forms.
            case .plural(let name, _):
                throw fault("'\(name)' chooses a plural form: a text with a count is printed by code.")
            }
        }
        if let last = opened.last { throw fault("The text '\(key)' has <\(last)> without </\(last)>.") }
        if let unused = tags.keys.filter({ !used.contains($0) }).min() {
            throw fault("The text '\(key)' has no <\(unused)>, which the template gives it.")
        }
        return nodes
    }

    /// Adds literal text: everything is escaped but the tags of elements.
    ///
    /// Apostrophes stay as they are: attributes of the templates are in double quotes.
    private mutating func add(_ literal: [UInt8]) throws(TemplateError) {
        var text: [UInt8] = []
        var rest = literal[...]
        while let byte = rest.first {
            if let tag = Self.tag(at: rest) {
                nodes.append(.text(text))
                text = []
                rest = rest.dropFirst(tag.length)
                if tag.isEnd { try addEnd(tag.name) } else { try addStart(tag.name) }
                continue
            }
            switch byte {
            case UInt8(ascii: "&"): text += "&amp;".utf8
            case UInt8(ascii: "<"): text += "&lt;".utf8
            case UInt8(ascii: ">"): text += "&gt;".utf8
            case UInt8(ascii: "\""): text += "&quot;".utf8
            default: text.append(byte)
            }
            rest = rest.dropFirst()
        }
        nodes.append(.text(text))
    }

    /// The tag that the text begins with: an element's name between `<` or `</` and `>`, without attributes.
    private static func tag(at text: ArraySlice<UInt8>) -> (name: String, isEnd: Bool, length: Int)? {
        guard text.first == UInt8(ascii: "<") else { return nil }
        let isEnd = text.dropFirst().first == UInt8(ascii: "/")
        let rest = text.dropFirst(isEnd ? 2 : 1)
        guard let name = ElementTags.name(at: rest) else { return nil }
        guard rest.dropFirst(name.utf8.count).first == UInt8(ascii: ">") else { return nil }
        return (name, isEnd, name.utf8.count + (isEnd ? 3 : 2))
    }

    private mutating func addStart(_ name: String) throws(TemplateError) {
        if let tag = tags[name] {
            guard used.insert(name).inserted else { throw fault("The text '\(key)' has <\(name)> twice.") }
            nodes += tag
        } else if Self.plain.contains(name) {
            nodes.append(.text(Array("<\(name)>".utf8)))
        } else {
            throw fault("The text '\(key)' has <\(name)>, for which the template gives no tag.")
        }
        opened.append(name)
    }

    private mutating func addEnd(_ name: String) throws(TemplateError) {
        guard opened.popLast() == name else {
            throw fault("The text '\(key)' has </\(name)> where <\(name)> is not the innermost open element.")
        }
        nodes.append(.text(Array("</\(ElementTags.element(of: name))>".utf8)))
    }

    private func fault(_ sentence: String) -> TemplateError {
        TemplateError(reason: .wrongUse(sentence), place: place)
    }
}

/// The opening tags in the body of `{{#text KEY}}`, by the names that the sentence uses.
///
/// In the name `a.terms`, `a` is the element. The part after the dot distinguishes two elements of the same kind
/// and is not printed.
private struct ElementTags {
    /// The elements without an end tag, which cannot enclose a part of a sentence.
    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    private(set) var tags: [String: [Node]] = [:]
    private let place: SourceLocation
    /// The name of the tag that is being read; nil between tags.
    private var name: String?
    private var tag: [Node] = []
    private var isQuoted = false

    init(_ body: [Node], _ place: SourceLocation) throws(TemplateError) {
        self.place = place
        for node in body {
            switch node {
            case .lineStart: break
            case .text(let bytes): try add(bytes)
            default:
                guard name != nil else { throw notOnlyTags }
                tag.append(node)
            }
        }
        if let name { throw fault("The tag <\(name) between {{#text KEY}} and {{/text}} has no '>'.") }
    }

    private mutating func add(_ bytes: [UInt8]) throws(TemplateError) {
        var rest = bytes[...]
        while let byte = rest.first {
            if name != nil {
                addInside(&rest)
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") {
                rest = rest.dropFirst()
            } else {
                guard byte == UInt8(ascii: "<"), let name = Self.name(at: rest.dropFirst()) else {
                    throw notOnlyTags
                }
                let element = Self.element(of: name)
                guard !Self.void.contains(element) else {
                    throw fault("<\(element)> has no end tag, so that it is no element of a sentence.")
                }
                guard tags[name] == nil else {
                    throw fault("<\(name)> is given twice: name one of them <\(element).NAME>.")
                }
                self.name = name
                tag = [.text(Array("<\(element)".utf8))]
                rest = rest.dropFirst(1 + name.utf8.count)
            }
        }
    }

    /// Consumes bytes up to the end of the tag that is being read, or all of them.
    private mutating func addInside(_ rest: inout ArraySlice<UInt8>) {
        var count = 0
        for byte in rest {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ">"), !isQuoted { break }
            count += 1
        }
        tag.append(.text(Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
        guard !rest.isEmpty else { return }
        rest = rest.dropFirst()
        tag.append(.text([UInt8(ascii: ">")]))
        if let name { tags[name] = tag }
        name = nil
    }

    /// The name that the text begins with: a small letter, then such letters, digits and hyphens, with one dot at
    /// most.
    static func name(at text: ArraySlice<UInt8>) -> String? {
        func isWord(_ byte: UInt8) -> Bool {
            (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
        }
        var name = text.prefix(while: isWord)
        guard let first = name.first, (97...122).contains(first) else { return nil }
        let rest = text.dropFirst(name.count)
        if rest.first == UInt8(ascii: ".") {
            let distinction = rest.dropFirst().prefix(while: isWord)
            guard !distinction.isEmpty else { return nil }
            name = text.prefix(name.count + 1 + distinction.count)
        }
        return String(decoding: name, as: UTF8.self)
    }

    static func element(of name: String) -> String { String(name.prefix { $0 != "." }) }

    private var notOnlyTags: TemplateError {
        fault("Between {{#text KEY}} and {{/text}} are opening tags only.")
    }

    private func fault(_ sentence: String) -> TemplateError {
        TemplateError(reason: .wrongUse(sentence), place: place)
    }
}

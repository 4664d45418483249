// Reads pages the way tests ask about them: elements by tag and attribute, their text, the values of forms.

/// One start tag of a page and the text up to its end tag.
public struct HTMLElement: Sendable {
    /// In lower case.
    public let tag: String
    /// Names in lower case, values with their entities decoded.
    public let attributes: [String: String]
    /// The text inside, tags left out, white space folded.
    public let text: String
    /// The same with its white space.
    public let rawText: String
    /// The places of the elements around it among those of the page, the outermost first.
    public let ancestors: [Int]

    /// An attribute's value, or nil.
    public subscript(name: String) -> String? { attributes[name] }

    /// Whether it has this tag and these values of attributes. An empty value means: has the attribute.
    public func matches(_ tag: String?, _ wanted: [String: String] = [:]) -> Bool {
        (tag == nil || self.tag == tag)
            && wanted.allSatisfy { name, value in
                guard let found = attributes[name] else { return false }
                return value.isEmpty || found == value
            }
    }
}

/// A page that was read.
public struct HTMLReader: Sendable {
    /// Every element in the order of the start tags.
    public let elements: [HTMLElement]

    /// Reads a page. It expects what our own templates write: quoted attributes, closed elements.
    public init(_ page: String) {
        var parser = Parser(Array(page.utf8))
        elements = parser.elements()
    }

    /// The elements with this tag whose attributes have these values. An empty value means: has the attribute.
    public func all(_ tag: String? = nil, _ wanted: [String: String] = [:]) -> [HTMLElement] {
        elements.filter { $0.matches(tag, wanted) }
    }

    /// The elements inside the first one with this tag whose attributes have these values; none if there is no such element.
    public func inside(_ tag: String? = nil, _ wanted: [String: String] = [:]) -> [HTMLElement] {
        guard let place = elements.firstIndex(where: { $0.matches(tag, wanted) }) else { return [] }
        return elements.filter { $0.ancestors.contains(place) }
    }

    /// The link that an element is, is inside of, or has inside; nil if there is none.
    public func link(of place: Int) -> HTMLElement? {
        func isLink(_ element: HTMLElement) -> Bool { element.tag == "a" && element["href"] != nil }
        let around = (elements[place].ancestors + [place]).map { elements[$0] }
        return around.last(where: isLink)
            ?? elements[place...].first { $0.ancestors.contains(place) && isLink($0) }
    }

    /// The first element with this tag whose attributes have these values.
    public func first(_ tag: String? = nil, _ wanted: [String: String] = [:]) -> HTMLElement? {
        all(tag, wanted).first
    }

    /// The value of a hidden field, anywhere in the page.
    public func hidden(_ name: String) -> String? {
        first("input", ["type": "hidden", "name": name])?["value"]
    }

    /// The fields that a browser would send with the untouched form of an address; nil if there is no such
    /// form.
    public func form(_ action: String) -> [(name: String, value: String)]? {
        let isForm: (HTMLElement) -> Bool = { $0.tag == "form" }
        let start = elements.firstIndex {
            isForm($0) && $0["action"] == action && $0["method"] == "post"
        }
        guard let start else { return nil }
        var fields: [(name: String, value: String)] = []
        var select: String?
        for element in elements[(start + 1)...].prefix(while: { !isForm($0) }) {
            if element.tag == "option", let name = select {
                let value = element["value"] ?? element.text
                // Without a chosen option, the first one is sent.
                if fields.last?.name != name {
                    fields.append((name, value))
                } else if element["selected"] != nil {
                    fields[fields.count - 1].value = value
                }
                continue
            }
            if element.tag != "optgroup" { select = nil }
            guard let name = element["name"] else { continue }
            let isTick = ["radio", "checkbox"].contains(element["type"])
            switch element.tag {
            case "select": select = name
            case "textarea": fields.append((name, element.rawText))
            case "input" where !isTick || element["checked"] != nil:
                fields.append((name, element["value"] ?? ""))
            default: break
            }
        }
        return fields
    }

    /// A marker of `<body>`.
    public func body(_ name: String) -> String? { first("body")?[name] }
}

private struct Parser {
    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func elements() -> [HTMLElement] {
        var found: [(tag: String, attributes: [String: String], ancestors: [Int], text: [UInt8])] = []
        var open: [Int] = []
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                let start = position
                while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
                for index in open { found[index].text += bytes[start..<position] }
            } else if starts(with: "<!--") {
                while position < bytes.count, !starts(with: "-->") { position += 1 }
                position += 3
            } else if starts(with: "<!") {
                while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
                position += 1
            } else if starts(with: "</") {
                position += 2
                let tag = word()
                while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
                position += 1
                if let index = open.lastIndex(where: { found[$0].tag == tag }) {
                    open.removeSubrange(index...)
                }
            } else {
                position += 1
                let tag = word()
                let (attributes, closed) = attributes()
                for index in open { found[index].text.append(UInt8(ascii: " ")) }
                found.append((tag, attributes, open, []))
                if !closed, !Self.void.contains(tag) { open.append(found.count - 1) }
            }
        }
        return found.map { one in
            let text = decoded(one.text)
            let words = text.split(whereSeparator: \.isWhitespace)
            return HTMLElement(
                tag: one.tag,
                attributes: one.attributes,
                text: words.joined(separator: " "),
                rawText: text,
                ancestors: one.ancestors
            )
        }
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func word() -> String {
        let start = position
        while position < bytes.count, !" \n\t/>=".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    }

    private mutating func attributes() -> ([String: String], closed: Bool) {
        var attributes: [String: String] = [:]
        var closed = false
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            if " \n\t".utf8.contains(bytes[position]) {
                position += 1
            } else if bytes[position] == UInt8(ascii: "/") {
                closed = true
                position += 1
            } else {
                let name = word()
                attributes[name] = value()
                if name.isEmpty { position += 1 }
            }
        }
        position += 1
        return (attributes, closed)
    }

    private mutating func value() -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return "" }
        position += 1
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return word() }
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
        defer { position += 1 }
        return decoded(Array(bytes[start..<position]))
    }

    private func decoded(_ text: [UInt8]) -> String {
        let raw = String(decoding: text, as: UTF8.self)
        return text.contains(UInt8(ascii: "&")) ? decodingReferences(raw) : raw
    }
}

/// A text of a page with the characters that its references stand for.
func decodingReferences(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
        .replacing("&#39;", with: "'").replacing("&nbsp;", with: "\u{A0}").replacing("&amp;", with: "&")
}

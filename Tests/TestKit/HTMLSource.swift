// A page as the validator of pages reads it: nothing is repaired, and each departure from the syntax is a fault.

/// An element of a page with its place in the tree.
struct SourceElement {
    let tag: String
    /// In the order of the source.
    let attributes: [(name: String, value: String)]
    /// The place of the element around it among those of the page; nil at the top.
    let parent: Int?
    /// The places of the elements directly inside.
    var children: [Int] = []
    /// Whether it has text of its own that is not white space.
    var hasText = false
    /// Whether it belongs to a picture: the content of `<svg>` has rules of its own.
    let isInPicture: Bool

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// The elements of a page, and what is wrong with its syntax.
struct HTMLSource {
    private(set) var elements: [SourceElement] = []
    private(set) var faults: [String] = []

    private static let void: Set<Substring> = Set(
        "area base br col embed hr img input link meta source track wbr".split(separator: " ")
    )
    /// Elements whose content is text up to their end tag.
    private static let textual: Set<String> = ["script", "style", "title", "textarea"]

    private let bytes: [UInt8]
    private var position = 0
    private var open: [Int] = []

    init(_ page: String) {
        bytes = Array(page.utf8)
        let doctype = "<!doctype html>"
        if starts(with: doctype) { position = doctype.utf8.count } else { note("the page has no doctype") }
        while position < bytes.count { readNext() }
        for index in open { note("<\(elements[index].tag)> is not closed") }
    }

    /// The element and its ancestors, the nearest first.
    func ancestors(of index: Int) -> [Int] {
        var (found, next): ([Int], Int?) = ([], elements[index].parent)
        while let place = next {
            found.append(place)
            next = elements[place].parent
        }
        return found
    }

    private mutating func note(_ fault: String) { faults.append(fault) }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func readNext() {
        if bytes[position] != UInt8(ascii: "<") { return readText(until: "<") }
        if starts(with: "<!--") { return skip(past: "-->") }
        if starts(with: "</") {
            position += 2
            let tag = readName()
            skip(past: ">")
            return close(tag)
        }
        position += 1
        guard position < bytes.count, isLetter(bytes[position]) else {
            return note("a bare < in the text of \(path)")
        }
        readElement()
    }

    private var path: String { open.map { elements[$0].tag }.suffix(4).joined(separator: " > ") }

    private mutating func close(_ tag: String) {
        guard let last = open.last, elements[last].tag == tag else {
            note("</\(tag)> does not close what is open: \(path)")
            guard let index = open.lastIndex(where: { elements[$0].tag == tag }) else { return }
            for place in open[(index + 1)...] { note("<\(elements[place].tag)> is not closed") }
            open.removeSubrange(index...)
            return
        }
        open.removeLast()
    }

    private mutating func readText(until end: String) {
        let start = position
        while position < bytes.count, !starts(with: end) { position += 1 }
        let text = bytes[start..<position]
        checkReferences(text, "the text of \(path)")
        guard let last = open.last, text.contains(where: { $0 > 0x20 }) else { return }
        elements[last].hasText = true
    }

    private mutating func readElement() {
        let tag = readName()
        let (attributes, isClosed) = readAttributes(of: tag)
        let isInPicture = open.contains { elements[$0].tag == "svg" }
        let parent = open.last
        if let parent { elements[parent].children.append(elements.count) }
        elements.append(
            SourceElement(tag: tag, attributes: attributes, parent: parent, isInPicture: isInPicture)
        )
        if isClosed, !isInPicture, tag != "svg" { note("<\(tag)/> closes itself") }
        guard !isClosed, !Self.void.contains(Substring(tag)) else { return }
        open.append(elements.count - 1)
        guard !isInPicture, Self.textual.contains(tag) else { return }
        let isRaw = tag == "script" || tag == "style"
        if isRaw { skip(upTo: "</\(tag)") } else { readText(until: "</\(tag)") }
    }

    private mutating func readAttributes(of tag: String) -> ([(name: String, value: String)], isClosed: Bool)
    {
        var attributes: [(name: String, value: String)] = []
        while position < bytes.count {
            let hasSpace = skipSpace()
            guard position < bytes.count, bytes[position] != UInt8(ascii: ">") else { break }
            if starts(with: "/>") {
                position += 2
                return (attributes, true)
            }
            if !hasSpace { note("no space before an attribute of <\(tag)>") }
            let name = readName()
            guard !name.isEmpty else {
                note("<\(tag)> has a stray character")
                position += 1
                continue
            }
            if attributes.contains(where: { $0.name == name }) { note("\(name) stands twice on <\(tag)>") }
            attributes.append((name, readValue(of: name, tag)))
        }
        position += 1
        return (attributes, false)
    }

    private mutating func readValue(of name: String, _ tag: String) -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return "" }
        position += 1
        let start = position
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            while position < bytes.count, !" \n\t>".utf8.contains(bytes[position]) { position += 1 }
            let value = bytes[start..<position]
            if value.isEmpty || value.contains(where: { "\"'=<`".utf8.contains($0) }) {
                note("\(name) of <\(tag)> needs quotes")
            }
            return decoded(value)
        }
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
        defer { position += 1 }
        let value = bytes[(start + 1)..<position]
        checkReferences(value, "\(name) of <\(tag)>")
        return decoded(value)
    }

    /// Each `&` has to begin a reference to a character.
    private mutating func checkReferences(_ text: ArraySlice<UInt8>, _ place: String) {
        for (index, byte) in zip(text.indices, text) where byte == UInt8(ascii: "&") {
            let name = text[(index + 1)...].prefix(10).prefix {
                isLetter($0) || $0 == 0x23 || (0x30...0x39).contains($0)
            }
            let end = index + 1 + name.count
            if name.isEmpty || end >= text.endIndex || text[end] != UInt8(ascii: ";") {
                note("a bare & in \(place)")
            }
        }
    }

    private mutating func readName() -> String {
        let start = position
        while position < bytes.count, !" \n\t/>=\"'<".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, " \n\t".utf8.contains(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func skip(upTo end: String) {
        while position < bytes.count, !starts(with: end) { position += 1 }
    }

    private mutating func skip(past end: String) {
        skip(upTo: end)
        position += end.utf8.count
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private func decoded(_ value: ArraySlice<UInt8>) -> String {
        let text = String(decoding: value, as: UTF8.self)
        return value.contains(UInt8(ascii: "&")) ? decodingReferences(text) : text
    }
}

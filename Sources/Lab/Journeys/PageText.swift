// The words of a printed page that a person sees at once, and the words that are folded until the person opens them.

import Templates

/// A part of a page in which a sentence is looked for.
enum PagePart: String, Sendable {
    /// Every part.
    case any
    /// The line of a file beside a transaction: the header has some of its words as well.
    case file
    /// A message that is shown once.
    case toast
}

/// The text of a page, without its markup. Character references stay as they are.
///
/// The pages are our own, so that elements which fold or hide others are well formed; nothing else is relied on.
struct PageText {
    /// The words in sight.
    let shown = ByteBuffer(capacity: 16 << 10)
    /// The words in popovers and in closed `details`.
    let folded = ByteBuffer(capacity: 1 << 10)
    /// The words in sight of the lines of files beside a transaction.
    let files = ByteBuffer(capacity: 256)
    /// The words in sight of toasts.
    let toasts = ByteBuffer(capacity: 256)

    private enum Place { case shown, folded, nowhere }

    /// A beginning tag, or the end of an element.
    private struct Tag {
        var name: Substring
        var isEnd: Bool
        /// The names of its attributes.
        var attributes: [Substring]
    }

    /// - Parameter page: the HTML of a page or of a part of it, in UTF-8.
    init(_ page: ByteBuffer) {
        let text = page.text
        var place = Place.shown
        // The element that decides the place, and how many of its name are open in it.
        var element: Substring = ""
        var depth = 0
        // The summary of a closed `details` is in sight.
        var isSummary = false
        // The same of the part of the page.
        var part = PagePart.any
        var whole: Substring = ""
        var partDepth = 0
        var rest = text[...]
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            append(rest[..<start], to: isSummary ? .shown : place, part)
            rest = rest[start...]
            guard Self.beginsMarkup(rest) else {
                append(rest.prefix(1), to: place, part)
                rest = rest.dropFirst()
                continue
            }
            guard let tag = Self.readTag(&rest) else { continue }
            if part == .any {
                let begun = Self.part(of: tag)
                if begun != .any { (part, whole, partDepth) = (begun, tag.name, 1) }
            } else if tag.name == whole {
                partDepth += tag.isEnd ? -1 : 1
                if partDepth == 0 { part = .any }
            }
            if place == .shown {
                guard let entered = Self.place(of: tag) else { continue }
                (place, element, depth) = (entered, tag.name, 1)
            } else if tag.name == element {
                depth += tag.isEnd ? -1 : 1
                if depth == 0 { place = .shown }
            } else if tag.name == "summary", element == "details", depth == 1 {
                isSummary = !tag.isEnd
            }
        }
        append(rest, to: place, part)
    }

    private func append(_ words: Substring, to place: Place, _ part: PagePart) {
        if place == .shown, part != .any { append(words, to: part == .file ? files : toasts) }
        switch place {
        case .shown: append(words, to: shown)
        case .folded: append(words, to: folded)
        case .nowhere: break
        }
    }

    private func append(_ words: Substring, to buffer: ByteBuffer) {
        buffer.append(String(words))
        // A sentence does not reach from one element into another.
        buffer.append(UInt8(0))
    }

    /// The place of the words in an element; nil if it is the place of the words around the element.
    private static func place(of tag: Tag) -> Place? {
        guard !tag.isEnd else { return nil }
        if ["head", "script", "style", "template"].contains(tag.name) { return .nowhere }
        // Such elements have no end.
        if ["input", "img", "iframe"].contains(tag.name) { return nil }
        if tag.attributes.contains("hidden") { return .nowhere }
        if tag.attributes.contains("popover") { return .folded }
        return tag.name == "details" && !tag.attributes.contains("open") ? .folded : nil
    }

    /// The part of a page that an element is.
    private static func part(of tag: Tag) -> PagePart {
        guard !tag.isEnd else { return .any }
        if tag.attributes.contains("data-attachment") { return .file }
        return tag.attributes.contains("data-toast") ? .toast : .any
    }

    private static func beginsMarkup(_ text: Substring) -> Bool {
        guard let next = text.dropFirst().first else { return false }
        return next.isLetter || next == "/" || next == "!"
    }

    /// Takes a tag or a comment from the beginning of `rest`.
    /// - Returns: nil for a comment and a declaration.
    private static func readTag(_ rest: inout Substring) -> Tag? {
        if rest.hasPrefix("<!--") {
            rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
            return nil
        }
        let bytes = rest.utf8
        var at = bytes.index(after: bytes.startIndex)
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }
        func word() -> Substring {
            let start = at
            while at < bytes.endIndex {
                let byte = bytes[at]
                if isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=")
                    || byte == UInt8(ascii: "/")
                {
                    break
                }
                at = bytes.index(after: at)
            }
            return rest[start..<at]
        }
        var tag = Tag(name: "", isEnd: at < bytes.endIndex && bytes[at] == UInt8(ascii: "/"), attributes: [])
        if tag.isEnd { at = bytes.index(after: at) }
        tag.name = word()
        while at < bytes.endIndex {
            switch bytes[at] {
            case UInt8(ascii: ">"):
                rest = rest[bytes.index(after: at)...]
                return tag.name.isEmpty || tag.name.hasPrefix("!") ? nil : tag
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[at]
                let inside = bytes.index(after: at)
                guard let end = bytes[inside...].firstIndex(of: quote) else {
                    rest = ""
                    return nil
                }
                at = bytes.index(after: end)
            case let byte where isSpace(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/"):
                at = bytes.index(after: at)
            default: tag.attributes.append(word())
            }
        }
        rest = ""
        return nil
    }
}

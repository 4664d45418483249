// The visible text of a page and the fields of its forms, as lines that a reviewer reads.

/// A page as text: links and buttons in brackets, fields in braces, a line for each block.
struct PageText {
    private static let void: Set = ["br", "col", "hr", "img", "input", "link", "meta", "rect", "line", "use"]
    private static let inline: Set = [
        "a", "abbr", "b", "bdi", "button", "code", "em", "i", "kbd", "label", "output", "small", "span",
        "strong",
        "time",
    ]
    /// Elements that are the same on each page, or that show no text.
    private static let skipped: Set = ["head", "nav", "script", "datalist"]

    private let bytes: [UInt8]
    private var position = 0
    private(set) var lines: [String] = []
    private var line = ""
    /// The number of open elements inside of a skipped one.
    private var skips = 0
    private var select: (name: String, chosen: String, count: Int)?
    private var isChosen = false
    private var textarea: String?

    init(_ html: String) {
        bytes = Array(html.utf8)
        while position < bytes.count { step() }
        endLine()
    }

    private mutating func step() {
        guard bytes[position] == UInt8(ascii: "<") else {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
            add(Self.decoded(bytes[start..<position]))
            return
        }
        let start = position + 1
        var quoted = false
        while position < bytes.count, quoted || bytes[position] != UInt8(ascii: ">") {
            if bytes[position] == UInt8(ascii: "\"") { quoted.toggle() }
            position += 1
        }
        let tag = String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        if tag.hasPrefix("/") { close(String(tag.dropFirst())) } else if !tag.hasPrefix("!") { open(tag) }
    }

    private mutating func add(_ text: String) {
        guard skips == 0 else { return }
        guard select == nil else {
            if isChosen { select?.chosen += text.trimmingPrefix { $0.isWhitespace } }
            return
        }
        let words = text.split(whereSeparator: { $0.isWhitespace && $0 != "\u{a0}" })
        if text.first?.isWhitespace == true { space() }
        line += words.joined(separator: " ")
        if text.last?.isWhitespace == true, !words.isEmpty { space() }
    }

    private mutating func space() { if let last = line.last, last != " ", last != "[" { line += " " } }

    private mutating func endLine() {
        while line.last == " " { line.removeLast() }
        if !line.isEmpty { lines.append(line) }
        line = ""
    }

    private mutating func open(_ tag: String) {
        let name = String(tag.prefix { !$0.isWhitespace && $0 != "/" })
        let isOpen = !Self.void.contains(name) && !tag.hasSuffix("/")
        if skips > 0 {
            if isOpen { skips += 1 }
            return
        }
        let attributes = Self.attributes(tag)
        if name == "svg", let label = attributes["aria-label"] { line += "(picture: \(label))" }
        let isOfEachPage =
            ["skip", "brand"].contains(attributes["class"]) || attributes["id"] == "more-sheet"
        if Self.skipped.contains(name) || name == "svg" || isOfEachPage {
            skips = 1
            return
        }
        switch name {
        case "body":
            let markers = ["state", "tier", "sync", "pending"].map { attributes["data-\($0)"] ?? "" }
            lines.append(markers.joined(separator: " · "))
        case "h1", "h2", "h3":
            endLine()
            line = String(repeating: "#", count: Int(String(name.dropFirst())) ?? 1) + " "
        case "a", "button": line += "["
        case "input": field(attributes)
        case "textarea":
            textarea = attributes["name"] ?? ""
            line += "{\(attributes["name"] ?? ""): "
        case "select": select = (attributes["name"] ?? "", "", 0)
        case "option":
            isChosen = attributes["selected"] != nil || select?.count == 0
            if isChosen { select?.chosen = "" }
            select?.count += 1
        case "optgroup": break
        case "td", "th", "dd":
            space()
            if !line.isEmpty { line += "| " }
        // The second line of a row.
        case "span" where attributes["class"] == "s", "small": space()
        case _ where Self.inline.contains(name): break
        default: endLine()
        }
    }

    private mutating func close(_ name: String) {
        if skips > 0 {
            skips -= 1
            return
        }
        switch name {
        case "a", "button":
            while line.last == " " { line.removeLast() }
            line += "]"
        case "textarea":
            textarea = nil
            line += "}"
        case "select":
            if let select { line += "{\(select.name): \(select.chosen), one of \(select.count)}" }
            select = nil
        case "option", "optgroup", "td", "th": break
        case _ where Self.inline.contains(name): break
        default: endLine()
        }
    }

    private mutating func field(_ attributes: [String: String]) {
        let name = attributes["name"] ?? ""
        let value = attributes["value"] ?? ""
        switch attributes["type"] {
        // The same in each form.
        case "hidden" where ["csrf", "decimal", "once"].contains(name): break
        case "hidden": line += "{\(name): \(value), hidden}"
        case "radio", "checkbox":
            line += "{\(name): \(value)\(attributes["checked"] == nil ? "" : ", chosen")} "
        default: line += "{\(name): \(value)} "
        }
    }

    private static func attributes(_ tag: String) -> [String: String] {
        var found: [String: String] = [:]
        for match in tag.matches(of: /\s(?<name>[a-z-]+)(?:="(?<value>[^"]*)")?/) {
            found[String(match.name)] = decoded(Array((match.value ?? "").utf8)[...])
        }
        return found
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&nbsp;", with: "\u{A0}").replacing("&amp;", with: "&")
    }
}

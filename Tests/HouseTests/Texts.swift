// The sentences that users see: they are in the catalogue, and templates and code name them by key.

import Foundation

enum Texts {
    /// A key in a template or in code, with the names of its arguments where code gives some.
    struct Mention: Hashable {
        var key: String
        var path: String
        var line: Int
        /// Nil for a template, whose placeholders are checked when it is bound, and for arguments from elsewhere.
        var arguments: Set<String>?
    }

    /// The targets with user-facing sentences.
    static let targets: Set<String> = ["Web"]

    /// Files of other targets with such sentences; the others there speak to the log.
    static let files: Set<String> = [
        "Sources/Devices/Lifecycle/Effects.swift", "Sources/Devices/Toasts.swift",
    ]

    /// Literals of these targets that no user reads as a sentence of the app, by file.
    static let exceptions: [String: String] = [
        "Sources/Web/UserAccount/DeviceName.swift": "names of browsers, which the cloud stores",
        "Sources/Web/Operation/OperationActions.swift": "the answer of /readyz, for operators",
    ]

    /// Names of HTTP headers, parts of names in exports, and parts of lines of the log.
    static let notForUsers: Set<String> = [
        "Accept", "Allow", "Amount", "Minor", "Origin", "Referer", "breadly grant ",
        "the cloud refuses the ID token", "the provider", "the sign-in could not be sealed",
        "the sign-in was accepted and is not kept: ",
    ]

    /// The keys of the catalogue whose names derive from the declaration of entities and fields.
    static let derivedPrefixes = ["choice.", "entity.", "field.", "title."]

    // MARK: Templates

    /// The parts of a template outside of its tags and its HTML, and the values of attributes that users see.
    static func literals(inTemplate source: String) -> [Literal] {
        var found: [Literal] = []
        var scanner = TemplateScanner(source)
        scanner.scan { found.append(Literal(line: $0, text: $1, before: "")) }
        return found.filter { literal in
            literal.text.contains(where: \.isLetter) && literal.text.filter(\.isLetter) != "Breadly"
        }
    }

    /// The keys that a file of journeys or of the coverage names: of titles with their stories, of steps, signs and rows.
    static func mentions(inJourneys source: String, path: String) -> [Mention] {
        var mentions: [Mention] = []
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            for word in words.dropFirst() {
                let key = String(word.split(separator: "&").last ?? word)
                guard key.wholeMatch(of: /[a-z-]+\.[a-z0-9-]+/) != nil else { continue }
                let keys = words.first == "text" ? [key, key + "-story"] : [key]
                mentions += keys.map { Mention(key: $0, path: path, line: index + 1) }
            }
        }
        return mentions
    }

    /// The keys that a template names.
    static func mentions(inTemplate source: String, path: String) -> [Mention] {
        var mentions: [Mention] = []
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.replacing("{{#text ", with: "{{text ")
            for part in line.components(separatedBy: "{{text ").dropFirst() {
                guard let end = part.range(of: "}}") else { continue }
                mentions.append(Mention(key: String(part[..<end.lowerBound]), path: path, line: index + 1))
            }
        }
        return mentions
    }

    // MARK: Code

    /// The keys that code names by `Text("…")`, with the names of their arguments.
    static func mentions(in file: SourceFile) -> [Mention] {
        let bytes = Array(file.text.utf8)
        let opening = Array("Text(".utf8)
        var mentions: [Mention] = []
        var line = 1
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            guard bytes[index] == opening[0], bytes[index...].starts(with: opening),
                index == 0 || !(97...122).contains(bytes[index - 1])
            else { continue }
            let call = call(bytes[(index + opening.count - 1)...])
            let inside = call.dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            guard inside.first == UInt8(ascii: "\"") else { continue }
            let key = inside.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
            mentions.append(
                Mention(
                    key: String(decoding: key, as: UTF8.self),
                    path: file.path,
                    line: line,
                    arguments: argumentNames(inside)
                )
            )
        }
        return mentions
    }

    /// The bytes of a call from its opening parenthesis to the closing one.
    private static func call(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var depth = 0
        for (index, byte) in zip(bytes.indices, bytes) {
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { return bytes[..<index] }
        }
        return bytes
    }

    /// The names before a colon in the call's dictionary; nil if the dictionary is no literal.
    private static func argumentNames(_ call: ArraySlice<UInt8>) -> Set<String>? {
        var names: Set<String> = []
        let parts = String(decoding: call.dropFirst(), as: UTF8.self).split(separator: "\"")
        // The key is the first part; a name is a part before a colon.
        for (name, after) in zip(parts, parts.dropFirst()) where after.first == ":" {
            names.insert(String(name))
        }
        let rest = parts.dropFirst().first.map(String.init) ?? ""
        let isLiteral = rest.isEmpty || rest.contains("[")
        return isLiteral ? names : nil
    }

    /// The literals of a file that read like a sentence, or like a label before a user.
    static func sentences(in file: SourceFile) -> [Literal] {
        file.strings.filter { literal in
            let before = literal.before
            guard !before.hasSuffix("Text(\""), !isForOperators(before) else { return false }
            return !notForUsers.contains(literal.text) && looksLikeWords(literal.text)
        }
    }

    /// Whether a literal is an argument of the log or the reason of a `precondition`.
    private static func isForOperators(_ before: String) -> Bool {
        ["log.write(\"", "log.error(\"", "log.warning(\"", "log.info(\"", "log.debug(\""].contains {
            before.contains($0.dropLast()) && before.hasSuffix("\"")
        }
    }

    /// Two words with a space between them, or one word with a capital letter first.
    private static func looksLikeWords(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        let plain = words.filter { word in
            word.utf8.count > 1
                && word.utf8.allSatisfy { isLetter($0) || ".,:;!?'".utf8.contains($0) || $0 >= 0x80 }
        }
        if plain.count >= 2 { return true }
        guard let only = words.first, words.count == 1, let first = only.utf8.first else { return false }
        return (65...90).contains(first) && only.utf8.count > 2
            && only.utf8.dropFirst().allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte)
    }
}

/// Walks through a template and reports the texts that it contains itself.
private struct TemplateScanner {
    private let source: [UInt8]
    private var position = 0
    private var line = 1
    /// Blocks such as `{{$icon}}` whose content is no text.
    private static let quietBlocks: Set<String> = [
        "action", "hidden", "icon", "input", "marker", "meta", "narrow", "role", "tint",
    ]
    private static let shownAttributes: Set<String> = ["alt", "aria-label", "placeholder", "title"]

    init(_ text: String) { source = Array(text.utf8) }

    private func looking(at text: String) -> Bool {
        source[position...].starts(with: text.utf8)
    }

    private mutating func step() {
        if source[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// Skips a tag of the template and returns its content without braces.
    private mutating func tag() -> String {
        let start = position
        while position < source.count, !looking(at: "}}") { step() }
        let content = String(decoding: source[start..<position], as: UTF8.self)
        while position < source.count, source[position] == UInt8(ascii: "}") { step() }
        return String(content.drop { $0 == "{" })
    }

    mutating func scan(_ report: (_ line: Int, _ text: String) -> Void) {
        var text: [UInt8] = []
        var start = 1
        var (isInTag, isQuiet) = (false, false)
        var element = ""
        var blocks: [String] = []
        var opensBlock = false
        var attribute: String?
        func flush() {
            // A block of one word in small letters is a name for the template around it.
            let isName = opensBlock && text.allSatisfy { (97...122).contains($0) || $0 == 45 }
            if !isQuiet, !isName, element != "kbd", !blocks.contains(where: Self.quietBlocks.contains) {
                report(start, String(decoding: text, as: UTF8.self))
            }
            text = []
        }
        while position < source.count {
            if looking(at: "{{") {
                if !isInTag || attribute != nil { flush() }
                let content = tag()
                opensBlock = content.hasPrefix("$")
                if content.hasPrefix("$") { blocks.append(String(content.dropFirst())) }
                if content.hasPrefix("/"), let last = blocks.last, last == content.dropFirst() {
                    blocks.removeLast()
                }
                start = line
                continue
            }
            let byte = source[position]
            if !isInTag {
                let next = position + 1 < source.count ? source[position + 1] : 0
                let opens =
                    byte == UInt8(ascii: "<")
                    && (next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || (97...122).contains(next))
                if opens {
                    flush()
                    opensBlock = false
                    isInTag = true
                    element = String(
                        decoding: source[(position + 1)...].prefix { (97...122).contains($0) },
                        as: UTF8.self
                    )
                    step()
                    continue
                }
                if text.isEmpty { start = line }
                text.append(byte)
            } else if attribute != nil {
                if byte == UInt8(ascii: "\"") {
                    if !isQuiet { flush() }
                    text = []
                    attribute = nil
                    isQuiet = false
                } else if !isQuiet {
                    text.append(byte)
                }
            } else if byte == UInt8(ascii: "\"") {
                let name = source[..<position].dropLast().reversed().prefix {
                    (97...122).contains($0) || $0 == 45
                }
                let found = String(decoding: name.reversed(), as: UTF8.self)
                attribute = found
                isQuiet = !Self.shownAttributes.contains(found)
                text = []
            } else if byte == UInt8(ascii: ">") {
                isInTag = false
                text = []
            }
            step()
        }
        flush()
    }
}

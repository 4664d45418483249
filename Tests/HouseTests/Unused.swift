// The code, templates, styles and icons in the sources that nothing mentions, so that they can go.

import Foundation

enum Unused {
    /// A name that a file declares.
    struct Declaration: Hashable {
        var name: String
        var path: String
        var line: Int
    }

    /// Names that nothing in `Sources/` mentions, and why they stay.
    static let exceptions: [String: String] = [
        "Breadly": "it is where the program begins",
        "CodingKeys": "Foundation's coders read it",
        "enqueue": "the Swift runtime calls it",
        "validate": "ArgumentParser calls it",
        "callAsFunction": "a call by parentheses does not spell it",
        "_isDone": "it makes a C structure as long as SQLite's",
        "_element": "it makes a C structure as long as SQLite's",
        "sessionCount": "tests ask the cloud how many sessions are open",
        "watchCount": "tests wait until a cloud has forgotten a request",
        "verifySums": "tests hold maintained sums against the rows",
        "rebuildSums": "tests repair what they have damaged",
        "unescaped": "a test lists the places where templates print HTML",
    ]

    private static let keywords: Set<String> = [
        "func", "struct", "class", "enum", "protocol", "actor", "typealias", "let", "var", "case",
    ]

    /// A word of a file's code.
    struct Word {
        var text: String
        var line: Int
        /// The bytes right before and after it.
        var before: UInt8?
        var after: UInt8?
    }

    /// The words of a text, which may contain some bytes beside letters, digits and `_`.
    static func words(of text: String, with more: Set<UInt8> = []) -> [Word] {
        let bytes = Array(text.utf8)
        var words: [Word] = []
        var line = 1
        var start: Int?
        for index in 0...bytes.count {
            let byte = index < bytes.count ? bytes[index] : nil
            if let byte, isPart(byte) || more.contains(byte) {
                start = start ?? index
                continue
            }
            if let first = start {
                let text = String(decoding: bytes[first..<index], as: UTF8.self)
                words.append(
                    Word(text: text, line: line, before: first > 0 ? bytes[first - 1] : nil, after: byte)
                )
                start = nil
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        return words
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    /// The names that are declared in these files as often as they are mentioned: nothing uses them. A name that has an
    /// overload or a namesake in use is not found.
    static func declarations(in files: [SourceFile]) -> [Declaration] {
        var mentions: [String: Int] = [:]
        var declared: [String: [Declaration]] = [:]
        for file in files {
            let words = words(of: file.code)
            for (index, word) in words.enumerated() {
                mentions[word.text, default: 0] += 1
                let previous = index > 0 ? words[index - 1].text : ""
                if keywords.contains(previous), isName(word, after: previous) {
                    let declaration = Declaration(name: word.text, path: file.path, line: word.line)
                    declared[word.text, default: []].append(declaration)
                }
            }
        }
        return declared.values.filter { mentions[$0[0].name] == $0.count }.flatMap { $0 }
            .sorted { ($0.path, $0.line) < ($1.path, $1.line) }
    }

    private static func isName(_ word: Word, after keyword: String) -> Bool {
        if word.before == UInt8(ascii: ".") || keywords.contains(word.text) || word.text == "_" {
            return false
        }
        if word.text.first?.isNumber == true { return false }
        // A constant of C is a pattern after `case`, and no name of the project.
        return keyword != "case" || word.text != word.text.uppercased()
    }

    // MARK: - What a browser loads

    /// The names with hyphens that a text contains, and the beginnings of those that it completes at run time, as in
    /// `cloud-{{look}}`.
    struct Names {
        var whole: Set<String> = []
        var beginnings: Set<String> = []

        init(in texts: [String]) {
            for word in texts.flatMap({ Unused.words(of: $0, with: [UInt8(ascii: "-")]) }) {
                let isCompleted = word.after == UInt8(ascii: "{") || word.after == UInt8(ascii: "\\")
                if isCompleted && word.text.hasSuffix("-") {
                    beginnings.insert(word.text)
                } else {
                    whole.insert(word.text)
                }
            }
        }

        func contains(_ name: Substring) -> Bool {
            whole.contains(String(name)) || beginnings.contains { name.hasPrefix($0) }
        }
    }

    /// The classes that a style sheet's selectors name.
    static func classes(in styles: String) -> Set<Substring> {
        let code = styles.replacing(/(?s)\/\*.*?\*\//, with: "")
        let selectors = code.matches(of: /(?<selector>[^{}]+)\{/).map(\.output.selector)
        return Set(selectors.flatMap { $0.matches(of: /\.(?<name>[A-Za-z][\w-]*)/).map(\.output.name) })
    }

    /// The custom properties that a style sheet sets and that no rule reads.
    static func properties(in styles: String) -> [Substring] {
        let set = Set(styles.matches(of: /(?<name>--[\w-]+)\s*:/).map(\.output.name))
        let read = Set(styles.matches(of: /var\((?<name>--[\w-]+)/).map(\.output.name))
        return set.subtracting(read).sorted()
    }

    /// The names of a sprite's icons.
    static func icons(in sprite: String) -> Set<Substring> {
        Set(sprite.matches(of: /<symbol id="(?<name>[\w-]+)"/).map(\.output.name))
    }
}

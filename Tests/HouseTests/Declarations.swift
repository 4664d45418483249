// Declared names and comments of a Swift file.

import Foundation

/// A declared name.
struct Declaration: Hashable {
    /// The keyword that declares it, or `file`.
    var kind: String
    /// Empty for an initialiser.
    var name: String
    var line: Int

    var isType: Bool { ["struct", "enum", "class", "protocol", "actor", "typealias"].contains(kind) }

    private static var pattern: Regex<(Substring, kind: Substring, name: Substring?)> {
        /\b(?<kind>struct|enum|class|protocol|actor|typealias|associatedtype|func|var|let|case|init|extension)\b[ \t]*`?(?<name>[A-Za-z_][\w.]*)?/
    }

    /// The declarations in code without comments. Patterns with `let` and `case` count: what they bind is a name too.
    static func all(in code: String) -> [Declaration] {
        var line = 1
        var found: [Declaration] = []
        for text in code.split(separator: "\n", omittingEmptySubsequences: false) {
            for match in text.matches(of: pattern.wordBoundaryKind(.simple)) {
                guard let name = match.output.name, match.output.kind != "extension" else { continue }
                found.append(Declaration(kind: String(match.output.kind), name: String(name), line: line))
            }
            line += 1
        }
        return found
    }

    /// The declaration that a line of code opens with, after its attributes and modifiers.
    static func opening(_ code: Substring, line: Int) -> Declaration? {
        let modifiers =
            /^[ \t]*(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private|static|final|indirect|mutating|override|nonisolated|convenience)(?:\(set\))?[ \t]+)*/
        guard let prefix = code.prefixMatch(of: modifiers),
            let match = code[prefix.range.upperBound...].prefixMatch(of: pattern.wordBoundaryKind(.simple))
        else { return nil }
        return Declaration(
            kind: String(match.output.kind),
            name: match.output.name.map(String.init) ?? "",
            line: line
        )
    }
}

/// A comment: consecutive lines of one kind, or what follows code in its line.
struct Comment: Hashable {
    var line: Int
    var isDocumentation: Bool
    /// The lines without their slashes, joined by spaces.
    var text: String
    /// The declaration below a documentation comment.
    var declaration: Declaration?
    /// The type around that declaration.
    var enclosingType: String?

    /// Whether every word of a documentation comment is one of the declaration's name, articles aside.
    var repeatsTheName: Bool {
        guard isDocumentation, let declaration, !text.contains("`") else { return false }
        let articles: Set = [
            "a", "an", "the", "of", "its", "is", "this", "it", "are", "and", "to", "in", "for", "with", "as",
            "on", "by", "at", "that", "their", "new",
        ]
        func stem(_ word: String) -> String {
            word.count > 3 && word.hasSuffix("s") ? String(word.dropLast()) : word
        }
        let name = declaration.kind == "init" ? enclosingType ?? "" : declaration.name
        let known = Set(Words.camelWords(of: name).map(stem))
        let said = text.lowercased().matches(of: /[a-z0-9]+/).map { String($0.output) }
            .filter { !articles.contains($0) }
        return !said.isEmpty && said.allSatisfy { known.contains(stem($0)) }
    }

    /// The comments of a file, from the places that `SwiftText` found.
    static func all(in text: String, code: String, lines places: [Int: String]) -> [Comment] {
        let codeLines = code.split(separator: "\n", omittingEmptySubsequences: false)
        var comments: [Comment] = []
        var types: [(indent: Int, name: String)] = []
        var open: Comment?
        for (index, codeLine) in codeLines.enumerated() {
            let number = index + 1
            let holdsCode = codeLine.contains { !$0.isWhitespace }
            if let declaration = holdsCode ? Declaration.opening(codeLine, line: number) : nil {
                let indent = codeLine.prefix { $0 == " " }.count
                types.removeAll { $0.indent >= indent }
                if var comment = open, comment.isDocumentation {
                    comment.declaration = declaration
                    comment.enclosingType = types.last?.name
                    open = comment
                }
                if declaration.isType || declaration.kind == "extension" {
                    types.append((indent, declaration.name))
                }
            }
            guard let raw = places[number] else {
                if let closed = open { comments.append(closed) }
                open = nil
                continue
            }
            let isDocumentation = raw.hasPrefix("///")
            let words = raw.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces)
            if var comment = open, !holdsCode, comment.isDocumentation == isDocumentation {
                comment.text += (comment.text.isEmpty || words.isEmpty ? "" : " ") + words
                open = comment
            } else {
                if let closed = open { comments.append(closed) }
                open = Comment(line: number, isDocumentation: isDocumentation, text: words)
            }
            // A comment after code in its line is a comment of its own.
            if holdsCode, let closed = open {
                comments.append(closed)
                open = nil
            }
        }
        if let closed = open { comments.append(closed) }
        return comments
    }
}

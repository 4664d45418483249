// Articles that can be followed step by step: the files that they name, and what they put there.

import Foundation

/// A change that an article asks for: a block of code, and the place that the sentence before it names.
struct Instruction: Sendable {
    enum Place: Equatable, Sendable {
        case newFile, end
        /// Below the only line with this text.
        case after(String)
        /// The only line with this text.
        case line(String)
    }

    /// Below the root, `Sources/Web/Help/HelpActions.swift`.
    let path: String
    let place: Place
    let text: String

    /// The text of the file with this change, which it may have already; nil if the place is missing, or if there are
    /// several such places.
    func changing(_ before: String?) -> String? {
        guard let before else { return place == .newFile ? text : nil }
        if place == .newFile ? before == text : before.contains(text) { return before }
        var lines = before.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func only(_ line: String) -> Int? {
            let found = lines.indices.filter { lines[$0].drop { $0 == " " } == line }
            return found.count == 1 ? found.first : nil
        }
        let added = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        switch place {
        case .newFile: return nil
        case .end: return before + text
        case .after(let line):
            guard let index = only(line) else { return nil }
            lines.insert(contentsOf: added, at: index + 1)
        case .line(let line):
            guard let index = only(line) else { return nil }
            lines.replaceSubrange(index...index, with: added)
        }
        return lines.joined(separator: "\n")
    }
}

extension MarkdownFile {
    /// The changes that the article asks for, in order.
    var instructions: [Instruction] {
        let step =
            /^(?:`(?<path>[^`\n]+)`|In the same file)(?: \((?<new>new)\)|, (?<place>after|in place of|at the end)(?: `(?<line>[^`\n]+)`)?):\n\n```[a-z]*\n(?<block>[\s\S]*?)```$/
            .anchorsMatchLineEndings()
        var path = ""
        return text.matches(of: step).map { match in
            path = match.path.map(String.init) ?? path
            let line = match.line.map(String.init) ?? ""
            let place: Instruction.Place =
                switch match.place {
                case "after": .after(line)
                case "in place of": .line(line)
                case nil: .newFile
                default: .end
                }
            return Instruction(path: path, place: place, text: String(match.block))
        }
    }
}

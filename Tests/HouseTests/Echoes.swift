// Comments of a line above a declaration that only say its name and its type again.
import Foundation

/// The rule that a doc comment says more than its declaration.
enum Echoes {
    /// Words that carry nothing by themselves.
    private static let small: Set<String> = [
        "the", "a", "an", "of", "its", "this", "that", "is", "are", "whether", "for", "to", "in", "on",
        "with", "and",
        "or", "by", "it", "be", "has",
    ]

    /// The faults of a file, as `path:line: comment`.
    static func faults(of file: SourceFile) -> [String] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var faults: [String] = []
        var type = ""
        for (place, line) in lines.enumerated() {
            if line.first?.isLetter == true,
                let match = line.firstMatch(
                    of: /^(?:[a-z]+ )*(?:struct|class|enum|extension|actor|protocol) (\w+)/
                )
            {
                type = String(match.output.1)
            }
            guard let comment = text(line), place == 0 || text(lines[place - 1]) == nil,
                let declaration = lines.dropFirst(place + 1).first(where: {
                    !$0.contains(/^\s*@\w+(\(.*\))?$/)
                }),
                let match = declaration.firstMatch(
                    of: /\b(?:var|let|func|struct|class|enum|typealias|actor|protocol) `?(\w+.*)/
                ), text(declaration) == nil
            else { continue }
            let known = Set(stems(String(match.output.1) + " " + type))
            let said = stems(comment)
            if !said.isEmpty, said.allSatisfy(known.contains) {
                faults.append("\(file.path):\(place + 1): \(comment)")
            }
        }
        return faults
    }

    private static func text(_ line: String) -> String? {
        let comment = line.drop { $0 == " " }
        guard comment.hasPrefix("///") else { return nil }
        let text = comment.dropFirst(3)
        return String(text.first == " " ? text.dropFirst() : text)
    }

    /// The words without their endings, also of names in camel case.
    private static func stems(_ text: String) -> [String] {
        text.replacing(/([a-z0-9])([A-Z])/) { "\($0.output.1) \($0.output.2)" }
            .matches(of: /[A-Za-z]+/).map { $0.output.lowercased() }
            .filter { !small.contains($0) }
            .map { word in
                let ending = ["ies", "es", "s", "ed", "d", "ing"].first {
                    word.hasSuffix($0) && word.count - $0.count >= 3
                }
                return String(word.dropLast(ending?.count ?? 0))
            }
    }
}

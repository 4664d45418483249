// The tree of the project as the house rules see it: its files, and the code and imports of its sources.

import Foundation

/// One Swift file below `Sources/`.
struct SourceFile: Sendable {
    /// Below the root, `Sources/Ledger/Money.swift`.
    var path: String
    /// The folder below `Sources/`, which is the target.
    var target: String
    /// The text without comments and without what strings say.
    var code: String
    let text: String

    var comments: [Comment] { SwiftText.comments(text) }
    var strings: [Literal] { SwiftText.strings(text) }

    init(path: String, text: String) {
        self.path = path
        self.text = text
        target = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        code = SwiftText.codeOnly(text)
    }

    /// The modules that it imports, each once.
    var imports: Set<String> {
        let declaration =
            /^[ \t]*(?:(?:@\w+|public|package|internal|fileprivate|private)[ \t]+)*import[ \t]+(?:(?:struct|class|enum|protocol|typealias|func|let|var)[ \t]+)?(?<module>\w+)/
            .anchorsMatchLineEndings()
        return Set(code.matches(of: declaration).map { String($0.output.module) })
    }

    /// Where a pattern occurs, as `path:line`, to be clicked on.
    func places(of pattern: Regex<Substring>) -> [String] {
        // By default a dot between two words is no boundary.
        code.matches(of: pattern.wordBoundaryKind(.simple)).map { match in
            "\(path):\(code[..<match.startIndex].count { $0.isNewline } + 1): \(match.output)"
        }
    }
}

/// The project's folder and its files.
enum House {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Paths below the root of all regular files in a folder, sorted; none where there is no such folder.
    static func files(in folder: String, extensions: Set<String>) -> [String] {
        let start = root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(atPath: start.path()) else { return [] }
        return walk.compactMap { $0 as? String }
            .filter { extensions.contains(($0 as NSString).pathExtension) }
            .map { "\(folder)/\($0)" }
            .sorted()
    }

    /// Minor units that are kept within a range instead of added up in 128 bits.
    static var clampedMoney: Regex<Substring> {
        /\w*inor[?!]?\.(?:adding|subtracting)Clamped\(|Clamped\([^()\n]*inor\)|\(clamping:[^()\n]*inor\)/
    }

    /// Whether a file has canned pages: names and amounts of no user, and sentences for reviewers.
    static func isOfStories(_ path: String) -> Bool {
        path.hasSuffix("Stories.swift") || path.hasPrefix("Sources/Web/Stories/")
    }

    static func sources(in folder: String = "Sources") throws -> [SourceFile] {
        folder == "Sources" ? try shipped.get() : try read(folder)
    }

    /// Most rules look at these files.
    private static let shipped = Result { try read("Sources") }

    private static func read(_ folder: String) throws -> [SourceFile] {
        try files(in: folder, extensions: ["swift"]).map { path in
            SourceFile(path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
        }
    }
}

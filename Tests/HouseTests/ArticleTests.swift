// The articles on adding something can be followed: the places are there, and the files are few.

import Foundation
import Testing

@Suite struct Articles {
    private static let folder = "Sources/BreadlyApp/BreadlyApp.docc"

    private func article(_ name: String) throws -> MarkdownFile {
        try #require(MarkdownFile.all().first { $0.path == "\(Self.folder)/\(name).md" })
    }

    /// With `BREADLY_ARTICLES`, the changes are made in the copy of the repository that it names, which
    /// `.ci/articles` builds and tests.
    @Test(arguments: [("AddingAField", 6), ("AddingAPage", 5)])
    func canBeFollowed(name: String, count: Int) throws {
        var files: [String: String] = [:]
        for step in try article(name).instructions {
            let stored = try? String(contentsOf: House.root.appending(path: step.path), encoding: .utf8)
            let changed = step.changing(files[step.path] ?? stored)
            let text: String = try #require(changed, "\(name): \(step.path) has no place for \(step.text)")
            files[step.path] = text
        }
        #expect(files.count == count)
        guard let copy = ProcessInfo.processInfo.environment["BREADLY_ARTICLES"] else { return }
        for (path, text) in files {
            try text.write(
                to: URL(filePath: copy).appending(path: path),
                atomically: true,
                encoding: .utf8
            )
        }
    }

    @Test(
        arguments: [
            (.after("b"), "a\n  b\nc\n", "a\n  b\nx\nc\n"),
            (.line("b"), "a\nb\nc\n", "a\nx\nc\n"), (.end, "a\n", "a\nx\n"), (.newFile, nil, "x\n"),
            (.after("b"), "a\n", nil), (.line("b"), "b\nb\n", nil), (.newFile, "a\n", nil), (.end, nil, nil),
            (.newFile, "x\n", "x\n"), (.after("b"), "b\nx\n", "b\nx\n"), (.line("b"), "a\nx\n", "a\nx\n"),
        ] as [(Instruction.Place, String?, String?)]
    )
    func changeOnePlace(place: Instruction.Place, before: String?, after: String?) {
        #expect(Instruction(path: "", place: place, text: "x\n").changing(before) == after)
    }

    @Test func areReadInOrder() {
        let text = """
            `A/B.swift` (new):

            ```swift
            let a = 1
            ```

            Words with `code`:

            In the same file, after `let a = 1`:

            ```
            let b = 2
            ```
            """
        let steps = MarkdownFile(path: "A.md", text: text).instructions
        #expect(steps.map(\.path) == ["A/B.swift", "A/B.swift"])
        #expect(steps.map(\.place) == [.newFile, .after("let a = 1")])
        #expect(steps.map(\.text) == ["let a = 1\n", "let b = 2\n"])
    }
}

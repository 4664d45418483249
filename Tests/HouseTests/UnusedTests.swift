// Nothing stays in the tree that nothing uses.

import Foundation
import Testing

@Suite struct WhatNothingUses {
    @Test func noNameIsDeclaredForNothing() throws {
        let unused = Unused.declarations(in: try House.sources())
        let faults = unused.filter { Unused.exceptions[$0.name] == nil }
        #expect(
            faults.isEmpty,
            "\(faults.map { "\($0.path):\($0.line): \($0.name)" }.joined(separator: "\n"))"
        )
        let excused = Set(Unused.exceptions.keys).subtracting(unused.map(\.name))
        #expect(excused.isEmpty, "no longer unused: \(excused.sorted())")
    }

    @Test(arguments: [
        ("func a() {}", ["a"]),
        ("func a() {}\nlet b = a()", ["b"]),
        ("enum E { case a }\nlet b = E.a\nprint(b)", []),
        ("switch code { case EACCES: 1 }", []),
        ("switch code { case .a, .b: 1 }", []),
        ("func a() {}\nfunc a(_ b: Int) {}", ["a", "a"]),
        ("func a() {} // a", ["a"]),
        ("let a = 1\nprint(\"\\(a)\")", []),
    ])
    func findsNamesThatNothingMentions(text: String, names: [String]) {
        let file = SourceFile(path: "Sources/Web/A.swift", text: text)
        #expect(Unused.declarations(in: [file]).map(\.name) == names)
    }

    @Test func everyTemplateIsAPageOrAPartOfOne() throws {
        let texts = try texts(in: ["Sources", "Resources/templates"], ["swift", "mustache"]).values
        let names = Set(texts.flatMap { Unused.words(of: $0, with: Set("-/".utf8)).map(\.text) })
        let folder = "Resources/templates/"
        let unused = House.files(in: "Resources/templates", extensions: ["mustache"])
            .map { String($0.dropFirst(folder.count).dropLast(".mustache".count)) }
            .filter { !names.contains($0) }
        #expect(unused.isEmpty, "\(unused)")
    }

    @Test func everyClassAndEveryPropertyOfTheStylesIsUsed() throws {
        let names = try pageNames()
        let styles = try texts(in: ["public", "Resources"], ["css"]).values.joined(separator: "\n")
        let classes = Unused.classes(in: styles).filter { !names.contains($0) }
        #expect(classes.isEmpty, "\(classes.sorted())")
        #expect(Unused.properties(in: styles).isEmpty)
    }

    @Test func everyIconIsShownSomewhere() throws {
        let names = try pageNames()
        let sprite = try texts(in: ["public", "Resources"], ["svg"]).values.joined(separator: "\n")
        let icons = Unused.icons(in: sprite)
        #expect(icons.count > 30)
        let unused = icons.filter { !names.contains($0) }
        #expect(unused.isEmpty, "\(unused.sorted())")
    }

    @Test func readsStylesAndSprites() {
        let styles =
            "/* .gone */ .a-b > p:not(.c), .d { margin: 1.5em; --x: 1 }\n.e { color: var(--y); --y: 2 }"
        #expect(Unused.classes(in: styles) == ["a-b", "c", "d", "e"])
        #expect(Unused.properties(in: styles) == ["--x"])
        let names = Unused.Names(in: ["<p class=\"a-b look-{{look}}\">", "let kind = \"row-\\(kind)\""])
        #expect(names.contains("a-b") && names.contains("look-good") && names.contains("row-x"))
        #expect(!names.contains("a") && !names.contains("b") && !names.contains("looks"))
    }

    /// The names that templates, pages and scripts mention, and the data that names icons.
    private func pageNames() throws -> Unused.Names {
        let folders = ["Sources", "Resources", "public"]
        return Unused.Names(in: try texts(in: folders, ["swift", "mustache", "js", "tsv"]).values.map { $0 })
    }

    private func texts(in folders: [String], _ extensions: Set<String>) throws -> [String: String] {
        let paths = folders.flatMap { House.files(in: $0, extensions: extensions) }
        return try Dictionary(
            uniqueKeysWithValues: paths.map {
                ($0, try String(contentsOf: House.root.appending(path: $0), encoding: .utf8))
            }
        )
    }
}

// The words of the glossary, held against names, comments and documents.

import Foundation
import Testing

@Suite struct TheGlossary {
    private func check(_ faults: [Words.Fault], left: Set<String>, in list: String) {
        let found = Dictionary(grouping: faults, by: \.path)
        let new = faults.filter { !left.contains($0.path) }.map(\.text)
        #expect(new.isEmpty, "\(new.joined(separator: "\n"))")
        let clean = left.filter { found[$0] == nil }.sorted()
        #expect(
            clean.isEmpty,
            "clean: take off \(list) in WordsLeft.swift:\n\(clean.joined(separator: "\n"))"
        )
    }

    private func files() throws -> [SourceFile] {
        try House.sources() + House.sources(in: "Tests")
    }

    @Test func namesAreOnesThatItAllows() throws {
        let faults = try files().flatMap(Words.faultsOfNames)
        check(faults, left: WordsLeft.names, in: "names")
    }

    @Test func commentsNameTheirSubjects() throws {
        // The rules themselves hold the phrases as text, not as comments.
        let faults = try files().flatMap(Words.faultsOfComments)
        check(faults, left: WordsLeft.comments, in: "comments")
    }

    @Test func documentsUseItsTerms() throws {
        var faults: [Words.Fault] = []
        let pages =
            House.files(in: "Sources", extensions: ["md"]) + House.files(in: "Tests", extensions: ["md"])
        for path in ["README.md"] + pages {
            let text = try String(contentsOf: House.root.appending(path: path), encoding: .utf8)
            faults += Words.faultsOfDocument(path, text)
        }
        let changes = try String(contentsOf: House.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        // A released section is a record and stays as it is.
        if let start = changes.range(of: "## [Unreleased]") {
            let section = changes[start.upperBound...]
            let end = section.range(of: "\n## ")?.lowerBound ?? section.endIndex
            faults += Words.faultsOfDocument("CHANGELOG.md", String(section[..<end]))
        }
        check(faults, left: WordsLeft.documents, in: "documents")
    }
}

@Suite struct ReadingWords {
    @Test(arguments: [
        ("let aSpot = 1", 1), ("struct SpotList {}", 1), ("let spotless = 1", 0), ("func take() {}", 1),
        ("func taken() {}", 0), ("func mistake() {}", 0), ("let takes = 1", 0), ("class AccountLedger {}", 1),
        ("if case .news(let standing) = x {}", 1), ("let x = spot", 0), ("let text = \"let spot\"", 0),
        ("// let spot", 0), ("case standing, sitting", 1), ("let kept = 1", 0), ("struct KeptRow {}", 1),
        ("enum News {}", 1), ("struct NewsPage {}", 0),
    ])
    func seesRuledOutNames(text: String, faults: Int) {
        let file = SourceFile(path: "Sources/Web/A.swift", text: text)
        #expect(Words.faultsOfNames(in: file).count == faults)
    }

    @Test(arguments: [
        ("Sources/Web/Spot.swift", 1), ("Sources/Web/Source.swift", 0), ("Sources/A/Kept.swift", 1),
    ])
    func seesRuledOutFileNames(path: String, faults: Int) {
        #expect(Words.faultsOfNames(in: SourceFile(path: path, text: "")).count == faults)
    }

    @Test func letsNamesOfTestsBeEnglishSentences() {
        let text = "@Test func aFormIsKeptForTheNextMoment() {}"
        #expect(Words.faultsOfNames(in: SourceFile(path: "Tests/A/A.swift", text: text)).isEmpty)
        #expect(!Words.faultsOfNames(in: SourceFile(path: "Sources/A/A.swift", text: text)).isEmpty)
    }

    @Test(arguments: [
        ("// Who asks waits.", 1), ("/// A row. What is left\n/// follows.", 1),
        ("// What now? It stops.", 0),
        ("// Whether it is open.", 0), ("let a = 1  // Whatever comes.", 2), ("let a = \"// Who asks.\"", 0),
        ("// It comes\n// to rest.", 1), ("// It goes\n\n// on.", 0), ("let a = \"\"\"\n// Who\n\"\"\"", 0),
        ("// The rest of the line.", 0), ("/// See `what`.", 0),
    ])
    func seesRiddles(text: String, faults: Int) {
        #expect(
            Words.faultsOfComments(in: SourceFile(path: "Sources/Web/A.swift", text: text)).count == faults
        )
    }

    @Test(arguments: [
        ("/// The name.\nvar name = 1", true), ("/// The user's name.\nvar name = 1", false),
        ("struct Failure {\n    /// A failure.\n    init() {}\n}", true),
        ("struct Failure {\n    /// A failure of now.\n    init() {}\n}", false),
        ("/// Divisions by zero.\ncase divisionByZero", true), ("// The name.\nvar name = 1", false),
        ("/// `name`\nvar name = 1", false), ("/// An URL.\n@inlinable public func url() {}", true),
    ])
    func seesCommentsThatRepeatAName(text: String, repeats: Bool) {
        let file = SourceFile(path: "Sources/Web/A.swift", text: text)
        #expect(file.comments.contains(where: \.repeatsTheName) == repeats)
    }

    @Test func readsDocumentsOutsideOfTheirCode() {
        let text = "The register.\n```\nregister\n```\nRegistered."
        #expect(Words.faultsOfDocument("A.md", text).map(\.line) == [1])
    }
}

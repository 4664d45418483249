// One word, one meaning: names, comments, documents and sentences in the words of the trade.

import Foundation
import Testing

@Suite struct WordsOfTheHouse {
    private func files() throws -> [SourceFile] {
        try House.sources() + House.sources(in: "Tests")
    }

    @Test func namesAreThoseOfTheTrade() throws {
        let faults = try files().flatMap(Words.faultsOfNames)
        #expect(faults.isEmpty, "\(faults.map(\.description).joined(separator: "\n"))")
    }

    @Test func commentsNameTheirSubjects() throws {
        let faults = try files().flatMap(Words.faultsOfComments)
        #expect(faults.isEmpty, "\(faults.map(\.description).joined(separator: "\n"))")
    }

    @Test func docCommentsSayMoreThanTheirDeclarations() throws {
        let faults = try House.sources().flatMap(Echoes.faults)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test(arguments: [
        ("/// The folder of the backups.\nlet backupFolder: String", 1),
        ("/// The account.\n    @inlinable\n    public var account: EntityID", 1),
        ("struct Page {\n    /// Renders the page.\n    func render() {}\n}", 1),
        ("/// The folder of the backups, which is created.\nlet backupFolder: String", 0),
        ("/// The folder.\n/// It is created.\nlet folder: String", 0),
        ("/// In UTC seconds.\nlet time: Int64", 0), ("// The folder.\nlet folder: String", 0),
    ])
    func aDocCommentThatEchoesItsDeclarationIsFound(text: String, faults: Int) {
        #expect(Echoes.faults(of: SourceFile(path: "Sources/Web/A.swift", text: text)).count == faults)
    }

    @Test func documentsAndSentencesNameTheirSubjects() throws {
        var paths = ["README.md", "CHANGELOG.md"] + House.files(in: ".github", extensions: ["md"])
        for folder in ["Sources", "Resources", "Tests"] {
            paths += House.files(in: folder, extensions: ["md"])
        }
        paths += House.files(in: "Resources/texts", extensions: ["txt"])
        let faults = try paths.flatMap { path in
            Words.faults(of: path, try String(contentsOf: House.root.appending(path: path), encoding: .utf8))
        }
        #expect(faults.isEmpty, "\(faults.map(\.description).joined(separator: "\n"))")
    }

    @Test func scriptsNameTheirSubjects() throws {
        let scripts =
            House.files(in: "public/js", extensions: ["js"]) + House.files(in: "Tests", extensions: ["py"])
        let faults = try scripts.flatMap { path in
            let text = try String(contentsOf: House.root.appending(path: path), encoding: .utf8)
            return Words.faults(ofScript: path, text)
        }
        #expect(!scripts.isEmpty && faults.isEmpty, "\(faults.map(\.description).joined(separator: "\n"))")
        let path = "Tests/Mutations/mutations.txt"
        let mutations = try String(contentsOf: House.root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            // The lines of code are in a copy of the sources, which another test reads.
            .map { $0.hasPrefix("-") || $0.hasPrefix("+") ? "" : $0 }.joined(separator: "\n")
        #expect(Words.faults(of: path, mutations).map(\.description) == [])
    }

    @Test(arguments: [
        ("a.py", "# Nobody.", 1), ("a.py", "nobody = 1", 0),
        ("a.py", "def f():\n    \"\"\"It goes on.\"\"\"", 1),
        ("a.py", "\"\"\"A\nB goes on.\n\"\"\"\nnobody = 1", 1), ("a.js", "nobody()", 0),
        ("a.js", "  // It rests.", 1),
        ("a.js", "/** A\n * household */", 1),
    ])
    func aPhraseOfAScriptIsFoundInItsComments(path: String, text: String, faults: Int) {
        #expect(Words.faults(ofScript: path, text).count == faults)
    }

    @Test func aPhraseOfADocumentIsFoundOutsideOfItsCode() {
        let text = "It is told.\n```\nnobody\n```\nSee `whoever`.\nGoes\non. It goes on, all the same"
        #expect(Words.faults(of: "a.md", text).map(\.line) == [1, 7, 7])
    }

    @Test(arguments: [
        ("let aSpot = 1", 1), ("struct SpotList {}", 1), ("let spotless = 1", 0), ("func take() {}", 1),
        ("func taken() {}", 0), ("func mistake() {}", 0), ("let takes = 1", 0), ("let x = spot", 0),
        ("let text = \"let spot\"", 0), ("// let spot", 0), ("case standing", 1), ("let kept = 1", 0),
        ("struct KeptRow {}", 1), ("enum Written {}", 1), ("func `take`() {}", 1), ("let x = .spot", 0),
    ])
    func aNameThatIsRuledOutIsFound(text: String, faults: Int) {
        #expect(Words.faultsOfNames(in: SourceFile(path: "Sources/Web/A.swift", text: text)).count == faults)
    }

    @Test func namesOfTestsAreSentences() {
        let text = "@Test func aSpotIsKept() { let spot = 1 }"
        #expect(Words.faultsOfNames(in: SourceFile(path: "Tests/A/A.swift", text: text)).count == 1)
    }

    @Test(arguments: [
        ("// Who asks waits.", 1), ("/// A row that\n/// goes on.", 1), ("// What now? It stops.", 0),
        ("// Whether it is open.", 0), ("let a = 1  // Somebody's", 1), ("let a = \"// Who asks.\"", 0),
        ("// It comes\n// to rest.", 1), ("// It goes\n\n// on.", 0), ("// The rest of the line.", 0),
        ("let a = \"\"\"\n// Who\n\"\"\"", 0), ("/// See `what`.", 0), ("// Nobody here, all the same", 2),
    ])
    func aCommentThatHidesItsSubjectIsFound(text: String, faults: Int) {
        let file = SourceFile(path: "Sources/Web/A.swift", text: text)
        #expect(Words.faultsOfComments(in: file).count == faults)
    }
}

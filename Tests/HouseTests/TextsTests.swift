// Every sentence that a user sees is in the catalogue, and every sentence of the catalogue is shown somewhere.

import Foundation
import TestKit
import Testing
import Texts

@Suite struct TextsOfTheCatalogue {
    private let catalogue: TextCatalogue
    private let templates: [String: String]
    private let journeys: [String: String]
    private let files: [SourceFile]

    init() throws {
        catalogue = try TextCatalogue(language: "en", files: try shippedTexts())
        func sources(_ folder: String, _ kind: String) throws -> [String: String] {
            let paths = House.files(in: folder, extensions: [kind])
            return try Dictionary(
                uniqueKeysWithValues: paths.map { path in
                    (path, try String(contentsOf: House.root.appending(path: path), encoding: .utf8))
                }
            )
        }
        templates = try sources("Resources/templates", "mustache")
        journeys = try sources("Resources/journeys", "txt").merging(sources("Resources/coverage", "txt")) {
            $1
        }
        files = try House.sources().filter { $0.target != "Texts" }
    }

    private var mentions: [Texts.Mention] {
        templates.flatMap { Texts.mentions(inTemplate: $0.value, path: $0.key) }
            + journeys.flatMap { Texts.mentions(inJourneys: $0.value, path: $0.key) }
            + files.flatMap { Texts.mentions(in: $0) }
    }

    @Test func eachKeyIsInTheCatalogueWithItsPlaceholders() {
        var faults: [String] = []
        for mention in mentions {
            let place = "\(mention.path):\(mention.line)"
            guard let pattern = catalogue.pattern(mention.key) else {
                faults.append("\(place): there is no text '\(mention.key)'")
                continue
            }
            if let arguments = mention.arguments, arguments != pattern.placeholders {
                let (given, wanted) = (arguments.sorted(), pattern.placeholders.sorted())
                faults.append("\(place): '\(mention.key)' is given \(given) and has \(wanted)")
            }
        }
        #expect(faults.isEmpty, "\(faults.sorted().joined(separator: "\n"))")
    }

    /// Code prints a sentence as text, so that a tag in it would be seen.
    @Test func onlyTemplatesPrintSentencesWithTags() {
        let faults = files.flatMap { Texts.mentions(in: $0) }.filter { mention in
            catalogue.pattern(mention.key)?.parts.contains { part in
                if case .literal(let text) = part { text.contains("<") } else { false }
            } == true
        }
        #expect(faults.map(\.key) == [])
    }

    /// A notice is stored by its key until it is dismissed, also over an upgrade: a key of this list and its placeholders
    /// stay.
    @Test func keysOfStoredNoticesStay() {
        let stored: [String: Set<String>] = [
            "notices.your-account-gone": [], "notices.book-erased": [],
            "notices.changes-not-uploaded": ["count"], "notices.no-cloud-backup": [],
            "notices.account-gone": [], "notices.data-deleted": [], "notices.own-data-deleted": [],
            "notices.subscription-ended": [],
            "notices.changes-and-files-not-uploaded": ["count", "files", "total"],
            "notices.files-not-fetched": ["count"], "notices.files-not-uploaded": ["count"],
            "notices.files-damaged": ["count"], "common.two-sentences": ["first", "second"],
            "notices.of-a-newer-version": [],
        ]
        for (key, placeholders) in stored {
            #expect(catalogue.pattern(key)?.placeholders == placeholders, "\(key)")
        }
    }

    @Test func eachTextIsShownSomewhere() {
        let used = Set(mentions.map(\.key))
        let unused = catalogue.keys.subtracting(used).filter { key in
            !Texts.derivedPrefixes.contains { key.hasPrefix($0) }
        }
        #expect(unused.isEmpty, "\(unused.sorted().joined(separator: "\n"))")
    }

    @Test func templatesContainNoSentences() {
        // These are attributes of a tag, without the tag.
        let attributes = [
            "amounts/data", "forms/invalid", "forms/invalid-with-hint", "rates/mark", "rates/to-come-data",
            "transactions/bank-data",
        ].map { "Resources/templates/\($0).mustache" }
        let faults = templates.filter { !attributes.contains($0.key) }.flatMap { path, source in
            Texts.literals(inTemplate: source).map {
                "\(path):\($0.line): \($0.text.trimmingCharacters(in: .whitespacesAndNewlines))"
            }
        }
        #expect(faults.isEmpty, "\(faults.sorted().joined(separator: "\n"))")
    }

    @Test func noTemplateComposesASentence() {
        var faults: [String] = []
        for (path, source) in templates {
            let keys = Set(Texts.mentions(inTemplate: source, path: path).map(\.key))
            faults += keys.filter { key in
                let isFragment = catalogue.pattern(key).map(SplitSentences.isFragment) ?? false
                return isFragment && SplitSentences.allowedFragments[key] == nil
            }.map { "\(path): '\($0)' begins in the middle of a sentence" }
            faults += SplitSentences.neighbours(inTemplate: source)
                .filter { SplitSentences.allowedNeighbours[$0] == nil }
                .map { "\(path): '\($0)' is next to other words: move them into the text" }
            faults += SplitSentences.punctuation(inTemplate: source)
                .map { "\(path): '\($0)': move the mark into a text" }
        }
        #expect(faults.isEmpty, "\(faults.sorted().joined(separator: "\n"))")
        let excused = Set(SplitSentences.allowedFragments.keys).union(SplitSentences.allowedNeighbours.keys)
        #expect(excused.subtracting(mentions.map(\.key)).isEmpty)
    }

    @Test func codeContainsNoSentences() {
        let shown = files.filter {
            (Texts.targets.contains($0.target) || Texts.files.contains($0.path))
                && Texts.exceptions[$0.path] == nil && !House.isOfStories($0.path)
        }
        let faults = shown.flatMap { file in
            Texts.sentences(in: file).map { "\(file.path):\($0.line): \($0.text)" }
        }
        #expect(faults.isEmpty, "\(faults.sorted().joined(separator: "\n"))")
    }
}

@Suite struct FindingSentences {
    @Test(arguments: [
        ("<p>Hello</p>", ["Hello"]), ("<p>{{text a}}</p>", []),
        ("<p title=\"Some\">{{x}}, {{y}}</p>", ["Some"]),
        ("<a href=\"Some\" class=\"x\">{{#a}}one{{/a}}</a>", ["one"]), ("<kbd>n</kbd>", []),
        ("{{<l}}{{$icon}}star{{/icon}}{{$title}}Star{{/title}}{{/l}}", ["Star"]),
        ("<b>Breadly</b> · {{x}}", []),
        ("<input{{#a}} checked{{/a}} placeholder=\"0\">", []), ("a < b", ["a < b"]),
        ("<!doctype html>\n<p data-x=\"{{a}} b\">&nbsp;c</p>", ["&nbsp;c"]),
    ])
    func inATemplate(source: String, found: [String]) {
        #expect(Texts.literals(inTemplate: source).map(\.text) == found)
    }

    @Test(arguments: [
        ("let a = \"Two words\"", ["Two words"]), ("let a = Text(\"two.words\")", []),
        ("x.text(\"name\")", []),
        ("let a = \"Delete\"", ["Delete"]), ("log.error(\"no such file\")", []), ("let a = \"data-x y\"", []),
        ("let a = \"All \\(count) of them\"", ["All ", " of them"]), ("// \"two words\"", []),
        ("let a = \"GET\"", []),
        ("let a = \"\"\"\n    two words\n    \"\"\"", ["\n    two words\n    "]),
    ])
    func inCode(text: String, found: [String]) {
        #expect(Texts.sentences(in: SourceFile(path: "Sources/Web/A.swift", text: text)).map(\.text) == found)
    }

    @Test(arguments: [
        ("{{text a}} <a class=\"x\"\nhref=\"{{b}}\">{{text c}}</a>", ["a"]),
        ("{{text a}}<b>{{c}}</b>", ["a"]), ("<b>{{c}}</b> {{text a}}", ["a"]),
        ("{{c}}\n{{#text a}}<b>{{/text}}", ["a"]),
        ("<p>{{text a}}</p><p>{{text b}}</p>", []), ("{{#c}}{{text a}}{{/c}}{{^c}}{{text b}}{{/c}}", []),
        ("{{#text a}}<a href=\"{{b}}\">{{/text}}", []),
    ])
    func nextToOtherWords(source: String, keys: [String]) {
        #expect(SplitSentences.neighbours(inTemplate: source) == keys)
    }

    @Test(arguments: [
        ("{{a}}, {{b}}", [", "]), ("{{#a}}: <b>{{a}}</b>{{/a}}", [": "]), ("{{a}} · {{b}}", []),
        ("<p title=\"{{a}}: {{b}}\">{{a}}</p>", [": "]), ("<p>{{a}}</p>", []),
    ])
    func betweenMarks(source: String, marks: [String]) {
        let found = SplitSentences.punctuation(inTemplate: source)
        #expect(found.map { $0.filter { ",:; ".contains($0) } } == marks)
    }

    @Test(arguments: [
        ("of {name}", true), (", and more", true), ("<b>·</b> now", true), ("Of {name}", false),
        ("{name} of", false), ("<a>Status</a> shows", false), ("12 months", false),
    ])
    func inTheMiddle(sentence: String, isFragment: Bool) throws {
        let texts = try TextCatalogue(language: "en", files: ["a.txt": Array("a = \(sentence)".utf8)])
        let pattern = try #require(texts.pattern("a"))
        #expect(SplitSentences.isFragment(pattern) == isFragment)
    }

    @Test func keysAreFoundInBothForms() {
        let source = "{{text a.b}} {{#text c}}<a>{{/text}}\n{{texts}}{{#texts}}"
        let found = Texts.mentions(inTemplate: source, path: "a.mustache")
        #expect(found.map(\.key) == ["a.b", "c"] && found.map(\.line) == [1, 1])
    }

    @Test func argumentsAreNamed() {
        let text = """
            let a = Text("a.b", ["name": .string(x), "count": .count(y["z"])])
            let b = Text("c")
            let c = Text("d", arguments)
            """
        let file = SourceFile(path: "Sources/Web/A.swift", text: text)
        let found = Texts.mentions(in: file)
        #expect(found.map(\.key) == ["a.b", "c", "d"] && found.map(\.line) == [1, 2, 3])
        #expect(found.map(\.arguments) == [["name", "count"], [], nil])
    }
}

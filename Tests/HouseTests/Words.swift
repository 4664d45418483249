// The glossary as rules: names that it rules out, with the name to use instead, and phrases that comments avoid.

import Foundation

enum Words {
    /// A word that no name contains, and the term that replaces it.
    struct Term {
        var words: Set<String>
        var instead: String
        var scope = Scope.everyName
    }

    /// The names that a term applies to. Names of tests are English sentences, where some words have their plain meaning.
    enum Scope {
        case everyName, namesOfCode, types
    }

    /// Words of a camel-case name, in lower case.
    static let terms: [Term] = [
        Term(words: ["visit", "visits"], instead: "RequestContext, or `walk` for a tree"),
        Term(words: ["stranger", "strangers"], instead: "guest, unknown device or anonymous client"),
        Term(words: ["household", "households"], instead: "DeviceManager, book, or client for an address"),
        Term(words: ["workshop", "surroundings"], instead: "DeviceServices"),
        Term(words: ["house", "shop"], instead: "DeviceServices, services", scope: .namesOfCode),
        Term(words: ["arrivals", "arriving"], instead: "RemoteChangeApplier, staged"),
        Term(words: ["aside"], instead: "staged, displaced"),
        Term(
            words: ["fetching", "fetched", "outgoing"],
            instead: "HTTPClient, HTTPRequest, HTTPResponse",
            scope: .namesOfCode
        ),
        Term(words: ["kept"], instead: "Stored, Cached, Retained, or VersionedCache", scope: .types),
        Term(words: ["written"], instead: "Encoded, Coding, or Codable", scope: .types),
        Term(words: ["moment", "moments"], instead: "time, instant, version", scope: .namesOfCode),
        Term(words: ["shelf", "shelves"], instead: "VersionedCache, or state"),
        Term(words: ["errand", "errands"], instead: "cloud task"),
        Term(words: ["farewell", "farewells"], instead: "SessionRevoker, SignOutReason"),
        Term(words: ["door", "doors"], instead: "SignInOrigin"),
        Term(words: ["bell", "bells"], instead: "notification stream, AsyncStream"),
        Term(words: ["spot", "spots"], instead: "source location, or value pointer"),
        Term(words: ["standing", "standings"], instead: "state, status or phase"),
        Term(words: ["noun", "nouns"], instead: "entity"),
        Term(words: ["settle", "settles", "settled", "settling"], instead: "acknowledge"),
    ]

    /// Verbs that no function of the code opens with.
    static let verbs: [(words: Set<String>, instead: String)] = [
        (["take", "takes"], "consume, apply, accept, remove"),
        (["know", "knows"], "contains, adopt, recognises"),
        (["become", "becomes"], "rename, adopt"),
        (["cut", "cuts"], "nextBatch, close, truncate"),
        (["lay", "lays"], "apply, stage"),
        (["rest", "rests"], "suspend, wait"),
        (["stand", "stands"], "a verb that says what is done"),
    ]

    /// Whole names of types and files.
    static let types: [String: String] = [
        "AccountLedger": "PushTransaction",
        "Attaching": "AttachMode",
        "DeviceRegister": "DeviceStore",
        "Network": "HTTPClient, or AddressPrefix",
        "News": "Announcement for users, SessionNews for a poll",
    ]

    /// Names that contain such a word for a reason.
    static let exceptions: [(path: String, name: String, reason: String)] = [
        ("Tests/HouseTests/", "House", "the tests about the project are called after it"),
        ("Tests/HouseTests/", "TheHouse", "the tests about the project are called after it"),
        ("Tests/HouseTests/", "house", "the tests about the project are called after it"),
        ("Sources/Encoding/JSON/JSONReader.swift", "restOfString", "the noun, and not the verb"),
        ("Sources/breadly-bench/Rendering.swift", "aside", "the HTML element `<aside>`"),
    ]

    /// Phrases of an English that hides its subject. They stand in no comment, in any case of letters.
    static let phrases = [
        "somebody", "nobody", "anybody", "everybody", "whoever", "whatever", "whosoever",
        "all the same", "as good as", "at rest", "comes to rest", "asked dear", "so soon", "without end",
        "there is to", "is there and not there", "let be", "lets be", "let go", "lets go", "looks on",
        "goes on", "hears of", "heard of", "is told", "are told", "was told", "were told", "be told",
        "lays", "laid", "lay aside", "settles", "settled", "rests", "stands", "wants",
        "of ours", "stranger", "strangers", "household", "households", "errand", "farewell",
    ]

    /// Terms that documents do not use, with the one that they use.
    static let documentTerms: [String: String] = [
        "stranger": "guest, anonymous client", "strangers": "guests, anonymous clients",
        "errand": "cloud task", "errands": "cloud tasks", "farewell": "sign-out",
        "workshop": "services", "surroundings": "services", "register": "device store",
        "standing": "state, status or phase", "noun": "entity", "nouns": "entities",
        "somebody": "a subject", "nobody": "a subject", "whoever": "a subject",
    ]

    /// A rule that a file breaks in one line.
    struct Fault: Hashable {
        var path: String
        var line: Int
        var message: String

        var text: String { "\(path):\(line): \(message)" }
    }

    // MARK: Names

    static func faultsOfNames(in file: SourceFile) -> [Fault] {
        let fileName = file.path.split(separator: "/").last.map(String.init) ?? ""
        let stem = fileName.split(separator: ".").first.map(String.init) ?? fileName
        var faults = faults(of: Declaration(kind: "file", name: stem, line: 1), in: file)
        for declaration in Declaration.all(in: file.code) {
            faults += Self.faults(of: declaration, in: file)
        }
        return faults
    }

    private static func faults(of declaration: Declaration, in file: SourceFile) -> [Fault] {
        let name = declaration.name
        guard !exceptions.contains(where: { file.path.hasPrefix($0.path) && $0.name == name }) else {
            return []
        }
        let words = camelWords(of: name)
        let isOfTests =
            file.path.hasPrefix("Tests/") && ["func", "file", "struct"].contains(declaration.kind)
        var messages: [String] = []
        for term in terms {
            let applies =
                switch term.scope {
                case .everyName: true
                case .namesOfCode: !isOfTests
                case .types: !isOfTests && (declaration.isType || declaration.kind == "file")
                }
            guard applies else { continue }
            for word in words where term.words.contains(word) {
                messages.append("`\(name)`: not `\(word)`, but \(term.instead)")
            }
        }
        if declaration.kind == "func", file.path.hasPrefix("Sources/"), let first = words.first {
            for verb in verbs where verb.words.contains(first) {
                messages.append("`\(name)`: not `\(first)`, but \(verb.instead)")
            }
        }
        if declaration.isType || declaration.kind == "file", let instead = types[name] {
            messages.append("`\(name)`: \(instead)")
        }
        return messages.map { Fault(path: file.path, line: declaration.line, message: $0) }
    }

    /// `parseHTTPHead2` is `parse`, `http`, `head`, `2`.
    static func camelWords(of name: String) -> [String] {
        name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/).map { $0.output.lowercased() }
    }

    // MARK: Comments

    private static let singleWords = Set(phrases.filter { !$0.contains(" ") })
    private static let wordSequences = phrases.filter { $0.contains(" ") }

    /// The phrases in a text, each once for each time that it occurs.
    private static func riddles(in text: String) -> [String] {
        let words = text.lowercased().split { !$0.isLetter && $0 != "'" }
        let line = " " + words.joined(separator: " ") + " "
        return words.map(String.init).filter(singleWords.contains)
            + wordSequences.filter { line.contains(" \($0) ") }
    }

    static func faultsOfComments(in file: SourceFile) -> [Fault] {
        file.comments.flatMap { comment in
            var messages: [String] = []
            for opening in comment.text.matches(
                of: /(?:^|[.:] )(Who|What|Whose|Whom|Whoever|Whatever)\b[^.?]*/
            )
            where opening.range.upperBound == comment.text.endIndex
                || comment.text[opening.range.upperBound] != "?"
            {
                messages.append("a sentence opens with `\(opening.output.1)`: name its subject")
            }
            for riddle in riddles(in: comment.text) { messages.append("`\(riddle)`: subject, verb, object") }
            if comment.repeatsTheName { messages.append("the comment repeats the name: \(comment.text)") }
            return messages.map { Fault(path: file.path, line: comment.line, message: $0) }
        }
    }

    // MARK: Documents

    static func faultsOfDocument(_ path: String, _ text: String) -> [Fault] {
        var isOfCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
            number,
            line -> [Fault] in
            if line.hasPrefix("```") { isOfCode.toggle() }
            guard !isOfCode else { return [Fault]() }
            return line.lowercased().matches(of: /[a-z]+/).compactMap { word in
                documentTerms[String(word.output)].map {
                    Fault(path: path, line: number + 1, message: "not `\(word.output)`, but \($0)")
                }
            }
        }
    }
}

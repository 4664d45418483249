// The words that names and comments avoid, with the terms to use instead. One word has one meaning here, and a
// name is the one that an engineer of the field would search for.

enum Words {
    /// A name or a comment with a word that is ruled out.
    struct Fault: Hashable, CustomStringConvertible {
        var path: String
        var line: Int
        var message: String

        var description: String { "\(path):\(line): \(message)" }
    }

    /// Words of names, in lower case, and the terms that replace them.
    private static let names: [String: String] = [
        "aside": "staged, displaced", "arrivals": "RemoteChangeApplier", "arriving": "staged",
        "bell": "AsyncStream", "bells": "AsyncStream", "door": "SignInOrigin", "doors": "SignInOrigin",
        "errand": "cloud task", "errands": "cloud task", "farewell": "SignOutReason",
        "farewells": "SessionRevoker", "fetched": "HTTPResponse", "fetching": "HTTPClient",
        "household": "DeviceManager, book or client", "households": "devices, books or clients",
        "house": "DeviceServices", "moment": "time, instant or version", "moments": "times or versions",
        "noun": "entity", "nouns": "entities", "outgoing": "HTTPRequest", "settle": "acknowledge",
        "settled": "acknowledged", "settles": "acknowledges", "settling": "acknowledging",
        "shelf": "VersionedCache", "shelves": "VersionedCache", "shop": "DeviceServices",
        "spot": "source location", "spots": "source locations", "standing": "state, status or phase",
        "stranger": "guest, unknown device or client", "strangers": "guests, unknown devices or clients",
        "surroundings": "DeviceServices", "visit": "RequestContext", "visits": "requests",
        "workshop": "DeviceServices",
    ]

    /// Words of the names of types.
    private static let types = ["kept": "Stored, Cached or Retained", "written": "Encoded"]

    /// Verbs that no function opens with.
    private static let verbs: [String: String] = [
        "become": "rename, adopt", "becomes": "rename, adopt", "cut": "nextBatch, truncate",
        "cuts": "nextBatch, truncate", "know": "contains, adopt", "knows": "contains", "lay": "apply, stage",
        "lays": "apply, stage", "rest": "suspend", "rests": "suspend", "stand": "a verb of what it does",
        "stands": "a verb of what it does", "take": "consume, accept, remove", "takes": "accepts",
    ]

    /// Names that contain such a word for a reason: the element `<aside>`, a noun, the tests of the house rules.
    private static let exceptions: Set<String> = ["aside", "restOfString", "House"]

    private static let typeKeywords: Set<String> = [
        "struct", "class", "enum", "protocol", "actor", "typealias",
    ]
    private static let otherKeywords: Set<String> = ["func", "let", "var", "case"]

    /// Phrases of an English without a subject, as words in lower case.
    private static let phrases: [[String]] = [
        ["somebody"], ["nobody"], ["anybody"], ["everybody"], ["whoever"], ["whosoever"], ["stranger"],
        ["strangers"], ["household"], ["households"], ["errand"], ["errands"], ["farewell"], ["lays"],
        ["laid"], ["settles"], ["settled"], ["rests"], ["all", "the", "same"], ["as", "good", "as"],
        ["at", "rest"], ["to", "rest"], ["so", "soon"], ["without", "end"], ["there", "is", "to"],
        ["let", "be"], ["lets", "be"], ["let", "go"], ["lets", "go"], ["looks", "on"], ["goes", "on"],
        ["hears", "of"], ["heard", "of"], ["is", "told"], ["are", "told"], ["was", "told"], ["were", "told"],
        ["be", "told"], ["of", "ours"],
    ]
    private static let phrasesByWord = Dictionary(grouping: phrases, by: { $0[0] })
    private static let openings: Set<String> = [
        "Who", "What", "Whose", "Whom", "Whoever", "Whatever",
    ]

    /// The ruled-out words of the names that a file declares.
    static func faultsOfNames(in file: SourceFile) -> [Fault] {
        var faults: [Fault] = []
        var previous = ""
        for word in Unused.words(of: file.code) {
            defer { previous = word.text }
            let isType = typeKeywords.contains(previous)
            guard isType || otherKeywords.contains(previous), word.before != UInt8(ascii: ".") else {
                continue
            }
            guard !exceptions.contains(word.text) else { continue }
            // The names of tests are sentences.
            if file.path.hasPrefix("Tests/"), previous == "func" || previous == "struct" { continue }
            for (index, part) in camelWords(of: word.text).enumerated() {
                let instead =
                    names[part] ?? (isType ? types[part] : nil)
                    ?? (previous == "func" && index == 0 ? verbs[part] : nil)
                if let instead {
                    let message = "`\(word.text)`: not `\(part)`, but \(instead)"
                    faults.append(Fault(path: file.path, line: word.line, message: message))
                }
            }
        }
        return faults
    }

    /// The ruled-out phrases of a file's comments.
    static func faultsOfComments(in file: SourceFile) -> [Fault] {
        file.comments.flatMap { comment in
            let words = Unused.words(of: comment.text).map(\.text)
            var messages: [String] = []
            if let first = words.first, openings.contains(first), !comment.text.contains("?") {
                messages.append("it opens with `\(first)`: name the subject")
            }
            messages += phrases(in: words).map { "`\($0)`: subject, verb, object" }
            return messages.map { Fault(path: file.path, line: comment.line, message: $0) }
        }
    }

    private static func phrases(in words: [String]) -> [String] {
        let lower = words.map { $0.lowercased() }
        return lower.indices.flatMap { index in
            (phrasesByWord[lower[index]] ?? []).filter { lower[index...].starts(with: $0) }
                .map { $0.joined(separator: " ") }
        }
    }

    /// The ruled-out phrases of a document or of a file of the catalogue, outside of code.
    static func faults(of path: String, _ text: String) -> [Fault] {
        var isCode = false
        var faults: [Fault] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") { isCode.toggle() }
            if isCode { continue }
            let prose = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " . ")
            for phrase in phrases(in: Unused.words(of: prose).map(\.text)) {
                faults.append(
                    Fault(path: path, line: index + 1, message: "`\(phrase)`: subject, verb, object")
                )
            }
        }
        return faults
    }

    /// The ruled-out phrases of the comments and documentation of a script.
    static func faults(ofScript path: String, _ text: String) -> [Fault] {
        let isPython = path.hasSuffix(".py")
        let marks = isPython ? ["#"] : ["//", "/*", "*"]
        var isDocumented = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
            index,
            line -> [Fault] in
            let parts = line.components(separatedBy: "\"\"\"")
            defer { if isPython, parts.count.isMultiple(of: 2) { isDocumented.toggle() } }
            let trimmed = line.drop { $0 == " " }
            let isComment = marks.contains { trimmed.hasPrefix($0) }
            guard isComment || (isPython && (isDocumented || parts.count > 1)) else { return [] }
            return faults(of: path, String(line)).map { fault in
                Fault(path: path, line: index + 1, message: fault.message)
            }
        }
    }

    /// `parseHTTPHead2` is `parse`, `httphead2`: a run of capitals belongs to the word after it, which no rule needs apart.
    static func camelWords(of name: String) -> [String] {
        var words: [[UInt8]] = []
        var wasUpper = true
        for byte in name.utf8 {
            let isUpper = (65...90).contains(byte)
            if words.isEmpty || (isUpper && !wasUpper) || byte == UInt8(ascii: "_") { words.append([]) }
            if byte != UInt8(ascii: "_") { words[words.count - 1].append(isUpper ? byte + 32 : byte) }
            wasUpper = isUpper
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }
}

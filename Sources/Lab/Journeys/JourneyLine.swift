// A line of a file of journeys, and the words of it.

import Ledger
import Lifecycle
import Texts

/// A line, whose words are read from its beginning. Words in quotation marks are one word.
struct JourneyLine {
    /// The subject of the line, such as `step`.
    let keyword: String
    private var words: ArraySlice<Substring>
    private let place: (file: String, line: Int)
    private let texts: TextCatalogue

    /// Nil for an empty line and a comment.
    init?(_ line: Substring, at place: (file: String, line: Int), _ texts: TextCatalogue) {
        let words = Self.words(line)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        keyword = String(first)
        self.words = words.dropFirst()
        self.place = place
        self.texts = texts
    }

    private init(_ words: ArraySlice<Substring>, of line: JourneyLine) {
        (keyword, place, texts) = (line.keyword, line.place, line.texts)
        self.words = words
    }

    private static func words(_ line: Substring) -> [Substring] {
        var isQuoted = false
        return line.split { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted && character.isWhitespace
        }
    }

    func error(_ reason: String) -> JourneyError {
        JourneyError(file: place.file, line: place.line, reason: reason)
    }

    /// The parts of the rest between commas.
    var items: [JourneyLine] {
        var items: [[Substring]] = [[]]
        for word in words {
            let isLast = word.hasSuffix(",")
            items[items.count - 1].append(isLast ? word.dropLast() : word)
            if isLast { items.append([]) }
        }
        return items.map { JourneyLine($0[...], of: self) }
    }

    // MARK: - Words

    /// - Parameter what: for the error if there is none.
    mutating func word(_ what: String) throws(JourneyError) -> String {
        guard let word = words.popFirst() else { throw error("\(what) is missing") }
        return String(word)
    }

    mutating func number() throws(JourneyError) -> Int {
        let word = try word("a number")
        guard let number = Int(word) else { throw error("'\(word)' is not a number") }
        return number
    }

    mutating func value<Value: RawRepresentable<String>>(_ what: String) throws(JourneyError) -> Value {
        let word = try word(what)
        guard let value = Value(rawValue: word) else { throw error("'\(word)' is not \(what)") }
        return value
    }

    /// Each word that is still to be read, as a line of its own.
    var rest: [JourneyLine] { words.map { JourneyLine([$0], of: self) } }

    func end() throws(JourneyError) {
        if let word = words.first { throw error("'\(word)' is not expected here") }
    }

    // MARK: - Texts

    /// A key of the catalogue with its arguments, or words in quotation marks.
    mutating func text() throws(JourneyError) -> Text {
        let key = try word("a text")
        if let words = Self.quoted(key[...]) { return .verbatim(words) }
        var arguments: [String: Text.Argument] = [:]
        while let word = words.first, let mark = word.firstIndex(of: "="), word.first != "\"" {
            words.removeFirst()
            arguments[String(word[..<mark])] = try argument(word[word.index(after: mark)...])
        }
        return try message(key, arguments)
    }

    /// `*` stands for any text, `#` is before a count and `&` before the key of a text.
    private func argument(_ value: Substring) throws(JourneyError) -> Text.Argument {
        switch value.first {
        case "*" where value.count == 1: return Expectation.any
        case "#":
            guard let count = Int(value.dropFirst()) else { throw error("'\(value)' is not a count") }
            return .count(count)
        case "&": return .text(try message(String(value.dropFirst()), [:]))
        default: return .string(Self.quoted(value) ?? String(value))
        }
    }

    private func message(_ key: String, _ arguments: [String: Text.Argument]) throws(JourneyError) -> Text {
        guard let pattern = texts.pattern(key) else { throw error("there is no text '\(key)'") }
        // A sentence may have placeholders that the page fills by numbers of its own.
        guard pattern.placeholders.isSuperset(of: arguments.keys) else {
            throw error(
                "'\(key)' has \(pattern.placeholders.sorted()), and is given \(arguments.keys.sorted())"
            )
        }
        return .message(key, arguments)
    }

    private static func quoted(_ word: Substring) -> String? {
        guard word.count > 1, word.first == "\"", word.last == "\"" else { return nil }
        return String(word.dropFirst().dropLast())
    }

    /// A key of the catalogue, which has the story under the same key with `-story`.
    mutating func titleAndStory() throws(JourneyError) -> (Text, Text) {
        let key = try word("a text")
        try end()
        return (try message(key, [:]), try message(key + "-story", [:]))
    }
}

// MARK: - The lines of a journey

extension JourneyLine {
    mutating func source() throws(JourneyError) -> Journey.Source {
        let word = try word("a place in the specification")
        let source: Journey.Source? =
            switch word {
            case "safety": .safety(try number())
            case "journey": .journey(try number())
            case "sign-out": .signOut(try number())
            case "scenario": .scenario(try self.word("a scenario"))
            case "banks": .banks
            case "conflicts": .conflicts
            case "receipts": .receipts
            case "currencies": .currencies
            case "refusals": .refusals
            default: nil
            }
        guard let source else { throw error("'\(word)' is no place in the specification") }
        try end()
        return source
    }

    mutating func stageStep() throws(JourneyError) -> StageStep {
        let word = try word("a step of the lab")
        let step: StageStep? =
            switch word {
            case "advance": .advance(try value("a time"))
            case "line": .line(try number(), try value("a state of a line"))
            case "cloud": .cloud(try value("a state of the cloud"))
            case "store": .store(try value("an action of the store"))
            case "kill": .kill(try number(), try value("a moment of a kill"))
            case "fail": .fail(try number(), try value("a moment of a fault"))
            case "expire-session": .expireSession(try number())
            default: nil
            }
        guard let step else { throw error("'\(word)' is no step of the lab") }
        try end()
        return step
    }

    /// The text of a step, and after `@` the parts of the page that it means.
    mutating func step() throws(JourneyError) -> JourneyStep {
        let text = try text()
        guard try word("'@'") == "@" else { throw error("the parts of the page come after '@'") }
        var places: [LabPlace] = []
        for var item in items { places.append(try item.labPlace()) }
        return JourneyStep(text: text, places: places)
    }

    private mutating func labPlace() throws(JourneyError) -> LabPlace {
        let word = try word("a part of the page")
        let place: LabPlace? =
            switch word {
            case "device": .device(try number())
            case "network": .network(try number())
            case "kill": .kill(try number())
            case "session": .session(try number())
            case "clock": .clock
            case "store": .store
            case "cloud": .cloud
            case "rates": .rates
            case "bank": .bank
            default: nil
            }
        guard let place else { throw error("'\(word)' is no part of the page") }
        try end()
        return place
    }

    mutating func sign() throws(JourneyError) -> Expectation {
        let sign: Expectation? =
            switch keyword {
            case "reads": .reads(try number(), try text(), in: try part())
            case "reads-next": .readsNext(try number(), try text(), in: try part())
            case "reads-either": .readsEither(try number(), try text(), try text())
            case "reads-once": .readsOnce(try number(), try text())
            case "reads-never": .readsNever(try number(), try text())
            case "in-step-within": .isInStepWithin(try number(), seconds: Int64(try number()))
            case "in-step": .isInStep(try number())
            case "is-in": .isIn(try number(), try state())
            case "has": .has(try number(), try value("a tier"))
            case "holds": .holds(try number(), transactions: try number())
            case "same-books": .sameBooks(try number(), try number())
            default: nil
            }
        guard let sign else { throw error("'\(keyword)' is no sign of a journey") }
        try end()
        return sign
    }

    private mutating func state() throws(JourneyError) -> String {
        let name = try word("a state")
        guard State.names.contains(name) else { throw error("'\(name)' is no state of a device") }
        return name
    }

    /// The part of a page after `in`; any part without it.
    private mutating func part() throws(JourneyError) -> PagePart {
        guard words.first == "in" else { return .any }
        words.removeFirst()
        return try value("a part of a page")
    }
}

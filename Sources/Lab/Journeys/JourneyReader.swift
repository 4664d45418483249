// Reads a file of journeys: a group of cards in plain lines, of which each begins with its subject.

import Texts

/// Reads one file.
///
/// A line that begins with `#` is a comment, and indentation has no meaning. `group` names the file, and `journey` begins a
/// card: `shows` (its places in the specification), `text` (the key of its title, and of its story with `-story`), `world`,
/// `tour` (a part of the tour) and `stage`. After these come its steps, each with the parts of the page that it means, and
/// below a step the signs that come true by it.
struct JourneyReader {
    private var lines: [JourneyLine]
    /// The journeys of the tour that were read.
    private(set) var tour: [Journey] = []

    /// - Throws: `JourneyError` for bytes that are not UTF-8.
    init(_ file: String, _ bytes: [UInt8], _ texts: TextCatalogue) throws(JourneyError) {
        guard let source = String(validating: bytes, as: UTF8.self) else {
            throw JourneyError(file: file, line: 1, reason: "the file is not UTF-8")
        }
        lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .compactMap { index, line in JourneyLine(line, at: (file, index + 1), texts) }
            .reversed()
    }

    /// Reads the whole file. It may be called once.
    mutating func group() throws(JourneyError) -> Journeys.Group {
        guard var line = next("group") else {
            throw lines.last?.error("the first line is 'group'")
                ?? JourneyError(file: "", line: 0, reason: "no lines")
        }
        let (id, label) = (try line.word("the id of the group"), try line.text())
        try line.end()
        var journeys: [Journey] = []
        while let line = lines.last {
            guard let begin = next("journey") else {
                throw line.error("'\(line.keyword)' is not expected here")
            }
            journeys.append(try journey(begin))
        }
        return Journeys.Group(id: id, label: label, journeys: journeys)
    }

    /// Removes the next line if it is about this.
    private mutating func next(_ keyword: String) -> JourneyLine? {
        lines.last?.keyword == keyword ? lines.popLast() : nil
    }

    private mutating func wanted(_ keyword: String, after line: JourneyLine) throws(JourneyError)
        -> JourneyLine
    {
        guard let found = next(keyword) else { throw (lines.last ?? line).error("'\(keyword)' is missing") }
        return found
    }

    private mutating func journey(_ begin: JourneyLine) throws(JourneyError) -> Journey {
        var begin = begin
        let id = try begin.word("the id of the journey")
        try begin.end()
        var sources: [Journey.Source] = []
        for var item in try wanted("shows", after: begin).items { sources.append(try item.source()) }
        var title = try wanted("text", after: begin)
        let (text, story) = try title.titleAndStory()
        var place = try wanted("world", after: begin)
        let world: WorldKind = try place.value("a world")
        try place.end()
        let isOfTour = next("tour") != nil
        var stage: [StageStep] = []
        if let line = next("stage") { for var item in line.items { stage.append(try item.stageStep()) } }
        var (steps, signs, turns): ([JourneyStep], [Expectation], [Int]) = ([], [], [])
        while var line = lines.last, line.keyword != "journey" {
            lines.removeLast()
            if line.keyword == "step" {
                steps.append(try line.step())
            } else {
                guard !steps.isEmpty else {
                    throw line.error("'\(line.keyword)' is not expected before a step")
                }
                signs.append(try line.sign())
                turns.append(steps.count)
            }
        }
        guard turns.last == steps.count else {
            throw begin.error("nothing comes true by the last step of '\(id)'")
        }
        let journey = Journey(
            id,
            sources,
            text,
            story,
            in: world,
            stage: stage,
            steps: steps,
            expecting: signs,
            at: turns
        )
        if isOfTour { tour.append(journey) }
        return journey
    }
}

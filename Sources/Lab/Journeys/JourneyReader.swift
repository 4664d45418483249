// Reads a file of journeys: a group of cards in plain lines, of which each begins with its subject.

import Texts

/// Reads one file.
///
/// Indentation has no meaning. `group` names the file, and `journey` begins a
/// card: `shows` (its places in the specification), `text` (the key of its title, and of its story with `-story`), `world`,
/// `tour` (a part of the tour) and `stage`. After these come its steps, each with the parts of the page that it means, and
/// below a step the signs that come true by it.
struct JourneyReader {
    private var lines: JourneyLines
    /// The journeys of the tour that were read.
    private(set) var tour: [Journey] = []

    /// - Throws: `JourneyError` for bytes that are not UTF-8.
    init(_ file: String, _ bytes: [UInt8], _ texts: TextCatalogue) throws(JourneyError) {
        lines = try JourneyLines(file, bytes, texts)
    }

    /// Reads the whole file. It may be called once.
    mutating func group() throws(JourneyError) -> Journeys.Group {
        var line = try lines.begin("group")
        let (id, label) = (try line.word("the id of the group"), try line.text())
        try line.end()
        var journeys: [Journey] = []
        while let line = lines.first {
            guard let begin = lines.next("journey") else {
                throw line.error("'\(line.keyword)' is not expected here")
            }
            journeys.append(try journey(begin))
        }
        return Journeys.Group(id: id, label: label, journeys: journeys)
    }

    private mutating func journey(_ begin: JourneyLine) throws(JourneyError) -> Journey {
        var begin = begin
        let id = try begin.word("the id of the journey")
        try begin.end()
        var sources: [Journey.Source] = []
        for var item in try lines.wanted("shows", after: begin).items { sources.append(try item.source()) }
        var title = try lines.wanted("text", after: begin)
        let (text, story) = try title.titleAndStory()
        var place = try lines.wanted("world", after: begin)
        let world: WorldKind = try place.value("a world")
        try place.end()
        let isOfTour = lines.next("tour") != nil
        var stage: [StageStep] = []
        if let line = lines.next("stage") {
            for var item in line.items { stage.append(try item.stageStep()) }
        }
        var (steps, signs, turns): ([JourneyStep], [Expectation], [Int]) = ([], [], [])
        while var line = lines.first, line.keyword != "journey" {
            lines.removeFirst()
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

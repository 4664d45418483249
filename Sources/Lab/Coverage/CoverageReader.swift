// Reads a file of the coverage: the rows of one document in plain lines.

import Texts

/// Reads one file.
///
/// `document` names it, `section` begins a table with the key of its heading, and `row` a row with the key of its statement.
/// Below a row, `ours` is the key of what Breadly does (without it, that is what the document says), `journeys` names those
/// that show it, `at` where else it is seen, and `rulings` the numbers of the decisions by which it differs.
struct CoverageReader {
    private var lines: JourneyLines
    private let journeys: [String: Journey]

    /// - Parameter journeys: all journeys, by their ids.
    /// - Throws: `JourneyError` for bytes that are not UTF-8.
    init(_ file: String, _ bytes: [UInt8], _ texts: TextCatalogue, _ journeys: [String: Journey])
        throws(JourneyError)
    {
        lines = try JourneyLines(file, bytes, texts)
        self.journeys = journeys
    }

    /// Reads the whole file. It may be called once.
    mutating func document() throws(JourneyError) -> CoverageDocument {
        var line = try lines.begin("document")
        let (id, title) = (try line.word("the id of the document"), try line.text())
        try line.end()
        var sections: [CoverageSection] = []
        while let line = lines.first {
            guard let begin = lines.next("section") else {
                throw line.error("'\(line.keyword)' is not expected here")
            }
            sections.append(try section(begin))
        }
        return CoverageDocument(id: id, title: title, sections: sections)
    }

    private mutating func section(_ begin: JourneyLine) throws(JourneyError) -> CoverageSection {
        let title = try text(begin)
        var rows: [CoverageRow] = []
        while let line = lines.next("row") { rows.append(try row(line)) }
        return CoverageSection(title: title, rows: rows)
    }

    private mutating func row(_ begin: JourneyLine) throws(JourneyError) -> CoverageRow {
        let claim = try text(begin)
        var ours = Text("coverage.as-written")
        if let line = lines.next("ours") { ours = try text(line) }
        var (shown, places, rulings): ([String], [CoveragePlace], [Ruling]) = ([], [], [])
        for var item in lines.next("journeys")?.rest ?? [] {
            let id = try item.word("a journey")
            guard journeys[id] != nil else { throw item.error("there is no journey '\(id)'") }
            shown.append(id)
        }
        for var item in lines.next("at")?.rest ?? [] { places.append(try item.value("a place")) }
        for var item in lines.next("rulings")?.rest ?? [] {
            let number = try item.number()
            guard let ruling = Ruling(rawValue: number) else {
                throw item.error("there is no ruling \(number)")
            }
            rulings.append(ruling)
        }
        guard !shown.isEmpty || !places.isEmpty else { throw begin.error("nothing shows the row") }
        return CoverageRow(claim, ours: ours, journeys: shown, at: places, rulings: rulings)
    }

    private func text(_ line: JourneyLine) throws(JourneyError) -> Text {
        var line = line
        let text = try line.text()
        try line.end()
        return text
    }
}

// The page of the coverage: the rows of the documents, beside what Breadly makes of them and where that is shown.

import HTTPServer
import Links
import Templates
import Texts
import Web

/// All rows, with the reviewer's check marks.
struct CoveragePage: Page {
    static let template = "lab/coverage"
    let assets: LabAssets
    let documents: [CoveragePart]

    /// - Parameters:
    ///   - states: how far the reviewer has come, by the ids of journeys.
    init(_ assets: LabAssets, _ journeys: Journeys, _ states: [String: WalkState]) {
        self.assets = assets
        var parts: [CoveragePart] = []
        // The rows of all documents are counted from 1.
        var number = 0
        for document in journeys.documents {
            var tables: [CoverageTable] = []
            for section in document.sections {
                let lines = section.rows.enumerated().map { place, row in
                    CoverageLine(
                        number: number + place + 1,
                        row: row,
                        state: row.state(states),
                        journeys: row.journeys.compactMap { id in
                            journeys.byID[id].map { CoverageJourney(journey: $0, state: states[id] ?? .open) }
                        }
                    )
                }
                number += lines.count
                tables.append(CoverageTable(title: section.title, lines: lines))
            }
            parts.append(CoveragePart(id: document.id, title: document.title, tables: tables))
        }
        documents = parts
    }

    private var lines: [CoverageLine] { documents.flatMap(\.lines) }

    static let keys = Keys<CoveragePage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .list("documents", of: CoveragePart.self) { $0.documents }
        .message("summary") { page in
            let states = page.lines.map(\.state)
            return Text(
                "coverage.summary",
                [
                    "rows": .string("\(states.count)"), "documents": .string("\(page.documents.count)"),
                    "shown": .string("\(states.count { $0 != nil })"),
                    "walked": .string("\(states.count { $0 == .reached })"),
                ]
            )
        }
}

/// The tables of one document.
struct CoveragePart: TemplateModel {
    let id: String
    let title: Text
    let tables: [CoverageTable]

    var lines: [CoverageLine] { tables.flatMap(\.lines) }

    static let keys = Keys<CoveragePart>()
        .text("id") { $0.id }
        .message("title") { $0.title }
        .message("count_text") { Text("coverage.row-count", ["count": .count($0.lines.count)]) }
        .list("tables", of: CoverageTable.self) { $0.tables }
}

/// The rows under one heading.
struct CoverageTable: TemplateModel {
    let title: Text
    let lines: [CoverageLine]

    static let keys = Keys<CoverageTable>()
        .message("title") { $0.title }
        .list("lines", of: CoverageLine.self) { $0.lines }
}

/// One row.
struct CoverageLine: TemplateModel {
    /// Counted through all documents.
    let number: Int
    let row: CoverageRow
    let state: WalkState?
    let journeys: [CoverageJourney]

    static let keys = Keys<CoverageLine>()
        .integer("number") { Int64($0.number) }
        .text("state") { $0.state?.rawValue ?? "" }
        .message("claim") { $0.row.claim }
        .message("ours") { $0.row.ours }
        .messages("rulings") { $0.row.rulings.map(\.label) }
        .list("journeys", of: CoverageJourney.self) { $0.journeys }
        .list("places", of: CoverageSight.self) { $0.row.places.map { CoverageSight(place: $0) } }
}

/// A journey that shows a row, with its check mark.
struct CoverageJourney: TemplateModel {
    let journey: Journey
    let state: WalkState

    static let keys = Keys<CoverageJourney>()
        .text("id") { $0.journey.id }
        .address("card") { Link.labJourneys.adding(fragment: $0.journey.id).text }
        .message("title") { $0.journey.title }
        .text("state") { $0.state.rawValue }
        .message("state_label") { $0.state.label }
}

/// A place at which a row can be seen.
struct CoverageSight: TemplateModel {
    let place: CoveragePlace

    static let keys = Keys<CoverageSight>()
        .message("label") { $0.place.label }
        .flag("is_link") { $0.place.address != nil }
        .address("address") { $0.place.address ?? "" }
}

/// `GET /lab/coverage`: the rows of the documents.
enum CoverageShow {
    static func answer(_ call: LabCall) -> Response {
        let (lab, reviewer) = (call.lab, call.reviewer)
        reviewer.check()
        let present = reviewer.now
        // A second look at a journey takes no mark away.
        let journeys = lab.parts.journeys
        let states = journeys.byID.mapValues { journey in
            present.marks[journey.id]?.isWalked == true ? WalkState.reached : present.state(of: journey)
        }
        return lab.page(CoveragePage(lab.assets, journeys, states))
    }
}

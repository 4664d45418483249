// The coverage: each row of the documents says what Breadly does and where that is shown, and has the reviewer's marks.

import TestKit
import Testing
import Texts

@testable import Lab

@Suite struct CoverageOfTheDocuments {
    private let rows = allJourneys.documents.flatMap(\.sections).flatMap(\.rows)

    @Test func eachRowSaysWhatBreadlyDoesAndWhereItIsSeen() throws {
        let texts = try labParts().texts
        #expect(allJourneys.documents.count == 5 && rows.count > 300)
        for row in rows {
            let claim = texts.string(row.claim)
            #expect(claim.contains(" ") && !claim.contains("{"), "\(claim)")
            #expect(texts.string(row.ours).contains(" "), "\(claim)")
        }
    }

    @Test func noRowIsThereTwice() {
        let claims = rows.map(\.claim)
        #expect(Set(claims).count == claims.count)
    }

    @Test func eachJourneyIsNamed() {
        let named = Set(rows.flatMap(\.journeys))
        #expect(Set(allJourneys.all.map(\.id)).subtracting(named).sorted() == [])
    }

    @Test(arguments: [
        ("row coverage.coverage", "x.txt:1: the first line is 'document'"),
        ("document x coverage.coverage\nrow coverage.coverage", "x.txt:2: 'row' is not expected here"),
        ("at settings\njourneys no-such", "x.txt:5: 'journeys' is not expected here"),
        ("journeys no-such", "x.txt:4: there is no journey 'no-such'"),
        ("at nowhere", "x.txt:4: 'nowhere' is not a place"), ("rulings 15", "x.txt:4: there is no ruling 15"),
        ("ours coverage.no-such", "x.txt:4: there is no text 'coverage.no-such'"),
        ("", "x.txt:3: nothing shows the row"),
    ])
    func aLineThatCannotBeReadIsNamed(lines: String, reason: String) {
        let head = "document x coverage.coverage\nsection coverage.coverage\nrow coverage.coverage\n"
        let text = lines.hasPrefix("row") || lines.hasPrefix("document") ? lines : head + lines
        #expect {
            _ = try Journeys(files: [:], coverage: ["x.txt": Array(text.utf8)], texts: resources.texts())
        } throws: { error in
            "\(error)" == reason
        }
    }

    @Test func eachRulingHasASentenceAndARow() throws {
        let texts = try labParts().texts
        let named = Set(rows.flatMap(\.rulings))
        #expect(named == Set(Ruling.allCases))
        for ruling in Ruling.allCases {
            let sentence = texts.string(ruling.label)
            let isWhole = sentence.hasPrefix("Ruling \(ruling.rawValue): ") && sentence.hasSuffix(".")
            #expect(isWhole, "\(sentence)")
        }
    }

    @Test func theBestStateOfItsJourneysIsThatOfARow() {
        let title = Text("coverage.coverage")
        let row = CoverageRow(title, ours: title, journeys: ["a", "b"])
        #expect(row.state([:]) == .open)
        #expect(row.state(["a": .open, "b": .staged]) == .staged)
        #expect(row.state(["a": .reached, "b": .staged]) == .reached)
        #expect(CoverageRow(title, ours: title, at: [.settings]).state(["a": .reached]) == nil)
    }

    @Test func placesOfDevicesAreBelowTheFirstOne() {
        #expect(CoveragePlace.settings.address == "/lab/d/1/settings")
        #expect(CoveragePlace.overview.address == "/lab/d/1/")
        #expect(CoveragePlace.lab.address == "/lab" && CoveragePlace.log.address == nil)
    }
}

@Suite struct PageOfTheCoverage {
    private let running: RunningDemo

    init() throws { running = try RunningDemo() }

    /// The lines of the table, in their order.
    private func lines(_ visitor: Visitor) throws -> [HTMLElement] {
        let page = try visitor.get("/lab/coverage")
        try #require(page.status == 200)
        return page.html.all("tr", ["data-row": ""])
    }

    @Test func showsAllRowsWithTheirJourneysAndPlaces() throws {
        let texts = try labParts().texts
        let rows = allJourneys.documents.flatMap(\.sections).flatMap(\.rows)
        let visitor = try running.visitor()
        let lines = try lines(visitor)
        try #require(lines.count == rows.count)
        for (line, row) in zip(lines, rows) {
            let journeys = row.journeys.compactMap { allJourneys.byID[$0]?.title }
            var sentences: [Text] = [row.claim, row.ours]
            sentences += row.rulings.map(\.label)
            sentences += row.places.map(\.label)
            sentences += journeys
            for sentence in sentences {
                #expect(line.text.contains(texts.string(sentence)), "\(texts.string(row.claim))")
            }
            #expect((line["data-walk"] == nil) == row.journeys.isEmpty)
        }
        let hrefs = Set(try visitor.get("/lab/coverage").html.all("a").compactMap { $0["href"] })
        for id in allJourneys.all.map(\.id) { #expect(hrefs.contains("/lab/journeys#\(id)"), "\(id)") }
        // The other pages of the lab lead to it.
        let links = try visitor.get("/lab/journeys").html.all("a").compactMap { $0["href"] }
        #expect(links.contains("/lab/coverage"))
    }

    @Test func aWalkedJourneyHasItsMarkOnItsRows() throws {
        let rows = allJourneys.documents.flatMap(\.sections).flatMap(\.rows)
        let visitor = try running.visitor()
        #expect(try lines(visitor).allSatisfy { ["open", nil].contains($0["data-walk"]) })
        _ = try visitor.get("/lab/journeys")
        try #require(try visitor.post("/lab/journeys/sign-out-guest/stage").status == 303)
        #expect(try visitor.open("/lab/d/1/settings").text.contains("Sign in to protect your data."))
        let walked = try becomesTrue {
            try zip(lines(visitor), rows).allSatisfy { line, row in
                row.journeys.contains("sign-out-guest") == (line["data-walk"] == "reached")
            }
        }
        #expect(walked)
        let marks = try visitor.get("/lab/coverage").html.all("p", ["data-seen": "sign-out-guest"])
        #expect(!marks.isEmpty && marks.allSatisfy { $0.text.contains("walked") && !$0.text.contains("not") })
        // A second look takes no mark away.
        _ = try visitor.get("/lab/journeys")
        try #require(try visitor.post("/lab/journeys/sign-out-guest/stage").status == 303)
        #expect(try lines(visitor).contains { $0["data-walk"] == "reached" })
        // Another reviewer has walked nothing.
        #expect(try lines(running.visitor()).allSatisfy { $0["data-walk"] != "reached" })
    }
}

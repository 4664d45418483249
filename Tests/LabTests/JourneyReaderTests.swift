// The files of journeys: a whole card, and what is said of lines that cannot be read.

import Testing
import Texts

@testable import Lab

@Suite struct ReadingJourneys {
    private static let card = """
        # A comment.
        group of-x lab.group-product

        journey a
          shows journey 1, scenario 14b
          text journeys.first-visit
          world ex-premium
          tour
          stage line 1 no-checks, advance 4d, kill 2 sign_out
          step journeys.read-the-cloud device=1 @ device 1, clock
            reads 1 chrome.changes-wait-here count=#1
            reads-next 1 "Everyday account" in toast
          step journeys.first-visit-2 @ network 2
            reads 2 rates.of-day day=*
            reads 2 user-account.it-renews-on day="Friday 1 January 2027"
            in-step-within 2 5
            has 2 premium
        """

    private func read(_ files: [String: String]) throws -> Journeys {
        try Journeys(files: files.mapValues { Array($0.utf8) }, texts: try resources.texts())
    }

    @Test func aCardHasAllItsParts() throws {
        let journeys = try read(["1-x.txt": Self.card])
        #expect(journeys.groups.map(\.id) == ["of-x"] && journeys.tour.map(\.id) == ["a"])
        let journey = try #require(journeys.byID["a"])
        #expect(journey.sources == [.journey(1), .scenario("14b")])
        #expect(
            journey.title == Text("journeys.first-visit")
                && journey.story == Text("journeys.first-visit-story")
        )
        #expect(journey.world == .exPremium)
        #expect(journey.stage == [.line(1, .noChecks), .advance(.fourDays), .kill(2, .signOut)])
        #expect(
            journey.steps.map(\.text) == [
                Text("journeys.read-the-cloud", ["device": "1"]), Text("journeys.first-visit-2"),
            ]
        )
        #expect(journey.steps.map(\.places) == [[.device(1), .clock], [.network(2)]])
        #expect(journey.turns == [1, 1, 2, 2, 2, 2])
        let texts = journey.expectations.compactMap { expectation -> Text? in
            switch expectation {
            case .reads(_, let text, in: .any), .readsNext(_, let text, in: .toast): text
            default: nil
            }
        }
        #expect(
            texts == [
                Text("chrome.changes-wait-here", ["count": 1]), .verbatim("Everyday account"),
                Text("rates.of-day", ["day": Expectation.any]),
                Text("user-account.it-renews-on", ["day": "Friday 1 January 2027"]),
            ]
        )
    }

    /// A part of the card, its replacement, and the error that follows.
    @Test(arguments: [
        ("group of-x lab.group-product", "", "1-x.txt:4: the first line is 'group'"),
        ("lab.group-product", "lab.group-none", "1-x.txt:2: there is no text 'lab.group-none'"),
        ("  shows journey 1, scenario 14b\n", "", "1-x.txt:5: 'shows' is missing"),
        ("journey 1, scenario", "journey one, scenario", "1-x.txt:5: 'one' is not a number"),
        ("journey 1, scenario 14b", "journey 1,", "1-x.txt:5: a place in the specification is missing"),
        (
            "text journeys.first-visit", "text journeys.first-visit-1",
            "1-x.txt:6: there is no text 'journeys.first-visit-1-story'"
        ),
        ("world ex-premium", "world moon", "1-x.txt:7: 'moon' is not a world"),
        ("line 1 no-checks", "line 1", "1-x.txt:9: a state of a line is missing"),
        ("advance 4d", "advance 4d now", "1-x.txt:9: 'now' is not expected here"),
        ("@ device 1, clock", "device 1, clock", "1-x.txt:10: the parts of the page come after '@'"),
        ("@ device 1, clock", "@ device 1, moon", "1-x.txt:10: 'moon' is no part of the page"),
        (
            "count=#1", "counts=#1",
            "1-x.txt:11: 'chrome.changes-wait-here' has [\"count\"], and is given [\"counts\"]"
        ),
        ("count=#1", "count=#x", "1-x.txt:11: '#x' is not a count"),
        ("in toast", "in margin", "1-x.txt:12: 'margin' is not a part of a page"),
        ("has 2 premium", "has 2 fun", "1-x.txt:17: 'fun' is not a tier"),
        ("has 2 premium", "is-in 2 trouble", "1-x.txt:17: 'trouble' is no state of a device"),
        (
            "has 2 premium", "step journeys.first-visit-3 @ device 1",
            "1-x.txt:4: nothing comes true by the last step of 'a'"
        ),
        ("  tour\n", "  in-step 1\n", "1-x.txt:8: 'in-step' is not expected before a step"),
        ("has 2 premium", "waves 2", "1-x.txt:17: 'waves' is no sign of a journey"),
    ])
    func aFaultHasItsFileAndLine(part: String, other: String, said: String) throws {
        let card = Self.card.replacing(part, with: other)
        #expect(card != Self.card)
        let error = #expect(throws: JourneyError.self) { try read(["1-x.txt": card]) }
        #expect(error?.description == said)
    }

    @Test func anIDThatOccursTwiceIsAFault() {
        let error = #expect(throws: JourneyError.self) {
            try read(["1-x.txt": Self.card, "2-y.txt": Self.card])
        }
        #expect(error?.description == "2-y.txt:0: 'a' occurs twice")
        #expect(throws: JourneyError.self) {
            try Journeys(files: ["1-x.txt": [0xFF]], texts: try resources.texts())
        }
    }

    /// The two values of the conflict are in the file as the pages of its world show them.
    @Test func theValuesOfTheConflictAreThoseOfItsStage() throws {
        let amounts = Stage.conflictingMinor.map { Text.verbatim("€\($0 / 100).\($0 % 100)") }
        let either = try #require(allJourneys.byID["conflict"]).expectations.compactMap { sign -> [Text]? in
            if case .readsEither(_, let one, let other) = sign { [one, other] } else { nil }
        }
        #expect(either == [amounts])
    }
}

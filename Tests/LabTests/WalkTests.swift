// Each guided journey of the lab is walked over HTTP, as its card says, to its check mark.

import TestKit
import Testing

@testable import Lab

/// Walks a journey from its stage to its check mark.
private func walkToItsCheckMark(_ walk: JourneyWalk) throws {
    let reviewer = try WalkingReviewer(port: try #require(SharedDemo.port))
    try reviewer.setStage(of: walk.journey)
    try walk.script(reviewer)
    try reviewer.waitsForCheckMark(of: walk.journey)
    try reviewer.leave()
}

// Several suites, because each of them has a process of its own: much of a walk is waiting for a slow network.

@Suite struct ArrivalWalks {
    @Test(.sharedDemo, arguments: JourneyWalk.arrival + JourneyWalk.existingAccount)
    func aJourneyIsWalkedToItsCheckMark(_ walk: JourneyWalk) throws { try walkToItsCheckMark(walk) }
}

@Suite struct PremiumWalks {
    @Test(.sharedDemo, arguments: JourneyWalk.premium + JourneyWalk.ofEntries + JourneyWalk.receipts)
    func aJourneyIsWalkedToItsCheckMark(_ walk: JourneyWalk) throws { try walkToItsCheckMark(walk) }
}

@Suite struct CurrencyAndSecondDeviceWalks {
    @Test(.sharedDemo, arguments: JourneyWalk.currencies + JourneyWalk.secondDevice)
    func aJourneyIsWalkedToItsCheckMark(_ walk: JourneyWalk) throws { try walkToItsCheckMark(walk) }
}

@Suite struct SafetyWalks {
    @Test(.sharedDemo, arguments: JourneyWalk.signingOut + JourneyWalk.safety + JourneyWalk.cloud)
    func aJourneyIsWalkedToItsCheckMark(_ walk: JourneyWalk) throws { try walkToItsCheckMark(walk) }
}

@Suite struct ScenarioWalks {
    @Test(.sharedDemo, arguments: JourneyWalk.scenarios)
    func aJourneyIsWalkedToItsCheckMark(_ walk: JourneyWalk) throws { try walkToItsCheckMark(walk) }
}

@Suite struct ScriptsOfWalks {
    @Test(.sharedDemo) func eachJourneyHasAScript() throws {
        let reviewer = try WalkingReviewer(port: try #require(SharedDemo.port))
        let cards = try reviewer.report().journeys
        #expect(cards.map(\.id).sorted() == JourneyWalk.all.map(\.journey).sorted())
        // No walk is in none of the suites.
        #expect(cards.count == allJourneys.all.count)
    }
}

@Suite struct StreamsOfDevices {
    @Test(.sharedDemo) func aSentenceOfAStreamCountsAsThatOfAPage() throws {
        let port = try #require(SharedDemo.port)
        let reviewer = try WalkingReviewer(port: port)
        try reviewer.setStage(of: "scenario-20")
        try reviewer.pressStore("Subscribe")
        // No page is loaded meanwhile, so that none shows the message.
        try reviewer.device(1).waits { $0.state == "synced" }
        #expect(try reviewer.report().expectations.first == false)
        let wire = try Wire(port: port, patience: 240)
        let cookies = try reviewer.device(1).tab.cookies(for: "/lab/d/1/events").map { "\($0)=\($1)" }
            .joined(separator: "; ")
        wire.send("GET /lab/d/1/events?synced HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookies)\r\n\r\n")
        #expect(wire.receive(until: Sentence.activated).contains("event: toast"))
        #expect(try reviewer.report().expectations.first == true)
        try reviewer.leave()
    }
}

@Suite struct WordsInSight {
    private let html = HTMLReader(
        """
        <body><main><p>Here is <b>a word</b>.</p><p hidden>Hidden</p><div popover id="sheet"><a href="/x">Sync</a></div>
        <details><summary>More</summary><form method="post" action="/y"><input name="a" value="1"><input type="radio"
        name="b" value="2"><button name="c" value="3">Go</button></form></details></main></body>
        """
    )

    @Test func areThoseThatAreNotFolded() {
        var page = SeenPage(html)
        #expect(page.shows("Here is a word") && page.shows("More"))
        for words in ["Hidden", "Sync", "Go"] { #expect(!page.shows(words), "\(words)") }
        #expect(page.place(.button, "Go") == nil && page.place(.link, "Sync") == nil)
        #expect(page.place(nil, ["id": "sheet"]).map { page.place(.link, "Sync", in: $0) != nil } == true)
        let isThere = page.unfold("More")
        #expect(isThere && page.shows("Go"))
    }

    @Test func aButtonSendsTheFieldsOfItsForm() throws {
        var page = SeenPage(html)
        _ = page.unfold("More")
        let button = try #require(page.place(.button, "Go"))
        func sent(_ typed: [String: String]) -> [String]? {
            page.submission(of: button, typing: typed)?.fields.map { "\($0.0)=\($0.1)" }
        }
        #expect(sent([:]) == ["a=1", "c=3"])
        #expect(sent(["a": "9", "b": "2"]) == ["a=9", "b=2", "c=3"])
        #expect(sent(["b": "7"]) == nil && sent(["d": ""]) == nil)
    }
}

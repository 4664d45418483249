// The list of guided journeys: complete, and each with an address of its own.

import CloudProtocol
import Ledger
import Templates
import Testing
import Texts

@testable import Lab

@Suite struct GuidedJourneys {
    private let sources = Set(Journeys.all.flatMap(\.sources))

    @Test func eachRowOfTheTablesHasACard() {
        #expect((1...10).filter { !sources.contains(.journey($0)) } == [])
        #expect((1...7).filter { !sources.contains(.signOut($0)) } == [])
        #expect((1...13).filter { !sources.contains(.safety($0)) } == [])
    }

    @Test func eachScenarioHasACard() {
        let scenarios = (1...21).map { "\($0)" } + ["14b"]
        #expect(scenarios.filter { !sources.contains(.scenario($0)) } == [])
    }

    @Test func eachCardHasAnAddressOfItsOwn() {
        let ids = Journeys.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func aCardSaysWhatToDoAndWhatToExpectOrWhyItCannotBeWalked() {
        for journey in Journeys.all where journey.missing == nil {
            #expect(!journey.steps.isEmpty && !journey.expectations.isEmpty, "\(journey.id)")
        }
    }

    @Test func eachSentenceOfACardIsInTheCatalogue() throws {
        let texts = try labParts().texts
        for journey in Journeys.all {
            let sentences =
                [journey.title, journey.story] + journey.steps + journey.expectations.map(\.label)
            for sentence in sentences {
                let string = texts.string(sentence)
                #expect(string.contains(" ") && !string.contains("{"), "\(journey.id): \(string)")
            }
        }
    }
}

@Suite struct WalksOfSentences {
    @Test func aPartOfASentenceCanBeAnyText() throws {
        let journey = Journey(
            "any",
            [],
            Text("journeys.first-visit"),
            Text("journeys.first-visit-story"),
            in: .empty,
            steps: [],
            expecting: [.reads(1, Text("user-account.your-copy-stays-of-day", ["day": Expectation.any]))]
        )
        let walk = Walk(journey, try labParts().texts)
        func found(_ sentence: String, _ device: Int = 1) -> [Int] {
            let page = ByteBuffer(capacity: 256)
            page.appendEscaped(sentence)
            return walk.found(in: page, of: device)
        }
        #expect(found("Your copy in the cloud stays as it was on 21 Nov 2026.") == [0])
        #expect(found("Your copy in the cloud stays as it was on 21 Nov 2026.", 2) == [])
        #expect(found("Your copy in the cloud stays.") == [])
    }
}

@Suite struct WordsOfAPage {
    private func text(_ html: String) -> (shown: String, folded: String) {
        let page = ByteBuffer(capacity: 256)
        page.append(html)
        let text = PageText(page)
        return (words(text.shown), words(text.folded))
    }

    private func words(_ buffer: ByteBuffer) -> String {
        buffer.text.replacing("\0", with: " ").split { $0.isWhitespace }.joined(separator: " ")
    }

    @Test(arguments: [
        ("<p>one <b>two</b></p>", "one two", ""),
        ("<div popover id=\"a\"><div>in</div> it</div> after", "after", "in it"),
        ("<details><summary>more</summary><p>in</p></details> after", "more after", "in"),
        ("<details open><summary>more</summary>in</details>", "more in", ""),
        ("<details><details><summary>x</summary></details>in</details> after", "after", "x in"),
        ("<head><title>t</title></head><script>if (a < b) c</script>after", "after", ""),
        ("<p hidden>not <span>this</span></p><input hidden>after", "after", ""),
        ("<!doctype html><!-- <div popover> -->after<svg><use/></svg>", "after", ""),
        ("<a title=\"> <div popover>\">in sight</a> &lt;b&gt;", "in sight &lt;b&gt;", ""),
        ("a < b", "a < b", ""), ("<", "<", ""), ("<div popover", "", ""), ("<a title=\"", "", ""),
        ("<p>Zürich</p>", "Zürich", ""),
    ])
    func areInSightOrFolded(html: String, shown: String, folded: String) {
        let text = text(html)
        #expect(text.shown == shown, "\(html)")
        #expect(text.folded == folded, "\(html)")
    }
}

@Suite struct ALineThatLosesQuestions {
    /// A cloud that knows no account, and says so.
    private struct EmptyCloud: RelayingCloud {
        func send<Request, Response>(
            _ endpoint: Endpoint<Request, Response>,
            _ request: Request,
            _ caller: Caller
        ) async throws(CloudError) -> Response { throw .accountGone }
    }

    private func error(_ question: () async throws(CloudError) -> Void) async -> CloudError? {
        do throws(CloudError) { try await question() } catch { return error }
        return nil
    }

    @Test func losesThoseAboutTheAccountUntilItIsSet() async {
        var random = SystemRandomNumberGenerator()
        let token = SessionToken(using: &random)
        let line = LabLine(to: EmptyCloud())
        line.loseAccounts()
        let lost = await error { () async throws(CloudError) in _ = try await line.account(token) }
        if case .unreachable = lost {} else { Issue.record("it was relayed: \(String(describing: lost))") }
        let other = await error { () async throws(CloudError) in _ = try await line.devices(token) }
        #expect(other == .accountGone)
        line.set(.on)
        let relayed = await error { () async throws(CloudError) in _ = try await line.account(token) }
        #expect(relayed == .accountGone)
    }
}

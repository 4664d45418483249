// The list of guided journeys: complete, and each with an address of its own.

import CloudProtocol
import Devices
import Ledger
import Templates
import Testing
import Texts

@testable import Lab

@Suite struct GuidedJourneys {
    private let sources = Set(allJourneys.all.flatMap(\.sources))

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
        let ids = allJourneys.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func aCardSaysWhatToDoAndWhatToExpect() {
        for journey in allJourneys.all {
            #expect(!journey.steps.isEmpty && !journey.expectations.isEmpty, "\(journey.id)")
        }
    }

    @Test func eachSentenceOfACardIsInTheCatalogue() throws {
        let texts = try labParts().texts
        for journey in allJourneys.all {
            let sentences =
                [journey.title, journey.story] + journey.steps.map(\.text) + journey.expectations.map(\.label)
            for sentence in sentences {
                let string = texts.string(sentence)
                #expect(string.contains(" ") && !string.contains("{"), "\(journey.id): \(string)")
            }
        }
    }
}

@Suite struct InterruptionsOfJourneys {
    private func expects(_ id: String, _ event: Interruption.Event, _ device: Int) throws -> Bool {
        try #require(allJourneys.byID[id]).expects(event, on: device)
    }

    @Test func anEventOfTheJourneyIsNone() throws {
        #expect(try expects("sign-out-free", .signedOut, 1))
        #expect(try expects("blocked-sign-out", .signedOut, 2))
        #expect(try expects("deletes-account", .accountDeleted, 1))
        #expect(try expects("deletes-account", .accountDeleted, 2))
        #expect(try expects("blocked-delete", .dataDeleted, 2))
        #expect(try expects("data-deleted-elsewhere", .dataDeleted, 3))
    }

    @Test func anEventThatEndsTheJourneyEarlyIsOne() throws {
        #expect(try !expects("goes-premium", .signedOut, 1))
        #expect(try !expects("sign-out-premium", .signedOut, 2))
        #expect(try !expects("deletes-account", .signedOut, 1))
        #expect(try !expects("sign-out-free", .accountDeleted, 1))
        #expect(try !expects("blocked-subscribe", .dataDeleted, 2))
        #expect(try !expects("data-deleted-elsewhere", .dataDeleted, 2))
    }

    @Test func theAccountOfAWorldIsAnnasInItsJourneysToo() throws {
        let texts = try labParts().texts
        for journey in allJourneys.all {
            let steps = journey.steps.map { texts.string($0.text) }
            let isOfAnother = steps.contains { $0.contains("Ben") || $0.contains("Chiara") }
            #expect(!isOfAnother || journey.expects(.anotherPerson, on: 1), "\(journey.id)")
        }
        #expect(try expects("welcome-new-account", .anotherPerson, 1))
        #expect(try !expects("lost-device", .anotherPerson, 3))
        let said = texts.string(Interruption(device: 3, event: .anotherPerson).text)
        #expect(said.contains("Another person than Anna is signed in on device 3"))
    }

    @Test func eachHasAKeyAndASentence() throws {
        let texts = try labParts().texts
        for (name, key) in [
            ("USER_SIGNED_OUT", "signed-out-2"), ("SESSION_ERASED", "signed-out-2"),
            ("ACCOUNT_DELETE_COMPLETE", "account-deleted-2"), ("ACCOUNT_GONE", "account-deleted-2"),
            ("SERVER_DATA_DELETED", "data-deleted-2"),
        ] {
            let event = try #require(Interruption.Event(name))
            let interruption = Interruption(device: 2, event: event)
            #expect(interruption.key == key && texts.string(interruption.text).contains("evice 2"))
        }
        #expect(Interruption.Event("SIGN_OUT_COMPLETE") == nil)
    }
}

@Suite struct LeadsOfCards {
    @Test func eachSignComesTrueByAStepOfItsCard() {
        for journey in allJourneys.all {
            let turns = journey.turns
            #expect(turns.count == journey.expectations.count && turns == turns.sorted(), "\(journey.id)")
            #expect(turns.allSatisfy { (1...journey.steps.count).contains($0) }, "\(journey.id)")
            #expect(journey.steps.allSatisfy { !$0.places.isEmpty }, "\(journey.id)")
        }
    }

    @Test func eachStepUpToTheLastSignIsSomewhereTheLead() {
        for journey in allJourneys.all {
            let due = journey.expectations.indices.flatMap { place in
                journey.dueSteps(after: place).map { $0.number }
            }
            #expect(Set(due) == Set(1...(journey.turns.last ?? 1)), "\(journey.id)")
            #expect(journey.dueSteps(after: journey.expectations.count).isEmpty)
        }
    }

    @Test func theStepsOfASignFollowThoseOfTheOneBefore() throws {
        let journey = try #require(allJourneys.all.first { $0.id == "guest-goes-premium" })
        let numbers = (0..<4).map { reached in journey.dueSteps(after: reached).map { $0.number } }
        #expect(numbers == [[1], [2, 3], [4], [4]])
    }

    @Test func noStepAsksTwiceForThePageToBeRead() throws {
        let texts = try labParts().texts
        for journey in allJourneys.all {
            let words = journey.steps.map { texts.string($0.text) }.joined(separator: " ")
            #expect(!words.contains("Read the page. Read the page"), "\(journey.id)")
        }
    }

    @Test func theTourHasFiveJourneysOfTheList() {
        let ids = Set(allJourneys.all.map(\.id))
        #expect(allJourneys.tour.count == 5 && allJourneys.tour.allSatisfy { ids.contains($0.id) })
        #expect(allJourneys.tour.allSatisfy { $0.world != .bigBook })
    }
}

@Suite struct SentencesOfSigns {
    /// Keys of texts with the words of a sign, and why no page of its journeys shows them.
    private let harmless: [String: Set<String>] = [
        // The line of a receipt: no book of these journeys has one.
        "chrome.backed-up": ["receipts.uploaded"],
        // The same button on the page of an error, and the one for a book with receipts.
        "chrome.download-my-book": ["errors.download-my-book", "user-account.with-the-files"],
        // The same words, and more of them.
        "chrome.sync-was-switched-off": ["chrome.sync-is-off-until"],
        "banks.not-connected-here": ["banks.last-refreshed-elsewhere"],
        "user-account.you-are-signed-out": ["user-account.waiting-for-the-network"],
        "transactions.deleted": ["transactions.deleted-and-listed"],
    ]

    @Test func areInNoOtherText() throws {
        let texts = try labParts().texts
        for journey in allJourneys.all {
            for case .reads(_, let text, .any) in journey.expectations {
                guard let key = text.key else { continue }
                let words = texts.string(text)
                let excused = (harmless[key] ?? []).union([key])
                let others = texts.keys.subtracting(excused).filter { other in
                    // These are on pages of the lab.
                    guard !["journeys.", "scenarios.", "coverage."].contains(where: other.hasPrefix) else {
                        return false
                    }
                    return contains(words, texts.pattern(other))
                }
                #expect(others.isEmpty, "\(journey.id): \(words) is also in \(others.sorted())")
            }
        }
    }

    private func contains(_ words: String, _ pattern: MessagePattern?) -> Bool {
        guard let pattern else { return false }
        return pattern.parts.contains { part in
            if case .literal(let literal) = part { literal.contains(words) } else { false }
        }
    }

    private func reached(_ pages: [String]) async throws -> Int {
        let parts = try labParts()
        let uploaded = Text("receipts.uploaded")
        let journey = Journey(
            "test",
            [],
            uploaded,
            uploaded,
            in: .empty,
            steps: [],
            expecting: [.reads(1, uploaded, in: .file), .readsNext(1, Text("banks.refreshed"), in: .toast)],
            at: [1, 1]
        )
        let world = try World(Blueprint(kind: .empty), in: "\(parts.folder)/world", parts)
        var walk = Walk(journey, parts.texts)
        for html in pages {
            let page = ByteBuffer(capacity: 256)
            page.append(html)
            walk.note(walk.found(on: PageText(page), of: 1))
            walk.check(world)
        }
        await world.wipe()
        return walk.reached
    }

    @Test func ofAFileAreNotMetByTheHeader() async throws {
        let header = "<header><button><span>Backed up</span></button></header>"
        let file = "<ul><li data-attachment=\"a\"><ul><li>x</li></ul><span>Backed up</span></li></ul>"
        #expect(try await reached([header]) == 0)
        let sending = "<ul><li data-attachment=\"a\">Uploading, 5%</li></ul>"
        #expect(try await reached([header + sending + header]) == 0)
        #expect(try await reached([header + file]) == 1)
    }

    @Test func ofAToastAreNotMetByAnotherPartOfThePage() async throws {
        let file = "<p data-attachment=\"a\">Backed up</p>"
        #expect(try await reached([file, "<p>Refreshed today, 12:00.</p>"]) == 1)
        #expect(try await reached([file, "<div data-toast=\"bank-refreshed\"><p>Refreshed</p></div>"]) == 2)
    }
}

@Suite struct SignsOfTwoDevices {
    private let parts: LabParts

    init() throws { parts = try labParts() }

    private func world(_ kind: WorldKind) async throws -> World {
        let blueprint = try await Blueprints(parts).blueprint(of: kind)
        let world = try World(blueprint, in: "\(parts.folder)/world", parts)
        try await world.start()
        return world
    }

    /// The number of signs that come true while devices show pages.
    private func reached(_ id: String, _ pages: [(device: Int, words: Text)], in world: World) throws -> Int {
        var walk = Walk(try #require(allJourneys.byID[id]), parts.texts)
        for page in pages {
            let printed = ByteBuffer(capacity: 256)
            printed.appendEscaped(parts.texts.string(page.words))
            walk.note(walk.found(in: printed, of: page.device))
            walk.check(world)
        }
        return walk.reached
    }

    private func waitsUntilInStep(_ world: World) async throws {
        // The signs about books need open ones.
        for number in 1...2 {
            let lease = try #require(try await world.device(number)?.device?.lease())
            lease.giveBack()
        }
        let title = Text("coverage.coverage")
        let journey = Journey(
            "test",
            [],
            title,
            title,
            in: .premium,
            steps: [],
            expecting: [.isInStep(1), .isInStep(2), .sameBooks(1, 2)],
            at: [1, 1, 1]
        )
        var walk = Walk(journey, parts.texts)
        try await eventually("both devices are in step") {
            walk.check(world)
            return walk.isReached
        }
    }

    @Test func aConflictIsWalkedOnceTheSecondDeviceShowsTheValue() async throws {
        // In this world nothing is left to decide, and both books are the same.
        let world = try await world(.premium)
        try await waitsUntilInStep(world)
        let all = try #require(allJourneys.byID["conflict"]).expectations.count
        func reached(_ device: Int, _ amount: String) throws -> Int {
            // The value that was shown before does not count.
            let pages: [(device: Int, words: Text)] = [
                (2, .verbatim("−€54.90")), (1, Text("sync.two-devices-changed-the")),
                (1, Text("sync.decided")), (1, Text("sync.there-is-nothing-to")),
                (device, .verbatim(amount)),
            ]
            return try self.reached("conflict", pages, in: world)
        }
        #expect(try reached(1, "−€54.90") == all - 1)
        #expect(try reached(2, "−€54.91") == all - 1)
        #expect(try reached(2, "−€54.90") == all)
        #expect(try reached(2, "−€49.90") == all)
        await world.wipe()
    }

    @Test func aDeletionNeedsTheChangeOfOneDeviceAndTheDeletionOnTheOther() async throws {
        let world = try await world(.empty)
        let (changed, waits) = (
            Text("transactions.changed"), Text("chrome.changes-wait-here", ["count": .count(1)])
        )
        let (deleted, leave) = (Text("transactions.deleted"), Text("sync.leave-it-deleted"))
        let gave = Text("sync.changes-gave-way", ["count": .count(1)])
        func reached(_ pages: [(device: Int, words: Text)]) throws -> Int {
            try self.reached("delete-against-edit", pages, in: world)
        }
        #expect(try reached([(1, waits), (2, deleted), (1, gave), (1, leave)]) == 0)
        #expect(try reached([(1, changed), (1, waits), (1, deleted), (1, gave), (1, leave)]) == 2)
        #expect(try reached([(1, changed), (1, waits), (2, deleted), (1, gave), (1, leave)]) == 5)
        await world.wipe()
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
            expecting: [.reads(1, Text("user-account.your-copy-stays-of-day", ["day": Expectation.any]))],
            at: [1]
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
        line.set(.noChecks)
        let lost = await error { () async throws(CloudError) in _ = try await line.account(token) }
        if case .unreachable = lost {} else { Issue.record("it was relayed: \(String(describing: lost))") }
        let other = await error { () async throws(CloudError) in _ = try await line.devices(token) }
        #expect(other == .accountGone)
        line.set(.on)
        let relayed = await error { () async throws(CloudError) in _ = try await line.account(token) }
        #expect(relayed == .accountGone)
    }

    @Test func refusesFilesAloneWhileTheCloudHasNoRoom() async throws {
        var random = SystemRandomNumberGenerator()
        let token = SessionToken(using: &random)
        let part = FilePart(try #require(FileKey(String(repeating: "a", count: 64))), total: 9)
        let line = LabLine(to: EmptyCloud())
        line.set(.noRoom)
        let refused = await error { () async throws(CloudError) in _ = try await line.put(part, token) }
        if case .file(.quotaExceeded(let used, let quota)) = refused {
            #expect(used < quota)
        } else {
            Issue.record("it was relayed: \(String(describing: refused))")
        }
        let question = await error { () async throws(CloudError) in
            _ = try await line.missingFiles(after: nil, token)
        }
        #expect(question == .accountGone)
        line.set(.on)
        let relayed = await error { () async throws(CloudError) in _ = try await line.put(part, token) }
        #expect(relayed == .accountGone)
    }
}

// `breadly demo` over HTTP: its pages, its buttons, and what hostile visitors try.

import BreadlyApp
import Encoding
import Foundation
import TestKit
import Testing

@testable import Lab

/// A running demo.
final class RunningDemo {
    let demo: Demo
    let hands = Hands()

    init(_ change: (inout LabParts.Limits) -> Void = { _ in }) throws {
        var settings = Settings()
        settings.port = 0
        var limits = LabParts.Limits()
        let hands = hands
        limits.clock = { hands.now }
        change(&limits)
        demo = try Demo(settings, resources: resources, log: .off, limits: limits)
    }

    deinit { demo.stop() }

    /// A visitor who has opened the lab.
    func visitor() throws -> Visitor {
        let visitor = Visitor(port: Int(demo.port))
        #expect(try visitor.get("/lab").status == 200)
        return visitor
    }

    /// A visitor in a world.
    func visitor(in world: String) throws -> Visitor {
        let visitor = try visitor()
        #expect(try visitor.post("/lab/worlds", [("world", world)]).header("location") == "/lab")
        return visitor
    }
}

extension Visitor {
    /// Opens a page and follows its redirects.
    func open(_ path: String) throws -> Reply {
        var reply = try get(path)
        for _ in 0..<5 {
            guard reply.status == 303, let next = reply.header("location") else { break }
            reply = try get(next)
        }
        return reply
    }

    /// The state of the lab.
    func state() throws -> String { try get("/lab/state.json").text }
}

@Suite struct DemoTests {
    private let running: RunningDemo

    init() throws { running = try RunningDemo() }

    @Test func theFirstPageSaysWhereToStartAndMakesNoWorld() throws {
        let visitor = Visitor(port: Int(running.demo.port))
        let page = try visitor.open("/")
        #expect(page.status == 200 && page.text.contains("Device 2"))
        #expect(page.text.contains("Start here") && page.text.contains("Breadly is a budget book"))
        let tour = page.html.all("ol", ["class": "lab-tour"])
        #expect(tour.count == 1 && tour[0].text.contains("A first visit"))
        for group in allJourneys.groups {
            #expect(page.text.contains(group.id) && page.text.contains("0 of \(group.journeys.count) walked"))
        }
        #expect(!page.text.contains("<iframe"))
        // No address makes a world by itself, also not with the cookie of the lab.
        let device = try visitor.get("/lab/d/1/")
        #expect(device.status == 404 && device.text.contains("This browser has not begun yet"))
        #expect(try visitor.post("/lab/d/1/onboarding/welcome").status == 404)
        #expect(try visitor.state().contains("\"number\":0"))
    }

    @Test func aButtonMakesTheWorldWithItsDevices() throws {
        let visitor = try running.visitor(in: "empty")
        let page = try visitor.get("/lab")
        #expect(page.text.contains("src=\"/lab/d/1/\""))
        let policy = page.header("content-security-policy") ?? ""
        #expect(policy.contains("frame-src 'self'") && policy.contains("frame-ancestors 'self'"))
        #expect(try visitor.open("/lab/d/1/").text.contains("Get started"))
    }

    @Test func aPreparedDeviceOpensItsBookWithoutASignIn() throws {
        let visitor = try running.visitor(in: "guest")
        let page = try visitor.open("/lab/d/1/transactions")
        #expect(page.text.contains("Greenmarket") && page.text.contains("data-tier=\"guest\""))
        // The links of a device stay below its path.
        #expect(page.text.contains("href=\"/lab/d/1/budgets\"") && !page.text.contains("href=\"/budgets\""))
        #expect(try visitor.state().contains("\"transactions\":12"))
    }

    @Test func theStateNamesTheWorldTheDevicesAndTheJourneys() throws {
        let visitor = try running.visitor(in: "premium")
        for number in 1...2 { _ = try visitor.open("/lab/d/\(number)/") }
        let isSynced = try becomesTrue {
            let state = try visitor.state()
            return state.contains("\"world\":\"premium\"")
                && state.components(separatedBy: "\"state\":\"synced\"").count == 3
        }
        #expect(isSynced)
        #expect(try visitor.state().contains("\"clock\":\"2026-11-21 12:"))
        #expect(try visitor.state().contains("\"id\":\"first-visit\""))
    }

    @Test func theFirstAddressLeadsBackToTheSameWorld() throws {
        let visitor = try running.visitor(in: "guest")
        // A browser sends the cookie of the lab below its own address only.
        for path in ["/", "/healthz", "/readyz"] {
            let reply = try Visitor(port: Int(running.demo.port)).get(path)
            #expect(reply.header("set-cookie") == nil, "\(path)")
            #expect(
                path == "/" ? reply.status == 303 && reply.header("location") == "/lab" : reply.status == 200
            )
        }
        #expect(try visitor.state().contains("\"world\":\"guest\""))
    }

    @Test func theButtonsChangeTheWorld() throws {
        let visitor = try running.visitor(in: "premium")
        let buttons = [
            ("/lab/clock", [("by", "1d")], "2026-11-22 12:"),
            ("/lab/network", [("device", "1"), ("state", "off")], "\"network\":\"off\""),
            ("/lab/network", [("device", "cloud"), ("state", "slow")], "\"cloud\":\"slow\""),
            ("/lab/rates", [("state", "old")], "\"rates\":\"old\""),
            ("/lab/store", [("action", "cancel")], "Active, ends on"),
        ]
        for (path, fields, sign) in buttons {
            let reply = try visitor.post(path, fields)
            #expect(reply.status == 303 && reply.header("location") == "/lab", "\(path)")
            #expect(try visitor.state().contains(sign), "\(path)")
        }
        let clock = try visitor.get("/lab").html.first(nil, ["data-clock": ""])
        #expect(clock?.text.contains("2026-11-22") == true)
    }

    private let sheet =
        "You are signed in, but your data is NOT backed up to the cloud. Upgrade\n  to Premium to enable cloud backup."

    /// A visitor on a stage whose first expectation is in the sheet of the cloud.
    private func visitorBeforeTheSheet(runsScript: Bool) throws -> Visitor {
        let visitor = try running.visitor()
        visitor.cookies["breadly_lab_script"] = runsScript ? "1" : nil
        _ = try visitor.get("/lab/journeys")
        #expect(try visitor.post("/lab/journeys/scenario-2/stage").status == 303)
        return visitor
    }

    @Test func aSentenceInAClosedSheetCountsOnceItIsOpened() throws {
        let visitor = try visitorBeforeTheSheet(runsScript: true)
        #expect(try visitor.open("/lab/d/1/").text.contains("NOT backed up to the cloud"))
        #expect(try visitor.state().contains("\"expectations\":[false"))
        #expect(try visitor.post("/lab/d/1/opened", [("words", "Something else")]).status == 204)
        #expect(try visitor.state().contains("\"expectations\":[false"))
        #expect(try visitor.post("/lab/d/2/opened", [("words", sheet)]).status == 204)
        #expect(try visitor.state().contains("\"expectations\":[false"), "it was another device")
        #expect(try visitor.post("/lab/d/1/opened", [("words", sheet)]).status == 204)
        #expect(try visitor.state().contains("\"expectations\":[true"))
    }

    @Test func withoutAScriptASentenceInAClosedSheetCountsAtOnce() throws {
        let visitor = try visitorBeforeTheSheet(runsScript: false)
        #expect(try visitor.open("/lab/d/1/").text.contains("NOT backed up to the cloud"))
        #expect(try visitor.state().contains("\"expectations\":[true"))
        // A browser whose script is switched off later asks for this.
        visitor.cookies["breadly_lab_script"] = "1"
        let reply = try visitor.get("/lab/without-script")
        #expect(reply.status == 204 && reply.header("set-cookie")?.contains("breadly_lab_script=;") == true)
        #expect(reply.header("set-cookie")?.contains("Max-Age=0") == true)
    }

    @Test func theReportOfASheetNeedsAWorldAndIsBounded() throws {
        let visitor = try running.visitor(in: "guest")
        #expect(try visitor.get("/lab/d/1/opened").status == 405)
        let foreign = [
            ("Origin", "https://other.example"), ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        let sent = try visitor.send("POST", "/lab/d/1/opened", headers: foreign, body: Array("words=x".utf8))
        #expect(sent.status == 403, "a page of another site")
        #expect(try visitor.post("/lab/d/1/opened").status == 204)
        let large = String(repeating: "w", count: 8 << 20)
        #expect(try visitor.post("/lab/d/1/opened", [("words", large)]).status == 413)
        #expect(try Visitor(port: Int(running.demo.port)).post("/lab/d/1/opened", []).status == 410)
    }

    @Test func thePagesOfDevicesReportAndThoseOfTheServerDoNot() throws {
        let visitor = try running.visitor(in: "guest")
        let page = HTMLReader(try visitor.open("/lab/d/1/").text)
        let script = try #require(page.first("script")?["src"])
        #expect(try visitor.get(script).text.contains("sendBeacon"))
        let files = try Resources(folder: repository).publicFiles()
        #expect(!String(decoding: try #require(files["app.js"]), as: UTF8.self).contains("sendBeacon"))
    }

    @Test func preparedDevicesHaveTheNamesOfTheirStory() throws {
        let visitor = try running.visitor(in: "premium")
        _ = try visitor.open("/lab/d/2/")
        let devices = try visitor.open("/lab/d/1/settings/devices").text
        #expect(devices.contains("Anna’s phone") && devices.contains("Anna’s laptop"))
    }

    @Test func theReportHasTheVersion() throws {
        let visitor = try running.visitor()
        #expect(try visitor.get("/lab/journeys").text.contains("· Breadly \(breadlyVersion)"))
    }

    @Test func anOfflineDeviceSaysSoAndCatchesUp() throws {
        let visitor = try running.visitor(in: "premium")
        _ = try visitor.open("/lab/d/1/")
        _ = try visitor.post("/lab/network", [("device", "1"), ("state", "off")])
        let isOffline = try becomesTrue {
            try visitor.open("/lab/d/1/").text.contains("data-sync=\"offline\"")
        }
        #expect(isOffline)
        // The lab's own form, not the device's.
        _ = try visitor.get("/lab")
        _ = try visitor.post("/lab/network", [("device", "1"), ("state", "on")])
        let isBack = try becomesTrue { try visitor.open("/lab/d/1/").text.contains("data-sync=\"idle\"") }
        #expect(isBack)
    }

    @Test func aKilledDeviceRecoversWithItsBook() throws {
        let visitor = try running.visitor(in: "guest")
        #expect(try visitor.open("/lab/d/1/transactions").text.contains("Greenmarket"))
        _ = try visitor.get("/lab")
        #expect(try visitor.post("/lab/kill", [("device", "1"), ("effect", "now")]).status == 303)
        #expect(try visitor.open("/lab/d/1/transactions").text.contains("Greenmarket"))
    }

    @Test func aPageOfTheStorybookLeadsToNoDevice() throws {
        let visitor = try running.visitor(in: "premium")
        _ = try visitor.open("/lab/d/1/")
        let story = try visitor.get("/lab/pages/transaction-new").text
        #expect(story.contains("data-events=\"/lab/story/events\"") && !story.contains("/lab/d/"))
        // A stream that ends like this is not opened again.
        #expect(try visitor.get("/lab/story/events").status == 204)
        let picture = try visitor.get("/lab/story/attachments/01m7yzmhg0a6m66prbfstf1j1y/thumbnail")
        #expect(picture.status == 200 && picture.header("content-type") == "image/svg+xml")
        for reply in [try visitor.get("/lab/story/budgets"), try visitor.post("/lab/story/transactions")] {
            #expect(reply.status == 404 && reply.text.contains("its forms change nothing"))
        }
    }

    @Test func anArmedKillIsShownAndCanBeTakenBack() throws {
        let visitor = try running.visitor(in: "free")
        func kill(_ effect: String) throws -> String {
            _ = try visitor.get("/lab")
            #expect(try visitor.post("/lab/kill", [("device", "1"), ("effect", effect)]).status == 303)
            return try visitor.get("/lab").text
        }
        let armed = "Its process dies while sync is attached."
        #expect(try kill("attach_sync").contains(armed))
        // The page has a button for that.
        let page = try visitor.get("/lab").html
        let line = try #require(page.first("div", ["data-armed": "1"]))
        #expect(line.text.contains("Take it back"))
        #expect(try !kill("never").contains(armed))
        #expect(try kill("attach_sync").contains(armed))
        #expect(try !kill("now").contains(armed), "the process that was to die is dead")
    }

    @Test func aPressOfKillIsAnswered() throws {
        let visitor = try running.visitor(in: "free")
        func said() throws -> String? {
            let note = try #require(try visitor.get("/lab").html.first("p", ["data-said": ""]))
            #expect((note["hidden"] != nil) == note.text.isEmpty && note["role"] == "status")
            return note.text.isEmpty ? nil : note.text
        }
        func press(_ path: String, _ fields: [(String, String)]) throws {
            _ = try visitor.get("/lab")
            #expect(try visitor.post(path, fields).status == 303)
        }
        #expect(try said() == nil)
        try press("/lab/kill", [("device", "1"), ("effect", "now")])
        let killed = "Device 1: its process died, and was started again."
        #expect(try said() == killed)
        #expect(try visitor.state().contains("\"said\":\"\(killed)\""))
        try press("/lab/kill", [("device", "2"), ("effect", "attach_sync")])
        #expect(try said() == "Device 2: its process dies while sync is attached, and is then started again.")
        try press("/lab/kill", [("device", "2"), ("effect", "never")])
        #expect(try said() == "Device 2: its process does not die any more.")
        try press("/lab/kill", [("device", "1"), ("effect", "attach_sync")])
        // It is the answer to the last press, also if that was another button.
        try press("/lab/store", [("action", "subscribe")])
        let hasDied = try becomesTrue {
            try said() == "Device 1: its process died while sync is attached, and was started again."
        }
        #expect(hasDied)
        try press("/lab/clock", [("by", "1h")])
        #expect(try said() == nil)
    }

    @Test func aStageSaysNothingOfItsKills() throws {
        let visitor = try running.visitor()
        _ = try visitor.get("/lab/journeys")
        #expect(try visitor.post("/lab/journeys/scenario-2/stage").status == 303)
        #expect(try visitor.state().contains("\"said\":null"))
    }

    @Test func premiumIsAnnouncedAlsoIfTheProcessDiesOnTheWay() throws {
        let visitor = try running.visitor(in: "free")
        _ = try visitor.open("/lab/d/1/")
        for (path, fields) in [
            ("kill", [("device", "1"), ("effect", "attach_sync")]), ("store", [("action", "subscribe")]),
        ] {
            _ = try visitor.get("/lab")
            #expect(try visitor.post("/lab/\(path)", fields).status == 303)
        }
        #expect(try becomesTrue { try visitor.state().contains("\"state\":\"synced\"") })
        #expect(try visitor.open("/lab/d/1/").text.contains("Premium activated! Cloud sync is on."))
    }

    @Test func aDeviceThatNobodyPreparedRecoversWithoutAPage() throws {
        let visitor = try running.visitor(in: "empty")
        _ = try visitor.open("/lab/d/1/")
        for (path, fields) in [
            ("welcome", []), ("currency", [("currency", "EUR")]), ("secondary", []),
            ("calendar", [("week_start", "monday")]),
        ] as [(String, [(String, String)])] {
            _ = try visitor.open("/lab/d/1/onboarding/\(path)")
            #expect(try visitor.post("/lab/d/1/onboarding/\(path)", fields).status == 303, "\(path)")
        }
        #expect(try becomesTrue { try visitor.state().contains("\"state\":\"local_only\"") })
        _ = try visitor.get("/lab")
        _ = try visitor.post("/lab/kill", [("device", "1"), ("effect", "now")])
        #expect(try becomesTrue { try visitor.state().contains("\"state\":\"local_only\"") })
    }

    @Test func anOpenPageLearnsThatAnotherWorldHasTakenThePlace() throws {
        let visitor = try running.visitor()
        func number() throws -> String? {
            try visitor.state().firstMatch(of: /"number":([0-9]+)/).map { String($0.1) }
        }
        #expect(try number() == "0")
        // A button of the lab makes the first world.
        _ = try visitor.post("/lab/clock", [("by", "1h")])
        #expect(try number() == "1")
        _ = try visitor.open("/lab/d/1/")
        #expect(try number() == "1")
        #expect(try visitor.get("/lab").text.contains("data-world=\"1\""))
        _ = try visitor.post("/lab/worlds", [("world", "empty")])
        #expect(try number() == "2")
    }

    @Test func aSlashTooManyOrTooFewIsForgiven() throws {
        let visitor = try running.visitor()
        #expect(try visitor.get("/lab/").header("location") == "/lab")
        #expect(try visitor.get("/lab/d/2").header("location") == "/lab/d/2/")
        #expect(try visitor.get("/readyz").status == 200)
    }

    @Test func theStoreNamesItsCustomer() throws {
        let visitor = try running.visitor(in: "premium")
        #expect(try visitor.get("/lab").text.contains("Anna Berger: Active"))
    }

    @Test func foldersOfDemosThatWereKilledAreRemoved() throws {
        let place = FileManager.default.temporaryDirectory
        // No process has a number as high as this.
        let left = place.appendingPathComponent("breadly-demo-2147483646-\(UUID())").path
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let visitor = try running.visitor(in: "guest")
        let other = try RunningDemo()
        #expect(!FileManager.default.fileExists(atPath: left))
        // That of a demo that runs stays.
        #expect(try visitor.open("/lab/d/1/transactions").text.contains("Greenmarket"))
        #expect(try other.visitor().state().contains("empty"))
    }

    @Test func aDeviceThatDiesWhileTheDefaultsAreWrittenHasThemAfterwards() throws {
        let visitor = try running.visitor()
        _ = try visitor.post("/lab/kill", [("device", "1"), ("effect", "seed_defaults")])
        _ = try visitor.open("/lab/d/1/")
        for (path, fields) in [
            ("welcome", []), ("currency", [("currency", "EUR")]), ("secondary", []),
            ("calendar", [("week_start", "monday")]),
        ] as [(String, [(String, String)])] {
            _ = try visitor.open("/lab/d/1/onboarding/\(path)")
            _ = try visitor.post("/lab/d/1/onboarding/\(path)", fields)
        }
        let isThere = try becomesTrue {
            try visitor.open("/lab/d/1/").text.contains("data-state=\"local_only\"")
        }
        #expect(isThere)
        #expect(try visitor.state().contains("\"accounts\":3"))
    }

    @Test func theDemoStoreAndTheDemoSignInMakeAPremiumUser() throws {
        let visitor = try running.visitor(in: "guest")
        let signIn = try visitor.open("/lab/d/1/sign-in")
        #expect(signIn.text.contains("Google (demo)"))
        let origin = [("Referer", "http://127.0.0.1:\(running.demo.port)/lab/d/1/sign-in")]
        let begun = try visitor.get("/lab/d/1/sign-in/oidc", headers: origin)
        let chooser = try visitor.get(try #require(begun.header("location")))
        #expect(chooser.text.contains("Anna Berger") && chooser.text.contains("Demo"))
        let state = try #require(chooser.html.hidden("state"))
        let chosen = try visitor.post("/lab/sign-in", [("state", state), ("person", "ben")])
        let back = try #require(chosen.header("location"))
        #expect(back.hasPrefix("http://127.0.0.1:\(running.demo.port)/lab/d/1/sign-in/callback?"))
        _ = try visitor.open(String(back.dropFirst("http://127.0.0.1:\(running.demo.port)".count)))
        // A second use of the same choice signs no user in.
        _ = try visitor.get("/lab")
        #expect(try visitor.post("/lab/sign-in", [("state", state), ("person", "anna")]).status == 404)
        let offer = try visitor.open("/lab/d/1/subscription")
        #expect(offer.text.contains("Subscribe (demo)") && offer.text.contains("no money is paid"))
        _ = try visitor.post("/lab/d/1/subscription/purchase")
        let isPremium = try becomesTrue {
            let state = try visitor.state()
            return state.contains("\"state\":\"synced\"") && state.contains("ben@example.com")
        }
        #expect(isPremium)
    }

    @Test func aPurchaseWithoutANetworkSaysWhatItWaitsForAndLandsInTheApp() throws {
        let reviewer = try WalkingReviewer(port: Int(running.demo.port))
        try reviewer.setStage(of: "blocked-subscribe")
        let device = try reviewer.signInFromWelcome(on: 2).says(Sentence.needsSubscription)
        try reviewer.setNetwork(of: 2, "Off")
        let told = "You have subscribed, but the cloud has not confirmed it yet."
        try device.link("Subscribe").button("Subscribe (demo)").says(told).says(
            "it is loaded here once the cloud"
        )
        try #require(!device.page.shows(Sentence.needsSubscription))
        try device.open("/account/delete").says("Cancel your subscription first")
        try reviewer.setNetwork(of: 2, "On")
        try device.has("body", ["data-state": "synced"]).open("/")
        try #require(!device.page.shows(told) && !device.page.shows(Sentence.needsSubscription))
        try reviewer.waits(for: "Bakery on the square", on: "/transactions", of: 2)
        try reviewer.leave()
    }

    // MARK: - The card of a journey

    @Test func theStepToDoLeadsTheCardAndItsPlaceIsMarked() throws {
        let visitor = try running.visitor(in: "empty")
        _ = try visitor.post("/lab/journeys/goes-premium/stage")
        func lead() throws -> String {
            try visitor.get("/lab").html.all("div", ["data-renewed": ""]).map(\.text).joined(separator: " ")
        }
        let first = try lead()
        #expect(first.contains("then “See Premium”"))
        #expect(first.contains("Next mark: Device 1 says: “Your data is on this device only.”"))
        func meant() throws -> Set<String> {
            Set(try visitor.get("/lab").html.all(nil, ["data-meant": ""]).compactMap { $0["data-place"] })
        }
        #expect(try meant() == ["device-1"])
        _ = try visitor.open("/lab/d/1/subscription")
        let second = try lead()
        #expect(second.contains("Press “Subscribe (demo)”.") && !second.contains("See Premium"))
        #expect(try visitor.get("/lab").html.all("li", ["data-next": ""]).count == 1)
        _ = try visitor.get("/lab")
        _ = try visitor.post("/lab/journeys/scenario-16/stage")
        #expect(try meant() == ["cloud", "device-1"])
        _ = try visitor.get("/lab")
        _ = try visitor.post("/lab/journeys/scenario-14/stage")
        #expect(try meant() == ["session-1", "device-1"])
    }

    @Test func aMarkStaysWithItsTimeAndCountAndLeadsToTheNextJourney() throws {
        let visitor = try running.visitor(in: "empty")
        func stage() throws {
            _ = try visitor.get("/lab")
            #expect(try visitor.post("/lab/journeys/sign-out-guest/stage").status == 303)
        }
        func card() throws -> String {
            try visitor.get("/lab/journeys").html.first(nil, ["id": "sign-out-guest"])?.text ?? ""
        }
        try stage()
        #expect(try !card().contains("Next journey:"))
        _ = try visitor.open("/lab/d/1/settings")
        #expect(try visitor.state().contains("\"state\":\"reached\",\"label\":\"walked\",\"walks\":1"))
        let walked = try card()
        #expect(walked.contains("Walked once, last at 20") && walked.contains("Next journey: "))
        #expect(try visitor.get("/lab").text.contains("Next journey: "))
        let walkedOne = "1 of \(allJourneys.all.count) journeys walked, 0 on stage"
        // A second look begins with open signs, and takes the mark of the first one away in no list.
        try stage()
        #expect(try visitor.state().contains("\"expectations\":[false"))
        #expect(try card().contains("Walked once, last at 20"))
        #expect(try visitor.get("/lab/journeys").text.contains(walkedOne))
        _ = try visitor.open("/lab/d/1/settings")
        #expect(try card().contains("Walked 2 times, last at 20"))
        _ = try visitor.get("/lab")
        _ = try visitor.post("/lab/worlds", [("world", "empty")])
        #expect(try card().contains("Walked 2 times, last at 20"))
        #expect(try visitor.get("/lab/journeys").text.contains("1 of 7 walked"))
    }

    @Test func aStageThatIsSetLeadsToTheHeadingOfItsCard() throws {
        let visitor = try running.visitor()
        for (journey, page) in [("sign-out-guest", "/lab"), ("lost-device", "/lab?device=3")] {
            _ = try visitor.get("/lab/journeys")
            let stage = try visitor.post("/lab/journeys/\(journey)/stage")
            #expect(stage.status == 303 && stage.header("location") == "\(page)#journey-title")
            // It can get the focus, and it is that of the card on stage.
            let headings = try visitor.get(page).html.all(nil, ["id": "journey-title", "tabindex": "-1"])
            let title = try labParts().texts.string(try #require(allJourneys.byID[journey]).title)
            #expect(headings.map(\.tag) == ["h3"] && headings.map(\.text) == [title])
        }
        #expect(try !visitor.get("/lab/journeys").text.contains("journey-title"))
    }

    @Test func aJourneyThatASignOutHasEndedSaysSoAndBeginsAgain() throws {
        let reviewer = try WalkingReviewer(port: Int(running.demo.port))
        try reviewer.setStage(of: "scenario-2")
        #expect(try reviewer.report().interruption.isEmpty)
        #expect(try reviewer.lead().contains("Next mark:"))
        try reviewer.openSignOut().confirm("Sign out").says("Get started")
        let isSaid = try becomesTrue { try reviewer.report().interruption == "signed-out-1" }
        #expect(isSaid)
        let lead = try reviewer.lead()
        #expect(lead.contains("Device 1 was signed out, and the next marks of this journey need its user."))
        #expect(!lead.contains("Next mark:"))
        try reviewer.beginAgain()
        #expect(try reviewer.report().interruption.isEmpty)
        #expect(try reviewer.lead().contains("Next mark:"))
        try reviewer.device(1).cloudSays(Sentence.notBackedUp)
        try reviewer.leave()
    }

    @Test func aJourneyOfAnnasAccountSaysThatAnotherPersonIsSignedIn() throws {
        let reviewer = try WalkingReviewer(port: Int(running.demo.port))
        try reviewer.setStage(of: "lost-device")
        let device = try reviewer.signInFromWelcome(on: 3, as: ben)
        let isSaid = try becomesTrue { try reviewer.report().interruption == "another-person-3" }
        #expect(isSaid, "\(device.tab.address)")
        #expect(try reviewer.lead().contains("Another person than Anna is signed in on device 3"))
        try reviewer.leave()
    }

    @Test func signsOfAJourneyThatWasLeftStay() throws {
        let visitor = try running.visitor(in: "empty")
        _ = try visitor.post("/lab/journeys/goes-premium/stage")
        _ = try visitor.open("/lab/d/1/subscription")
        _ = try visitor.get("/lab")
        _ = try visitor.post("/lab/worlds", [("world", "empty")])
        let card = try visitor.get("/lab/journeys").html.first(nil, ["id": "goes-premium"])
        #expect(card?.text.contains("1 of 5 marks at most, at 20") == true)
    }

    @Test func theCardOfAReceiptHasASampleToChoose() throws {
        let visitor = try running.visitor()
        let page = try visitor.get("/lab/journeys").html
        let links = page.all("a", ["download": "receipt.pdf"])
        #expect(links.count == allJourneys.all.count { $0.needsReceipt })
        _ = try visitor.post("/lab/journeys/receipt-offline/stage")
        let lead = try visitor.get("/lab").html.first("div", ["data-renewed": ""])
        #expect(lead?.text.contains("sample receipt") == true)
        let file = try visitor.get(try #require(links.first?["href"]))
        #expect(file.status == 200 && file.header("content-type") == "application/pdf")
        #expect(file.body.starts(with: Array("%PDF-".utf8)))
    }

    @Test func aLineThatLosesQuestionsSaysSoUntilItIsSet() throws {
        let visitor = try running.visitor(in: "empty")
        _ = try visitor.post("/lab/journeys/not-verified/stage")
        func pressed() throws -> String? {
            let page = try visitor.get("/lab").html
            let form = page.all("button", ["name": "state", "aria-pressed": "true"])
            return form.map(\.text).first { $0 != "On" && $0 != "Fresh" }
        }
        #expect(try visitor.state().contains("\"network\":\"no-checks\""))
        #expect(try pressed() == "No checks")
        _ = try visitor.post("/lab/network", [("device", "2"), ("state", "on")])
        #expect(try pressed() == nil)
        #expect(try !visitor.get("/lab").text.contains("No checks"))
    }

    @Test func ratesOfTheDemoNameTheirMakerAndTheirSource() throws {
        let visitor = try running.visitor(in: "three-currencies")
        let isThere = try becomesTrue {
            try visitor.open("/lab/d/1/rates").text
                .contains("published by the demo, from those of the European Central Bank.")
        }
        #expect(isThere)
    }

    // MARK: - Bad input

    @Test(arguments: [
        ("/lab/worlds", "world", "no-such-world"), ("/lab/worlds", "other", "guest"),
        ("/lab/clock", "by", "-1d"),
        ("/lab/clock", "by", "9d"), ("/lab/network", "state", "on"), ("/lab/store", "action", ""),
        ("/lab/rates", "state", "☃"), ("/lab/kill", "device", "4"), ("/lab/kill", "device", "-1"),
    ])
    func whatNoButtonSendsIsRefused(_ path: String, _ field: String, _ value: String) throws {
        let visitor = try running.visitor()
        #expect(try visitor.post(path, [(field, value)]).status == 422)
    }

    @Test func aStoreWithoutAUserHasNoButtonsToPress() throws {
        let visitor = try running.visitor(in: "new-guest")
        func buttons(_ isOff: Bool) throws -> Int {
            try visitor.get("/lab").html.all("button", ["name": "action"]).count {
                ($0["disabled"] != nil) == isOff
            }
        }
        #expect(try buttons(true) == 7)
        #expect(try visitor.state().contains("\"sells\":false"))
        _ = try visitor.post("/lab/worlds", [("world", "free")])
        #expect(try buttons(false) == 7)
        #expect(try visitor.state().contains("\"sells\":true"))
    }

    @Test func aStoreWithoutAUserSaysWhatToDo() throws {
        let visitor = try running.visitor(in: "new-guest")
        let reply = try visitor.post("/lab/store", [("action", "subscribe")])
        #expect(reply.status == 422 && reply.text.contains("sign in on it first, or choose another device"))
    }

    @Test func aRefundWithoutAPurchaseSaysSoAndChangesNothing() throws {
        let visitor = try running.visitor(in: "free")
        let before = try visitor.state()
        #expect(before.contains("No subscription."))
        let reply = try visitor.post("/lab/store", [("action", "refund")])
        #expect(reply.status == 422 && reply.text.contains("There is no purchase"))
        #expect(reply.text.contains("Press “Subscribe” first."))
        #expect(try visitor.state().contains("No subscription."))
        _ = try visitor.get("/lab")
        #expect(try visitor.post("/lab/store", [("action", "subscribe")]).status == 303)
        _ = try visitor.get("/lab")
        #expect(try visitor.post("/lab/store", [("action", "refund")]).status == 303)
        #expect(try visitor.state().contains("Refunded on"))
    }

    @Test func theStoreSellsToTheUserOfTheChosenDevice() throws {
        let visitor = try running.visitor(in: "premium")
        #expect(try visitor.post("/lab/store", [("customer", "2")]).status == 303)
        #expect(try visitor.state().contains("\"customer\":\"2\""))
        #expect(try visitor.state().contains("\"store\":\"Anna Berger: "))
        _ = try visitor.get("/lab")
        #expect(try visitor.post("/lab/store", [("customer", "3")]).status == 303)
        let page = try visitor.get("/lab").text
        #expect(
            page.contains("name=\"customer\" value=\"3\"\n aria-pressed=\"true\"")
                && !page.contains("Anna Berger: ")
        )
        #expect(try visitor.post("/lab/store", [("action", "cancel")]).status == 422)
        _ = try visitor.get("/lab")
        #expect(try visitor.post("/lab/store", [("customer", "4")]).status == 422)
    }

    @Test func formsOfOthersChangeNothing() throws {
        let (visitor, other) = (try running.visitor(), try running.visitor())
        visitor.csrf = other.csrf
        #expect(try visitor.post("/lab/clock", [("by", "1d")]).status == 403)
        #expect(try visitor.post("/lab/clock", [("by", "1d")], csrf: false).status == 403)
        let unknown = Visitor(port: Int(running.demo.port))
        #expect(
            try unknown.post("/lab/clock", [("by", "1d"), ("csrf", other.csrf)], csrf: false).status == 410
        )
    }

    @Test func noReviewerReachesAnotherWorld() throws {
        let (owner, unknown) = (try running.visitor(in: "guest"), try running.visitor(in: "empty"))
        #expect(try owner.open("/lab/d/1/transactions").text.contains("Greenmarket"))
        // Even with the cookie of the other one's device.
        for (name, value) in owner.cookies where name != "breadly_lab" { unknown.cookies[name] = value }
        let page = try unknown.open("/lab/d/1/transactions")
        #expect(!page.text.contains("Greenmarket"))
        for path in [
            "/lab/d/0/", "/lab/d/4/", "/lab/d/../../etc/passwd", "/lab/d/1/../2/", "/transactions", "/lab/d/",
        ] {
            let status = try unknown.get(path).status
            #expect([400, 404, 303, 200].contains(status) && status != 500, "\(path): \(status)")
        }
        let none = Visitor(port: Int(running.demo.port))
        #expect(try none.get("/lab/d/1/transactions").status == 410)
    }

    @Test func wrongMethodsAndUnknownPagesHavePagesOfTheirOwn() throws {
        let visitor = try running.visitor()
        let reply = try visitor.get("/lab/worlds")
        #expect(reply.status == 405 && reply.header("allow") == "POST")
        #expect(try visitor.get("/lab/nothing").status == 404)
        #expect(try visitor.post("/lab/journeys/no-such/stage").status == 404)
        #expect(try visitor.get("/lab/sign-in?state=made-up").status == 404)
    }

    @Test func aWorldThatWasPutAwaySaysSoAndOffersANewOne() throws {
        let running = try RunningDemo { $0.worlds = 1 }
        let away = try running.visitor(in: "guest")
        _ = try away.open("/lab/d/1/")
        let newcomer = Visitor(port: Int(running.demo.port))
        _ = try newcomer.get("/lab")
        #expect(try newcomer.open("/lab/d/1/").text.contains("This browser has not begun yet"))
        let full = try newcomer.get("/lab")
        #expect(full.status == 503 && full.text.contains("The lab is full") && !full.text.contains("<iframe"))
        running.hands.advance(601)
        _ = try newcomer.get("/lab")
        #expect(try newcomer.post("/lab/worlds", [("world", "empty")]).status == 303)
        #expect(try newcomer.open("/lab/d/1/").text.contains("Get started"))
        let page = try away.get("/lab/d/1/transactions")
        #expect(page.status == 410 && page.text.contains("This world was put away"))
        #expect(page.text.contains("target=\"_top\""))
        #expect(try away.get("/lab/state.json").status == 410)
        running.hands.advance(601)
        #expect(try away.get("/lab").text.contains("Your earlier world was put away"))
    }

    @Test func serveHasNoLab() throws {
        var settings = Settings()
        settings.port = 0
        let folder = Scratch()
        settings.data = folder.path
        let app = try App(settings, resources: Resources(folder: repository), dependencies: .system())
        defer { app.stop() }
        let visitor = Visitor(port: Int(app.port))
        for path in ["/lab", "/lab/state.json", "/lab/d/1/", "/lab/journeys", "/lab/pages"] {
            #expect(try visitor.get(path).status == 404, "\(path)")
        }
    }
}

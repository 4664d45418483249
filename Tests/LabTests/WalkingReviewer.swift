// A reviewer who walks the guided journeys of a demo over HTTP: sets stages, presses the buttons of the lab, and uses its
// devices, each in a tab of its own.

import Foundation
import TestKit
import Testing

/// The people of the demo's identity provider.
let (anna, ben) = ("Anna Berger", "Ben Okafor")
/// The link of the demo's identity provider.
let provider = "Continue with Google (demo)"

/// The state of a reviewer's world, as `/lab/state.json` has it.
struct LabReport: Decodable {
    struct Device: Decodable, CustomStringConvertible {
        let n: Int
        let state: String?
        let tier: String?

        var description: String { "device \(n): \(state ?? "no state") \(tier ?? "")" }
    }

    struct Card: Decodable {
        let id: String
        let state: String
    }

    let journey: String?
    /// The event that has ended the journey early; empty for none.
    let interruption: String
    let expectations: [Bool]
    let devices: [Device]
    let journeys: [Card]
}

/// A reviewer with a world of their own.
final class WalkingReviewer {
    private let profile: BrowserProfile
    /// The tab with the page of the lab.
    private let lab: BrowserTab
    private var devices: [Int: WalkingDevice] = [:]

    init(port: Int) throws {
        profile = BrowserProfile(port: port)
        lab = BrowserTab(profile)
        try lab.open("/lab/journeys")
    }

    /// The state of the world. Asking for it moves the journey on.
    func report() throws -> LabReport {
        let reply = try LoadedPage(.page("/lab/state.json"), profile.port, profile.cookies).reply
        return try JSONDecoder().decode(LabReport.self, from: Data(reply.body))
    }

    /// Sets the stage by the button of a card, and opens the devices that the page of the lab has in its frames.
    func setStage(of journey: String) throws {
        try lab.open("/lab/journeys")
        let card = try #require(lab.page.place(nil, ["id": journey]))
        try lab.press(try #require(lab.page.place(.button, "Set the stage", in: card)))
        try openDevices(of: journey)
    }

    /// Begins the journey on stage again, by the button of its card.
    func beginAgain() throws {
        let journey = try #require(try report().journey)
        try lab.open("/lab")
        let card = try #require(lab.page.place(nil, ["id": journey]))
        try lab.press(try #require(lab.page.place(.button, "Begin this journey again", in: card)))
        try openDevices(of: journey)
    }

    /// The words that lead the card on stage.
    func lead() throws -> String {
        try lab.open("/lab")
        return lab.page.html.all(nil, ["data-renewed": ""]).map(\.text).joined(separator: " ")
    }

    private func openDevices(of journey: String) throws {
        // Otherwise it is the page that says why not.
        try #require(["/lab", "/lab?device=3"].contains(lab.address), "\(lab.page.words)")
        // A browser with the script has opened no sheet yet, whose words would count.
        let script = "breadly_lab_script"
        profile.cookies.set(script, below: "/lab", to: "1")
        defer { profile.cookies.set(script, below: "/lab", to: nil) }
        for place in lab.page.places("iframe", ["data-frame": ""]) {
            let frame = lab.page.html.elements[place]
            let number = try #require(frame["data-frame"].flatMap { Int($0) })
            let device = WalkingDevice(number, self, profile)
            try device.tab.open(try #require(frame["src"]))
            devices[number] = device
        }
        // The pages of the stage are here, and nothing was done: each sign needs a step.
        let report = try report()
        try #require(report.journey == journey)
        #expect(!report.expectations.contains(true), "\(journey) before its first step: \(summary)")
    }

    /// The device with a number.
    func device(_ number: Int) throws -> WalkingDevice { try #require(devices[number]) }

    /// Begins an empty world in place of the one that was walked, so that its devices stop.
    func leave() throws {
        try lab.open("/lab")
        try press("World", "Begin it", choosing: ["world": "empty"])
    }

    // MARK: - The buttons of the lab

    /// `+1 hour`, `+1 day`.
    func moveClock(_ label: String, at source: SourceLocation = #_sourceLocation) throws {
        try press("Clock", label, at: source)
    }

    /// `Subscribe`, `Approval pending`, `Renew`, `Expire`, `Refund`.
    func pressStore(_ label: String, at source: SourceLocation = #_sourceLocation) throws {
        try press("Store (demo)", label, at: source)
    }

    /// The line before the cloud: `On`, `Off`.
    func setCloud(_ label: String, at source: SourceLocation = #_sourceLocation) throws {
        try press("Cloud", label, at: source)
    }

    /// `Works`, `Down`, `Consent ends`.
    func setBank(_ label: String, at source: SourceLocation = #_sourceLocation) throws {
        try lab.open("/lab")
        let options = lab.page.html.all("option").filter {
            $0.text == label || $0.text.hasPrefix("\(label):")
        }
        let state = try #require(options.first?["value"], sourceLocation: source)
        try press("Bank (demo)", "Set", choosing: ["state": state], at: source)
    }

    /// The rates of the cloud: `Fresh`, `Two days old`, `None`.
    func setRates(_ label: String, at source: SourceLocation = #_sourceLocation) throws {
        try press("Rates", label, at: source)
    }

    /// The network of a device: `On`, `Off`.
    func setNetwork(of device: Int, _ label: String, at source: SourceLocation = #_sourceLocation) throws {
        try press(on: device, "/lab/network", label, at: source)
    }

    /// Ends the process of a device, whose page is loaded again.
    func kill(_ number: Int, at source: SourceLocation = #_sourceLocation) throws {
        try press(on: number, "/lab/kill", "Kill", at: source)
        try device(number).tab.reload()
    }

    /// Lets the process of a device die at an effect.
    func kill(_ number: Int, at effect: String) throws {
        try press(on: number, "/lab/kill", "Kill", choosing: ["effect": effect], at: #_sourceLocation)
        try #require(try isKillDue(of: number))
    }

    /// Whether the process of a device is still to die at an effect.
    func isKillDue(of number: Int) throws -> Bool {
        try lab.open("/lab")
        return lab.page.html.first(nil, ["data-armed": "\(number)"])?.text.isEmpty == false
    }

    /// Lets the session of a device expire.
    func expireSession(of device: Int, at source: SourceLocation = #_sourceLocation) throws {
        try press(on: device, "/lab/session", "Let it expire", at: source)
    }

    /// Presses a button of the panel with a heading.
    private func press(
        _ heading: String,
        _ label: String,
        choosing chosen: [String: String] = [:],
        at source: SourceLocation = #_sourceLocation
    ) throws {
        try lab.open("/lab")
        let title = lab.page.places("h2").first { lab.page.html.elements[$0].text == heading }
        let panel = title.flatMap { lab.page.html.elements[$0].ancestors.last }
        try press(label, in: panel, choosing: chosen, at: source)
    }

    /// Presses a button below a device, in the form of an address.
    private func press(
        on device: Int,
        _ action: String,
        _ label: String,
        choosing chosen: [String: String] = [:],
        at source: SourceLocation
    ) throws {
        try lab.open("/lab")
        let box = lab.page.place("article", ["data-device": "\(device)"])
        let form = lab.page.place("form", ["action": action], in: box)
        try press(label, in: form, choosing: chosen, at: source)
    }

    private func press(
        _ label: String,
        in part: Int?,
        choosing chosen: [String: String] = [:],
        at source: SourceLocation
    ) throws {
        let part = try #require(part, sourceLocation: source)
        let button = try #require(lab.page.place(.button, label, in: part), sourceLocation: source)
        try lab.press(button, typing: chosen, at: source)
        // A refusal has a page of its own.
        try #require(lab.address == "/lab" || lab.address.hasPrefix("/lab?"), sourceLocation: source)
        try #require(lab.page.place(nil, ["data-clock": ""]) != nil, sourceLocation: source)
    }

    // MARK: - What the reviewer waits for

    /// Opens a page of a device again and again until it shows a text, as a person does after an error.
    /// - Parameter other: a text that ends the waiting as well.
    func waits(
        for text: String,
        orFor other: String? = nil,
        on path: String,
        of number: Int,
        at source: SourceLocation = #_sourceLocation
    )
        throws
    {
        let device = try device(number)
        let isShown = try becomesTrue {
            try device.open(path)
            let page = device.tab.page
            return page.shows(text) || other.map(page.shows) == true
        }
        try #require(isShown, "\(text): \(device.tab.page.words)", sourceLocation: source)
    }

    /// Waits until the first signs of the journey have come true.
    func waits(forFirst count: Int, at source: SourceLocation = #_sourceLocation) throws {
        let areReached = try becomesTrue { try report().expectations.prefix(count).allSatisfy(\.self) }
        try #require(areReached, "\(summary)", sourceLocation: source)
    }

    /// Waits for the check mark, in the state of the world and on the page of the lab.
    func waitsForCheckMark(of journey: String) throws {
        func isReached() throws -> Bool {
            try report().journeys.contains { $0.id == journey && $0.state == "reached" }
        }
        let isReached = try becomesTrue(isReached)
        try #require(isReached, "\(summary)")
        try lab.open("/lab")
        let card = try #require(lab.page.place(nil, ["id": journey]))
        let mark = try #require(lab.page.place(nil, ["data-walk": "reached"], in: card))
        #expect(lab.page.isInSight(mark) && lab.page.html.elements[mark].text == "walked")
    }

    /// The course of the journey so far, for the message of a failure.
    var summary: String {
        guard let report = try? report(), (try? lab.open("/lab")) != nil else {
            return "the demo does not answer"
        }
        let list = lab.page.place("ul", ["class": "lab-checks"])
        let lines = lab.page.places("li", in: list).map { lab.page.html.elements[$0].text }
        let signs = zip(report.expectations, lines).map { "\($0 ? "+" : "-") \($1)" }
        return (signs + report.devices.map(\.description)).joined(separator: "\n")
    }
}

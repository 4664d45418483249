// The page of the lab: the devices side by side, and everything that can happen to them.

import BankFeeds
import DeviceStore
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Templates
import Texts
import Web

/// A reviewer's world on one page.
struct LabPage: Page {
    static let template = "lab/index"

    let assets: LabAssets
    let csrf: String
    /// As `Reviewer.Present`.
    let number: Int
    let kind: WorldKind
    let clock: String
    let devices: [DeviceBox]
    /// The device that a narrow screen shows.
    let shown: Int
    let cloud: [LabChoice]
    let subscription: Text
    /// The device whose user the store sells to.
    let customer: Int?
    /// Whether there is an account whose subscription can change.
    let sells: Bool
    let rates: [LabChoice]
    let bank: DemoBank.Behaviour
    let journey: JourneyCard?
    /// The parts of the page that the steps to do now mean.
    let meant: Set<LabPlace>
    /// Whether the world is made, so that the devices can be shown.
    let hasWorld: Bool
    let tour: [JourneyCard]
    let groups: [JourneyGroup]
    /// Whether the world is new, in place of a world that was wiped.
    let isAnew: Bool
    /// As `World.killReport`.
    let said: Text?

    static let keys = Keys<LabPage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .text("csrf") { $0.csrf }
        .text("world_number") { "\($0.number)" }
        .text("clock") { $0.clock }
        .message("story") { $0.kind.story }
        .list("worlds", of: LabChoice.self) { page in
            WorldKind.allCases.map {
                LabChoice(value: $0.rawValue, label: $0.label, isChosen: $0 == page.kind)
            }
        }
        .list("devices", of: DeviceBox.self) { $0.devices }
        .integer("shown") { Int64($0.shown) }
        .list("times", of: LabChoice.self) { _ in
            TimeStep.allCases.map { LabChoice(value: $0.rawValue, label: $0.label) }
        }
        .list("cloud_lines", of: LabChoice.self) { $0.cloud }
        .message("subscription") { $0.subscription }
        .flag("sells") { $0.sells }
        .list("customers", of: LabChoice.self) { page in
            page.devices.map {
                LabChoice(
                    value: "\($0.number)",
                    label: Text("lab.device-number", ["number": .string("\($0.number)")]),
                    isChosen: $0.number == page.customer
                )
            }
        }
        .list("store_actions", of: LabChoice.self) { _ in
            StoreAction.allCases.map { LabChoice(value: $0.rawValue, label: $0.label) }
        }
        .list("rate_states", of: LabChoice.self) { $0.rates }
        .text("bank") { $0.bank.rawValue }
        .list("bank_behaviours", of: LabChoice.self) { page in
            DemoBank.Behaviour.allCases.map {
                LabChoice(value: $0.rawValue, label: $0.labelWithEffect, isChosen: $0 == page.bank)
            }
        }
        .list("kill_points", of: LabChoice.self) { _ in
            KillPoint.allCases.map { LabChoice(value: $0.rawValue, label: $0.label) }
        }
        .list("nodes", of: DiagramNode.self) { page in
            Diagram.nodes(Dictionary(uniqueKeysWithValues: page.devices.map { ($0.number, $0.state) }))
        }
        .list("edges", of: DiagramEdge.self) { _ in Diagram.edges }
        .model("journey", of: JourneyCard.self) { $0.journey }
        .flag("clock_is_meant") { $0.meant.contains(.clock) }
        .flag("store_is_meant") { $0.meant.contains(.store) }
        .flag("cloud_is_meant") { $0.meant.contains(.cloud) }
        .flag("rates_are_meant") { $0.meant.contains(.rates) }
        .flag("bank_is_meant") { $0.meant.contains(.bank) }
        .flag("has_world") { $0.hasWorld }
        .list("tour", of: JourneyCard.self) { $0.tour }
        .list("groups", of: JourneyGroup.self) { $0.groups }
        .flag("is_anew") { $0.isAnew }
        .optionalMessage("said") { $0.said }
}

/// One device of the page.
struct DeviceBox: TemplateModel {
    let number: Int
    let isShown: Bool
    let state: String
    let lines: [LabChoice]
    /// The effect at which its process is to die.
    let deadly: KillPoint?
    let transitions: [TransitionRecord]
    /// As `LabPage.meant`.
    let meant: Set<LabPlace>

    static let keys = Keys<DeviceBox>()
        .integer("number") { Int64($0.number) }
        .address("address") { Link.labDevice($0.number).text }
        .address("tab") { Link.lab.adding(query: [("device", "\($0.number)")]).text }
        .flag("is_shown") { $0.isShown }
        .text("state") { inWords($0.state) }
        .list("lines", of: LabChoice.self) { $0.lines }
        .optionalMessage("armed_text") { box in
            box.deadly.map { Text("lab.dies-later", ["moment": .text($0.label)]) }
        }
        .flag("is_meant") { $0.meant.contains(.device($0.number)) }
        .flag("network_is_meant") { $0.meant.contains(.network($0.number)) }
        .flag("kill_is_meant") { $0.meant.contains(.kill($0.number)) }
        .flag("session_is_meant") { $0.meant.contains(.session($0.number)) }
        .list("transitions", of: LabTransition.self) { $0.transitions.map { LabTransition(record: $0) } }
}

/// A transition of a device, as one line.
struct LabTransition: TemplateModel {
    let record: TransitionRecord

    static let keys = Keys<LabTransition>()
        .text("event") { $0.record.event }
        .text("from") { inWords($0.record.from) }
        .text("to") { inWords($0.record.to) }
}

/// `GET /lab`: the reviewer's world.
enum LabShow {
    static func answer(_ call: LabCall) -> Response {
        let (lab, reviewer) = (call.lab, call.reviewer)
        guard lab.reviewers.hasRoom(for: reviewer) else { return lab.problem(.full) }
        reviewer.check()
        let present = reviewer.now
        let world = present.world
        let shown = call.request.query.first("device").flatMap { call.number($0) } ?? 1
        let walk = present.walk
        let journeys = lab.parts.journeys
        let journey = walk.map { JourneyCard($0.journey, of: journeys, present, leads: true) }
        let meant = journey?.interruption == nil ? walk?.places ?? [] : []
        let tour = journeys.tour.map { JourneyCard($0, of: journeys, present) }
        let sells = world?.customer != nil
        return lab.page(
            LabPage(
                assets: lab.assets,
                csrf: lab.csrf(reviewer),
                number: present.number,
                kind: present.kind,
                clock: LabState.time(world?.clock.milliseconds ?? WorldClock.beginning),
                devices: (1...LabParts.mostDevices).map { number in
                    let part = world?.device(number)
                    let device = part?.device
                    return DeviceBox(
                        number: number,
                        isShown: number == shown,
                        state: device?.state.name ?? State.uninitialized.name,
                        lines: choices(part?.line.state ?? .on),
                        deadly: part?.deadlyEffect,
                        transitions: ((try? device?.transitions()) ?? []).suffix(6).reversed(),
                        meant: meant
                    )
                },
                shown: shown,
                cloud: choices(world?.cloudLine.state ?? .on, LineState.ofCloud),
                subscription: LabState.subscription(world),
                customer: world?.customerDevice,
                sells: sells,
                rates: RateState.allCases.map {
                    LabChoice(
                        value: $0.rawValue,
                        label: $0.label,
                        isChosen: $0 == world?.rates.state ?? .fresh
                    )
                },
                bank: world?.bank.behaviour ?? .works,
                journey: journey,
                meant: meant,
                hasWorld: world != nil,
                tour: tour,
                groups: JourneyGroup.all(journeys, present),
                isAnew: call.isLost,
                said: world?.killReport.text
            )
        )
    }

    private static func choices(_ state: LineState, _ usual: [LineState] = LineState.usual) -> [LabChoice] {
        // A state that only a stage sets has a button as long as it lasts.
        let states = usual.contains(state) ? usual : usual + [state]
        return states.map {
            LabChoice(value: $0.rawValue, label: $0.label, isChosen: $0 == state, help: $0.help)
        }
    }
}

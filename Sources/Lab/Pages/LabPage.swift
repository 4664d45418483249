// The page of the lab: the devices side by side, and everything that can happen to them.

import BankFeeds
import DeviceStore
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Pages
import Templates
import Texts

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
    let rates: [LabChoice]
    let bank: DemoBank.Behaviour
    let journey: JourneyCard?
    /// Whether the world is a new one in place of one that was wiped.
    let isAnew: Bool

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
        .flag("is_anew") { $0.isAnew }
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

/// A journey as a card.
struct JourneyCard: TemplateModel {
    let journey: Journey
    let state: WalkState
    /// The number of expectations that have come true.
    let reached: Int
    /// The real time at which it was reached, in UTC seconds.
    let reachedAt: Int64?

    static let keys = Keys<JourneyCard>()
        .text("id") { $0.journey.id }
        .address("stage", head: Link.labJourneyStage.head, tail: Link.labJourneyStage.tail) { $0.journey.id }
        .message("title") { $0.journey.title }
        .message("story") { $0.journey.story }
        .messages("sources") { $0.journey.sources.map(\.label) }
        .messages("steps") { $0.journey.steps }
        .list("expectations", of: ExpectationLine.self) { card in
            card.journey.expectations.enumerated().map {
                ExpectationLine(
                    text: $0.element.label,
                    isReached: $0.offset < card.reached || card.state == .reached
                )
            }
        }
        .text("state") { $0.state.rawValue }
        .message("state_label") { $0.state.label }
        .flag("is_reached") { $0.state == .reached }
        .optional("reached_at") { $0.reachedAt.map { LabState.time($0 * 1_000) } }
        .optionalMessage("missing") { $0.journey.missing }
        .optionalMessage("patience") { $0.journey.world == .bigBook ? Text("lab.first-big-book") : nil }
        .flag("can_stage") { $0.journey.missing == nil }
}

/// An expectation of a journey, with its check mark.
struct ExpectationLine: TemplateModel {
    let text: Text
    let isReached: Bool

    static let keys = Keys<ExpectationLine>()
        .message("text") { $0.text }
        .flag("is_reached") { $0.isReached }
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
                        transitions: ((try? device?.transitions()) ?? []).suffix(6).reversed()
                    )
                },
                shown: shown,
                cloud: choices(world?.cloudLine.state ?? .on),
                subscription: LabState.subscription(world),
                customer: world?.customerDevice,
                rates: RateState.allCases.map {
                    LabChoice(
                        value: $0.rawValue,
                        label: $0.label,
                        isChosen: $0 == world?.rates.state ?? .fresh
                    )
                },
                bank: world?.bank.behaviour ?? .works,
                journey: walk.map {
                    JourneyCard(
                        journey: $0.journey,
                        state: reviewer.state(of: $0.journey),
                        reached: $0.reached,
                        reachedAt: present.reached[$0.journey.id]
                    )
                },
                isAnew: call.isLost
            )
        )
    }

    private static func choices(_ state: LineState) -> [LabChoice] {
        LineState.allCases.map {
            LabChoice(value: $0.rawValue, label: $0.label, isChosen: $0 == state, help: $0.help)
        }
    }
}

// The state of a world as JSON, for the lab's script and for tests.

import BankFeeds
import CloudProtocol
import Devices
import Encoding
import Foundation
import HTTPServer
import Ledger
import Lifecycle
import Texts
import Web

/// `GET /lab/state.json`: the world, its clock, its devices and the journeys.
enum LabStateShow {
    static func answer(_ call: LabCall) -> Response {
        call.reviewer.check()
        let state = LabState.json(call.reviewer, call.lab)
        return Response(
            .ok,
            headers: [("Content-Type", "application/json")],
            body: .bytes(Array(state.description.utf8))
        )
    }
}

enum LabState {
    static func json(_ reviewer: Reviewer, _ lab: Lab) -> JSON {
        let present = reviewer.now
        let world = present.world
        func string(_ text: Text) -> JSON { .text(lab.parts.texts.string(text)) }
        return .object([
            ("world", .text(present.kind.rawValue)), ("number", .number(Int64(present.number))),
            ("clock", .text(time(world?.clock.milliseconds ?? WorldClock.beginning))),
            ("cloud", .text((world?.cloudLine.state ?? .on).rawValue)),
            ("store", string(subscription(world))),
            ("sells", .flag(world?.customer != nil)),
            ("customer", .text(world?.customerDevice.map { "\($0)" } ?? "")),
            ("rates", .text((world?.rates.state ?? .fresh).rawValue)),
            ("bank", .text((world?.bank.behaviour ?? .works).rawValue)),
            ("said", world?.killReport.text.map(string) ?? .null),
            ("devices", .list((1...LabParts.mostDevices).map { report($0, world?.device($0)) })),
            ("journey", present.walk.map { .text($0.journey.id) } ?? .null),
            ("interruption", .text(present.interruption?.key ?? "")),
            (
                "expectations",
                .list(
                    present.walk.map { walk in
                        walk.journey.expectations.indices.map { .flag($0 < walk.reached) }
                    } ?? []
                )
            ),
            (
                "journeys",
                .list(
                    lab.parts.journeys.all.map { journey -> JSON in
                        let state = present.state(of: journey)
                        return .object([
                            ("id", .text(journey.id)), ("title", string(journey.title)),
                            ("state", .text(state.rawValue)), ("label", string(state.label)),
                            ("walks", .number(Int64(present.marks[journey.id]?.walks ?? 0))),
                        ])
                    }
                )
            ),
        ])
    }

    private static func report(_ number: Int, _ part: LabDevice?) -> JSON {
        let device = part?.device
        let lease = device.flatMap { Site.showsBook($0) ? $0.glance() : nil }
        defer { lease?.giveBack() }
        let report = try? Site.report(of: device, lease?.book, device?.syncStatus(in: lease?.book))
        let transitions = ((try? device?.transitions()) ?? []).suffix(6).reversed().map { record -> JSON in
            .object([("event", .text(record.event)), ("from", .text(record.from)), ("to", .text(record.to))])
        }
        return .object(
            [("n", .number(Int64(number)))] + (report ?? [])
                + [
                    ("network", .text((part?.line.state ?? .on).rawValue)),
                    ("armed", part?.deadlyEffect.map { .text($0.rawValue) } ?? .null),
                    ("transitions", .list(Array(transitions))),
                ]
        )
    }

    /// A time as `2026-11-21 12:00 UTC`.
    static func time(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = CivilDate(dayNumber: Int32(clamping: minutes / 1_440))
        return "\(day) \(two(minutes / 60 % 24)):\(two(minutes % 60)) UTC"
    }

    /// The name of the customer, and the state of their subscription, in a few words.
    static func subscription(_ world: World?) -> Text {
        guard let world, let customer = world.customer else {
            return world?.customerDevice.map { Text("lab.no-user-on-device", ["device": .string("\($0)")]) }
                ?? Text("lab.no-account")
        }
        let entitlement = world.store.entitlement(of: customer.id)
        let end: [String: Text.Argument] = [
            "time": .string(entitlement.expiresAt.map { time($0 * 1_000) } ?? "")
        ]
        let subscription =
            switch entitlement.status {
            case .none: Text("lab.no-subscription")
            case .pending: Text("lab.waits-for-approval")
            case .active where entitlement.willRenew: Text("lab.renews-on", end)
            case .active: Text("lab.ends-on", end)
            case .grace: Text("lab.payment-fails-until", end)
            case .expired: Text("lab.ended-on", end)
            case .revoked: Text("lab.refunded-on", end)
            }
        return Text(
            "lab.subscription-of",
            ["person": .string(customer.name), "subscription": .text(subscription)]
        )
    }
}

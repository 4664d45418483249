// The list of all journeys: which of them were walked, and the report for printing.

import HTTPServer
import Links
import Templates
import Texts
import Web

/// All journeys as cards.
struct JourneysPage: Page {
    static let template = "lab/journeys"
    let assets: LabAssets
    let csrf: String
    let tour: [JourneyCard]
    let groups: [JourneyGroup]
    let clock: String
    /// That of the program.
    let version: String

    static let keys = Keys<JourneysPage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .text("csrf") { $0.csrf }
        .text("version") { $0.version }
        .text("printed_at") { $0.clock }
        .list("tour", of: JourneyCard.self) { $0.tour }
        .list("groups", of: JourneyGroup.self) { $0.groups }
        .message("walked") { page in
            let cards = page.groups.flatMap(\.cards)
            let walked = cards.count { $0.isWalked }
            // A journey that was walked before counts as walked also while it is on stage again.
            let begun = cards.count { !$0.isWalked && $0.state == .staged }
            return Text(
                "lab.walked-of",
                [
                    "walked": .string("\(walked)"), "all": .string("\(cards.count)"),
                    "begun": .string("\(begun)"), "open": .string("\(cards.count - walked - begun)"),
                ]
            )
        }
}

/// The cards under one heading.
struct JourneyGroup: TemplateModel {
    let id: String
    let label: Text
    let cards: [JourneyCard]

    /// All of them, as they are for a reviewer.
    static func all(_ journeys: Journeys, _ present: Reviewer.Present) -> [JourneyGroup] {
        journeys.groups.map { group in
            let cards = group.journeys.map { JourneyCard($0, of: journeys, present) }
            return JourneyGroup(id: group.id, label: group.label, cards: cards)
        }
    }

    static let keys = Keys<JourneyGroup>()
        .text("id") { $0.id }
        .address("address") { Link.labJourneys.adding(fragment: $0.id).text }
        .message("label") { $0.label }
        .message("count") { group in
            let walked = group.cards.count { $0.isWalked }
            return Text(
                "lab.so-many-walked",
                ["walked": .string("\(walked)"), "all": .string("\(group.cards.count)")]
            )
        }
        .flag("is_open") { group in group.cards.allSatisfy { $0.state == .open } }
        .list("journeys", of: JourneyCard.self) { $0.cards }
}

/// `GET /lab/journeys`: the list.
enum JourneysShow {
    static func answer(_ call: LabCall) -> Response {
        let (lab, reviewer) = (call.lab, call.reviewer)
        reviewer.check()
        let (present, journeys) = (reviewer.now, lab.parts.journeys)
        return lab.page(
            JourneysPage(
                assets: lab.assets,
                csrf: lab.csrf(reviewer),
                tour: journeys.tour.map { JourneyCard($0, of: journeys, present) },
                groups: JourneyGroup.all(journeys, present),
                clock: LabState.time(lab.parts.seconds() * 1_000),
                version: lab.parts.version
            )
        )
    }
}

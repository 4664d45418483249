// The list of all journeys: which of them were walked, and the report for printing.

import HTTPServer
import Pages
import Templates
import Texts

/// All journeys as cards.
struct JourneysPage: Page {
    static let template = "lab/journeys"
    let assets: LabAssets
    let csrf: String
    let groups: [JourneyGroup]
    let clock: String
    /// That of the program.
    let version: String

    static let keys = Keys<JourneysPage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .text("csrf") { $0.csrf }
        .text("version") { $0.version }
        .text("printed_at") { $0.clock }
        .list("groups", of: JourneyGroup.self) { $0.groups }
        .message("walked") { page in
            let cards = page.groups.flatMap(\.cards)
            func count(_ state: WalkState) -> Text.Argument {
                .string("\(cards.count { $0.state == state })")
            }
            return Text(
                "lab.walked-of",
                [
                    "walked": count(.reached), "all": .string("\(cards.count)"),
                    "begun": count(.staged), "open": count(.open),
                ]
            )
        }
}

/// The cards under one heading.
struct JourneyGroup: TemplateModel {
    let label: Text
    let cards: [JourneyCard]

    static let keys = Keys<JourneyGroup>()
        .message("label") { $0.label }
        .flag("is_open") { group in group.cards.allSatisfy { $0.state == .open } }
        .list("journeys", of: JourneyCard.self) { $0.cards }
}

/// `GET /lab/journeys`: the list.
enum JourneysShow {
    static func answer(_ call: LabCall) -> Response {
        let (lab, reviewer) = (call.lab, call.reviewer)
        reviewer.check()
        let present = reviewer.now
        return lab.page(
            JourneysPage(
                assets: lab.assets,
                csrf: lab.csrf(reviewer),
                groups: Journeys.groups.map { group in
                    JourneyGroup(
                        label: group.label,
                        cards: group.journeys.map { journey in
                            let walk = present.walk.flatMap { $0.journey.id == journey.id ? $0 : nil }
                            return JourneyCard(
                                journey: journey,
                                state: reviewer.state(of: journey),
                                reached: walk?.reached ?? 0,
                                reachedAt: present.reached[journey.id]
                            )
                        }
                    )
                },
                clock: LabState.time(lab.parts.seconds() * 1_000),
                version: lab.parts.version
            )
        )
    }
}

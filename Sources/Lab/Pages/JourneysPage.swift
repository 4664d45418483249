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
    let cards: [JourneyCard]
    let clock: String

    static let keys = Keys<JourneysPage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .text("csrf") { $0.csrf }
        .text("printed_at") { $0.clock }
        .list("journeys", of: JourneyCard.self) { $0.cards }
        .message("walked") { page in
            func count(_ state: WalkState) -> Text.Argument {
                .string("\(page.cards.count { $0.state == state })")
            }
            return Text(
                "lab.walked-of",
                [
                    "walked": count(.reached), "all": .string("\(page.cards.count)"),
                    "begun": count(.staged), "open": count(.open),
                ]
            )
        }
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
                cards: Journeys.all.map { journey in
                    let walk = present.walk.flatMap { $0.journey.id == journey.id ? $0 : nil }
                    return JourneyCard(
                        journey: journey,
                        state: reviewer.state(of: journey),
                        reached: walk?.reached ?? 0,
                        reachedAt: present.reached[journey.id]
                    )
                },
                clock: LabState.time(lab.parts.seconds() * 1_000)
            )
        )
    }
}

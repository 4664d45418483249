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
            let walked = page.cards.count { $0.state == .reached }
            return Text(
                "lab.walked-of",
                ["walked": .string("\(walked)"), "all": .string("\(page.cards.count)")]
            )
        }
}

/// `GET /lab/journeys`: the list.
enum JourneysShow {
    static func answer(_ call: LabCall) -> Response {
        let (lab, reviewer) = (call.lab, call.reviewer)
        reviewer.check(at: call.lab.parts.seconds())
        let walk = reviewer.now.walk
        return lab.page(
            JourneysPage(
                assets: lab.assets,
                csrf: lab.csrf(reviewer),
                cards: Journeys.all.map { journey in
                    let reached = walk?.journey.id == journey.id ? walk?.reached ?? 0 : 0
                    return JourneyCard(journey: journey, state: reviewer.state(of: journey), reached: reached)
                },
                clock: LabState.time(lab.parts.seconds() * 1_000)
            )
        )
    }
}

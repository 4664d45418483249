// The journeys of the product: from the first visit to the lost device.

import Ledger
import Texts

extension Journeys {
    static let product: [Journey] = [
        Journey(
            "first-visit",
            [.journey(1)],
            Text("journeys.first-visit"),
            Text("journeys.first-visit-story"),
            in: .empty,
            steps: [Text("journeys.first-visit-1"), Text("journeys.first-visit-2")],
            expecting: [
                .reads(1, Text("chrome.sign-in-and-upgrade-to-protect")), .isIn(1, "local_only"), .has(1, .guest),
            ]
        ),
    ]
}

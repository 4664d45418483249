// The journeys of bank connections.

import Ledger
import Texts

extension Journeys {
    static let banks: [Journey] = [
        Journey(
            "connect-a-bank",
            [.banks],
            Text("journeys.connect-a-bank"),
            Text("journeys.connect-a-bank-story"),
            in: .free,
            steps: [
                Text("journeys.connect-a-bank-1"), Text("journeys.connect-a-bank-2"),
                Text("journeys.connect-a-bank-3"), Text("journeys.connect-a-bank-4"),
                Text("journeys.connect-a-bank-5"), Text("journeys.connect-a-bank-6"),
                Text("journeys.connect-a-bank-7"),
            ],
            expecting: [
                .reads(1, Text("banks.bank-connected")), .reads(1, .verbatim("Everyday account")),
                .reads(1, Text("banks.why-unreachable")), .readsNext(1, Text("banks.refreshed")),
                .reads(1, Text("notices.bank-consent-ended")), .reads(1, Text("banks.disconnected")),
                .isIn(1, "local_only"), .has(1, .free),
            ]
        )
    ]
}

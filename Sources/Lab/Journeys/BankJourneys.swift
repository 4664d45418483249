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
                JourneyStep(Text("journeys.connect-a-bank-1"), .device(1)),
                JourneyStep(Text("journeys.connect-a-bank-2"), .device(1)),
                JourneyStep(Text("journeys.connect-a-bank-3"), .bank, .device(1)),
                JourneyStep(Text("journeys.connect-a-bank-4"), .bank, .clock, .device(1)),
                JourneyStep(Text("journeys.connect-a-bank-5"), .bank, .device(1)),
                JourneyStep(Text("journeys.connect-a-bank-6"), .device(1)),
                JourneyStep(Text("journeys.connect-a-bank-7"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("banks.bank-connected")), .reads(1, .verbatim("Everyday account")),
                .reads(1, Text("banks.why-unreachable")), .readsNext(1, Text("banks.refreshed"), in: .toast),
                .reads(1, Text("notices.bank-consent-ended")), .reads(1, Text("banks.disconnected")),
                .isIn(1, "local_only"), .has(1, .free),
            ],
            at: [2, 2, 3, 4, 5, 7, 7, 7]
        )
    ]
}

// The journey of a bank that is connected on one device, and once more on another one.

import Ledger
import Texts

extension Journeys {
    static let reconnections: [Journey] = [
        Journey(
            "reconnect-a-bank",
            [.banks],
            Text("journeys.reconnect-a-bank"),
            Text("journeys.reconnect-a-bank-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("journeys.connect-a-bank-1"), .device(1)),
                JourneyStep(Text("journeys.reconnect-a-bank-2"), .device(1)),
                JourneyStep(Text("journeys.reconnect-a-bank-3"), .device(2)),
                JourneyStep(Text("journeys.reconnect-a-bank-4"), .device(2)),
                JourneyStep(Text("journeys.reconnect-a-bank-5"), .device(2)),
                JourneyStep(Text("journeys.reconnect-a-bank-6"), .device(2)),
            ],
            expecting: [
                .reads(1, Text("banks.accounts-joined")), .reads(2, Text("banks.not-connected-here")),
                .reads(2, Text("banks.bank-connected")),
                .readsNext(2, Text("banks.as-of", ["at": Expectation.any])), .isInStep(1), .isInStep(2),
                .sameBooks(1, 2),
            ],
            at: [2, 3, 5, 6, 6, 6, 6]
        )
    ]
}

// The journey of two devices that have changed the same.

import Ledger
import Texts

extension Journeys {
    static let conflicts: [Journey] = [
        Journey(
            "conflict",
            [.conflicts],
            Text("journeys.conflict"),
            Text("journeys.conflict-story"),
            in: .conflict,
            steps: [
                JourneyStep(Text("journeys.conflict-1"), .device(1)),
                JourneyStep(Text("journeys.conflict-2"), .device(1)),
                JourneyStep(Text("journeys.conflict-3"), .device(2)),
            ],
            expecting: [
                .reads(1, Text("sync.two-devices-changed-the")), .readsNext(1, Text("sync.decided")),
                .reads(1, Text("sync.there-is-nothing-to")), .isInStep(1), .isInStep(2), .sameBooks(1, 2),
                .readsEither(2, amounts[0], amounts[1]),
            ],
            at: [1, 2, 2, 3, 3, 3, 3]
        )
    ]

    /// The two values, as the pages of the world show them.
    private static let amounts = Stage.conflictingMinor.map { minor in
        Text.verbatim("€\(minor / 100).\(minor % 100)")
    }
}

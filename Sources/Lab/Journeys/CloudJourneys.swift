// The journeys of a cloud that has lost the data of an account, and of a cloud that refuses changes.

import Ledger
import Texts

extension Journeys {
    static let cloud: [Journey] = [
        Journey(
            "data-deleted-elsewhere",
            [.safety(8)],
            Text("journeys.data-deleted-elsewhere"),
            Text("journeys.data-deleted-elsewhere-story"),
            in: .premium,
            stage: [.line(1, .off), .line(2, .off), .store(.expire)],
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(3)), .device(3)),
                JourneyStep(Text("journeys.choose-anna"), .device(3)),
                JourneyStep(Text("journeys.blocked-delete-3"), .device(3)),
                JourneyStep(Text("journeys.type-the-sentence"), .device(3)),
                JourneyStep(Text("journeys.data-deleted-elsewhere-5"), .store),
                JourneyStep(Text("journeys.press-network-on", device(1)), .network(1)),
                JourneyStep(Text("journeys.data-deleted-elsewhere-7"), .device(1)),
                JourneyStep(Text("journeys.data-deleted-elsewhere-8"), .device(1)),
            ],
            expecting: [
                .reads(3, Text("user-account.you-have-data-stored")), .isIn(3, "local_only"), .has(3, .free),
                .isIn(3, "synced"),
                .reads(1, Text("notices.data-deleted")), .reads(1, Text("sync.data-deleted")),
                .isInStep(1), .isInStep(3), .sameBooks(1, 3),
            ],
            at: [2, 4, 4, 5, 7, 7, 8, 8, 8]
        ),
        Journey(
            "change-refused",
            [.refusals],
            Text("journeys.change-refused"),
            Text("journeys.change-refused-story"),
            in: .premium,
            stage: [.cloud(.full)],
            steps: [
                JourneyStep(
                    Text(
                        "journeys.change-refused-1",
                        ["retried": .text(retried), "reverted": .text(reverted)]
                    ),
                    .device(1)
                ),
                JourneyStep(Text("journeys.change-refused-2"), .device(1)),
                JourneyStep(
                    Text("journeys.change-refused-3", ["reverted": .text(reverted)]),
                    .device(1)
                ),
                JourneyStep(Text("journeys.change-refused-4"), .cloud),
                JourneyStep(Text("journeys.change-refused-5", ["retried": .text(retried)]), .device(1)),
                JourneyStep(Text("journeys.change-refused-6", ["retried": .text(retried)]), .device(2)),
            ],
            expecting: [
                .reads(1, Text("sync.changes-not-taken")),
                .reads(1, Text("sync.refused-account-full", ["size": Expectation.any])),
                .readsNext(1, Text("sync.change-taken-back")), .isInStep(1), .sameBooks(1, 2),
                .reads(2, retried),
            ],
            at: [2, 2, 3, 5, 6, 6]
        ),
    ]

    /// The payees of the two expenses, so that a page of the other device says which of them has arrived.
    private static let retried = Text("journeys.lemon-tart")
    private static let reverted = Text("journeys.lime-pie")
}

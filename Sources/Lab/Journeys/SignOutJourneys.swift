// The journeys of signing out: one for each row of its table.

import Ledger
import Texts

extension Journeys {
    static let signingOut: [Journey] = [
        Journey(
            "sign-out-guest",
            [.signOut(1)],
            Text("journeys.sign-out-guest"),
            Text("journeys.sign-out-guest-story"),
            in: .guest,
            steps: [
                JourneyStep(Text("journeys.open-settings", device(1)), .device(1)),
                JourneyStep(Text("journeys.sign-out-guest-2"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("settings.sign-in-to-protect")), .readsNever(1, Text("settings.sign-out")),
                .has(1, .guest),
            ],
            at: [1, 2, 2]
        ),
        Journey(
            "sign-out-free",
            [.signOut(2), .safety(6)],
            Text("journeys.sign-out-free"),
            Text("journeys.sign-out-free-story"),
            in: .free,
            steps: [
                JourneyStep(Text("journeys.sign-out", device(1)), .device(1)),
                JourneyStep(Text("journeys.type-the-sentence"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.all-your-data-will-be-deleted")),
                .reads(1, Text("user-account.phrase-all-my-data")), .isIn(1, "onboarding"), .has(1, .guest),
            ],
            at: [1, 1, 2, 2]
        ),
        Journey(
            "sign-out-premium",
            [.signOut(3), .journey(8), .safety(6)],
            Text("journeys.sign-out-premium"),
            Text("journeys.sign-out-premium-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("journeys.sign-out", device(1)), .device(1)),
                JourneyStep(Text("journeys.sign-out-premium-2"), .device(1)),
                JourneyStep(Text("journeys.sign-out-premium-3"), .device(2)),
            ],
            expecting: [
                .reads(1, Text("user-account.your-data-stays-in-the-cloud")), .isIn(1, "onboarding"),
                .has(1, .guest),
                .isIn(2, "synced"), .isInStep(2),
            ],
            at: [1, 2, 2, 3, 3]
        ),
        Journey(
            "sign-out-pending",
            [.signOut(4)],
            Text("journeys.sign-out-pending"),
            Text("journeys.sign-out-pending-story"),
            in: .premium,
            stage: [.line(1, .slow)],
            steps: [
                JourneyStep(Text("journeys.add-an-expense", device(1)), .device(1)),
                JourneyStep(Text("journeys.sign-out-pending-2"), .device(1)),
                JourneyStep(Text("journeys.sign-out-pending-3"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.uploading", ["done": .count(0), "total": .count(1)])),
                .reads(1, Text("user-account.you-are-signed-out")), .isIn(1, "onboarding"), .has(1, .guest),
            ],
            at: [2, 3, 3, 3]
        ),
        Journey(
            "sign-out-unreachable",
            [.signOut(5)],
            Text("journeys.sign-out-unreachable"),
            Text("journeys.sign-out-unreachable-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("journeys.add-an-expense", device(1)), .device(1)),
                JourneyStep(Text("journeys.sign-out", device(1)), .device(1)),
                JourneyStep(Text("journeys.sign-out-unreachable-3"), .device(1)),
                JourneyStep(Text("journeys.type-the-sentence"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.cannot-upload", ["count": .count(1)])),
                .reads(1, Text("user-account.phrase-changes-will-be-lost", ["count": .count(1)])),
                .isIn(1, "onboarding"), .has(1, .guest),
            ],
            at: [2, 3, 4, 4]
        ),
        Journey(
            "sign-out-sync-off",
            [.signOut(6)],
            Text("journeys.sign-out-sync-off"),
            Text("journeys.sign-out-sync-off-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("journeys.sign-out-sync-off-1"), .device(1)),
                JourneyStep(Text("journeys.add-an-expense", device(1)), .device(1)),
                JourneyStep(Text("journeys.sign-out", device(1)), .device(1)),
                JourneyStep(Text("journeys.type-the-sentence"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.your-copy-stays-of-day", ["day": Expectation.any])),
                .reads(1, Text("user-account.changes-only-here", ["count": .count(1)])),
                .reads(1, Text("user-account.phrase-changes-will-be-lost", ["count": .count(1)])),
                .isIn(1, "onboarding"), .has(1, .guest),
            ],
            at: [3, 3, 3, 4, 4]
        ),
        Journey(
            "sign-out-offline",
            [.signOut(7)],
            Text("journeys.sign-out-offline"),
            Text("journeys.sign-out-offline-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("journeys.add-an-expense", device(1)), .device(1)),
                JourneyStep(Text("journeys.open-settings", device(1)), .device(1)),
                JourneyStep(Text("journeys.sign-out-offline-3"), .device(1), .network(1)),
            ],
            expecting: [
                .isIn(1, "synced"), .reads(1, Text("user-account.unsynced-without-network")), .isInStep(1),
                .reads(1, Text("sync.nothing-waits-the-cloud")),
            ],
            at: [1, 2, 3, 3]
        ),
    ]
}

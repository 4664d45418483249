// The journeys of signing in to an account that exists, with the three choices of a blocked one.

import Ledger
import Texts

extension Journeys {
    static let existingAccount: [Journey] = [
        Journey(
            "welcome-existing-account",
            [.journey(3), .journey(4)],
            Text("journeys.welcome-existing-account"),
            Text("journeys.welcome-existing-account-story"),
            in: .free,
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(2)), .device(2)),
                JourneyStep(Text("journeys.choose-anna"), .device(2)),
            ],
            expecting: [
                .reads(2, Text("notices.no-cloud-backup")), .isIn(2, "local_only"), .has(2, .free),
            ],
            at: [2, 2, 2]
        ),
        Journey(
            "existing-premium",
            [.journey(4)],
            Text("journeys.existing-premium"),
            Text("journeys.existing-premium-story"),
            in: .bigBook,
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(2)), .device(2)),
                JourneyStep(Text("journeys.choose-anna"), .device(2)),
                JourneyStep(Text("journeys.existing-premium-3"), .device(2)),
                JourneyStep(Text("journeys.existing-premium-4"), .device(2)),
            ],
            expecting: [
                .reads(2, Text("sync.download-downloading-your-data")),
                .reads(2, Text("sync.you-can-use-breadly")), .isIn(2, "synced"), .isInStep(2), .isInStep(1),
                .sameBooks(1, 2),
            ],
            at: [3, 3, 4, 4, 4, 4]
        ),
        Journey(
            "blocked-subscribe",
            [.journey(4), .safety(7)],
            Text("journeys.blocked-subscribe"),
            Text("journeys.blocked-subscribe-story"),
            in: .exPremium,
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(2)), .device(2)),
                JourneyStep(Text("journeys.choose-anna"), .device(2)),
                JourneyStep(Text("journeys.blocked-subscribe-3"), .device(2)),
                JourneyStep(Text("journeys.subscribe-demo"), .device(2)),
            ],
            expecting: [
                .reads(2, Text("user-account.you-have-data-stored")),
                .reads(2, Text("user-account.subscribe-to-enable-sync")), .isIn(2, "synced"),
                .has(2, .premium),
                .isInStep(2), .sameBooks(1, 2),
            ],
            at: [3, 3, 4, 4, 4, 4]
        ),
        Journey(
            "blocked-delete",
            [.journey(4), .safety(8)],
            Text("journeys.blocked-delete"),
            Text("journeys.blocked-delete-story"),
            in: .exPremium,
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(2)), .device(2)),
                JourneyStep(Text("journeys.choose-anna"), .device(2)),
                JourneyStep(Text("journeys.blocked-delete-3"), .device(2)),
                JourneyStep(Text("journeys.type-the-sentence"), .device(2)),
            ],
            expecting: [
                .reads(2, Text("user-account.you-have-data-stored")),
                .reads(2, Text("user-account.delete-all-server-data")), .isIn(2, "local_only"),
                .has(2, .free),
                .reads(2, Text("overview.write-down-the-first")),
            ],
            at: [3, 3, 4, 4, 4]
        ),
        Journey(
            "blocked-sign-out",
            [.journey(4)],
            Text("journeys.blocked-sign-out"),
            Text("journeys.blocked-sign-out-story"),
            in: .exPremium,
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(2)), .device(2)),
                JourneyStep(Text("journeys.choose-anna"), .device(2)),
                JourneyStep(Text("journeys.blocked-sign-out-3"), .device(2)),
            ],
            expecting: [
                .reads(2, Text("user-account.sign-out-and-start")),
                .reads(2, Text("user-account.your-data-stays-with-subscription")), .isIn(2, "onboarding"),
                .has(2, .guest),
            ],
            at: [3, 3, 3, 3]
        ),
    ]
}

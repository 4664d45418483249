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
            steps: [Text("journeys.welcome-sign-in", device(2)), Text("journeys.choose-anna")],
            expecting: [
                .reads(2, Text("notices.no-cloud-backup")), .isIn(2, "local_only"), .has(2, .free),
            ]
        ),
        Journey(
            "existing-premium",
            [.journey(4)],
            Text("journeys.existing-premium"),
            Text("journeys.existing-premium-story"),
            in: .bigBook,
            steps: [
                Text("journeys.welcome-sign-in", device(2)), Text("journeys.choose-anna"),
                Text("journeys.existing-premium-3"), Text("journeys.existing-premium-4"),
            ],
            expecting: [
                .reads(2, Text("sync.download-downloading-your-data")),
                .reads(2, Text("sync.you-can-use-breadly")), .isIn(2, "synced"), .isInStep(2), .isInStep(1),
                .sameBooks(1, 2),
            ]
        ),
        Journey(
            "blocked-subscribe",
            [.journey(4), .safety(7)],
            Text("journeys.blocked-subscribe"),
            Text("journeys.blocked-subscribe-story"),
            in: .exPremium,
            steps: [
                Text("journeys.welcome-sign-in", device(2)), Text("journeys.choose-anna"),
                Text("journeys.blocked-subscribe-3"), Text("journeys.subscribe-demo"),
            ],
            expecting: [
                .reads(2, Text("user-account.you-have-data-stored")),
                .reads(2, Text("user-account.subscribe-to-enable-sync")), .isIn(2, "synced"),
                .has(2, .premium),
                .isInStep(2), .sameBooks(1, 2),
            ]
        ),
        Journey(
            "blocked-delete",
            [.journey(4), .safety(8)],
            Text("journeys.blocked-delete"),
            Text("journeys.blocked-delete-story"),
            in: .exPremium,
            steps: [
                Text("journeys.welcome-sign-in", device(2)), Text("journeys.choose-anna"),
                Text("journeys.blocked-delete-3"), Text("journeys.type-the-sentence"),
            ],
            expecting: [
                .reads(2, Text("user-account.you-have-data-stored")),
                .reads(2, Text("user-account.delete-all-server-data")), .isIn(2, "local_only"),
                .has(2, .free),
                .reads(2, Text("overview.write-down-the-first")),
            ]
        ),
        Journey(
            "blocked-sign-out",
            [.journey(4)],
            Text("journeys.blocked-sign-out"),
            Text("journeys.blocked-sign-out-story"),
            in: .exPremium,
            steps: [
                Text("journeys.welcome-sign-in", device(2)), Text("journeys.choose-anna"),
                Text("journeys.blocked-sign-out-3"),
            ],
            expecting: [
                .reads(2, Text("user-account.sign-out-and-start")),
                .reads(2, Text("user-account.your-data-stays-with-subscription")), .isIn(2, "onboarding"),
                .has(2, .guest),
            ]
        ),
    ]
}

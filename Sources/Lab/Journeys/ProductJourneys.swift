// The journeys of the product, from the first visit to the lost device. Those about an existing account are in
// `ExistingAccountJourneys`.

import Ledger
import Texts

extension Journeys {
    static let product: [Journey] = arrival + existingAccount + premium

    /// The first pages, and the new account.
    private static let arrival: [Journey] = [
        Journey(
            "first-visit",
            [.journey(1)],
            Text("journeys.first-visit"),
            Text("journeys.first-visit-story"),
            in: .empty,
            steps: [
                Text("journeys.first-visit-1"), Text("journeys.first-visit-2"),
                Text("journeys.first-visit-3"),
            ],
            expecting: [
                .reads(1, Text("chrome.sign-in-and-upgrade-to-protect")),
                .reads(1, Text("overview.write-down-the-first")), .isIn(1, "local_only"), .has(1, .guest),
            ]
        ),
        Journey(
            "guest-new-account",
            [.journey(2), .safety(1)],
            Text("journeys.guest-new-account"),
            Text("journeys.guest-new-account-story"),
            in: .guest,
            steps: [
                Text("journeys.cloud-sign-in", device(1)), Text("journeys.guest-new-account-2"),
                Text("journeys.choose-anna-new"), Text("journeys.open-transactions"),
                Text("journeys.read-the-cloud", device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.entries-on-this-device", ["count": .count(12)])),
                .reads(1, Text("chrome.signed-in-but-not-backed-up")), .isIn(1, "local_only"), .has(1, .free),
                .holds(1, transactions: 12),
            ]
        ),
        Journey(
            "welcome-new-account",
            [.journey(3)],
            Text("journeys.welcome-new-account"),
            Text("journeys.welcome-new-account-story"),
            in: .empty,
            steps: [
                Text("journeys.welcome-sign-in", device(1)), Text("journeys.choose-ben-new"),
                Text("journeys.welcome-new-account-3"),
                Text("journeys.read-the-cloud", device(1)),
            ],
            expecting: [
                .isIn(1, "onboarding"), .isIn(1, "local_only"), .has(1, .free),
                .reads(1, Text("chrome.signed-in-but-not-backed-up")),
            ]
        ),
    ]

    /// Premium: its beginning, its end, and what it is for.
    private static let premium: [Journey] = [
        Journey(
            "goes-premium",
            [.journey(5), .safety(3)],
            Text("journeys.goes-premium"),
            Text("journeys.goes-premium-story"),
            in: .free,
            steps: [
                Text("journeys.see-premium", device(1)), Text("journeys.subscribe-demo"),
                Text("journeys.open-sync"),
            ],
            expecting: [
                .reads(1, Text("user-account.your-data-is-on-this-device-only")),
                .reads(1, Text("notices.premium-activated")), .isIn(1, "synced"), .isInStep(1),
                .reads(1, Text("sync.nothing-waits-the-cloud")),
            ]
        ),
        Journey(
            "guest-goes-premium",
            [.journey(5)],
            Text("journeys.guest-goes-premium"),
            Text("journeys.guest-goes-premium-story"),
            in: .guest,
            steps: [
                Text("journeys.cloud-sign-in", device(1)), Text("journeys.choose-anna-new"),
                Text("journeys.see-premium", device(1)), Text("journeys.subscribe-demo"),
            ],
            expecting: [
                .reads(1, Text("chrome.sign-in-and-upgrade-to-protect")),
                .reads(1, Text("user-account.your-data-is-on-this-device-only")),
                .reads(1, Text("notices.premium-activated")), .isIn(1, "synced"), .has(1, .premium),
                .isInStep(1),
            ]
        ),
        Journey(
            "expires",
            [.journey(6)],
            Text("journeys.expires"),
            Text("journeys.expires-story"),
            in: .premium,
            stage: [.line(1, .slow)],
            steps: [
                Text("journeys.add-an-expense", device(1)), Text("journeys.expires-2"),
                Text("journeys.expires-3"),
            ],
            expecting: [
                .reads(1, Text("chrome.syncing-your-data")), .reads(1, Text("notices.subscription-ended")),
                .reads(2, Text("notices.subscription-ended")), .isIn(1, "local_only"), .has(1, .free),
            ]
        ),
        Journey(
            "subscribes-again",
            [.journey(7), .safety(5)],
            Text("journeys.subscribes-again"),
            Text("journeys.subscribes-again-story"),
            in: .premium,
            stage: [.store(.expire)],
            steps: [
                Text("journeys.add-two-expenses", device(1)), Text("journeys.add-an-expense", device(2)),
                Text("journeys.see-premium", device(1)), Text("journeys.subscribe-demo"),
                Text("journeys.subscribes-again-5"),
            ],
            expecting: [
                .reads(1, Text("notices.subscription-ended")), .reads(1, Text("notices.premium-activated")),
                .isIn(1, "synced"), .isIn(2, "synced"), .isInStep(1), .isInStep(2), .sameBooks(1, 2),
            ]
        ),
        Journey(
            "deletes-account",
            [.journey(9), .safety(13)],
            Text("journeys.deletes-account"),
            Text("journeys.deletes-account-story"),
            in: .premium,
            steps: [
                Text("journeys.deletes-account-1"), Text("journeys.deletes-account-2"),
                Text("journeys.deletes-account-3"), Text("journeys.deletes-account-4"),
            ],
            expecting: [
                .reads(1, Text("user-account.cancel-your-subscription-first")), .isIn(1, "onboarding"),
                .has(1, .guest),
                .reads(2, Text("notices.your-account-gone")), .isIn(2, "onboarding"), .has(2, .guest),
            ]
        ),
        Journey(
            "lost-device",
            [.journey(10)],
            Text("journeys.lost-device"),
            Text("journeys.lost-device-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                Text("journeys.add-an-expense", device(1)), Text("journeys.read-the-cloud", device(1)),
                Text("journeys.lost-device-2"),
                Text("journeys.choose-anna"), Text("journeys.lost-device-4"),
            ],
            expecting: [
                .reads(1, Text("chrome.changes-wait-here", ["count": .count(1)])), .isIn(3, "synced"),
                .has(3, .premium), .isInStep(3), .sameBooks(2, 3),
            ]
        ),
    ]

    /// The arguments of a step on a device.
    static func device(_ number: Int) -> [String: Text.Argument] { ["device": .string("\(number)")] }
}

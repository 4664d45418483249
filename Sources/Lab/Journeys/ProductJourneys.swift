// The journeys of the product, from the first visit to the lost device. Journeys about an existing account are
// in `ExistingAccountJourneys`.

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
                JourneyStep(Text("journeys.first-visit-1"), .device(1)),
                JourneyStep(Text("journeys.first-visit-2"), .device(1)),
                JourneyStep(Text("journeys.first-visit-3"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.sign-in-and-upgrade-to-protect")),
                .reads(1, Text("overview.write-down-the-first")), .isIn(1, "local_only"), .has(1, .guest),
            ],
            at: [3, 3, 3, 3]
        ),
        Journey(
            "guest-new-account",
            [.journey(2), .safety(1)],
            Text("journeys.guest-new-account"),
            Text("journeys.guest-new-account-story"),
            in: .guest,
            steps: [
                JourneyStep(Text("journeys.cloud-sign-in", device(1)), .device(1)),
                JourneyStep(Text("journeys.guest-new-account-2"), .device(1)),
                JourneyStep(Text("journeys.choose-anna-new"), .device(1)),
                JourneyStep(Text("journeys.open-transactions"), .device(1)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.entries-on-this-device", ["count": .count(12)])),
                .reads(1, Text("chrome.signed-in-but-not-backed-up")), .isIn(1, "local_only"), .has(1, .free),
                .holds(1, transactions: 12),
            ],
            at: [2, 5, 5, 5, 5]
        ),
        Journey(
            "welcome-new-account",
            [.journey(3)],
            Text("journeys.welcome-new-account"),
            Text("journeys.welcome-new-account-story"),
            in: .empty,
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(1)), .device(1)),
                JourneyStep(Text("journeys.choose-ben-new"), .device(1)),
                JourneyStep(Text("journeys.welcome-new-account-3"), .device(1)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
            ],
            expecting: [
                .isIn(1, "onboarding"), .isIn(1, "local_only"), .has(1, .free),
                .reads(1, Text("chrome.signed-in-but-not-backed-up")),
            ],
            at: [1, 3, 3, 4]
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
                JourneyStep(Text("journeys.see-premium", device(1)), .device(1)),
                JourneyStep(Text("journeys.subscribe-demo"), .device(1)),
                JourneyStep(Text("journeys.open-sync"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.your-data-is-on-this-device-only")),
                .reads(1, Text("notices.premium-activated")), .isIn(1, "synced"), .isInStep(1),
                .reads(1, Text("sync.nothing-waits-the-cloud")),
            ],
            at: [1, 2, 2, 3, 3]
        ),
        Journey(
            "guest-goes-premium",
            [.journey(5)],
            Text("journeys.guest-goes-premium"),
            Text("journeys.guest-goes-premium-story"),
            in: .guest,
            steps: [
                JourneyStep(Text("journeys.cloud-sign-in", device(1)), .device(1)),
                JourneyStep(Text("journeys.choose-anna-new"), .device(1)),
                JourneyStep(Text("journeys.see-premium", device(1)), .device(1)),
                JourneyStep(Text("journeys.subscribe-demo"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.sign-in-and-upgrade-to-protect")),
                .reads(1, Text("user-account.your-data-is-on-this-device-only")),
                .reads(1, Text("notices.premium-activated")), .isIn(1, "synced"), .has(1, .premium),
                .isInStep(1),
            ],
            at: [1, 3, 4, 4, 4, 4]
        ),
        Journey(
            "expires",
            [.journey(6)],
            Text("journeys.expires"),
            Text("journeys.expires-story"),
            in: .premium,
            stage: [.line(1, .slow)],
            steps: [
                JourneyStep(Text("journeys.add-an-expense", device(1)), .device(1)),
                JourneyStep(Text("journeys.expires-2"), .store),
                JourneyStep(Text("journeys.expires-3"), .device(1), .device(2)),
            ],
            expecting: [
                .reads(1, Text("chrome.syncing-your-data")), .reads(1, Text("notices.subscription-ended")),
                .reads(2, Text("notices.subscription-ended")), .isIn(1, "local_only"), .has(1, .free),
            ],
            at: [2, 3, 3, 3, 3]
        ),
        Journey(
            "subscribes-again",
            [.journey(7), .safety(5)],
            Text("journeys.subscribes-again"),
            Text("journeys.subscribes-again-story"),
            in: .premium,
            stage: [.store(.expire)],
            steps: [
                JourneyStep(Text("journeys.add-two-expenses", device(1)), .device(1)),
                JourneyStep(Text("journeys.add-an-expense", device(2)), .device(2)),
                JourneyStep(Text("journeys.see-premium", device(1)), .device(1)),
                JourneyStep(Text("journeys.subscribe-demo"), .device(1)),
                JourneyStep(Text("journeys.subscribes-again-5"), .device(1), .device(2)),
            ],
            expecting: [
                .reads(1, Text("notices.subscription-ended")), .reads(1, Text("notices.premium-activated")),
                .isIn(1, "synced"), .isIn(2, "synced"), .isInStep(1), .isInStep(2), .sameBooks(1, 2),
            ],
            at: [1, 4, 5, 5, 5, 5, 5]
        ),
        Journey(
            "deletes-account",
            [.journey(9), .safety(13)],
            Text("journeys.deletes-account"),
            Text("journeys.deletes-account-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("journeys.deletes-account-1"), .device(1)),
                JourneyStep(Text("journeys.deletes-account-2"), .device(1)),
                JourneyStep(Text("journeys.deletes-account-3"), .device(1)),
                JourneyStep(Text("journeys.deletes-account-4"), .device(2)),
            ],
            expecting: [
                .reads(1, Text("user-account.cancel-your-subscription-first")), .isIn(1, "onboarding"),
                .has(1, .guest),
                .reads(2, Text("notices.your-account-gone")), .isIn(2, "onboarding"), .has(2, .guest),
            ],
            at: [3, 3, 3, 4, 4, 4]
        ),
        Journey(
            "lost-device",
            [.journey(10)],
            Text("journeys.lost-device"),
            Text("journeys.lost-device-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("journeys.add-an-expense", device(1)), .device(1)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
                JourneyStep(Text("journeys.lost-device-2"), .device(3)),
                JourneyStep(Text("journeys.choose-anna"), .device(3)),
                JourneyStep(Text("journeys.lost-device-4"), .device(3)),
            ],
            expecting: [
                .reads(1, Text("chrome.changes-wait-here", ["count": .count(1)])), .isIn(3, "synced"),
                .has(3, .premium), .isInStep(3), .sameBooks(2, 3),
            ],
            at: [2, 4, 4, 4, 5]
        ),
    ]

    /// The arguments of a step on a device.
    static func device(_ number: Int) -> [String: Text.Argument] { ["device": .string("\(number)")] }
}

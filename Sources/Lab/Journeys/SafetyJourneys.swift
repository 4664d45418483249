// The journeys of safety: the rows of the table of what happens to data that no journey of the product shows.

import Ledger
import Texts

extension Journeys {
    static let safety: [Journey] = [
        Journey(
            "guest-existing-account",
            [.safety(2)],
            Text("journeys.guest-existing-account"),
            Text("journeys.guest-existing-account-story"),
            in: .premium,
            steps: [
                Text("journeys.guest-existing-account-1"), Text("journeys.cloud-sign-in", device(3)),
                Text("journeys.guest-existing-account-3"), Text("journeys.choose-anna"),
            ],
            expecting: [
                .reads(3, Text("user-account.entries-on-this-device", ["count": .count(1)])),
                .reads(3, Text("chrome.download-my-book")), .isIn(3, "synced"), .has(3, .premium),
                .isInStep(3),
                .sameBooks(1, 3),
            ]
        ),
        Journey(
            "expires-offline",
            [.safety(4)],
            Text("journeys.expires-offline"),
            Text("journeys.expires-offline-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                Text("journeys.add-two-expenses", device(1)), Text("journeys.read-the-cloud", device(1)),
                Text("journeys.press-expire"),
                Text("journeys.expires-offline-3"), Text("journeys.press-network-on", device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.changes-wait-here", ["count": .count(2)])),
                .reads(2, Text("notices.subscription-ended")), .isIn(1, "synced"),
                .reads(1, Text("notices.subscription-ended")), .isIn(1, "local_only"), .has(1, .free),
            ]
        ),
        Journey(
            "killed-while-moving",
            [.safety(9)],
            Text("journeys.killed-while-moving"),
            Text("journeys.killed-while-moving-story"),
            in: .guest,
            stage: [.kill(1, .moveToAccount)],
            steps: [
                Text("journeys.cloud-sign-in", device(1)), Text("journeys.choose-anna-new"),
                Text("journeys.killed-while-moving-3"), Text("journeys.open-transactions"),
                Text("journeys.read-the-cloud", device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.entries-on-this-device", ["count": .count(12)])),
                .reads(1, Text("chrome.signed-in-but-not-backed-up")), .isIn(1, "local_only"), .has(1, .free),
                .holds(1, transactions: 12),
            ]
        ),
        Journey(
            "killed-with-changes",
            [.safety(9)],
            Text("journeys.killed-with-changes"),
            Text("journeys.killed-with-changes-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                Text("journeys.add-an-expense", device(1)), Text("journeys.killed-with-changes-2"),
                Text("journeys.read-the-cloud", device(1)),
                Text("journeys.press-network-on", device(1)), Text("journeys.open-sync"),
            ],
            expecting: [
                .reads(1, Text("chrome.changes-wait-here", ["count": .count(1)])), .isInStep(1),
                .sameBooks(1, 2), .reads(1, Text("sync.nothing-waits-the-cloud")),
            ]
        ),
        Journey(
            "killed-while-signing-out",
            [.safety(9)],
            Text("journeys.killed-while-signing-out"),
            Text("journeys.killed-while-signing-out-story"),
            in: .free,
            stage: [.kill(1, .signOut)],
            steps: [
                Text("journeys.sign-out", device(1)), Text("journeys.type-the-sentence"),
                Text("journeys.killed-while-signing-out-3"),
            ],
            expecting: [
                .reads(1, Text("user-account.phrase-all-my-data")), .isIn(1, "onboarding"), .has(1, .guest),
                .reads(1, Text("onboarding.know-where-the-month")),
            ]
        ),
        Journey(
            "migration-fails",
            [.safety(10)],
            Text("journeys.migration-fails"),
            Text("journeys.migration-fails-story"),
            in: .guest,
            stage: [.fail(1, .moveToAccount)],
            steps: [
                Text("journeys.cloud-sign-in", device(1)), Text("journeys.choose-anna-new"),
                Text("journeys.migration-fails-3"), Text("journeys.open-transactions"),
            ],
            expecting: [
                .reads(1, Text("errors.a-step-did-not-finish")),
                .reads(1, Text("errors.your-data-is-as-it-was")),
                .isIn(1, "local_only"), .has(1, .free),
                .holds(1, transactions: 12),
            ]
        ),
        Journey(
            "not-verified",
            [.safety(11)],
            Text("journeys.not-verified"),
            Text("journeys.not-verified-story"),
            in: .free,
            stage: [.loseAccounts(2)],
            steps: [
                Text("journeys.welcome-sign-in", device(2)), Text("journeys.choose-anna"),
                Text("journeys.not-verified-3"), Text("journeys.not-verified-4"),
            ],
            expecting: [
                .reads(2, Text("user-account.verifying-account")), .isIn(2, "verifying_account"),
                .reads(2, Text("user-account.this-takes-longer-than")),
                .reads(2, Text("notices.no-cloud-backup")),
                .isIn(2, "local_only"), .has(2, .free),
            ]
        ),
        Journey(
            "two-at-once",
            [.safety(12)],
            Text("journeys.two-at-once"),
            Text("journeys.two-at-once-story"),
            in: .guest,
            steps: [
                Text("journeys.two-at-once-1"), Text("journeys.two-at-once-2"),
                Text("journeys.two-at-once-3"),
                Text("journeys.read-the-cloud", device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.signed-in-but-not-backed-up")), .has(1, .free),
                .reads(2, Text("notices.no-cloud-backup")), .isIn(2, "local_only"), .has(2, .free),
            ]
        ),
    ]
}

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
                JourneyStep(Text("journeys.guest-existing-account-1"), .device(3)),
                JourneyStep(Text("journeys.cloud-sign-in", device(3)), .device(3)),
                JourneyStep(Text("journeys.guest-existing-account-3"), .device(3)),
                JourneyStep(Text("journeys.choose-anna"), .device(3)),
            ],
            expecting: [
                .reads(3, Text("user-account.entries-on-this-device", ["count": .count(1)])),
                .reads(3, Text("chrome.download-my-book")), .isIn(3, "synced"), .has(3, .premium),
                .isInStep(3),
                .sameBooks(1, 3),
            ],
            at: [3, 3, 4, 4, 4, 4]
        ),
        Journey(
            "expires-offline",
            [.safety(4)],
            Text("journeys.expires-offline"),
            Text("journeys.expires-offline-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("journeys.add-two-expenses", device(1)), .device(1)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
                JourneyStep(Text("journeys.press-expire"), .store),
                JourneyStep(Text("journeys.expires-offline-3"), .device(1), .device(2)),
                JourneyStep(Text("journeys.press-network-on", device(1)), .network(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.changes-wait-here", ["count": .count(2)])),
                .reads(2, Text("notices.subscription-ended")), .isIn(1, "synced"),
                .reads(1, Text("notices.subscription-ended")), .isIn(1, "local_only"), .has(1, .free),
            ],
            at: [2, 4, 4, 5, 5, 5]
        ),
        Journey(
            "killed-while-moving",
            [.safety(9)],
            Text("journeys.killed-while-moving"),
            Text("journeys.killed-while-moving-story"),
            in: .guest,
            stage: [.kill(1, .moveToAccount)],
            steps: [
                JourneyStep(Text("journeys.cloud-sign-in", device(1)), .device(1)),
                JourneyStep(Text("journeys.choose-anna-new"), .device(1)),
                JourneyStep(Text("journeys.killed-while-moving-3"), .device(1)),
                JourneyStep(Text("journeys.open-transactions"), .device(1)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.entries-on-this-device", ["count": .count(12)])),
                .reads(1, Text("chrome.signed-in-but-not-backed-up")), .isIn(1, "local_only"), .has(1, .free),
                .holds(1, transactions: 12),
            ],
            at: [1, 5, 5, 5, 5]
        ),
        Journey(
            "killed-with-changes",
            [.safety(9)],
            Text("journeys.killed-with-changes"),
            Text("journeys.killed-with-changes-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("journeys.add-an-expense", device(1)), .device(1)),
                JourneyStep(Text("journeys.killed-with-changes-2"), .kill(1)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
                JourneyStep(Text("journeys.press-network-on", device(1)), .network(1)),
                JourneyStep(Text("journeys.open-sync"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.changes-wait-here", ["count": .count(1)])), .isInStep(1),
                .sameBooks(1, 2), .reads(1, Text("sync.nothing-waits-the-cloud")),
            ],
            at: [3, 4, 4, 5]
        ),
        Journey(
            "killed-while-signing-out",
            [.safety(9)],
            Text("journeys.killed-while-signing-out"),
            Text("journeys.killed-while-signing-out-story"),
            in: .free,
            stage: [.kill(1, .signOut)],
            steps: [
                JourneyStep(Text("journeys.sign-out", device(1)), .device(1)),
                JourneyStep(Text("journeys.type-the-sentence"), .device(1)),
                JourneyStep(Text("journeys.killed-while-signing-out-3"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.phrase-all-my-data")), .isIn(1, "onboarding"), .has(1, .guest),
                .reads(1, Text("onboarding.know-where-the-month")),
            ],
            at: [1, 3, 3, 3]
        ),
        Journey(
            "migration-fails",
            [.safety(10)],
            Text("journeys.migration-fails"),
            Text("journeys.migration-fails-story"),
            in: .guest,
            stage: [.fail(1, .moveToAccount)],
            steps: [
                JourneyStep(Text("journeys.cloud-sign-in", device(1)), .device(1)),
                JourneyStep(Text("journeys.choose-anna-new"), .device(1)),
                JourneyStep(Text("journeys.migration-fails-3"), .device(1)),
                JourneyStep(Text("journeys.open-transactions"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("errors.a-step-did-not-finish")),
                .reads(1, Text("errors.your-data-is-as-it-was")),
                .isIn(1, "local_only"), .has(1, .free),
                .holds(1, transactions: 12),
            ],
            at: [2, 2, 3, 3, 4]
        ),
        Journey(
            "stale-error",
            [.safety(10)],
            Text("journeys.stale-error"),
            Text("journeys.stale-error-story"),
            in: .guest,
            stage: [.fail(1, .moveToAccount)],
            steps: [
                JourneyStep(Text("journeys.cloud-sign-in", device(1)), .device(1)),
                JourneyStep(Text("journeys.choose-anna-new"), .device(1)),
                JourneyStep(Text("journeys.stale-error-3"), .device(1), .clock),
                JourneyStep(Text("journeys.stale-error-4"), .kill(1)),
                JourneyStep(Text("journeys.open-transactions"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("errors.a-step-did-not-finish")), .isIn(1, "local_only"), .has(1, .free),
                .holds(1, transactions: 12),
            ],
            at: [2, 4, 4, 5]
        ),
        Journey(
            "not-verified",
            [.safety(11)],
            Text("journeys.not-verified"),
            Text("journeys.not-verified-story"),
            in: .free,
            stage: [.line(2, .noChecks)],
            steps: [
                JourneyStep(Text("journeys.welcome-sign-in", device(2)), .device(2)),
                JourneyStep(Text("journeys.choose-anna"), .device(2)),
                JourneyStep(Text("journeys.not-verified-3"), .clock, .device(2)),
                JourneyStep(Text("journeys.not-verified-4"), .network(2)),
            ],
            expecting: [
                .reads(2, Text("user-account.verifying-account")), .isIn(2, "verifying_account"),
                .reads(2, Text("user-account.this-takes-longer-than")),
                .reads(2, Text("notices.no-cloud-backup")),
                .isIn(2, "local_only"), .has(2, .free),
            ],
            at: [2, 2, 3, 4, 4, 4]
        ),
        Journey(
            "two-at-once",
            [.safety(12)],
            Text("journeys.two-at-once"),
            Text("journeys.two-at-once-story"),
            in: .guest,
            steps: [
                JourneyStep(Text("journeys.two-at-once-1"), .device(1)),
                JourneyStep(Text("journeys.two-at-once-2"), .device(2)),
                JourneyStep(Text("journeys.two-at-once-3"), .device(1), .device(2)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.signed-in-but-not-backed-up")), .has(1, .free),
                .reads(2, Text("notices.no-cloud-backup")), .isIn(2, "local_only"), .has(2, .free),
            ],
            at: [4, 4, 4, 4, 4]
        ),
    ]
}

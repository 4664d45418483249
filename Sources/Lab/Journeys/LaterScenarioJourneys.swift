// The journeys of the entitlements from the switch of sync on: switched, signed out, renewed, and bought at a bad moment.

import Ledger
import Texts

extension Journeys {
    static let changed: [Journey] = [
        Journey(
            "scenario-11",
            [.scenario("11")],
            Text("scenarios.switched-on"),
            Text("scenarios.switched-on-story"),
            in: .premium,
            steps: [
                Text("scenarios.switched-on-1"), Text("scenarios.switched-on-2"),
                Text("scenarios.switched-on-3"),
            ],
            expecting: [
                .reads(1, added), .reads(2, added), .reads(1, Text("settings.sync-is-on")),
                .isIn(1, "synced"),
                .isInStep(1), .sameBooks(1, 2),
            ]
        ),
        Journey(
            "scenario-12",
            [.scenario("12")],
            Text("scenarios.switched-off"),
            Text("scenarios.switched-off-story"),
            in: .premium,
            steps: [
                Text("scenarios.switched-off-1"), Text("scenarios.switched-off-2"),
                Text("scenarios.switched-off-3"),
                Text("journeys.read-the-cloud", device(1)),
            ],
            expecting: [
                .reads(1, added), .reads(1, Text("chrome.syncing-your-data")), .isIn(1, "local_only"),
                .reads(1, Text("chrome.sync-was-switched-off")), .sameBooks(1, 2),
            ]
        ),
        Journey(
            "scenario-13",
            [.scenario("13")],
            Text("scenarios.new-browser"),
            Text("scenarios.new-browser-story"),
            in: .premium,
            stage: [.line(3, .slow)],
            steps: [
                Text("scenarios.new-browser-1"), Text("scenarios.new-browser-2"),
                Text("scenarios.new-browser-3"),
            ],
            expecting: [
                .reads(3, Text("user-account.verifying-account")),
                .reads(3, Text("sync.download-downloading-your-data")),
                .isIn(3, "synced"), .isInStep(3), .sameBooks(1, 3),
            ]
        ),
        Journey(
            "scenario-14",
            [.scenario("14")],
            Text("scenarios.expired-session"),
            Text("scenarios.expired-session-story"),
            in: .premium,
            steps: [
                Text("scenarios.expired-session-1"), Text("scenarios.expired-session-2"),
                Text("scenarios.expired-session-3"),
            ],
            expecting: [
                .reads(1, added), .reads(1, Text("chrome.sign-in-again-to-sync")), .isIn(1, "synced"),
                .has(1, .premium),
            ]
        ),
        Journey(
            "scenario-14b",
            [.scenario("14b")],
            Text("scenarios.ended-session"),
            Text("scenarios.ended-session-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                Text("scenarios.ended-session-1"), Text("scenarios.ended-session-2"),
                Text("scenarios.ended-session-3"), Text("scenarios.ended-session-4"),
            ],
            expecting: [
                .reads(1, added),
                .reads(1, Text("user-account.sign-in-to-open-this-book", ["name": "anna@example.com"])),
                .isInStep(1), .sameBooks(1, 2),
            ]
        ),
        Journey(
            "scenario-15",
            [.scenario("15")],
            Text("scenarios.signed-in-again"),
            Text("scenarios.signed-in-again-story"),
            in: .premium,
            stage: [.expireSession(1)],
            steps: [
                Text("scenarios.signed-in-again-1"), Text("scenarios.signed-in-again-2"),
                Text("scenarios.signed-in-again-3"),
            ],
            expecting: [
                .reads(1, Text("chrome.sign-in-again-to-sync")), .reads(1, added), .reads(2, added),
                .isIn(1, "synced"), .isInStep(1), .sameBooks(1, 2),
            ]
        ),
        Journey(
            "scenario-16",
            [.scenario("16")],
            Text("scenarios.reachable-again"),
            Text("scenarios.reachable-again-story"),
            in: .premium,
            steps: [
                Text("scenarios.reachable-again-1"), Text("scenarios.reachable-again-2"),
                Text("scenarios.reachable-again-3"),
            ],
            expecting: [
                .reads(1, waiting), .isInStepWithin(1, seconds: 5), .sameBooks(1, 2),
            ]
        ),
        Journey(
            "scenario-17",
            [.scenario("17")],
            Text("scenarios.refund"),
            Text("scenarios.refund-story"),
            in: .premium,
            steps: [Text("scenarios.refund-1"), Text("scenarios.refund-2")],
            expecting: [
                .reads(1, ended), .isIn(1, "local_only"), .has(1, .free),
                .reads(1, Text("user-account.your-subscription-was-taken-back")),
            ]
        ),
        Journey(
            "scenario-18",
            [.scenario("18")],
            Text("scenarios.renewal"),
            Text("scenarios.renewal-story"),
            in: .premium,
            steps: [Text("scenarios.renewal-1"), Text("scenarios.renewal-2")],
            expecting: [
                .reads(1, Text("user-account.it-renews-on", ["day": "Wednesday 20 January 2027"])),
                .isIn(1, "synced"),
                .readsNever(1, activated), .readsNever(1, ended),
            ]
        ),
        Journey(
            "scenario-19",
            [.scenario("19")],
            Text("scenarios.pending"),
            Text("scenarios.pending-story"),
            in: .free,
            steps: [Text("scenarios.pending-1"), Text("scenarios.pending-2"), Text("scenarios.pending-3")],
            expecting: [
                .reads(1, Text("settings.waiting-for-approval")), .has(1, .free), .reads(1, activated),
                .isIn(1, "synced"), .isInStep(1),
            ]
        ),
        Journey(
            "scenario-20",
            [.scenario("20")],
            Text("scenarios.told-once"),
            Text("scenarios.told-once-story"),
            in: .free,
            steps: [
                Text("scenarios.told-once-1"), Text("scenarios.told-once-2"), Text("scenarios.told-once-3"),
            ],
            expecting: [
                .reads(1, activated), .isIn(1, "synced"), .reads(1, Text("subscription.you-have-premium")),
                .isAsked(times: 2), .isInStep(1), .readsOnce(1, activated),
            ]
        ),
        Journey(
            "scenario-21",
            [.scenario("21")],
            Text("scenarios.during-the-questions"),
            Text("scenarios.during-the-questions-story"),
            in: .empty,
            steps: [
                Text("scenarios.during-the-questions-1"), Text("scenarios.during-the-questions-2"),
                Text("scenarios.during-the-questions-3"),
            ],
            expecting: [
                .reads(1, activated), .isIn(1, "synced"), .isInStep(1), .readsOnce(1, activated),
            ]
        ),
        Journey(
            "scenario-21-restart",
            [.scenario("21")],
            Text("scenarios.during-the-start"),
            Text("scenarios.during-the-start-story"),
            in: .free,
            stage: [.line(1, .slow)],
            steps: [Text("scenarios.during-the-start-1"), Text("scenarios.during-the-start-2")],
            expecting: [
                .reads(1, activated), .isIn(1, "synced"), .readsOnce(1, activated),
            ]
        ),
    ]
}

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
                JourneyStep(Text("scenarios.switched-on-1"), .device(1)),
                JourneyStep(Text("scenarios.switched-on-2"), .device(1), .device(2)),
                JourneyStep(Text("scenarios.switched-on-3"), .device(1)),
            ],
            expecting: [
                .reads(1, added), .reads(2, added), .reads(1, Text("settings.sync-is-on")),
                .isIn(1, "synced"),
                .isInStep(1), .sameBooks(1, 2),
            ],
            at: [2, 2, 3, 3, 3, 3]
        ),
        Journey(
            "scenario-12",
            [.scenario("12")],
            Text("scenarios.switched-off"),
            Text("scenarios.switched-off-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("scenarios.switched-off-1"), .network(1), .device(1)),
                JourneyStep(Text("scenarios.switched-off-2"), .device(1)),
                JourneyStep(Text("scenarios.switched-off-3"), .network(1), .device(2)),
                JourneyStep(Text("journeys.read-the-cloud", device(1)), .device(1)),
            ],
            expecting: [
                .reads(1, added), .reads(1, Text("chrome.syncing-your-data")), .isIn(1, "local_only"),
                .reads(1, Text("chrome.sync-was-switched-off")), .sameBooks(1, 2),
            ],
            at: [1, 2, 3, 4, 4]
        ),
        Journey(
            "scenario-13",
            [.scenario("13")],
            Text("scenarios.new-browser"),
            Text("scenarios.new-browser-story"),
            in: .premium,
            stage: [.line(3, .slow)],
            steps: [
                JourneyStep(Text("scenarios.new-browser-1"), .device(3)),
                JourneyStep(Text("scenarios.new-browser-2"), .device(3)),
                JourneyStep(Text("scenarios.new-browser-3"), .device(3)),
            ],
            expecting: [
                .reads(3, Text("user-account.verifying-account")),
                .reads(3, Text("sync.download-downloading-your-data")),
                .isIn(3, "synced"), .isInStep(3), .sameBooks(1, 3),
            ],
            at: [2, 3, 3, 3, 3]
        ),
        Journey(
            "scenario-14",
            [.scenario("14")],
            Text("scenarios.expired-session"),
            Text("scenarios.expired-session-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("scenarios.expired-session-1"), .session(1)),
                JourneyStep(Text("scenarios.expired-session-2"), .device(1)),
                JourneyStep(Text("scenarios.expired-session-3"), .device(1)),
            ],
            expecting: [
                .reads(1, added), .reads(1, Text("chrome.sign-in-again-to-sync")), .isIn(1, "synced"),
                .has(1, .premium),
            ],
            at: [2, 3, 3, 3]
        ),
        Journey(
            "scenario-14b",
            [.scenario("14b")],
            Text("scenarios.ended-session"),
            Text("scenarios.ended-session-story"),
            in: .premium,
            stage: [.line(1, .off)],
            steps: [
                JourneyStep(Text("scenarios.ended-session-1"), .device(1)),
                JourneyStep(Text("scenarios.ended-session-2"), .device(2)),
                JourneyStep(Text("scenarios.ended-session-3"), .network(1), .device(1)),
                JourneyStep(Text("scenarios.ended-session-4"), .device(1)),
            ],
            expecting: [
                .reads(1, added),
                .reads(1, Text("user-account.sign-in-to-open-this-book", ["name": "anna@example.com"])),
                .isInStep(1), .sameBooks(1, 2),
            ],
            at: [1, 3, 4, 4]
        ),
        Journey(
            "scenario-15",
            [.scenario("15")],
            Text("scenarios.signed-in-again"),
            Text("scenarios.signed-in-again-story"),
            in: .premium,
            stage: [.expireSession(1)],
            steps: [
                JourneyStep(Text("scenarios.signed-in-again-1"), .device(1), .device(2)),
                JourneyStep(Text("scenarios.signed-in-again-2"), .device(1)),
                JourneyStep(Text("scenarios.signed-in-again-3"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.sign-in-again-to-sync")), .reads(1, added), .reads(2, added),
                .isIn(1, "synced"), .isInStep(1), .sameBooks(1, 2),
            ],
            at: [1, 1, 1, 3, 3, 3]
        ),
        Journey(
            "scenario-16",
            [.scenario("16")],
            Text("scenarios.reachable-again"),
            Text("scenarios.reachable-again-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("scenarios.reachable-again-1"), .cloud),
                JourneyStep(Text("scenarios.reachable-again-2"), .device(1)),
                JourneyStep(Text("scenarios.reachable-again-3"), .cloud),
            ],
            expecting: [
                .reads(1, waiting), .isInStepWithin(1, seconds: 5), .sameBooks(1, 2),
            ],
            at: [2, 3, 3]
        ),
        Journey(
            "scenario-17",
            [.scenario("17")],
            Text("scenarios.refund"),
            Text("scenarios.refund-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("scenarios.refund-1"), .store, .device(1)),
                JourneyStep(Text("scenarios.refund-2"), .device(1)),
            ],
            expecting: [
                .reads(1, ended), .isIn(1, "local_only"), .has(1, .free),
                .reads(1, Text("user-account.your-subscription-was-taken-back")),
            ],
            at: [1, 1, 1, 2]
        ),
        Journey(
            "scenario-18",
            [.scenario("18")],
            Text("scenarios.renewal"),
            Text("scenarios.renewal-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("scenarios.renewal-1"), .store),
                JourneyStep(Text("scenarios.renewal-2"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("user-account.it-renews-on", ["day": "Wednesday 20 January 2027"])),
                .isIn(1, "synced"),
                .readsNever(1, activated), .readsNever(1, ended),
            ],
            at: [2, 2, 2, 2]
        ),
        Journey(
            "scenario-19",
            [.scenario("19")],
            Text("scenarios.pending"),
            Text("scenarios.pending-story"),
            in: .free,
            steps: [
                JourneyStep(Text("scenarios.pending-1"), .store),
                JourneyStep(Text("scenarios.pending-2"), .device(1)),
                JourneyStep(Text("scenarios.pending-3"), .store),
            ],
            expecting: [
                .reads(1, Text("settings.waiting-for-approval")), .has(1, .free), .reads(1, activated),
                .isIn(1, "synced"), .isInStep(1),
            ],
            at: [2, 2, 3, 3, 3]
        ),
        Journey(
            "scenario-20",
            [.scenario("20")],
            Text("scenarios.told-once"),
            Text("scenarios.told-once-story"),
            in: .free,
            steps: [
                JourneyStep(Text("scenarios.told-once-1"), .store, .device(1)),
                JourneyStep(Text("scenarios.told-once-2"), .device(1)),
                JourneyStep(Text("scenarios.told-once-3"), .device(1)),
            ],
            expecting: [
                .reads(1, activated), .isIn(1, "synced"), .reads(1, Text("subscription.you-have-premium")),
                .readsNext(1, Text("subscription.you-have-premium")), .isInStep(1), .readsOnce(1, activated),
            ],
            at: [1, 1, 2, 3, 3, 3]
        ),
        Journey(
            "scenario-21",
            [.scenario("21")],
            Text("scenarios.during-the-questions"),
            Text("scenarios.during-the-questions-story"),
            in: .empty,
            steps: [
                JourneyStep(Text("scenarios.during-the-questions-1"), .device(1)),
                JourneyStep(Text("scenarios.during-the-questions-2"), .store),
                JourneyStep(Text("scenarios.during-the-questions-3"), .device(1)),
            ],
            expecting: [
                .reads(1, activated), .isIn(1, "synced"), .isInStep(1), .readsOnce(1, activated),
            ],
            at: [3, 3, 3, 3]
        ),
        Journey(
            "scenario-21-restart",
            [.scenario("21")],
            Text("scenarios.during-the-start"),
            Text("scenarios.during-the-start-story"),
            in: .free,
            stage: [.line(1, .slow)],
            steps: [
                JourneyStep(Text("scenarios.during-the-start-1"), .kill(1)),
                JourneyStep(Text("scenarios.during-the-start-2"), .store),
            ],
            expecting: [
                .reads(1, activated), .isIn(1, "synced"), .readsOnce(1, activated),
            ],
            at: [2, 2, 2]
        ),
    ]
}

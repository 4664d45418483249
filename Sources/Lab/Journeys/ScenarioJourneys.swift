// The journeys of the entitlements, one for each scenario of the subscription and of its cache.

import Ledger
import Texts

extension Journeys {
    static let scenarios: [Journey] = begun + changed

    /// "Transaction added": a device that says it works, and its book is open.
    static let added = Text("transactions.added")
    static let activated = Text("notices.premium-activated")
    static let ended = Text("notices.subscription-ended")
    /// One transaction waits for the network.
    static let waiting = Text("chrome.changes-wait-here", ["count": .count(1)])

    private static let begun: [Journey] = [
        Journey(
            "scenario-1",
            [.scenario("1")],
            Text("scenarios.new-user"),
            Text("scenarios.new-user-story"),
            in: .newGuest,
            steps: [
                JourneyStep(Text("scenarios.new-user-1"), .device(1)),
                JourneyStep(Text("scenarios.new-user-2"), .device(1)),
                JourneyStep(Text("scenarios.new-user-3"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.signed-in-but-not-backed-up")), .isIn(1, "local_only"), .has(1, .free),
            ],
            at: [3, 3, 3]
        ),
        Journey(
            "scenario-2",
            [.scenario("2")],
            Text("scenarios.returning-free"),
            Text("scenarios.returning-free-story"),
            in: .free,
            stage: [.advance(.day), .kill(1, .now)],
            steps: [
                JourneyStep(Text("scenarios.returning-free-1"), .device(1)),
                JourneyStep(Text("scenarios.returning-free-2"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.signed-in-but-not-backed-up")),
                .reads(1, Text("subscription.you-do-not-have-premium")), .isIn(1, "local_only"),
                .has(1, .free),
                .readsNever(1, Text("notices.subscription-ended")),
            ],
            at: [1, 2, 2, 2, 2]
        ),
        Journey(
            "scenario-3",
            [.scenario("3")],
            Text("scenarios.just-subscribed"),
            Text("scenarios.just-subscribed-story"),
            in: .free,
            steps: [
                JourneyStep(Text("scenarios.just-subscribed-1"), .device(1)),
                JourneyStep(Text("scenarios.just-subscribed-2"), .device(1)),
            ],
            expecting: [
                .reads(1, activated), .isIn(1, "synced"), .isInStep(1),
            ],
            at: [2, 2, 2]
        ),
        Journey(
            "scenario-4",
            [.scenario("4")],
            Text("scenarios.returning-premium"),
            Text("scenarios.returning-premium-story"),
            in: .premium,
            stage: [.advance(.day), .kill(1, .now)],
            steps: [
                JourneyStep(Text("scenarios.returning-premium-1"), .device(1)),
                JourneyStep(Text("scenarios.returning-premium-2"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.backed-up")), .isIn(1, "synced"),
                .reads(1, Text("subscription.you-have-premium")), .readsNever(1, activated),
            ],
            at: [1, 1, 2, 2]
        ),
        Journey(
            "scenario-5",
            [.scenario("5")],
            Text("scenarios.silent-shortly"),
            Text("scenarios.silent-shortly-story"),
            in: .premium,
            stage: [.line(1, .off), .advance(.day), .kill(1, .now)],
            steps: [
                JourneyStep(Text("scenarios.silent-shortly-1"), .device(1)),
                JourneyStep(Text("scenarios.silent-shortly-2"), .device(1)),
                JourneyStep(Text("scenarios.silent-shortly-3"), .network(1), .device(2)),
            ],
            expecting: [
                .isIn(1, "synced"), .has(1, .premium), .reads(1, Text("chrome.offline")), .reads(1, added),
                .reads(1, waiting), .isInStep(1), .sameBooks(1, 2),
            ],
            at: [1, 1, 1, 2, 2, 3, 3]
        ),
        Journey(
            "scenario-6",
            [.scenario("6")],
            Text("scenarios.silent-for-long"),
            Text("scenarios.silent-for-long-story"),
            in: .premium,
            stage: [.line(1, .off), .advance(.fourDays), .kill(1, .now)],
            steps: [
                JourneyStep(Text("scenarios.silent-for-long-1"), .device(1)),
                JourneyStep(Text("scenarios.silent-for-long-2"), .device(1)),
                JourneyStep(Text("scenarios.silent-for-long-3"), .network(1), .device(2)),
            ],
            expecting: [
                .reads(1, Text("settings.verifying-subscription")), .isIn(1, "local_only"), .reads(1, added),
                .isIn(1, "synced"), .isInStep(1), .sameBooks(1, 2),
            ],
            at: [1, 1, 2, 3, 3, 3]
        ),
        Journey(
            "scenario-7",
            [.scenario("7")],
            Text("scenarios.expired-away"),
            Text("scenarios.expired-away-story"),
            in: .premium,
            stage: [.line(1, .off), .advance(.day), .store(.expire), .kill(1, .now)],
            steps: [
                JourneyStep(Text("scenarios.expired-away-1"), .device(1)),
                JourneyStep(Text("scenarios.expired-away-2"), .device(1)),
                JourneyStep(Text("scenarios.expired-away-3"), .network(1), .device(1)),
            ],
            expecting: [
                .isIn(1, "synced"), .reads(1, Text("chrome.offline")), .reads(1, added), .reads(1, ended),
                .isIn(1, "local_only"),
                .has(1, .free),
            ],
            at: [1, 1, 2, 3, 3, 3]
        ),
        Journey(
            "scenario-8",
            [.scenario("8")],
            Text("scenarios.stale"),
            Text("scenarios.stale-story"),
            in: .premium,
            stage: [.line(1, .off), .advance(.eightDays), .kill(1, .now)],
            steps: [
                JourneyStep(Text("scenarios.stale-1"), .device(1)),
                JourneyStep(Text("scenarios.stale-2"), .network(1)),
            ],
            expecting: [
                .reads(1, Text("settings.verifying-subscription")), .isIn(1, "local_only"),
                .isIn(1, "synced"),
                .isInStep(1),
            ],
            at: [1, 1, 2, 2]
        ),
        Journey(
            "scenario-9",
            [.scenario("9")],
            Text("scenarios.subscribed-again"),
            Text("scenarios.subscribed-again-story"),
            in: .premium,
            stage: [.store(.expire)],
            steps: [
                JourneyStep(Text("scenarios.subscribed-again-1"), .device(1), .device(2)),
                JourneyStep(Text("scenarios.subscribed-again-2"), .device(1), .device(2)),
                JourneyStep(Text("scenarios.subscribed-again-3"), .store),
            ],
            expecting: [
                .reads(1, ended), .isIn(1, "local_only"), .isIn(2, "local_only"), .reads(1, added),
                .reads(2, added),
                .reads(1, activated), .isInStep(1), .isInStep(2), .sameBooks(1, 2),
            ],
            at: [1, 1, 1, 2, 2, 3, 3, 3, 3]
        ),
        Journey(
            "scenario-10",
            [.scenario("10")],
            Text("scenarios.off-by-choice"),
            Text("scenarios.off-by-choice-story"),
            in: .premium,
            steps: [
                JourneyStep(Text("scenarios.off-by-choice-1"), .device(1)),
                JourneyStep(Text("scenarios.off-by-choice-2"), .kill(1)),
                JourneyStep(Text("scenarios.off-by-choice-3"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("chrome.sync-was-switched-off")),
                .reads(1, Text("subscription.you-have-premium")),
                .isIn(1, "local_only"), .has(1, .premium),
            ],
            at: [3, 3, 3, 3]
        ),
    ]
}

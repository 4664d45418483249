// The technical implementation of the lifecycle, row by row.

import Texts

extension Coverage {
    static let lifecycle = CoverageDocument(
        id: "lifecycle",
        title: Text("coverage.lifecycle"),
        sections: [
            conceptsOfLifecycle, statesOfLifecycle, eventsOfLifecycle, flowsOfLifecycle,
            recoveryOfLifecycle,
        ]
    )

    private static let conceptsOfLifecycle = CoverageSection(
        title: Text("coverage.lifecycle-of-concepts"),
        rows: [
            CoverageRow(
                Text("coverage.lifecycle-tables-local"),
                ours: Text("coverage.lifecycle-tables-local-ours"),
                journeys: ["guest-new-account"],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.lifecycle-tables-synced"),
                ours: Text("coverage.lifecycle-tables-synced-ours"),
                journeys: ["goes-premium"],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.lifecycle-flow"),
                ours: Text("coverage.lifecycle-flow-ours"),
                at: [.lab, .status]
            ),
            CoverageRow(Text("coverage.lifecycle-detection"), ours: asWritten, journeys: ["two-at-once"]),
            CoverageRow(
                Text("coverage.lifecycle-after-migration"),
                ours: Text("coverage.lifecycle-after-migration-ours"),
                journeys: ["blocked-subscribe", "guest-existing-account"],
                rulings: [.replacedBook]
            ),
            CoverageRow(
                Text("coverage.lifecycle-verified-only"),
                ours: asWritten,
                journeys: ["scenario-2", "scenario-7"],
                rulings: [.threeDays]
            ),
            CoverageRow(
                Text("coverage.lifecycle-start-does-not-wait"),
                ours: asWritten,
                journeys: ["scenario-5"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-verifying-words"),
                ours: Text("coverage.lifecycle-verifying-words-ours"),
                journeys: ["scenario-6"],
                rulings: [.threeDays]
            ),
        ]
    )

    private static let statesOfLifecycle = CoverageSection(
        title: Text("coverage.lifecycle-of-states"),
        rows: [
            CoverageRow(
                Text("coverage.lifecycle-state-uninitialized"),
                ours: Text("coverage.lifecycle-state-uninitialized-ours"),
                journeys: ["first-visit"],
                at: [.lab]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-initializing"),
                ours: asWritten,
                journeys: ["scenario-4"],
                at: [.lab]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-seeding"),
                ours: asWritten,
                journeys: ["first-visit"],
                at: [.lab]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-local"),
                ours: Text("coverage.lifecycle-state-local-ours"),
                journeys: ["first-visit", "scenario-10"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-migrating"),
                ours: asWritten,
                journeys: ["killed-while-moving"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-blocked"),
                ours: asWritten,
                journeys: ["blocked-subscribe"],
                rulings: [.threeChoices]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-to-sync"),
                ours: Text("coverage.lifecycle-state-to-sync-ours"),
                journeys: ["goes-premium"],
                rulings: [.oneSchema]
            ),
            CoverageRow(Text("coverage.lifecycle-state-synced"), ours: asWritten, journeys: ["goes-premium"]),
            CoverageRow(
                Text("coverage.lifecycle-state-draining"),
                ours: asWritten,
                journeys: ["expires"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-to-local"),
                ours: Text("coverage.lifecycle-state-to-local-ours"),
                journeys: ["expires"],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-signing-out"),
                ours: asWritten,
                journeys: ["killed-while-signing-out"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-deleting"),
                ours: Text("coverage.lifecycle-state-deleting-ours"),
                journeys: ["deletes-account", "blocked-delete"],
                rulings: [.threeChoices]
            ),
            CoverageRow(
                Text("coverage.lifecycle-state-error"),
                ours: asWritten,
                journeys: ["migration-fails"]
            ),
        ]
    )

    private static let eventsOfLifecycle = CoverageSection(
        title: Text("coverage.lifecycle-of-events"),
        rows: [
            CoverageRow(
                Text("coverage.lifecycle-event-start"),
                ours: Text("coverage.lifecycle-event-start-ours"),
                at: [.status]
            ),
            CoverageRow(Text("coverage.lifecycle-event-init"), ours: asWritten, at: [.status]),
            CoverageRow(
                Text("coverage.lifecycle-event-seeded"),
                ours: asWritten,
                journeys: ["first-visit"],
                at: [.status]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-authenticated"),
                ours: Text("coverage.lifecycle-event-authenticated-ours"),
                journeys: ["guest-new-account", "scenario-15"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-migrated"),
                ours: asWritten,
                journeys: ["guest-new-account"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-activated"),
                ours: asWritten,
                journeys: ["goes-premium", "blocked-subscribe"]
            ),
            CoverageRow(Text("coverage.lifecycle-event-expired"), ours: asWritten, journeys: ["expires"]),
            CoverageRow(Text("coverage.lifecycle-event-drained"), ours: asWritten, journeys: ["expires"]),
            CoverageRow(
                Text("coverage.lifecycle-event-timeout"),
                ours: Text("coverage.lifecycle-event-timeout-ours"),
                journeys: ["expires-offline"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-switched"),
                ours: Text("coverage.lifecycle-event-switched-ours"),
                journeys: ["goes-premium"],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-signed-out"),
                ours: asWritten,
                journeys: ["sign-out-free"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-sign-out-complete"),
                ours: asWritten,
                journeys: ["sign-out-free"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-delete"),
                ours: Text("coverage.lifecycle-event-delete-ours"),
                journeys: ["deletes-account"],
                rulings: [.threeChoices]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-deleted"),
                ours: asWritten,
                journeys: ["deletes-account"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-error"),
                ours: asWritten,
                journeys: ["migration-fails"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-event-retry"),
                ours: Text("coverage.lifecycle-event-retry-ours"),
                journeys: ["migration-fails"]
            ),
        ]
    )

    private static let flowsOfLifecycle = CoverageSection(
        title: Text("coverage.lifecycle-of-flows"),
        rows: [
            CoverageRow(
                Text("coverage.lifecycle-flow-1"),
                ours: Text("coverage.lifecycle-flow-1-ours"),
                journeys: ["first-visit"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-flow-2"),
                ours: Text("coverage.lifecycle-flow-2-ours"),
                journeys: ["guest-new-account"],
                rulings: [.replacedBook]
            ),
            CoverageRow(Text("coverage.lifecycle-flow-3"), ours: asWritten, journeys: ["goes-premium"]),
            CoverageRow(
                Text("coverage.lifecycle-flow-4"),
                ours: Text("coverage.lifecycle-flow-4-ours"),
                journeys: ["expires", "expires-offline"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.lifecycle-flow-5"),
                ours: Text("coverage.lifecycle-flow-5-ours"),
                journeys: ["sign-out-free", "sign-out-pending"],
                rulings: [.freshGuest]
            ),
            CoverageRow(
                Text("coverage.lifecycle-flow-6"),
                ours: Text("coverage.lifecycle-flow-6-ours"),
                at: [.status]
            ),
            CoverageRow(
                Text("coverage.lifecycle-flow-7"),
                ours: Text("coverage.lifecycle-flow-7-ours"),
                journeys: ["blocked-subscribe", "guest-existing-account"],
                rulings: [.replacedBook]
            ),
            CoverageRow(
                Text("coverage.lifecycle-flow-7-restored"),
                ours: Text("coverage.lifecycle-flow-7-restored-ours"),
                journeys: ["blocked-sign-out"],
                rulings: [.freshGuest]
            ),
            CoverageRow(Text("coverage.lifecycle-flow-8"), ours: asWritten, journeys: ["deletes-account"]),
        ]
    )

    private static let recoveryOfLifecycle = CoverageSection(
        title: Text("coverage.lifecycle-of-recovery"),
        rows: [
            CoverageRow(
                Text("coverage.lifecycle-persisted"),
                ours: asWritten,
                journeys: ["killed-while-moving", "killed-while-signing-out"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-idempotent"),
                ours: asWritten,
                journeys: ["killed-while-moving", "migration-fails"]
            ),
            CoverageRow(
                Text("coverage.lifecycle-stale-error"),
                ours: Text("coverage.lifecycle-stale-error-ours"),
                journeys: ["stale-error"],
                at: [.status]
            ),
            CoverageRow(
                Text("coverage.lifecycle-drain-first"),
                ours: asWritten,
                journeys: ["expires-offline"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.lifecycle-logged"),
                ours: Text("coverage.lifecycle-logged-ours"),
                at: [.lab, .status, .log]
            ),
            CoverageRow(Text("coverage.lifecycle-transition-words"), ours: asWritten, at: [.storybook]),
        ]
    )
}

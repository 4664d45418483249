// The principles of offline first, row by row.

import Texts

extension Coverage {
    static let offlineFirst = CoverageDocument(
        id: "offline",
        title: Text("coverage.offline"),
        sections: [
            northOfOfflineFirst, invariantsOfOfflineFirst, backgroundOfOfflineFirst, writesOfOfflineFirst,
            conflictsOfOfflineFirst, mediaOfOfflineFirst,
        ]
    )

    private static let northOfOfflineFirst = CoverageSection(
        title: Text("coverage.offline-of-north"),
        rows: [
            CoverageRow(Text("coverage.offline-source"), ours: asWritten, journeys: ["scenario-5"]),
            CoverageRow(
                Text("coverage.offline-immediate"),
                ours: asWritten,
                journeys: ["killed-with-changes"]
            ),
            CoverageRow(Text("coverage.offline-durable"), ours: asWritten, journeys: ["killed-with-changes"]),
            CoverageRow(
                Text("coverage.offline-pending-count"),
                ours: Text("coverage.offline-pending-count-ours"),
                journeys: ["scenario-16"],
                at: [.sync]
            ),
            CoverageRow(
                Text("coverage.offline-last-success"),
                ours: asWritten,
                journeys: ["goes-premium"],
                at: [.sync]
            ),
            CoverageRow(
                Text("coverage.offline-last-error"),
                ours: asWritten,
                journeys: ["change-refused"],
                at: [.sync]
            ),
            CoverageRow(
                Text("coverage.offline-signal"),
                ours: Text("coverage.offline-signal-ours"),
                at: [.sync]
            ),
        ]
    )

    private static let invariantsOfOfflineFirst = CoverageSection(
        title: Text("coverage.offline-of-invariants"),
        rows: [
            CoverageRow(Text("coverage.offline-no-spinner"), ours: asWritten, journeys: ["scenario-4"]),
            CoverageRow(Text("coverage.offline-staleness"), ours: asWritten, journeys: ["scenario-5"]),
            CoverageRow(
                Text("coverage.offline-offline-browse"),
                ours: Text("coverage.offline-offline-browse-ours"),
                journeys: ["scenario-5"]
            ),
            CoverageRow(
                Text("coverage.offline-offline-edit"),
                ours: asWritten,
                journeys: ["expires-offline", "delete-against-edit"]
            ),
            CoverageRow(
                Text("coverage.offline-offline-media"),
                ours: asWritten,
                journeys: ["receipt-offline"]
            ),
            CoverageRow(
                Text("coverage.offline-offline-sign-in"),
                ours: asWritten,
                journeys: ["not-verified"]
            ),
            CoverageRow(
                Text("coverage.offline-global-indicator"),
                ours: asWritten,
                journeys: ["scenario-16"]
            ),
            CoverageRow(Text("coverage.offline-retry-sync"), ours: asWritten, at: [.sync]),
            CoverageRow(Text("coverage.offline-outbox"), ours: asWritten, journeys: ["killed-with-changes"]),
            CoverageRow(
                Text("coverage.offline-actionable"),
                ours: Text("coverage.offline-actionable-ours"),
                journeys: ["change-refused"],
                at: [.sync, .storybook]
            ),
            CoverageRow(
                Text("coverage.offline-revert"),
                ours: asWritten,
                journeys: ["change-refused"],
                at: [.sync, .storybook]
            ),
        ]
    )

    private static let backgroundOfOfflineFirst = CoverageSection(
        title: Text("coverage.offline-of-background"),
        rows: [
            CoverageRow(
                Text("coverage.offline-foreground"),
                ours: Text("coverage.offline-foreground-ours"),
                journeys: ["scenario-16"]
            ),
            CoverageRow(Text("coverage.offline-resume"), ours: asWritten, journeys: ["scenario-15"]),
            CoverageRow(
                Text("coverage.offline-promise"),
                ours: Text("coverage.offline-promise-ours"),
                journeys: ["goes-premium"]
            ),
        ]
    )

    private static let writesOfOfflineFirst = CoverageSection(
        title: Text("coverage.offline-of-writes"),
        rows: [
            CoverageRow(Text("coverage.offline-atomic"), ours: asWritten, journeys: ["killed-with-changes"]),
            CoverageRow(
                Text("coverage.offline-retries"),
                ours: Text("coverage.offline-retries-ours"),
                at: [.lab]
            ),
            CoverageRow(
                Text("coverage.offline-tombstones"),
                ours: asWritten,
                journeys: ["delete-against-edit"]
            ),
            CoverageRow(Text("coverage.offline-removed"), ours: asWritten, journeys: ["delete-against-edit"]),
        ]
    )

    private static let conflictsOfOfflineFirst = CoverageSection(
        title: Text("coverage.offline-of-conflicts"),
        rows: [
            CoverageRow(
                Text("coverage.offline-low-risk"),
                ours: Text("coverage.offline-low-risk-ours"),
                at: [.history],
                rulings: [.perField]
            ),
            CoverageRow(
                Text("coverage.offline-high-risk"),
                ours: Text("coverage.offline-high-risk-ours"),
                journeys: ["conflict"],
                at: [.settings],
                rulings: [.perField, .guardedFields]
            ),
            CoverageRow(
                Text("coverage.offline-base"),
                ours: Text("coverage.offline-base-ours"),
                journeys: ["conflict"],
                rulings: [.baseOfEdit]
            ),
            CoverageRow(
                Text("coverage.offline-surfaced"),
                ours: asWritten,
                journeys: ["conflict"],
                rulings: [.perField]
            ),
            CoverageRow(Text("coverage.offline-survives"), ours: asWritten, journeys: ["conflict"]),
        ]
    )

    private static let mediaOfOfflineFirst = CoverageSection(
        title: Text("coverage.offline-of-media"),
        rows: [
            CoverageRow(Text("coverage.offline-media-local"), ours: asWritten, journeys: ["receipt-offline"]),
            CoverageRow(
                Text("coverage.offline-media-queued"),
                ours: asWritten,
                journeys: ["receipt-offline"]
            ),
            CoverageRow(
                Text("coverage.offline-media-states"),
                ours: Text("coverage.offline-media-states-ours"),
                journeys: ["receipt-offline", "receipt-refused"],
                at: [.receipts, .storybook]
            ),
        ]
    )
}
